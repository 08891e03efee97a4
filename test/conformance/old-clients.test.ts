import { describe, expect } from 'vitest'
import { clause, shareDocument } from './support/clause.ts'
import { encrypt } from './support/encryption.ts'
import { anAccount, expectContent, expectError } from './support/expect.ts'

const aDocument = shareDocument((api) => api.create(api.needCreator(), 'raw text'))

/** Requests of clients of the original service, which every server understands, with or without LEGACY_CLIENTS. */
describe('Old clients', () => {
  clause('old-clients.bearer', 'A key may follow the word Bearer', async (api) => {
    const key = api.needAccount()
    for (const scheme of ['Bearer', 'bearer']) {
      expect((await api.send('GET', '/v1/users/@me', { key: `${scheme} ${key}` })).status).toBe(200)
    }
    const wrong = `Bearer imperial_${'x'.repeat(40)}`
    expectError(await api.post({ content: 'text' }, { key: wrong }), 401, 'Unauthorized')
  })

  clause('old-clients.no-key', 'Authorization: null and undefined count as no key', async (api) => {
    api.needAnonymousDocuments()
    for (const key of ['null', 'undefined']) {
      expect((await api.post({ content: 'text' }, { key })).document.creator).toBeNull()
      expectError(await api.edit({ id: 'xxxxxxxx' }, { key }), 401, 'Unauthorized')
    }
  })

  clause('old-clients.expiration', 'expiration: 0 means never', async (api) => {
    const key = api.needAccount()
    const { id, timestamps } = await api.create(key, 'text', { expiration: 0 })
    expect(timestamps.expiration).toBe('9999-12-31T23:59:59.999Z')
    await api.edit({ id, settings: { expiration: 1 } }, { key })
    const { document } = await api.edit({ id, settings: { expiration: 0 } }, { key })
    expect(document.timestamps.expiration).toBe('9999-12-31T23:59:59.999Z')
  })

  clause(
    'old-clients.infer-settings',
    'infer_settings leaves the settings of the request unchanged',
    async (api) => {
      const key = api.needAccount()
      const settings = { language: 'css', encrypted: false, instant_delete: false, expiration: 2 }
      const answer = await api.post({ content: 'text', settings, infer_settings: true }, { key })
      expect(answer.document).toMatchObject({
        content: 'text',
        settings: { language: 'css', encrypted: false, instant_delete: false },
      })
    },
  )

  clause('old-clients.infer-anonymous', 'Without a key, infer_settings has no effect', async (api) => {
    api.needAnonymousDocuments()
    const { document } = await api.post({ content: 'text', infer_settings: true })
    expect(document).toMatchObject({ creator: null, settings: { language: 'plaintext', encrypted: false } })
  })

  clause('old-clients.null-content', 'On edit, content: null keeps the content', async (api) => {
    const key = api.needAccount()
    const { id } = await api.create(key)
    const { document } = await api.edit({ id, content: null, settings: { language: 'css' } }, { key })
    expect(document).toMatchObject({ content: 'text', settings: { language: 'css' } })
  })

  clause('old-clients.jwe-whitespace', 'Whitespace around a JWE is removed', async (api) => {
    const key = api.needAccount()
    const settings = { encrypted: true, client_encrypted: true }
    const jwe = await encrypt('secret')
    const created = await api.create(key, `\n ${jwe}\r\n`, settings)
    expect(created.content).toBe(jwe)
    expectContent(await api.read(created.id), jwe)
  })

  clause('old-clients.user', '/v1/user is an alias of /v1/users', async (api) => {
    const key = api.needAccount()
    const me = await api.send('GET', '/v1/user/@me', { key })
    expect(me.status).toBe(200)
    const { username } = me.data as { username: string }
    expect((await api.send('GET', `/v1/user/${username}`)).data).toEqual(anAccount(username))
    expect((await api.send('GET', '/v1/user/@me/documents', { key })).status).toBe(200)
    expectError(await api.send('GET', '/v1/user/@me'), 401, 'Unauthorized')
  })

  clause('old-clients.recent', 'recentDocuments is an alias of recent', async (api) => {
    const key = api.needAccount()
    for (const path of ['/v1/user/@me/recentDocuments', '/v1/users/@me/recentDocuments']) {
      const answer = await api.send('GET', path, { key })
      expect(answer.status).toBe(200)
      expect(answer.data).toEqual(expect.any(Array))
    }
  })

  clause('old-clients.search', 'A search by prefix finds at most ten accounts, with a key', async (api) => {
    const key = api.needAccount()
    const { username } = (await api.send('GET', '/v1/users/@me', { key })).data as { username: string }
    const answer = await api.send('GET', `/v1/users/search/${username.toUpperCase()}`, { key })
    expect(answer.status).toBe(200)
    expect(answer.data).toContainEqual(anAccount(username))
    expect((answer.data as unknown[]).length).toBeLessThanOrEqual(10)
    expectError(await api.send('GET', `/v1/users/search/${username}`), 401, 'Unauthorized')
    const nobody = await api.send('GET', '/v1/users/search/nobody-has-this-name', { key })
    expect(nobody.data).toEqual([])
  })

  clause('old-clients.page', '/p/<id> redirects to the page of the document', async (api) => {
    const { id } = await aDocument(api)
    const answer = await api.send('GET', `/p/${id}`)
    expect(answer.status).toBeGreaterThanOrEqual(301)
    expect(answer.status).toBeLessThanOrEqual(308)
    expect(answer.header('Location')).toMatch(new RegExp(`/${id}$`))
  })

  clause('old-clients.raw', '/raw/<id> is an alias of /r/<id>', async (api) => {
    const { id } = await aDocument(api)
    const answer = await api.send('GET', `/raw/${id}`)
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 200, text: 'raw text' })
    expect(answer.header('Content-Type')).toMatch(/^text\/plain/)
    expect((await api.send('GET', '/raw/xxxxxxxx')).status).toBe(404)
  })

  clause('old-clients.raw-cors', 'Pages of any origin may read raw text', async (api) => {
    const { id } = await aDocument(api)
    for (const path of [`/r/${id}`, '/r/xxxxxxxx']) {
      const answer = await api.send('GET', path, { headers: { Origin: 'https://elsewhere.example' } })
      expect(answer.header('Access-Control-Allow-Origin')).toBe('*')
    }
  })
})
