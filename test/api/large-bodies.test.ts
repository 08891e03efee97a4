import { env, exports } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { BodyChunks } from '../../src/http/bodies.ts'
import { isolateMemory, RequestMemory } from '../../src/platform/request-memory.ts'
import { account } from '../support/accounts.ts'
import { type Answer, call, create, ORIGIN, read, send, withVars } from '../support/client.ts'
import { expectInvalid } from '../support/expect.ts'
import { expectFaults } from '../support/log.ts'

const small = withVars({ MAX_CONTENT_BYTES: '8' })

async function post(body: BodyInit, contentType: string | null, bindings: Env = env): Promise<Answer> {
  const headers = new Headers(contentType === null ? {} : { 'Content-Type': contentType })
  const request = { method: 'POST', headers, body }
  const response = await send('/v1/document', request, { bindings })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

describe('a body that a client stops sending', () => {
  it('is an interrupted upload, and can be let go of', async () => {
    const { readable, writable } = new FixedLengthStream(100)
    const sending = writable.getWriter().write(new Uint8Array(10))
    const request = new Request(ORIGIN, { method: 'POST', body: readable })
    const memory = new RequestMemory(() => '192.0.2.1')
    const chunks = new BodyChunks(request, { memory, maxPauseMs: 20 })
    expect((await chunks.read())?.byteLength).toBe(10)
    await sending
    await expect(chunks.read()).rejects.toMatchObject({ code: 'bad_request' })
    expect(() => chunks.release()).not.toThrow()
    memory.release()
  })
})

describe('a body in UTF-16', () => {
  const encode = (text: string, littleEndian: boolean) => {
    const bytes = new DataView(new ArrayBuffer(text.length * 2))
    for (let at = 0; at < text.length; at++) bytes.setUint16(at * 2, text.charCodeAt(at), littleEndian)
    return new Uint8Array(bytes.buffer)
  }

  it.each([
    ['little-endian', '', true, 1],
    ['big-endian', '', false, 1],
    ['with a byte order mark', '\uFEFF', true, 1],
    ['with the other byte order mark', '\uFEFF', false, 1],
    ['long', '', true, 100_000],
  ])('gets a hint that says what to do: %s', async (_, mark, littleEndian, length) => {
    const body = encode(`${mark}${JSON.stringify({ content: 'x'.repeat(length) })}`, littleEndian)
    const answer = await post(body, 'application/json')
    expectInvalid(answer, [])
    expect(answer.body.error.hint).toBe(
      'The body is UTF-16: encode it as UTF-8, or name its charset in Content-Type',
    )
  })
})

describe('the size of the content', () => {
  it.each([
    ['ASCII', 'x'.repeat(8), 'x'.repeat(9)],
    ['two bytes a character', 'é'.repeat(4), 'é'.repeat(5)],
    ['astral characters', '😀'.repeat(2), '😀'.repeat(3)],
    ['control characters that JSON writes in six bytes', '\0'.repeat(8), '\0'.repeat(9)],
  ])('is counted in bytes of UTF-8: %s', async (_, largest, tooLarge) => {
    const answer = await post(JSON.stringify({ content: largest }), 'application/json', small)
    expect(answer.status).toBe(200)
    expect((await read(answer.body.data.id)).body.data.content).toBe(largest)
    const refused = await post(JSON.stringify({ content: tooLarge }), 'application/json', small)
    expect(refused.status).toBe(413)
    expect(refused.body.error).toEqual({ code: 'content_too_large', message: 'Content is too large' })
  })

  it('is limited by the declared length of the body, or while a body of unknown length arrives', async () => {
    const body = `{"content":"x","padding":"${'p'.repeat(70_000)}"}`
    expect((await post(body, 'application/json', small)).status).toBe(413)
    const stream = new Blob([body]).stream()
    expect((await post(stream, 'application/json', small)).status).toBe(413)
    const accepted = new Blob(['{"content":"x"}']).stream()
    expect((await post(accepted, 'application/json', small)).status).toBe(200)
  })

  it('is checked before anything else in the body', async () => {
    const body = JSON.stringify({ content: 'x'.repeat(9), settings: { language: 5 } })
    expect((await post(body, 'application/json', small)).status).toBe(413)
    const encrypted = JSON.stringify({
      content: 'x'.repeat(9),
      settings: { client_encrypted: true, language: 5 },
    })
    expect((await post(encrypted, 'application/json', small)).status).toBe(400)
  })

  it('may be 10 MiB with encryption as well', async () => {
    const { key } = await account()
    const content = '😀'.repeat((10 * 1024 * 1024) / 4)
    const answer = await call('POST', '/v1/document', { content, settings: { encrypted: true } }, { key })
    expect(answer.status).toBe(200)
    const { id, password } = answer.body.data
    expect((await read(`${id}?password=${password}`)).body.data.content === content).toBe(true)
  })
})

const MiB = 1024 * 1024

/** Sends a request to the Worker, in a request context of its own. */
const postToWorker = (body: unknown, key: string) =>
  exports.default.fetch(
    new Request(`${ORIGIN}/v1/document`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: key },
      body: JSON.stringify(body),
    }),
  )

const seldom = { timeout: 10_000, interval: 10 }

