import { describe, expect } from 'vitest'
import type { Answer } from './support/answer.ts'
import { clause } from './support/clause.ts'
import {
  anAccount,
  aTime,
  DAY_MS,
  expectDeleted,
  expectError,
  expectInvalid,
  lifetime,
} from './support/expect.ts'

const ID = /^[23456789bcdfghjkmnpqrstvwxyzBCDFGHJKMNPQRSTVWXYZ]+$/

describe('Create', () => {
  clause('create.anonymous', 'Content without settings needs no key, and gets a 200', async (api) => {
    api.needAnonymousDocuments()
    expect((await api.post({ content: 'text' })).status).toBe(200)
  })

  clause('create.document', 'The response is the document, with every field', async (api) => {
    api.needAnonymousDocuments()
    const { document } = await api.post({ content: 'text' })
    expect(document).toEqual({
      id: expect.any(String),
      content: 'text',
      creator: null,
      gist_url: null,
      views: 0,
      timestamps: { creation: aTime(), expiration: aTime() },
      links: { formatted: expect.any(String), raw: expect.any(String) },
      settings: {
        language: 'plaintext',
        image_embed: false,
        instant_delete: false,
        encrypted: false,
        public: false,
        editors: [],
      },
    })
  })

  clause(
    'create.links',
    'The links are URLs that end in /<id> and /r/<id>, on the same site',
    async (api) => {
      api.needAnonymousDocuments()
      const { id, links } = await api.createAnonymous()
      expect(links.formatted).toMatch(/^https?:\/\//)
      expect(links.formatted.endsWith(`/${id}`)).toBe(true)
      expect(links.raw).toBe(`${links.formatted.slice(0, -id.length)}r/${id}`)
    },
  )

  clause(
    'create.default-expiry',
    'A document lasts 7 days unless the request says otherwise',
    async (api) => {
      api.needAnonymousDocuments()
      const created = await api.createAnonymous()
      expect(lifetime(created)).toBe(7 * DAY_MS)
      expect(Math.abs(Date.parse(created.timestamps.creation) - Date.now())).toBeLessThan(DAY_MS)
    },
  )

  clause(
    'create.creator',
    'With a key, the account of the key is the creator, even without settings',
    async (api) => {
      const key = api.needAccount()
      const { creator } = (await api.post({ content: 'text' }, { key })).document
      const { username } = (await api.send('GET', '/v1/users/@me', { key })).data as { username: string }
      expect(creator).toEqual(anAccount(username))
    },
  )

  clause('create.counts', 'Every document of an account counts in its documents_made', async (api) => {
    const key = api.needAccount()
    const first = await api.create(key)
    const second = await api.create(key)
    expect(second.creator?.documents_made).toBeGreaterThan(first.creator?.documents_made ?? Number.NaN)
  })

  clause('create.id', 'An id has 8 characters, with no vowels and no look-alike characters', async (api) => {
    api.needAnonymousDocuments()
    const { id } = await api.createAnonymous()
    expect(id).toHaveLength(8)
    expect(id).toMatch(ID)
  })

  clause('create.short-id', 'With short_urls, the id has 4 characters', async (api) => {
    const { id } = await api.create(api.needAccount(), 'text', { short_urls: true })
    expect(id).toHaveLength(4)
    expect(id).toMatch(ID)
  })

  clause('create.long-id', 'With long_urls, the id has 36 characters', async (api) => {
    const { id } = await api.create(api.needAccount(), 'text', { long_urls: true })
    expect(id).toHaveLength(36)
    expect(id).toMatch(ID)
  })

  clause('create.short-wins', 'With both short_urls and long_urls, the id is short', async (api) => {
    const { id } = await api.create(api.needAccount(), 'text', { short_urls: true, long_urls: true })
    expect(id).toHaveLength(4)
  })

  clause(
    'create.response-settings',
    'The settings in a response leave out settings that only concern the request',
    async (api) => {
      const settings = {
        expiration: 3,
        long_urls: true,
        short_urls: false,
        create_gist: false,
        encrypted: true,
      }
      const created = await api.create(api.needAccount(), 'text', settings)
      for (const name of ['expiration', 'long_urls', 'short_urls', 'create_gist']) {
        expect(created.settings).not.toHaveProperty(name)
      }
    },
  )

  clause('create.cache', 'Shared caches may not store the response', async (api) => {
    api.needAnonymousDocuments()
    expect((await api.post({ content: 'text' })).header('Cache-Control')).toBe('private, no-cache')
  })

  clause('create.etag', 'A create returns the same ETag as a read afterwards', async (api) => {
    api.needAnonymousDocuments()
    const answer = await api.post({ content: 'text' })
    expect(answer.header('ETag')).toMatch(/^"[^"]+"$/)
    expect((await api.read(answer.document.id)).header('ETag')).toBe(answer.header('ETag'))
  })

  clause('create.gist-encrypted', 'create_gist with encrypted or instant_delete gets a 400', async (api) => {
    const key = api.needAccount()
    for (const name of ['encrypted', 'instant_delete']) {
      const answer = await api.post(
        { content: 'text', settings: { create_gist: true, [name]: true } },
        { key },
      )
      expectInvalid(answer, ['settings', 'create_gist'])
    }
  })
})

const REUSED = 'This Idempotency-Key was used for another request'
const GONE = 'The document that this Idempotency-Key created has been deleted or belongs to an account now'

const withIdempotencyKey = () => ({ headers: { 'Idempotency-Key': crypto.randomUUID() } })

describe('Repeated requests', () => {
  clause(
    'repeats.token',
    'A create with the same Idempotency-Key gets the same document and token',
    async (api) => {
      api.needAnonymousDocuments()
      const call = withIdempotencyKey()
      const first = await api.post({ content: 'text' }, call)
      const repeated = await api.post({ content: 'text' }, call)
      expect(repeated.document).toEqual(first.document)
      expect(repeated.header('X-Document-Token')).toBe(first.header('X-Document-Token'))
    },
  )

  clause(
    'repeats.at-once',
    'Equal creates at once with one Idempotency-Key make one document',
    async (api) => {
      const call = { key: api.needAccount(), ...withIdempotencyKey() }
      const answers = await Promise.all(Array.from({ length: 4 }, () => api.post({ content: 'text' }, call)))
      const { creator, ...first } = (answers[0] as Answer).document
      // The account may create other documents in the meantime.
      for (const { document } of answers)
        expect(document).toEqual({ ...first, creator: anAccount(creator?.username) })
    },
  )

  clause('repeats.another-body', 'The same Idempotency-Key with another body gets a 409', async (api) => {
    const call = { key: api.needAccount(), ...withIdempotencyKey() }
    await api.post({ content: 'text' }, call)
    expectError(await api.post({ content: 'another text' }, call), 409, REUSED)
  })

  clause('repeats.deleted', 'A repeat after the document was deleted gets a 409', async (api) => {
    const key = api.needAccount()
    const call = { key, ...withIdempotencyKey() }
    const { document } = await api.post({ content: 'text' }, call)
    expectDeleted(await api.remove(document.id, { key }))
    expectError(await api.post({ content: 'text' }, call), 409, GONE)
  })

  clause('repeats.password', 'A create with Idempotency-Key must send its password', async (api) => {
    const key = api.needAccount()
    for (const settings of [{ encrypted: true }, { encrypted: true, password: '' }]) {
      const answer = await api.post({ content: 'text', settings }, { key, ...withIdempotencyKey() })
      expectInvalid(answer, ['settings', 'password'])
    }
  })
})
