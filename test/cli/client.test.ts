import { describe, expect, it } from 'vitest'
import { RegentClient } from '../../cli/src/client/client.ts'
import { parseRetryAfter, RegentError } from '../../cli/src/client/errors.ts'
import type { TransportOptions } from '../../cli/src/client/transport.ts'

const SERVER = 'https://paste.example.org'
const GREETING = { message: 'Hello' }

const answer =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  () =>
    Promise.resolve(new Response(body === null ? null : JSON.stringify(body), { status, headers }))

const success = answer(200, { success: true, data: GREETING })
const failure = (status: number, code: string, headers?: Record<string, string>) =>
  answer(status, { success: false, error: { code, message: `It is ${code}` } }, headers)
const limited = failure(429, 'rate_limited', { 'Retry-After': '0' })
const unavailable = failure(503, 'unavailable', { 'Retry-After': '0' })

/** Returns a client of a server that gives one answer after another, the last one again and again. */
function createTestClient(answers: readonly (typeof fetch)[], options: Partial<TransportOptions> = {}) {
  const requests: { url: string; init: RequestInit }[] = []
  const client = new RegentClient({
    server: `${SERVER}/ignored`,
    fetch: (input, init = {}) => {
      requests.push({ url: String(input), init })
      const next = answers[requests.length - 1] ?? answers.at(-1)
      if (!next) throw new Error('no answer')
      return next(input, init)
    },
    ...options,
  })
  return { client, requests }
}

const getHeader = (init: RequestInit | undefined, name: string) => new Headers(init?.headers).get(name)

const catchError = async (promise: Promise<unknown>): Promise<RegentError> => {
  const error = await promise.then(
    () => null,
    (thrown) => thrown,
  )
  expect(error).toBeInstanceOf(RegentError)
  return error
}

describe('a request', () => {
  it('goes to the server’s origin, with the key', async () => {
    const { client, requests } = createTestClient([success], { key: 'imperial_x' })
    expect(await client.greet()).toEqual(GREETING)
    expect(requests[0]?.url).toBe(`${SERVER}/v1`)
    expect(getHeader(requests[0]?.init, 'Authorization')).toBe('imperial_x')
  })

  it('never follows a redirect, which could take the key elsewhere', async () => {
    const { client, requests } = createTestClient([success])
    await client.greet()
    expect(requests[0]?.init.redirect).toBe('error')
  })

  it('encodes an id, so that it can’t name another path', async () => {
    const { client, requests } = createTestClient([success])
    await client.readDocument('../users')
    expect(requests[0]?.url).toBe(`${SERVER}/v1/document/..%2Fusers`)
  })

  it('sends a password in a header, as UTF-8', async () => {
    const { client, requests } = createTestClient([success])
    await client.readDocument('bcdfghjk', { password: 'pä & ss' })
    expect(requests[0]?.url).toBe(`${SERVER}/v1/document/bcdfghjk`)
    expect(getHeader(requests[0]?.init, 'X-Document-Password')).toBe('p\u00C3\u00A4 & ss')
  })

  it.each([' spaces ', 'two\nlines', '\0'])(
    'sends no password that headers can’t hold: %j',
    async (password) => {
      const { client, requests } = createTestClient([success])
      await expect(client.readDocument('bcdfghjk', { password })).rejects.toMatchObject({
        code: 'bad_request',
      })
      expect(requests).toEqual([])
    },
  )

  it('reports how much of the body was sent', async () => {
    const progress: [number, number][] = []
    let received = 0
    const receive: typeof fetch = async (input, init) => {
      received = (await new Request(input, { ...init, duplex: 'half' } as RequestInit).arrayBuffer())
        .byteLength
      return success()
    }
    const { client } = createTestClient([receive])
    const onUploadProgress = (...step: [number, number]) => progress.push(step)
    await client.createDocument({ content: 'x'.repeat(200_000) }, { onUploadProgress })
    expect(received).toBe(200_000 + '{"content":""}'.length)
    expect(progress.map(([sent]) => sent)).toEqual([65_536, 131_072, 196_608, received])
    expect(new Set(progress.map(([, total]) => total))).toEqual(new Set([received]))
  })
})

