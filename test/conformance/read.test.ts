import { describe, expect, vi } from 'vitest'
import { clause, shareDocument } from './support/clause.ts'
import { anAccount, expectError } from './support/expect.ts'

const TEXT = '# <b>text</b> 😀'

/** Its views are those of all clauses. */
const aDocument = shareDocument((api) => api.create(api.needCreator(), TEXT))

describe('Read', () => {
  clause('read.document', 'A read needs no key, and returns the same document as the create', async (api) => {
    const created = await api.create(api.needAccount(), 'text', { language: 'css' })
    const { document } = await api.read(created.id)
    // The account may create other documents in the meantime.
    expect(document).toEqual({ ...created, views: 1, creator: anAccount(created.creator?.username) })
  })

  clause('read.not-found', 'An id that does not exist gets a 404', async (api) => {
    expectError(await api.read('xxxxxxxx'), 404, 'Document not found')
  })

  clause('read.not-an-id', 'A malformed id gets a 404', async (api) => {
    for (const id of ['abc', 'x'.repeat(37), 'not-an-id', '%F0%9F%98%80', 'x%20xxxxxx', '%00']) {
      expectError(await api.read(id), 404, 'Document not found')
    }
  })

  clause('read.case', 'Ids are case-sensitive', async (api) => {
    const { id } = await api.create(api.needAccount(), 'text', { long_urls: true })
    const other = id === id.toLowerCase() ? id.toUpperCase() : id.toLowerCase()
    expectError(await api.read(other), 404, 'Document not found')
  })

  clause(
    'read.views',
    'Each delivery counts a view, and the number includes the current one',
    async (api) => {
      api.needAnonymousDocuments()
      const { id } = await api.createAnonymous()
      expect((await api.read(id)).document.views).toBe(1)
      await api.readRaw(id)
      let deliveries = 2
      // A server on several machines may need a second to add up their views.
      const countsAll = async () => {
        deliveries += 1
        return (await api.read(id)).document.views === deliveries
      }
      await vi.waitUntil(countsAll, { timeout: 10_000, interval: 500 })
    },
  )

  clause('read.head', 'HEAD returns the headers of GET without a body, and counts no view', async (api) => {
    api.needAnonymousDocuments()
    const { id } = await api.createAnonymous()
    const head = await api.head(id)
    expect({ status: head.status, text: head.text }).toEqual({ status: 200, text: '' })
    const { headers, document } = await api.read(id)
    expect(document.views).toBe(1)
    for (const name of ['Content-Type', 'ETag', 'Cache-Control', 'X-Robots-Tag']) {
      expect(head.header(name)).toBe(headers.get(name))
    }
  })

  clause('read.head-not-found', 'HEAD of an unknown id gets a 404', async (api) => {
    expect((await api.head('xxxxxxxx')).status).toBe(404)
  })

  clause('read.password-ignored', 'A password is ignored if the document is not encrypted', async (api) => {
    const { id } = await aDocument(api)
    expect((await api.read(`${id}?password=anything`)).document.content).toBe(TEXT)
    const headers = { 'X-Document-Password': 'anything' }
    expect((await api.read(id, { headers })).document.content).toBe(TEXT)
  })
})

