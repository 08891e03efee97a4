import { describe, expect } from 'vitest'
import type { Answer } from './support/answer.ts'
import { type ClauseApi, clause } from './support/clause.ts'
import { DAY_MS, expectError, lifetime } from './support/expect.ts'

/** Checks servers with other values of these variables. `npm test` checks only a server with the defaults. */
describe('LEGACY_CLIENTS=on', () => {
  const needLegacyClients = (api: ClauseApi) =>
    api.needServer(api.target.legacyClients, '--legacy-clients, for a server with LEGACY_CLIENTS=on')

  clause('legacy-clients.delete', 'A deletion gets a 200 with {success: true, data: {}}', async (api) => {
    needLegacyClients(api)
    const key = api.needAccount()
    const { id } = await api.create(key)
    const answer = await api.remove(id, { key })
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 200,
      body: { success: true, data: {} },
    })
    expectError(await api.remove(id, { key }), 404, 'Document not found')
  })

  clause(
    'legacy-clients.password',
    'The password is also in the settings, if it was chosen too',
    async (api) => {
      needLegacyClients(api)
      const key = api.needAccount()
      const created = await api.create(key, 'secret', { encrypted: true })
      expect(created.password).toMatch(/^.{24,}$/)
      expect(created.settings.password).toBe(created.password)
      const password = 'a password of mine'
      const chosen = await api.create(key, 'secret', { encrypted: true, password })
      expect(chosen).toMatchObject({ password, settings: { password } })
      expect((await api.read(created.id)).document.settings).not.toHaveProperty('password')
    },
  )

  clause('legacy-clients.recent', 'The list of recent documents has their content', async (api) => {
    needLegacyClients(api)
    const key = api.needAccount()
    const { id } = await api.create(key, 'recent text')
    const answer = await api.send('GET', '/v1/users/@me/recent', { key })
    expect(answer.data).toContainEqual(expect.objectContaining({ id, content: 'recent text' }))
  })

  clause('legacy-clients.settings', 'Cosmetic settings need no key', async (api) => {
    needLegacyClients(api)
    const settings = { language: 'css', image_embed: true, expiration: 1 }
    expect((await api.post({ content: 'text', settings })).document.settings.language).toBe('css')
  })
})

describe('ANONYMOUS_SETTINGS', () => {
  const COSMETIC = {
    language: 'CSS',
    expiration: 1,
    image_embed: true,
    short_urls: true,
    long_urls: false,
    public: true,
  }

  clause(
    'anonymous-settings.cosmetic',
    'ignore-cosmetic uses the language and ignores the other cosmetic settings',
    async (api) => {
      api.needServer(
        api.target.anonymousSettings === 'ignore-cosmetic',
        '--anonymous-settings ignore-cosmetic, or --legacy-clients',
      )
      const { document } = await api.post({ content: 'text', settings: COSMETIC })
      expect(document.settings).toMatchObject({ language: 'css', image_embed: false, public: false })
      expect(document.id).toHaveLength(8)
      expect(lifetime(document)).toBe(7 * DAY_MS)
    },
  )

  clause(
    'anonymous-settings.allow',
    'allow uses every setting that does not need an account',
    async (api) => {
      api.needServer(api.target.anonymousSettings === 'allow', '--anonymous-settings allow')
      const { public: _, ...settings } = COSMETIC
      const { document } = await api.post({ content: 'text', settings: { ...settings, encrypted: true } })
      expect(document.settings).toMatchObject({ language: 'css', image_embed: true, encrypted: true })
      expect(document.id).toHaveLength(4)
      expect(lifetime(document)).toBe(DAY_MS)
      for (const refused of [{ public: true }, { editors: ['somebody'] }, { create_gist: true }]) {
        expectError(await api.post({ content: 'text', settings: refused }), 401, 'Unauthorized')
      }
    },
  )
})

describe('ANONYMOUS_DOCUMENTS=refuse', () => {
  clause(
    'anonymous-documents.refuse',
    'A create without a key gets a 401, even without a body',
    async (api) => {
      api.needServer(!api.target.anonymousDocuments, '--no-anonymous-documents')
      expectError(await api.post({ content: 'text' }), 401, 'Unauthorized')
      expectError(await api.send('POST', '/v1/document'), 401, 'Unauthorized')
    },
  )

  clause('anonymous-documents.read', 'Everyone may still read', async (api) => {
    api.needServer(!api.target.anonymousDocuments, '--no-anonymous-documents')
    const { id } = await api.create(api.needAccount())
    expect((await api.read(id)).document.content).toBe('text')
  })
})

