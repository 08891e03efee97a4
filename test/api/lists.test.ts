import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { getRecentDocuments } from '../../src/http/find-document.ts'
import { takeDownDocument } from '../../src/moderation/removals.ts'
import { account } from '../support/accounts.ts'
import {
  call,
  create,
  createAnonymous,
  type DocumentBody,
  edit,
  read,
  remove,
  send,
  withVars,
} from '../support/client.ts'
import { openStore } from '../support/storage/contents.ts'

interface Page {
  readonly documents: (DocumentBody & { readonly title: string | null; readonly size: number })[]
  readonly cursor: string | null
}

const listPublic = (query = '', options = {}) => call<Page>('GET', `/v1/public${query}`, undefined, options)

const listIds = async (query = '') => (await listPublic(query)).body.data.documents.map(({ id }) => id)

beforeEach(async () => {
  await env.DB.prepare('DELETE FROM documents').run()
})

describe('GET /v1/public', () => {
  it('follows the settings of a document at once', async () => {
    const { key } = await account()
    const { id } = await create('text', {}, { key })
    expect(await listIds()).toEqual([])
    await edit({ id, settings: { public: true } }, { key })
    expect(await listIds()).toEqual([id])
    await edit({ id, settings: { instant_delete: true } }, { key })
    expect(await listIds()).toEqual([])
    await edit({ id, settings: { instant_delete: false } }, { key })
    expect(await listIds()).toEqual([id])
    await edit({ id, settings: { public: false } }, { key })
    expect(await listIds()).toEqual([])
  })

  it('never has encrypted, deleted or removed documents, or those without an account', async () => {
    const { key } = await account()
    await create('secret', { public: true, encrypted: true }, { key })
    const allow = { bindings: withVars({ ANONYMOUS_SETTINGS: 'ignore-cosmetic' }) }
    await createAnonymous('text', { public: true }, allow)
    const deleted = await create('text', { public: true }, { key })
    const removed = await create('text', { public: true }, { key })
    expect(await listIds()).toEqual([removed.id, deleted.id])
    await remove(deleted.id, { key })
    const store = openStore()
    await takeDownDocument(store, removed.id, { by: 'operator', reason: 'spam', now: Date.now(), keepMs: 0 })
    expect(await listIds()).toEqual([])
  })

  it.each([
    ['limit=x', 'limit'],
    [`search=${'x'.repeat(101)}`, 'search'],
    [`language=${'x'.repeat(101)}`, 'language'],
  ])('refuses ?%s', async (query, path) => {
    const { status, body } = await listPublic(`?${query}`)
    expect(status).toBe(400)
    expect(body.error.errors).toEqual([expect.objectContaining({ path: [path] })])
  })

  it('answers HEAD, and 405 to other methods', async () => {
    const head = await call('HEAD', '/v1/public')
    expect(head.status).toBe(200)
    const post = await call('POST', '/v1/public', {})
    expect({ status: post.status, allow: post.headers.get('Allow') }).toEqual({
      status: 405,
      allow: expect.stringContaining('GET'),
    })
  })

  it('doesn’t exist if EXPLORE is off, and public documents stay open to search engines', async () => {
    const { key } = await account()
    const { id } = await create('text', { public: true }, { key })
    const bindings = withVars({ EXPLORE: 'off' })
    const { status, body } = await listPublic('', { bindings })
    expect({ status, message: body.error.message }).toEqual({ status: 404, message: 'Route not found' })
    const answer = await read(id, { bindings })
    expect(answer.headers.get('X-Robots-Tag')).toBeNull()
  })
})

describe('X-Robots-Tag', () => {
  it('is noindex for all documents except public ones of an account', async () => {
    const { key, id: accountId } = await account()
    const robots = async (id: string) => (await read(id)).headers.get('X-Robots-Tag')
    const listed = await create('text', { public: true }, { key })
    expect(await robots(listed.id)).toBeNull()
    expect(await robots((await create('text', {}, { key })).id)).toBe('noindex')
    expect(await robots((await create('text', { public: true, encrypted: true }, { key })).id)).toBe(
      'noindex',
    )
    expect(await robots((await create('text')).id)).toBe('noindex')
    const burning = await create('text', { public: true, instant_delete: true }, { key })
    expect((await send(`/${burning.id}`)).headers.get('X-Robots-Tag')).toBe('noindex')
    // What account deletion does to documents that are kept.
    await env.DB.prepare('UPDATE documents SET creator_id = NULL WHERE creator_id = ?1').bind(accountId).run()
    getRecentDocuments(env).forget(listed.id)
    expect(await robots(listed.id)).toBe('noindex')
  })
})

async function list(key: string | undefined, query = '') {
  const path = `/v1/users/@me/documents${query}`
  const { status, body, headers } = await call<Page>('GET', path, undefined, { key })
  return { status, headers, error: body.error, page: body.data }
}

describe('GET /v1/users/@me/documents', () => {
  it.each(['?sort=toString', `?search=${'x'.repeat(10_000)}`, "?cursor=1-' OR"])(
    'returns 400 for %.40s',
    async (query) => {
      const { key } = await account()
      const { status, error } = await list(key, query)
      expect(status).toBe(400)
      expect(error.code).toBe('bad_request')
    },
  )
})