describe('a shared text', () => {
  const EXPIRATION = '2026-11-24T00:00:00.000Z'
  const shared = (
    text = `${SERVER}/bcdfghjk\n`,
    status = 201,
    headers: Record<string, string> = { 'X-Document-Token': 'regent_doc_x' },
  ) =>
    Promise.resolve(
      new Response(text, {
        status,
        headers: { 'Content-Type': 'text/plain; charset=utf-8', 'X-Expires': EXPIRATION, ...headers },
      }),
    )

  it('is sent as it is, with its settings in headers', async () => {
    const { client, requests } = createTestClient([() => shared()])
    const settings = {
      title: 'a & ö\nb',
      language: 'c++',
      expiration: 1 / 48,
      instant_delete: true,
      client_encrypted: true,
      claim_hash: 'hash',
    }
    expect(await client.shareText('\uFEFFtext', settings)).toEqual({
      id: 'bcdfghjk',
      link: `${SERVER}/bcdfghjk`,
      token: 'regent_doc_x',
      expiration: EXPIRATION,
    })
    const [{ url = '', init = {} } = {}] = requests
    expect(url).toBe(`${SERVER}/`)
    expect(getHeader(init, 'X-Title')).toBe('a & \u00C3\u00B6 b')
    expect(getHeader(init, 'X-Language')).toBe('c++')
    expect(getHeader(init, 'X-Expires')).toBe('0.020833333d')
    expect(getHeader(init, 'X-Burn')).toBe('true')
    expect(getHeader(init, 'X-Client-Encrypted')).toBe('true')
    expect(getHeader(init, 'X-Claim-Hash')).toBe('hash')
    expect(getHeader(init, 'Content-Type')).toBe('text/plain; charset=utf-8')
    expect(new TextDecoder('utf-8', { ignoreBOM: true }).decode(init.body as Uint8Array)).toBe('\uFEFFtext')
  })

  it.each([
    [null, 'never'],
    [0, 'never'],
    [10, '10d'],
    [0.5, '0.5d'],
    [10_080 / 1_440, '7d'],
    ['2027-01-31T12:00:00Z', '2027-01-31T12:00:00Z'],
  ])('expires as asked: %j', async (expiration, sent) => {
    const { client, requests } = createTestClient([() => shared()])
    await client.shareText('x', { expiration })
    expect(getHeader(requests[0]?.init, 'X-Expires')).toBe(sent)
  })

  it('throws what the server says in its line of text', async () => {
    const line = 'Without an account, documents last up to 7 days'
    const { client } = createTestClient([() => shared(`${line}\n`, 401)])
    expect(await catchError(client.shareText('x'))).toMatchObject({ code: 'unauthorized', message: line })
  })

  it.each([
    ['a page', () => Promise.resolve(new Response('<!doctype html>'))],
    ['text that is no link', () => shared('Hello\n')],
    ['another status', () => shared(undefined, 200)],
  ])('throws invalid_response for %s', async (_, other) => {
    const { client } = createTestClient([other])
    expect((await catchError(client.shareText('x'))).code).toBe('invalid_response')
  })
})

describe('a failed request', () => {
  it('throws the code, status, request id and issues', async () => {
    const issues = [{ code: 'custom', path: ['settings', 'title'], message: 'No' }]
    const body = {
      success: false,
      error: {
        code: 'bad_request',
        message: 'Invalid request body',
        hint: 'settings.title: No',
        errors: issues,
      },
    }
    const { client } = createTestClient([answer(400, body, { 'X-Request-Id': 'r1' })])
    const error = await catchError(client.createDocument({ content: 'x' }))
    expect(error).toMatchObject({
      code: 'bad_request',
      status: 400,
      requestId: 'r1',
      retryAfter: null,
      hint: 'settings.title: No',
      issues,
      message: 'Invalid request body',
    })
  })

  it('throws the code of the status if the answer has no body', async () => {
    const { client } = createTestClient([answer(404, null)])
    expect(await catchError(client.checkDocument('bcdfghjk'))).toMatchObject({
      code: 'not_found',
      status: 404,
    })
  })

  it.each([
    ['a page', () => Promise.resolve(new Response('<!doctype html>'))],
    ['another status', answer(418, null)],
    ['other JSON', answer(200, { hello: 'world' })],
  ])('throws invalid_response for %s', async (_, other) => {
    const { client } = createTestClient([other])
    expect((await catchError(client.greet())).code).toBe('invalid_response')
  })

  it('throws network with the system’s reason', async () => {
    const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
    const { client, requests } = createTestClient([
      () => Promise.reject(new TypeError('fetch failed', { cause })),
    ])
    const error = await catchError(client.greet())
    expect(error).toMatchObject({ code: 'network', status: null })
    expect(error.message).toBe(`Can’t reach ${SERVER} (ECONNREFUSED)`)
    expect(requests).toHaveLength(1)
  })

  it('throws timeout if nothing arrives for too long', async () => {
    const silent: typeof fetch = (_, init) =>
      new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)))
    const { client } = createTestClient([silent], { idleTimeoutMs: 10 })
    expect((await catchError(client.greet())).code).toBe('timeout')
  })

  it('rejects with the reason of the signal', async () => {
    const { client } = createTestClient([success])
    await expect(client.greet({ signal: AbortSignal.abort('stop') })).rejects.toBe('stop')
  })
})

