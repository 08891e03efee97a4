import { describe, expect, vi } from 'vitest'
import { clause, shareDocument } from './support/clause.ts'
import { anAccount, DAY_MS, expectError, expectInvalid, lifetime } from './support/expect.ts'

/** No clause has the right to change it. */
const aDocument = shareDocument((api) => api.create(api.need('key')))

const anAnonymousDocument = shareDocument((api) => {
  api.needAnonymousDocuments()
  return api.createAnonymous()
})

describe('Edit', () => {
  clause('edit.content', 'An edit changes the content, and returns the whole document', async (api) => {
    const key = api.needAccount()
    const created = await api.create(key, 'before', { language: 'css' })
    const edited = await api.edit({ id: created.id, content: 'after' }, { key })
    expect(edited.status).toBe(200)
    expect(edited.data).toEqual({
      ...created,
      creator: anAccount(created.creator?.username),
      content: 'after',
    })
    expect((await api.read(created.id)).document.content).toBe('after')
  })

  clause('edit.views', 'An edit counts no view, and returns the real number of views', async (api) => {
    const key = api.needAccount()
    const { id } = await api.create(key)
    await api.read(id)
    // A server on several machines may need a second to add up their views.
    const countsAll = async () => (await api.edit({ id }, { key })).document.views === 1
    await vi.waitUntil(countsAll, { timeout: 10_000, interval: 500 })
    expect((await api.edit({ id }, { key })).document.views).toBe(1)
  })

  clause(
    'edit.settings',
    'An edit changes the settings that it names and leaves the others unchanged',
    async (api) => {
      const key = api.needAccount()
      const { id, settings } = await api.create(key, 'text', { title: 'a' })
      const expected = { ...settings }
      for (const [name, value] of Object.entries({
        language: 'css',
        image_embed: true,
        public: true,
        instant_delete: true,
        title: 'b',
      })) {
        expected[name] = value
        const { document } = await api.edit({ id, settings: { [name]: value } }, { key })
        expect({ content: document.content, settings: document.settings }).toEqual({
          content: 'text',
          settings: expected,
        })
      }
    },
  )

  clause(
    'edit.expiration',
    'An edit changes the expiration, counting from the time of the edit',
    async (api) => {
      const key = api.needAccount()
      const { id } = await api.create(key)
      const { document } = await api.edit({ id, settings: { expiration: 30 } }, { key })
      expect(Math.abs(lifetime(document) - 30 * DAY_MS)).toBeLessThan(DAY_MS)
      const never = await api.edit({ id, settings: { expiration: null } }, { key })
      expect(never.document.timestamps.expiration).toBe('9999-12-31T23:59:59.999Z')
    },
  )

  clause('edit.never', 'An edit may send back the expiration that means never', async (api) => {
    const key = api.needAccount()
    const { id, timestamps } = await api.create(key, 'text', { expiration: null })
    const { document } = await api.edit({ id, settings: { expiration: timestamps.expiration } }, { key })
    expect(document.timestamps).toEqual(timestamps)
  })

  clause('edit.title', 'An empty title removes the title', async (api) => {
    const key = api.needAccount()
    const { id } = await api.create(key, 'text', { title: 'a' })
    const { document } = await api.edit({ id, settings: { title: '' } }, { key })
    expect(document.settings).not.toHaveProperty('title')
  })

  clause('edit.detection', 'The language "auto" is detected from the new content', async (api) => {
    const key = api.needAccount()
    const { id } = await api.create(key)
    const change = { id, content: '{"name": "Ada", "born": 1815}', settings: { language: 'auto' } }
    expect((await api.edit(change, { key })).document.settings.language).toBe('json')
  })

  clause('edit.nothing', 'An edit that changes nothing gets a 200 and keeps the ETag', async (api) => {
    const key = api.needAccount()
    const { id } = await api.create(key, 'text', { language: 'css' })
    const tag = (await api.read(id)).header('ETag')
    for (const change of [{}, { settings: null }, { settings: {} }, { content: 'text' }]) {
      expect((await api.edit({ id, ...change }, { key })).document.content).toBe('text')
    }
    const same = {
      language: 'CSS',
      public: false,
      editors: [],
      encrypted: false,
      password: '',
      long_urls: null,
    }
    expect((await api.edit({ id, settings: same }, { key })).status).toBe(200)
    expect((await api.read(id)).header('ETag')).toBe(tag)
  })

  clause('edit.whole', 'If one part of an edit is invalid, nothing changes', async (api) => {
    const key = api.needAccount()
    const { id } = await api.create(key)
    const change = { id, content: 'edited', settings: { language: 'css', public: 'yes' } }
    expectInvalid(await api.edit(change, { key }), ['settings', 'public'])
    expect((await api.read(id)).document).toMatchObject({
      content: 'text',
      settings: { language: 'plaintext', public: false },
    })
  })

  for (const [name, value] of Object.entries({
    encrypted: true,
    password: 'secret',
    long_urls: true,
    short_urls: true,
    create_gist: true,
  })) {
    clause(`edit.fixed ${name}`, 'A setting that cannot change gets a 400 at its path', async (api) => {
      const key = api.needAccount()
      const { id } = await api.create(key)
      expectInvalid(await api.edit({ id, content: 'edited', settings: { [name]: value } }, { key }), [
        'settings',
        name,
      ])
      expect((await api.read(id)).document.content).toBe('text')
    })
  }

  clause('edit.sent-back', 'Settings that are sent back as they were read change nothing', async (api) => {
    const key = api.needAccount()
    for (const settings of [
      {},
      { title: 'notes.md', language: 'css', public: true, revisions: false },
      { encrypted: true },
    ]) {
      const { id } = await api.create(key, 'text', settings)
      const read = await api.read(id, { key })
      const edited = await api.edit({ id, settings: read.document.settings }, { key })
      expect(edited.document.settings).toEqual(read.document.settings)
      expect(edited.header('ETag')).toBe(read.header('ETag'))
    }
  })

  clause(
    'edit.fixed-ignored',
    'Null, false, "" and the present value of such a setting are ignored',
    async (api) => {
      const key = api.needAccount()
      const { id } = await api.create(key)
      const settings = {
        encrypted: false,
        password: '',
        long_urls: null,
        short_urls: false,
        create_gist: null,
      }
      expect((await api.edit({ id, content: 'edited', settings }, { key })).document.content).toBe('edited')
      const encrypted = await api.create(key, 'text', { encrypted: true })
      const same = await api.edit({ id: encrypted.id, settings: { encrypted: true } }, { key })
      expect(same.status).toBe(200)
    },
  )

  clause('edit.id', 'An edit whose id is missing or not a string gets a 400 at id', async (api) => {
    const key = api.needAccount()
    for (const json of [{ content: 'text' }, { id: 5 }, { id: null }]) {
      expectInvalid(await api.edit(json, { key }), ['id'])
    }
  })

  clause('edit.empty-content', 'Content that is empty or not a string gets a 400', async (api) => {
    const key = api.needAccount()
    const { id } = await api.create(key)
    for (const content of ['', 5]) expectInvalid(await api.edit({ id, content }, { key }), ['content'])
    expect((await api.read(id)).document.content).toBe('text')
  })

  clause('edit.not-found', 'An unknown id gets a 404', async (api) => {
    const key = api.needAccount()
    for (const id of ['xxxxxxxx', 'not an id', '']) {
      expectError(await api.edit({ id, content: 'text' }, { key }), 404, 'Document not found')
    }
  })

  clause('edit.stranger', 'Anyone but the creator and the editors gets a 403', async (api) => {
    const { id } = await aDocument(api)
    const answer = await api.edit({ id, content: 'edited' }, { key: api.need('secondKey') })
    expectError(answer, 403, 'You are not allowed to edit this document')
    expect((await api.read(id)).document.content).toBe('text')
  })

  clause('edit.anonymous', 'An anonymous document without its token gets a 403', async (api) => {
    const { id } = await anAnonymousDocument(api)
    const answer = await api.edit({ id, content: 'edited' }, { key: api.needAccount() })
    expectError(answer, 403, 'You are not allowed to edit this document')
  })
})

