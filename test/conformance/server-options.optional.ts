import { describe, expect } from 'vitest'
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