describe('a busy server', () => {
  it('is asked again after the time it names', async () => {
    const notices: number[] = []
    const { client, requests } = createTestClient([limited, limited, success], {
      onRetry: ({ seconds }) => notices.push(seconds),
    })
    expect(await client.greet()).toEqual(GREETING)
    expect(requests).toHaveLength(3)
    expect(notices).toEqual([0, 0])
  })

  it('is asked again three times at most', async () => {
    const { client, requests } = createTestClient([limited])
    expect(await catchError(client.greet())).toMatchObject({ code: 'rate_limited', retryAfter: 0 })
    expect(requests).toHaveLength(4)
  })

  it('is not asked again if it wants a long wait', async () => {
    const { client, requests } = createTestClient([failure(429, 'rate_limited', { 'Retry-After': '61' })])
    expect((await catchError(client.greet())).retryAfter).toBe(61)
    expect(requests).toHaveLength(1)
  })

  it('sends reads again if a proxy has lost the request, but not after a fault of the server itself', async () => {
    const lost = answer(500, 'Error: Network connection lost.', { 'Retry-After': '0' })
    const { client } = createTestClient([lost, success])
    expect(await client.greet()).toEqual(GREETING)
    const fault = failure(500, 'internal_error', { 'Retry-After': '0', 'X-Request-Id': 'x' })
    await expect(createTestClient([fault, success]).client.greet()).rejects.toMatchObject({ status: 500 })
  })

  it('is asked again after a storage fault only if that can’t create a second document', async () => {
    const reads = createTestClient([unavailable, success])
    expect(await reads.client.greet()).toEqual(GREETING)
    const edits = createTestClient([unavailable, success])
    await catchError(edits.client.editDocument({ id: 'bcdfghjk', content: 'x' }))
    expect(edits.requests).toHaveLength(1)
  })

  it('that creates a document is asked again after a storage fault, with the same Idempotency-Key', async () => {
    const document = answer(200, { success: true, data: { id: 'bcdfghjk' } })
    const { client, requests } = createTestClient([unavailable, document])
    const settings = { encrypted: true, password: 'a password' }
    expect((await client.createDocument({ content: 'x', settings })).document).toEqual({ id: 'bcdfghjk' })
    const [first, second] = requests.map(({ init }) => getHeader(init, 'Idempotency-Key'))
    expect(first).toMatch(/^[0-9a-f-]{36}$/)
    expect(second).toBe(first)
  })

  it('for which the server may generate a password is not asked again', async () => {
    for (const request of [
      { content: 'x', settings: { encrypted: true } },
      { content: 'x', infer_settings: true },
    ]) {
      const { client, requests } = createTestClient([unavailable, success])
      await catchError(client.createDocument(request))
      expect(requests).toHaveLength(1)
      expect(getHeader(requests[0]?.init, 'Idempotency-Key')).toBeNull()
    }
  })

  it('is left alone once the signal aborts', async () => {
    const controller = new AbortController()
    const { client } = createTestClient([failure(429, 'rate_limited', { 'Retry-After': '60' })], {
      onRetry: () => queueMicrotask(() => controller.abort('stop')),
    })
    await expect(client.greet({ signal: controller.signal })).rejects.toBe('stop')
  })

  it('may name seconds or a date', () => {
    const now = Date.UTC(2026, 10, 22)
    const headers = ['7', new Date(now + 2_500).toUTCString(), new Date(now - 1).toUTCString(), 'soon', null]
    expect(headers.map((header) => parseRetryAfter(header, now))).toEqual([7, 2, 0, null, null])
  })
})
