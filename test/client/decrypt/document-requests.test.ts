import { afterEach, describe, expect, it, vi } from 'vitest'
import { claimDocument, fetchClaimHeader, fetchDocument } from '../../../src/client/decrypt/read-document.ts'

const respondWith = (respond: () => Promise<Response>) => {
  const request = vi.fn<typeof fetch>(respond)
  vi.stubGlobal('fetch', request)
  return request
}

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('a request that fails', () => {
  it.each([
    [404, 'gone'],
    [429, 'rate-limited'],
    [400, 'refused'],
    [500, 'server-error'],
    [503, 'server-error'],
  ])('with status %i is reported as %s', async (status, failure) => {
    respondWith(async () => new Response('{}', { status }))
    await expect(fetchDocument('abcd')).rejects.toMatchObject({ failure })
  })

  it('without an answer is reported as unanswered', async () => {
    respondWith(() => Promise.reject(new TypeError('Failed to fetch')))
    await expect(fetchDocument('abcd')).rejects.toMatchObject({ failure: 'unanswered' })
  })

  it('in the middle of the answer is reported as interrupted', async () => {
    respondWith(async () => new Response('{"data": {"id"'))
    await expect(fetchDocument('abcd')).rejects.toMatchObject({ failure: 'interrupted' })
  })
})

describe('a claim', () => {
  it('fetches the header without sending anything', async () => {
    const request = respondWith(async () => Response.json({ data: { header: 'abc' } }))
    expect(await fetchClaimHeader('abcd')).toBe('abc')
    expect(request.mock.calls).toEqual([['/v1/document/abcd/claim', { cache: 'no-store' }]])
  })

  it('posts the token and returns the document', async () => {
    const document = { id: 'abcd', content: 'x' }
    const request = respondWith(async () => Response.json({ data: document }))
    expect(await claimDocument('abcd', 'token')).toEqual(document)
    expect(request.mock.calls[0]?.[1]).toMatchObject({ method: 'POST', body: '{"token":"token"}' })
  })

  it('returns null if the token is wrong', async () => {
    respondWith(async () => new Response('{}', { status: 400 }))
    expect(await claimDocument('abcd', 'token')).toBeNull()
  })

  it('throws if the document is gone', async () => {
    respondWith(async () => new Response('{}', { status: 404 }))
    await expect(claimDocument('abcd', 'token')).rejects.toMatchObject({ failure: 'gone' })
  })
})