describe('large requests side by side', () => {
  it('take turns, also with encryption, and leave nothing reserved', async () => {
    const { key } = await account()
    const content = `${'x'.repeat(2 * MiB)}😀`
    let most = 0
    const reserve = isolateMemory.process.bind(isolateMemory)
    vi.spyOn(isolateMemory, 'process').mockImplementation(async (holding, bytes) => {
      await reserve(holding, bytes)
      most = Math.max(most, isolateMemory.getReservedBytes())
    })
    const answers = await Promise.all(
      [true, false, true, true, false, true].map(async (encrypted) => {
        const answer = await postToWorker({ content, settings: { encrypted } }, key)
        const { data } = await answer.json<{ data: { content: string } }>()
        return [answer.status, data.content === content]
      }),
    )
    expect(answers).toEqual(Array.from({ length: 6 }, () => [200, true]))
    expect(most).toBeGreaterThan(2 * 6 * MiB)
    expect(most).toBeLessThanOrEqual(92 * MiB)
    await vi.waitFor(() => expect(isolateMemory.getReservedBytes()).toBe(0), seldom)
  })

  it('are refused with Retry-After if the others need too long', async () => {
    const { key } = await account()
    const body = { content: 'x'.repeat(MiB), settings: { encrypted: true } }
    const none = { missingBytes: 0, processingBytes: 0, seenAt: 0, wantedAt: 0 }
    const others = { network: 'others', ...none, transferBytes: 96 * MiB }
    isolateMemory.keep(others)
    others.seenAt = Number.POSITIVE_INFINITY
    // Every look at the clock takes half a second.
    let looks = 0
    const start = Date.now()
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => start + 500 * looks++)
    expectFaults('request failed')
    const refused = await postToWorker(body, key)
    clock.mockRestore()
    isolateMemory.forget(others)
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '5'])
    expect(await refused.json()).toMatchObject({ success: false, error: { code: 'unavailable' } })
    const accepted = await postToWorker(body, key)
    expect(accepted.status).toBe(200)
    await accepted.text()
  })
})

describe('a large document that a client reads slowly', () => {
  it('is reserved until it has been read, or the client hangs up', async () => {
    const { id } = await create('x'.repeat(MiB))
    await vi.waitFor(() => expect(isolateMemory.getReservedBytes()).toBe(0), seldom)
    const reader = (await send(`/${id}`)).body?.getReader()
    await reader?.read()
    expect(isolateMemory.getReservedBytes()).toBe(MiB)
    await reader?.cancel()
    expect(isolateMemory.getReservedBytes()).toBe(0)
  })
})

/** Sends a body of `bytes` bytes that repeats a part. Returns the answer, and how much of the body was read. */
async function postChunks(
  start: string,
  part: string,
  bytes: number,
  { path = '/v1/document', method = 'POST', ...headers }: Record<string, string> = {},
) {
  let read = 0
  const chunk = new TextEncoder().encode(part.repeat(Math.ceil((64 * 1024) / part.length)))
  const body = new ReadableStream({
    type: 'bytes',
    pull(controller) {
      const next = read === 0 ? new TextEncoder().encode(start + part) : chunk.slice()
      read += next.length
      controller.enqueue(next)
      if (read >= bytes) controller.close()
    },
  })
  const init = { method, headers: { 'Content-Type': 'application/json', ...headers }, body }
  const response = await send(path, init)
  const answer = await response.json<{ error?: { message: string } }>()
  return { status: response.status, message: answer.error?.message, read }
}

const tooLarge = { status: 413, message: 'Content is too large' }

describe('a hostile body', () => {
  it.each([
    ['6 MiB of objects in an ignored member', '{"content":"x","ignored":[', '{},', 6 * MiB],
    ['40 MiB of arrays in each other', '', '[', 40 * MiB],
    ['1 MiB of members', '{"content":"x"', ',"a":1', MiB],
    ['1 MiB of settings', '{"content":"x","settings":{"title":"', 'x', MiB],
    ['1 MiB of spaces', '{"content":"x"', ' ', MiB],
  ])('is refused before it has been read: %s', async (_, start, part, bytes) => {
    const { read, ...answer } = await postChunks(start, part, bytes)
    expect(answer).toEqual(tooLarge)
    expect(read).toBeLessThan(512 * 1024)
  })

  it('is read to its end and not kept if its content is too large, so that the client gets the answer', async () => {
    const { read, ...answer } = await postChunks('{"content":"', '\\n', 40 * MiB)
    expect(answer).toEqual(tooLarge)
    expect(read).toBeGreaterThanOrEqual(40 * MiB)
    const endless = await postChunks('{"content":"', 'x', 100 * MiB)
    expect(endless).toMatchObject(tooLarge)
    expect(endless.read).toBeLessThan(61 * MiB)
  })

  it('is refused by the same bounds on edit and claim', async () => {
    const { key } = await account()
    const edited = await postChunks('{"id":"abcd","x":[', '{},', 6 * MiB, {
      method: 'PATCH',
      Authorization: key,
    })
    expect(edited).toMatchObject(tooLarge)
    expect(edited.read).toBeLessThan(512 * 1024)
    const claimed = await postChunks('', '[', 6 * MiB, { path: '/v1/document/abcd/claim' })
    expect(claimed).toMatchObject(tooLarge)
    expect(claimed.read).toBeLessThan(512 * 1024)
  })

  it('is refused by its announced length before any of it is read', async () => {
    const { read, ...answer } = await postChunks('{"content":"', 'x', 2 * MiB, {
      'Content-Length': String(61 * MiB),
    })
    expect(answer).toEqual(tooLarge)
    expect(read).toBeLessThan(MiB)
  })
})