describe('If-Match', () => {
  clause('if-match.current', 'An edit with the current ETag succeeds', async (api) => {
    const key = api.needAccount()
    const { id } = await api.create(key)
    for (const [content, wrap] of [
      ['a', (tag: string) => tag],
      ['b', (tag: string) => `W/${tag}`],
      ['c', (tag: string) => `"other", ${tag}`],
      ['d', () => '*'],
    ] as const) {
      const headers = { 'If-Match': wrap((await api.read(id)).header('ETag')) }
      expect((await api.edit({ id, content }, { key, headers })).document.content).toBe(content)
    }
  })

  clause(
    'if-match.outdated',
    'An edit with any other ETag gets a 412 with the current ETag, and changes nothing',
    async (api) => {
      const key = api.needAccount()
      const { id } = await api.create(key)
      const outdated = (await api.read(id)).header('ETag')
      const current = (await api.edit({ id, content: 'edited' }, { key })).header('ETag')
      const answer = await api.edit({ id, content: 'lost' }, { key, headers: { 'If-Match': outdated } })
      expectError(answer, 412, 'The document has changed since you read it')
      expect(answer.header('ETag')).toBe(current)
      expect((await api.read(id)).document.content).toBe('edited')
    },
  )

  clause('if-match.absent', 'Without If-Match, the last edit wins', async (api) => {
    const key = api.needAccount()
    const { id } = await api.create(key)
    await api.edit({ id, content: 'first' }, { key })
    expect((await api.edit({ id, content: 'second' }, { key })).document.content).toBe('second')
  })
})

