import { describe, expect } from 'vitest'
import { clause, shareDocument } from './support/clause.ts'
import { expectDeleted, expectError } from './support/expect.ts'

const WRONG_KEY = `imperial_${'x'.repeat(40)}`

const aDocument = shareDocument((api) => api.create(api.needAccount()))

const anAnonymousDocument = shareDocument((api) => {
  api.needAnonymousDocuments()
  return api.createAnonymous()
})

describe('Authentication', () => {
  clause('authentication.bare-key', 'Authorization takes the key by itself', async (api) => {
    const answer = await api.send('GET', '/v1/users/@me', { key: api.needAccount() })
    expect(answer.status).toBe(200)
  })

  clause('authentication.invalid-create', 'An invalid key gets a 401 on create', async (api) => {
    for (const key of [WRONG_KEY, 'nonsense']) {
      expectError(await api.post({ content: 'text' }, { key }), 401, 'Unauthorized')
    }
  })

  clause(
    'authentication.invalid-edit',
    'An invalid key gets a 401 on edit, even with a token',
    async (api) => {
      const { id, token } = await anAnonymousDocument(api)
      const call = { key: WRONG_KEY, headers: { 'X-Document-Token': token } }
      expectError(await api.edit({ id, content: 'edited' }, call), 401, 'Unauthorized')
      expect((await api.read(id)).document.content).toBe('text')
    },
  )

  clause(
    'authentication.invalid-delete',
    'An invalid key gets a 401 on delete, even with a token',
    async (api) => {
      const { id, token } = await anAnonymousDocument(api)
      const call = { key: WRONG_KEY, headers: { 'X-Document-Token': token } }
      expectError(await api.remove(id, call), 401, 'Unauthorized')
      expect((await api.read(id)).status).toBe(200)
    },
  )

  clause('authentication.invalid-read', 'An invalid key is ignored on read', async (api) => {
    const { id } = await anAnonymousDocument(api)
    expect((await api.read(id, { key: WRONG_KEY })).document.content).toBe('text')
  })

  clause('authentication.empty', 'An empty Authorization counts as no credential', async (api) => {
    api.needAnonymousDocuments()
    const headers = { Authorization: '' }
    expect((await api.post({ content: 'text' }, { headers })).document.creator).toBeNull()
    expectError(await api.edit({ id: 'xxxxxxxx' }, { headers }), 401, 'Unauthorized')
  })

  clause('authentication.edit', 'An edit without a credential gets a 401', async (api) => {
    const { id } = await aDocument(api)
    expectError(await api.edit({ id, content: 'edited' }), 401, 'Unauthorized')
    expect((await api.read(id)).document.content).toBe('text')
  })

  clause('authentication.delete', 'A deletion without a credential gets a 401', async (api) => {
    const { id } = await aDocument(api)
    expectError(await api.remove(id), 401, 'Unauthorized')
    expect((await api.read(id)).status).toBe(200)
  })

  clause('authentication.defaults', 'Settings that equal the defaults need no key', async (api) => {
    api.needAnonymousDocuments()
    for (const settings of [
      {},
      { encrypted: false },
      { language: 'plaintext', expiration: 7, image_embed: false, instant_delete: false, editors: [] },
      { password: '', public: false, long_urls: false, short_urls: false, create_gist: false, title: '' },
    ]) {
      expect((await api.post({ content: 'text', settings })).status).toBe(200)
    }
  })

  clause(
    'authentication.settings',
    'Without a key, settings that protect the text or need an account get a 401',
    async (api) => {
      api.needServer(api.target.anonymousSettings !== 'allow', 'another value of ANONYMOUS_SETTINGS')
      for (const settings of [
        { encrypted: true },
        { instant_delete: true },
        { title: 'a' },
        { create_gist: true },
        { editors: ['somebody'] },
      ]) {
        expectError(await api.post({ content: 'text', settings }), 401, 'Unauthorized')
      }
    },
  )

  clause('authentication.cosmetic', 'Without a key, every other setting gets a 401 too', async (api) => {
    api.needServer(api.target.anonymousSettings === 'refuse', 'ANONYMOUS_SETTINGS=refuse')
    for (const settings of [
      { language: 'css' },
      { expiration: 1 },
      { expiration: null },
      { image_embed: true },
      { public: true },
      { short_urls: true },
      { long_urls: true },
    ]) {
      expectError(await api.post({ content: 'text', settings }), 401, 'Unauthorized')
    }
  })

  clause(
    'authentication.unconfirmed',
    'The key of an unconfirmed account creates documents, but gets a 403 for settings',
    async (api) => {
      const key = api.need('unconfirmedKey')
      const answer = await api.post({ content: 'text', settings: { language: 'css' } }, { key })
      expectError(answer, 403, 'Your account is not confirmed')
      expect((await api.create(key)).creator).not.toBeNull()
    },
  )

  clause(
    'authentication.unconfirmed-edit',
    'An unconfirmed account edits content, but gets a 403 for settings',
    async (api) => {
      const key = api.need('unconfirmedKey')
      const { id } = await api.create(key)
      const answer = await api.edit({ id, settings: { language: 'css' } }, { key })
      expectError(answer, 403, 'Your account is not confirmed')
      expect((await api.edit({ id, content: 'edited' }, { key })).document.content).toBe('edited')
      expectDeleted(await api.remove(id, { key }))
    },
  )
})
