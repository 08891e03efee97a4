import { describe, expect } from 'vitest'
import { clause, shareDocument } from './support/clause.ts'
import { expectContent, expectDeleted, expectError } from './support/expect.ts'

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

const withToken = (token: string) => ({ headers: { 'X-Document-Token': token } })

describe('Document tokens', () => {
  clause('tokens.create', 'A create without a key returns a token, only in a header', async (api) => {
    api.needAnonymousDocuments()
    const answer = await api.post({ content: 'text' })
    const token = answer.header('X-Document-Token')
    expect(token).not.toBe('')
    expect(answer.text).not.toContain(token)
    expect((await api.read(answer.document.id)).headers.get('X-Document-Token')).toBeNull()
  })

  clause('tokens.account', 'A document of an account has no token', async (api) => {
    const answer = await api.post({ content: 'text' }, { key: api.needAccount() })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('X-Document-Token')).toBeNull()
  })

  clause('tokens.edit', 'The token allows editing the content and the settings', async (api) => {
    api.needAnonymousDocuments()
    const { id, token } = await api.createAnonymous()
    const settings = { language: 'css', expiration: 30, image_embed: true }
    const { document } = await api.edit({ id, content: 'edited', settings }, withToken(token))
    expect(document).toMatchObject({
      content: 'edited',
      creator: null,
      settings: { language: 'css', image_embed: true },
    })
  })

  clause('tokens.delete', 'The token allows deleting the document', async (api) => {
    api.needAnonymousDocuments()
    const { id, token } = await api.createAnonymous()
    expectDeleted(await api.remove(id, withToken(token)))
    expect((await api.read(id)).status).toBe(404)
  })

  clause('tokens.burn', 'The token allows reading without burning, also as raw text', async (api) => {
    api.needAnonymousDocuments()
    const { id, token } = await api.createAnonymous()
    await api.edit({ id, settings: { instant_delete: true } }, withToken(token))
    expectContent(await api.read(id, withToken(token)), 'text')
    expect((await api.readRaw(id, withToken(token))).text).toBe('text')
    expectContent(await api.read(id), 'text')
    expect((await api.read(id, withToken(token))).status).toBe(404)
  })

  clause(
    'tokens.account-settings',
    'The token cannot make a document public or give it editors',
    async (api) => {
      api.needAnonymousDocuments()
      const { id, token } = await api.createAnonymous()
      for (const settings of [{ public: true }, { editors: ['somebody'] }]) {
        const answer = await api.edit({ id, content: 'edited', settings }, withToken(token))
        expect(answer.status).toBe(403)
      }
      expectContent(await api.read(id), 'text')
    },
  )

  clause(
    'tokens.wrong',
    'A wrong token gets a 403 on edit and delete, and is ignored on read',
    async (api) => {
      api.needAnonymousDocuments()
      const { id } = await api.createAnonymous()
      const { token } = await api.createAnonymous()
      for (const wrong of [token, 'nonsense']) {
        const edit = await api.edit({ id, content: 'edited' }, withToken(wrong))
        expectError(edit, 403, 'You are not allowed to edit this document')
        expectError(await api.remove(id, withToken(wrong)), 403, 'You do not own this document')
        expectContent(await api.read(id, withToken(wrong)), 'text')
      }
    },
  )

  clause('tokens.empty', 'An empty token counts as none', async (api) => {
    api.needAnonymousDocuments()
    const { id } = await api.createAnonymous()
    expectError(await api.edit({ id, content: 'edited' }, withToken('')), 401, 'Unauthorized')
    expectError(await api.remove(id, withToken('')), 401, 'Unauthorized')
  })

  clause('tokens.not-found', 'With a token, an unknown id gets a 404', async (api) => {
    api.needAnonymousDocuments()
    const { token } = await api.createAnonymous()
    expectError(await api.remove('xxxxxxxx', withToken(token)), 404, 'Document not found')
    const edit = await api.edit({ id: 'xxxxxxxx', content: 'a' }, withToken(token))
    expectError(edit, 404, 'Document not found')
  })

  clause('tokens.other-documents', 'A token changes nothing about a document of an account', async (api) => {
    api.needAnonymousDocuments()
    const { id } = await api.create(api.needAccount())
    const { token } = await api.createAnonymous()
    const answer = await api.edit({ id, content: 'edited' }, withToken(token))
    expectError(answer, 403, 'You are not allowed to edit this document')
    expectError(await api.remove(id, withToken(token)), 403, 'You do not own this document')
  })
})
