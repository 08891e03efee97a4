import { afterEach, expect, it, vi } from 'vitest'
import { fetchOutside, parseJsonAnswer } from '../../src/platform/outgoing.ts'

afterEach(() => vi.unstubAllGlobals())

const MEBIBYTE = 1024 * 1024

/** Another service, which sends this many mebibytes. Returns how many of them were asked for. */
function stubService(mebibytes: number) {
  let sent = 0
  let isCancelled = false
  const body = () =>
    new ReadableStream<Uint8Array>({
      pull: (controller) => {
        if (sent === mebibytes) return controller.close()
        sent += 1
        controller.enqueue(new Uint8Array(MEBIBYTE))
      },
      cancel: () => {
        isCancelled = true
      },
    })
  const fetch = vi.fn(async (_url: string, _init: RequestInit) => new Response(body()))
  vi.stubGlobal('fetch', fetch)
  return { fetch, getSent: () => sent, isCancelled: () => isCancelled }
}

it('reads an answer from outside, follows no redirect, and says who asks', async () => {
  const { fetch } = stubService(2)
  const { status, bytes } = await fetchOutside('https://outside.test/', { headers: { Accept: 'text/plain' } })
  expect({ status, size: bytes.byteLength }).toEqual({ status: 200, size: 2 * MEBIBYTE })
  expect(fetch.mock.calls[0]?.[1]).toMatchObject({
    redirect: 'manual',
    signal: expect.any(AbortSignal),
    headers: { 'User-Agent': 'regent', Accept: 'text/plain' },
  })
})

it('stops reading an answer that is too long', async () => {
  const service = stubService(1_000)
  await expect(fetchOutside('https://outside.test/', {})).rejects.toThrow('too long')
  expect(service.isCancelled()).toBe(true)
  expect(service.getSent()).toBeLessThan(12)
})

it('has nothing for an answer that is not JSON', () => {
  expect(parseJsonAnswer({ bytes: new TextEncoder().encode('<html>') })).toBeNull()
  expect(parseJsonAnswer({ bytes: new TextEncoder().encode('{"a":1}') })).toEqual({ a: 1 })
})
