import { afterEach, describe, expect, it, vi } from 'vitest'
import { contentCache } from '../../src/documents/content-store.ts'
import { deriveClaimToken, encryptText, parseJweHeader } from '../../src/shared/jwe.ts'
import { account, session } from '../support/accounts.ts'
import { bindingsWith } from '../support/bindings.ts'
import { create, createAnonymous, ORIGIN, send } from '../support/client.ts'

const PASSWORD = 'secret-Pa55word-äöü'

afterEach(() => {
  vi.restoreAllMocks()
})

/** Collects everything that is written to the console. */
function captureConsole(): string[] {
  const written: string[] = []
  for (const method of ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const) {
    vi.spyOn(console, method).mockImplementation((...values: unknown[]) => {
      written.push(values.map((value) => (value instanceof Error ? value.stack : String(value))).join(' '))
    })
  }
  return written
}

/** What the storage does instead of the call. */
const FAULTS: Readonly<Record<string, () => Promise<never>>> = {
  'fails for good': () => Promise.reject(new Error('D1_ERROR: SQLITE_FULL')),
  'loses its answer': () => Promise.reject(new Error('Network connection lost.')),
  'has a bug': () => Promise.reject(new TypeError("Cannot read properties of undefined (reading 'x')")),
}

/**
 * Sends a request again and again, each time with a fault in the next storage call, until none is left to fail. Returns
 * how many requests failed.
 */
async function sendWithFaults(makeRequest: () => Promise<[string, RequestInit]>): Promise<number> {
  let failed = 0
  for (const fault of Object.values(FAULTS)) {
    let calls = 0
    let broken = 0
    do {
      broken += 1
      calls = 0
      const [path, init] = await makeRequest()
      contentCache.clear()
      const bindings = bindingsWith(
        (_, run) => {
          calls += 1
          // Retries fail, too.
          return calls >= broken ? fault() : run()
        },
        { LOG_REQUESTS: '1' },
      )
      const response = await send(path, init, { bindings })
      await response.text().catch(() => '')
      if (response.status >= 500) failed += 1
    } while (calls >= broken)
  }
  return failed
}

const inEveryForm = (secret: string) => [
  secret,
  encodeURIComponent(secret),
  new URLSearchParams({ x: secret }).toString().slice(2),
  JSON.stringify(secret).slice(1, -1),
]

describe('the log', () => {
  it('never contains a password, a key, a token or a cookie, whichever storage call fails', async () => {
    const own = await account()
    // Few iterations, so that the test is fast.
    const { jwe, claimHash } = await encryptText({ text: 'text', password: PASSWORD, generated: true })
    const settings = { encrypted: true, client_encrypted: true, claim_hash: claimHash }
    const { id } = await create(jwe, settings, own)
    const burning = () => create(jwe, { ...settings, instant_delete: true }, own)
    const anonymous = await createAnonymous('text')
    const { Cookie: cookie } = await session(own)
    const written = captureConsole()
    const query = `?${new URLSearchParams({ password: PASSWORD })}`
    const claims: string[] = []
    const requests: (() => Promise<[string, RequestInit]>)[] = [
      async () => [`/v1/document/${id}${query}`, {}],
      async () => [
        `/v1/document/${id}`,
        { headers: { 'X-Document-Password': PASSWORD.replace(/[äöü]/g, 'x') } },
      ],
      async () => [`/r/${id}${query}`, {}],
      async () => [`/${id}${query}`, { headers: { 'User-Agent': 'curl/8' } }],
      async () => [`/v1/document/${(await burning()).id}${query}`, {}],
      async () => [
        '/v1/document',
        {
          method: 'PATCH',
          headers: { Authorization: own.key, 'Content-Type': 'application/json' },
          body: JSON.stringify({ id, content: 'new', password: PASSWORD }),
        },
      ],
      async () => {
        const document = await burning()
        const { header } = (
          await (await send(`/v1/document/${document.id}/claim`)).json<{ data: { header: string } }>()
        ).data
        const token = await deriveClaimToken(PASSWORD, parseJweHeader(header))
        claims.push(token)
        return [
          `/v1/document/${document.id}/claim`,
          {
            method: 'POST',
            headers: { 'Content-Type': 'application/json' },
            body: JSON.stringify({ token }),
          },
        ]
      },
      async () => [`/${anonymous.id}/manage?token=${anonymous.token}`, {}],
      async () => [
        '/account/keys',
        {
          method: 'POST',
          headers: { Cookie: cookie, Origin: ORIGIN },
          body: new URLSearchParams({ name: 'laptop' }),
        },
      ],
    ]
    let failed = 0
    for (const makeRequest of requests) failed += await sendWithFaults(makeRequest)
    expect(failed).toBeGreaterThan(requests.length)
    const log = written.join('\n')
    expect(written.length).toBeGreaterThan(failed)
    expect(log).toContain('"request_id"')
    const secrets = [PASSWORD, own.key, anonymous.token, cookie.slice(cookie.indexOf('=') + 1), ...claims]
    for (const secret of secrets.flatMap(inEveryForm)) expect(log).not.toContain(secret)
    // Nor a part of one.
    expect(log).not.toContain('Pa55word')
    expect(log).not.toContain('imperial_')
    expect(log).not.toContain('regent_doc_')
  })
})