describe('Delete', () => {
  clause('delete.gone', 'After a deletion, every route returns 404 for the document', async (api) => {
    const key = api.needAccount()
    const { id } = await api.create(key)
    await api.remove(id, { key })
    expectError(await api.read(id), 404, 'Document not found')
    expectError(await api.edit({ id, content: 'edited' }, { key }), 404, 'Document not found')
    expectError(await api.remove(id, { key }), 404, 'Document not found')
    expect((await api.readRaw(id)).status).toBe(404)
  })

  clause('delete.answer', 'A deletion gets a 204 without a body', async (api) => {
    api.needServer(!api.target.legacyClients, 'LEGACY_CLIENTS=off')
    const key = api.needAccount()
    const { id } = await api.create(key)
    const answer = await api.remove(id, { key })
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 204, text: '' })
  })

  clause('delete.json', 'A deletion may have a Content-Type and an empty body', async (api) => {
    const key = api.needAccount()
    const { id } = await api.create(key)
    const headers = { 'Content-Type': 'application/json' }
    expect((await api.remove(id, { key, headers })).status).toBeLessThan(300)
  })

  clause('delete.not-found', 'An unknown id gets a 404', async (api) => {
    expectError(await api.remove('xxxxxxxx', { key: api.needAccount() }), 404, 'Document not found')
  })

  clause('delete.stranger', 'Anyone but the creator gets a 403', async (api) => {
    const { id } = await aDocument(api)
    const answer = await api.remove(id, { key: api.need('secondKey') })
    expectError(answer, 403, 'You do not own this document')
    expect((await api.read(id)).status).toBe(200)
  })

  clause('delete.anonymous', 'An anonymous document without its token gets a 403', async (api) => {
    const { id } = await anAnonymousDocument(api)
    expectError(await api.remove(id, { key: api.needAccount() }), 403, 'You do not own this document')
  })
})