describe('Versions and caching', () => {
  clause('caching.etag', 'Every read has a strong ETag, which views do not change', async (api) => {
    const { id } = await aDocument(api)
    const tag = (await api.read(id)).header('ETag')
    expect(tag).toMatch(/^"[^"]+"$/)
    expect((await api.read(id)).header('ETag')).toBe(tag)
  })

  clause('caching.etag-changes', 'An edit of content or settings changes the ETag', async (api) => {
    const key = api.needAccount()
    const { id } = await api.create(key)
    const tags = [(await api.read(id)).header('ETag')]
    for (const change of [{ content: 'edited' }, { settings: { language: 'css' } }]) {
      const edited = await api.edit({ id, ...change }, { key })
      tags.push(edited.header('ETag'))
      expect((await api.read(id, { key })).header('ETag')).toBe(edited.header('ETag'))
    }
    expect(new Set(tags).size).toBe(3)
  })

  clause('caching.representations', 'The JSON and the raw text have different ETags', async (api) => {
    const { id } = await aDocument(api)
    expect((await api.readRaw(id)).header('ETag')).not.toBe((await api.read(id)).header('ETag'))
  })

  clause('caching.cache-control', 'Caches must revalidate before they use a copy', async (api) => {
    const { id } = await aDocument(api)
    expect((await api.read(id)).header('Cache-Control')).toBe('private, no-cache')
  })

  clause(
    'caching.protected',
    'Responses with encrypted and burn-after-reading documents are no-store',
    async (api) => {
      const key = api.needAccount()
      for (const settings of [{ encrypted: true }, { instant_delete: true }]) {
        const { id } = await api.create(key, 'text', settings)
        expect((await api.read(id, { key })).header('Cache-Control')).toBe('no-store')
      }
    },
  )

  clause(
    'caching.not-modified',
    'If-None-Match with the current ETag gets a 304 and counts no view',
    async (api) => {
      api.needAnonymousDocuments()
      const { id } = await api.createAnonymous()
      const tag = (await api.read(id)).header('ETag')
      for (const value of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
        const answer = await api.read(id, { headers: { 'If-None-Match': value } })
        expect({ status: answer.status, text: answer.text }).toEqual({ status: 304, text: '' })
        expect(answer.header('ETag')).toBe(tag)
      }
      expect((await api.read(id)).document.views).toBeLessThanOrEqual(2)
    },
  )

  clause('caching.modified', 'If-None-Match with another ETag gets the document', async (api) => {
    const { id } = await aDocument(api)
    const raw = (await api.readRaw(id)).header('ETag')
    for (const value of ['"other"', raw]) {
      expect((await api.read(id, { headers: { 'If-None-Match': value } })).document.content).toBe(TEXT)
    }
  })

  clause('caching.encrypted', 'If-None-Match is ignored for encrypted documents', async (api) => {
    const { id } = await api.create(api.needAccount(), 'text', { encrypted: true })
    expect((await api.read(id, { headers: { 'If-None-Match': '*' } })).status).toBe(200)
  })
})

describe('Raw text', () => {
  clause('raw.text', 'GET /r/<id> returns only the text, as text/plain in UTF-8', async (api) => {
    const { id } = await aDocument(api)
    const answer = await api.readRaw(id)
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 200, text: TEXT })
    expect(answer.header('Content-Type')).toMatch(/^text\/plain; ?charset=utf-8$/i)
    expect(answer.header('X-Content-Type-Options')).toBe('nosniff')
  })

  clause('raw.not-found', 'An unknown id gets a 404', async (api) => {
    expect((await api.readRaw('xxxxxxxx')).status).toBe(404)
  })

  clause('raw.not-modified', 'If-None-Match with the current ETag gets a 304', async (api) => {
    const { id } = await aDocument(api)
    const tag = (await api.readRaw(id)).header('ETag')
    const answer = await api.readRaw(id, { headers: { 'If-None-Match': tag } })
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 304, text: '' })
  })

  clause('raw.head', 'HEAD of the raw text counts no view', async (api) => {
    api.needAnonymousDocuments()
    const { id } = await api.createAnonymous()
    expect((await api.send('HEAD', `/r/${id}`)).status).toBe(200)
    expect((await api.read(id)).document.views).toBe(1)
  })

  clause('raw.sandbox', 'Browsers run nothing in raw text', async (api) => {
    const { id } = await aDocument(api)
    expect((await api.readRaw(id)).header('Content-Security-Policy')).toContain('sandbox')
  })

  clause(
    'raw.noindex',
    'Search engines may not index raw text unless the document is public',
    async (api) => {
      const { id } = await aDocument(api)
      expect((await api.readRaw(id)).header('X-Robots-Tag')).toContain('noindex')
    },
  )
})