/** More wrong passwords than a server with limits takes for a document in a minute. */
const ATTEMPTS = 30

/** Sends wrong passwords until the server takes no more. Skips the clause if it takes them all. */
async function exceedLimit(api: ClauseApi): Promise<{ readonly id: string; readonly refused: Answer }> {
  const { id } = await api.create(api.need('key'), 'secret', { encrypted: true })
  const headers = { 'X-Document-Password': 'wrong' }
  let refused: Answer | null = null
  for (let attempt = 0; attempt < ATTEMPTS && !refused; attempt++) {
    const answer = await api.sendOnce('GET', `/v1/document/${id}`, { headers })
    if (answer.status === 429) refused = answer
    else expect(answer.status).toBe(400)
  }
  api.needServer(refused !== null, 'a server that limits the rate of requests')
  return { id, refused: refused as Answer }
}

/** Checks servers with rate limits. The server of `npm test` has none. */
describe('Rate limits', () => {
  clause('limits.error', 'A request that exceeds a limit gets a 429 rate_limited', async (api) => {
    const { refused } = await exceedLimit(api)
    expect(refused.body).toEqual({
      success: false,
      error: {
        code: 'rate_limited',
        message: expect.stringMatching(/^Rate limit exceeded, retry in \d+ seconds$/),
      },
    })
    expect(refused.header('Cache-Control')).toContain('no-store')
  })

  clause('limits.headers', 'A 429 says when to retry, and which limit it is', async (api) => {
    const { refused } = await exceedLimit(api)
    const seconds = Number(refused.header('Retry-After'))
    expect(Number.isInteger(seconds) && seconds >= 1 && seconds * 1000 < DAY_MS).toBe(true)
    const [, name, left] = /^"([^"]+)";r=(\d+);t=\d+$/.exec(refused.header('RateLimit')) ?? []
    expect(left).toBe('0')
    expect(refused.header('RateLimit-Policy')).toMatch(new RegExp(`^"${name}";q=[1-9]\\d*;w=[1-9]\\d*$`))
  })

  clause('limits.cross-origin', 'Scripts of other origins can read these headers', async (api) => {
    const { refused } = await exceedLimit(api)
    expect(refused.header('Access-Control-Allow-Origin')).toBe('*')
    const exposed = refused
      .header('Access-Control-Expose-Headers')
      .toLowerCase()
      .split(/\s*,\s*/)
    expect(exposed).toEqual(expect.arrayContaining(['retry-after', 'ratelimit', 'ratelimit-policy']))
  })

  clause('limits.passwords', 'The limit of passwords doesn’t hold for reads without one', async (api) => {
    const { id } = await exceedLimit(api)
    expect((await api.read(id)).status).toBe(200)
  })
})

const waitUntil = (time: number) => new Promise((resolve) => setTimeout(resolve, time - Date.now()))

/** Takes over a minute, because no document expires sooner. */
describe('Expiry', () => {
  clause(
    'expiry.gone',
    'Every route returns 404 for an expired document, even to its creator',
    async (api) => {
      api.needServer(api.target.slow, '--slow: it takes over a minute')
      const key = api.needAccount()
      // The clocks of the two machines may differ by a few seconds.
      const { id, timestamps } = await api.create(key, 'text', { expiration: 1.2 / 1_440 })
      expect((await api.read(id)).status).toBe(200)
      const created = Date.parse(timestamps.creation)
      await waitUntil(Date.now() + Date.parse(timestamps.expiration) - created + 1_000)
      expectError(await api.read(id), 404, 'Document not found')
      expectError(await api.read(id, { key }), 404, 'Document not found')
      expectError(await api.edit({ id, settings: { expiration: 1 } }, { key }), 404, 'Document not found')
      expectError(await api.remove(id, { key }), 404, 'Document not found')
      expect((await api.readRaw(id)).status).toBe(404)
      expect((await api.send('GET', `/${id}`)).status).toBe(404)
    },
  )
})
