import { afterEach, describe, expect, it, vi } from 'vitest'
import { createDocument, requireSameAccount } from '../../../src/client/create/create-request.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

const stubFetch = (data: unknown, status = 200) => {
  const fetchMock = vi.fn<typeof fetch>().mockResolvedValue(Response.json(data, { status }))
  vi.stubGlobal('fetch', fetchMock)
  return fetchMock
}

describe('requireSameAccount', () => {
  it('asks nothing for a form that was opened signed out', async () => {
    const fetchMock = stubFetch({})
    await requireSameAccount(null)
    expect(fetchMock).not.toHaveBeenCalled()
  })

  it('accepts the account that the form belongs to', async () => {
    stubFetch({ data: { id: '1' } })
    await requireSameAccount('1')
  })

  it('refuses another account', async () => {
    stubFetch({ data: { id: '2' } })
    await expect(requireSameAccount('1')).rejects.toThrow('another account')
  })

  it('refuses if nobody is signed in any more', async () => {
    stubFetch({ error: { code: 'unauthorized', message: 'Sign in' } }, 401)
    await expect(requireSameAccount('1')).rejects.toMatchObject({ code: 'unauthorized' })
  })
})

describe('createDocument', () => {
  it('sends the content with its settings', async () => {
    const fetchMock = stubFetch({ data: { id: 'abcdefgh' } })
    expect(await createDocument('text', { public: true })).toEqual({ id: 'abcdefgh' })
    const [path, init] = fetchMock.mock.calls[0] ?? []
    expect(path).toBe('/v1/document')
    expect(init).toMatchObject({ method: 'POST', body: '{"content":"text","settings":{"public":true}}' })
  })

  it('names the editor that the API rejects', async () => {
    const errors = [{ path: ['settings', 'editors', 1], message: 'No such account' }]
    stubFetch({ error: { code: 'bad_request', message: 'Invalid', errors } }, 400)
    await expect(createDocument('text', { editors: ['ada', 'nobody'] })).rejects.toThrow('nobody')
  })
})
