import { afterEach, describe, expect, it, vi } from 'vitest'
import { postDocument } from '../../../src/client/create/share.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

const stubFetch = (data: unknown, status = 200) => {
  const fetchMock = vi.fn<typeof fetch>().mockResolvedValue(Response.json(data, { status }))
  vi.stubGlobal('fetch', fetchMock)
  return fetchMock
}

describe('postDocument', () => {
  it("sends the site's form and asks for JSON", async () => {
    const fetchMock = stubFetch({ data: { id: 'abcdefgh' } })
    const fields = new FormData()
    fields.set('expires', 'day')
    expect(await postDocument(fields)).toEqual({ id: 'abcdefgh' })
    const [path, init] = fetchMock.mock.calls[0] ?? []
    expect(path).toBe('/')
    expect(init).toMatchObject({ method: 'POST', body: fields, headers: { Accept: 'application/json' } })
  })

  it('names the editor that the site rejects', async () => {
    const errors = [{ path: ['settings', 'editors', 1], message: 'No such account' }]
    stubFetch({ error: { code: 'bad_request', message: 'Invalid', errors } }, 400)
    const fields = new FormData()
    fields.set('editors', 'ada, nobody')
    await expect(postDocument(fields)).rejects.toThrow('nobody')
  })

  it('is about the field that the site rejects', async () => {
    const errors = [{ path: ['expires'], message: 'Too late' }]
    stubFetch({ error: { code: 'bad_request', message: 'Invalid', errors } }, 400)
    await expect(postDocument(new FormData())).rejects.toMatchObject({ field: 'expires' })
  })
})
