import { describe, expect } from 'vitest'
import { clause } from './support/clause.ts'
import { expectContent, expectDeleted, expectError } from './support/expect.ts'

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
