import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { requestApi } from '../../../src/client/document-form/api-request.ts'

const fetchMock = vi.fn<typeof fetch>()

beforeEach(() => {
  vi.useFakeTimers()
  fetchMock.mockReset()
  vi.stubGlobal('fetch', fetchMock)
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const respond = (body: unknown, init: ResponseInit = {}) =>
  fetchMock.mockResolvedValue(new Response(typeof body === 'string' ? body : JSON.stringify(body), init))

/** A server that never responds. */
const hang = () =>
  fetchMock.mockImplementation(
    (_, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
      }),
  )

describe('requestApi', () => {
  it('returns the data and the entity tag', async () => {
    respond({ data: { id: 'x' } }, { headers: { ETag: '"1"' } })
    expect(await requestApi('/v1/document/x')).toEqual({ data: { id: 'x' }, etag: '"1"' })
  })

  it('never asks a cache', async () => {
    respond({ data: {} })
    await requestApi('/v1/document/x')
    expect(fetchMock.mock.calls[0]?.[1]?.cache).toBe('no-store')
  })

  it('throws the error that the API reports', async () => {
    respond({ error: { code: 'precondition_failed', message: 'Changed' } }, { status: 412 })
    await expect(requestApi('/v1/document')).rejects.toMatchObject({ code: 'precondition_failed' })
  })

  it.each(['no JSON', '{}'])('takes the response %s for an error of the server', async (body) => {
    respond(body, { status: 500 })
    await expect(requestApi('/v1/document')).rejects.toMatchObject({ code: 'internal_error' })
  })

  it('says so when the server cannot be reached', async () => {
    fetchMock.mockRejectedValue(new TypeError('failed to fetch'))
    await expect(requestApi('/v1/document')).rejects.toThrow('Can’t reach Regent')
  })

  it('gives up on a response after a minute', async () => {
    hang()
    const request = expect(requestApi('/v1/document')).rejects.toThrow('Can’t reach Regent')
    await vi.advanceTimersByTimeAsync(59_999)
    expect(fetchMock.mock.calls[0]?.[1]?.signal?.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    await request
  })

  it('waits longer for a large upload', async () => {
    hang()
    const body = 'x'.repeat(80_000)
    const request = expect(requestApi('/v1/document', { method: 'POST', body })).rejects.toThrow()
    await vi.advanceTimersByTimeAsync(69_999)
    expect(fetchMock.mock.calls[0]?.[1]?.signal?.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    await request
  })
})
