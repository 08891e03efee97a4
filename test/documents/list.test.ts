import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { deleteOwnDocuments } from '../../src/documents/delete.ts'
import { listDocuments, type Scope, SORTS, type Sort } from '../../src/documents/lists.ts'
import { type Account, account } from '../support/accounts.ts'
import { create, edit } from '../support/client.ts'
import { openStore } from '../support/storage/contents.ts'

let made = 0

interface Listed {
  readonly creator: Account
  readonly title?: string | null
  readonly createdAt?: number
  readonly expiresAt?: number
  readonly bytes?: number
  readonly views?: number
}

/** Inserts a document like a create does, with the values that lists depend on and a random id. */
async function addRow({
  creator,
  title = null,
  createdAt = 5,
  expiresAt = 1_000,
  bytes = 1,
  views = 0,
}: Listed) {
  const id = `${crypto.randomUUID().slice(0, 8)}x${++made}`
  await env.DB.prepare(
    `INSERT INTO documents (id, creator_id, content_key, content_bytes, content_until, language, image_embed,
        instant_delete, encrypted, public, version, created_at, updated_at, expires_at, views, title, title_key)
      VALUES (?1, ?2, 'content/' || ?1, ?3, 0, 'plaintext', 0, 0, 0, 0, 'v', ?4, ?4, ?5, ?6, ?7, ?8)`,
  )
    .bind(id, creator.id, bytes, createdAt, expiresAt, views, title, title?.toLowerCase() ?? null)
    .run()
  return id
}

async function share(id: string, editor: Account): Promise<void> {
  await env.DB.batch([
    env.DB.prepare('INSERT INTO document_editors (document_id, position, user_id) VALUES (?1, 0, ?2)').bind(
      id,
      editor.id,
    ),
    env.DB.prepare('UPDATE documents SET has_editors = 1 WHERE id = ?1').bind(id),
  ])
}

const getIds = (documents: readonly { readonly id: string }[]) => documents.map(({ id }) => id)

interface Query {
  readonly scope?: Scope
  readonly sort?: Sort
  readonly search?: string
  readonly now?: number
}

const listAll = async (viewer: Account, query: Query = {}) =>
  getIds((await listDocuments(openStore(), viewer, { now: 10, limit: 100, ...query })).documents)

describe('a list', () => {
  it.each(SORTS.flatMap((sort) => (['created', 'shared'] as const).map((scope) => [sort, scope] as const)))(
    'sorted by %s (%s) shows each document that exists throughout exactly once, while others come and go',
    async (sort, scope) => {
      const [creator, editor] = [await account(), await account()]
      const viewer = scope === 'shared' ? editor : creator
      const add = async (row: Partial<Listed>) => {
        const id = await addRow({ creator, ...row })
        if (scope === 'shared') await share(id, editor)
        return id
      }
      // Few different values, so that most of them are equal and the id decides.
      const various = (n: number) => ({
        title: [null, 'b', 'B', 'a', '😀'][n % 5] ?? null,
        createdAt: n % 3,
        expiresAt: 100 + (n % 2),
        bytes: 1 + (n % 4),
        views: n % 3,
      })
      const throughout: string[] = []
      const passing: string[] = []
      for (let n = 0; n < 40; n++) (n % 4 === 0 ? passing : throughout).push(await add(various(n)))

      const found: string[] = []
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = await listDocuments(openStore(), viewer, { scope, sort, cursor, limit: 7, now: 10 })
        expect(page.documents.length).toBeLessThanOrEqual(7)
        found.push(...getIds(page.documents))
        cursor = page.cursor
        await add(various(found.length))
        await deleteOwnDocuments(openStore(), passing.splice(0, 2), creator)
        // The document that the cursor names may go, too.
        const last = found.at(-1) ?? ''
        if (!throughout.includes(last)) await deleteOwnDocuments(openStore(), [last], creator)
      }
      expect(new Set(found).size).toBe(found.length)
      expect(found.filter((id) => throughout.includes(id)).sort()).toEqual([...throughout].sort())
    },
  )

  it('is in the requested sort order', async () => {
    const creator = await account()
    const first = await addRow({ creator, title: 'Beta', createdAt: 1, expiresAt: 300, bytes: 20, views: 5 })
    const second = await addRow({
      creator,
      title: 'alpha',
      createdAt: 2,
      expiresAt: 100,
      bytes: 30,
      views: 9,
    })
    const third = await addRow({ creator, title: null, createdAt: 3, expiresAt: 200, bytes: 10, views: 7 })
    const orders: Record<Sort, string[]> = {
      newest: [third, second, first],
      oldest: [first, second, third],
      expiring: [second, third, first],
      'expiring-last': [first, third, second],
      largest: [second, first, third],
      smallest: [third, first, second],
      viewed: [second, third, first],
      'viewed-least': [first, third, second],
      title: [second, first, third],
      'title-reversed': [third, first, second],
    }
    for (const sort of SORTS) {
      expect({ sort, ids: await listAll(creator, { sort }) }).toEqual({ sort, ids: orders[sort] })
    }
  })

  it('finds part of a title in any case and Unicode form, and takes every search literally', async () => {
    const creator = await account()
    const add = (title: string) => create(`${title}\nmore`, {}, { key: creator.key })
    const titles = [
      '100% sure',
      '100 sure',
      'snake_case',
      'snakeXcase',
      'a back\\slash',
      `"quoted" it's`,
      '😀 smile',
    ]
    const ids = new Map<string, string>()
    for (const title of titles) ids.set(title, (await add(title)).id)
    const find = async (search: string) => {
      const found = await listAll(creator, { search, now: Date.now() })
      return titles.filter((title) => found.includes(ids.get(title) ?? ''))
    }
    expect(await find('0%')).toEqual(['100% sure'])
    expect(await find('e_c')).toEqual(['snake_case'])
    expect(await find('\\')).toEqual(['a back\\slash'])
    expect(await find(`"`)).toEqual([`"quoted" it's`])
    expect(await find(`it's`)).toEqual([`"quoted" it's`])
    expect(await find('😀')).toEqual(['😀 smile'])
    expect(await find('SNAKE')).toEqual(['snake_case', 'snakeXcase'])
    expect(await find('ｓｍｉｌｅ')).toEqual(['😀 smile'])
    expect(await find('  100  ')).toEqual(['100% sure', '100 sure'])
    expect(await find(' \n ')).toEqual(titles)
    expect(await find('more')).toEqual([])
    expect(await find('%')).toEqual(['100% sure'])
    expect(await find("' OR 1=1 --")).toEqual([])
    expect(await find('\0')).toEqual([])
    expect(await find('x'.repeat(10_000))).toEqual([])
  })

  it('continues a search with cursors', async () => {
    const creator = await account()
    const wanted: string[] = []
    for (let n = 0; n < 10; n++) {
      const id = await addRow({ creator, title: n % 2 ? 'wanted' : 'other', createdAt: n })
      if (n % 2) wanted.unshift(id)
    }
    const options = { search: 'wanted', limit: 3, now: 10 }
    const first = await listDocuments(openStore(), creator, options)
    const second = await listDocuments(openStore(), creator, { ...options, cursor: first.cursor ?? '' })
    expect([...getIds(first.documents), ...getIds(second.documents)]).toEqual(wanted)
    expect(second.cursor).toBeNull()
  })

  it('has the title after an edit, and no title of an encrypted document', async () => {
    const creator = await account()
    const options = { key: creator.key }
    const { id } = await create('before', {}, options)
    const sealed = await create('hidden', { encrypted: true }, options)
    const now = Date.now()
    expect(await listAll(creator, { search: 'before', now })).toEqual([id])
    await edit({ id, content: 'after' }, options)
    await edit({ id: sealed.id, content: 'hidden again', password: sealed.password }, options)
    expect(await listAll(creator, { search: 'before', now })).toEqual([])
    expect(await listAll(creator, { search: 'after', now })).toEqual([id])
    expect(await listAll(creator, { search: 'hidden', now })).toEqual([])
    const { documents } = await listDocuments(openStore(), creator, { limit: 9, now, sort: 'title' })
    expect(documents.map(({ title }) => title)).toEqual(['after', null])
  })

  it('omits expired documents and documents of other accounts', async () => {
    const [creator, other] = [await account(), await account()]
    const id = await addRow({ creator, title: 'one' })
    await addRow({ creator, title: 'one, expired', expiresAt: 10 })
    await addRow({ creator: other, title: 'one of somebody else' })
    const shared = await addRow({ creator: other, title: 'one shared' })
    const over = await addRow({ creator: other, title: 'one shared, expired', expiresAt: 10 })
    await share(shared, creator)
    await share(over, creator)
    for (const sort of SORTS) {
      for (const search of ['', 'one']) {
        expect(await listAll(creator, { sort, search })).toEqual([id])
        expect(await listAll(creator, { sort, search, scope: 'shared' })).toEqual([shared])
      }
    }
  })

  it.each([
    ['of another sort order', ['oldest', 1, 'abcd']],
    ['with a key of another type', ['newest', 'x', 'abcd']],
    ['with a key that isn’t a number', ['newest', null, 'abcd']],
    ['without an id', ['newest', 1]],
    ['with an invalid id', ['newest', 1, "' OR 1"]],
    ['that isn’t an array', { 0: 'newest' }],
  ])('refuses a cursor %s', async (_, parts) => {
    const cursor = btoa(JSON.stringify(parts)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
    await expect(
      listDocuments(openStore(), await account(), { cursor, limit: 1, now: 1 }),
    ).rejects.toMatchObject({ code: 'bad_request' })
  })

  it('refuses a cursor with half a surrogate pair as its title', async () => {
    const cursor = btoa(String.raw`["title","\ud800","abcd"]`).replaceAll('=', '')
    await expect(
      listDocuments(openStore(), await account(), { sort: 'title', cursor, limit: 1, now: 1 }),
    ).rejects.toMatchObject({ code: 'bad_request' })
  })

  it('goes on with a search where it stopped, and sorts the newest documents', async () => {
    const creator = await account()
    const oldest = await addRow({ creator, title: 'wanted', createdAt: 1, bytes: 5_000 })
    await env.DB.prepare(
      `INSERT INTO documents (id, creator_id, content_key, content_bytes, content_until, language, image_embed,
          instant_delete, encrypted, public, version, created_at, updated_at, expires_at, title, title_key)
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
        SELECT printf('m%07d', i), ?1, i, i, 0, 'go', 0, 0, 0, 0, 'v', 2, 2, 1000, 'other', 'other' FROM n`,
    )
      .bind(creator.id)
      .run()
    const pages = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const query = { search: 'wanted', cursor, limit: 5, now: 10 }
      const { documents, ...page } = await listDocuments(openStore(), creator, query)
      pages.push({ ids: getIds(documents), lookedAt: page.lookedAt })
      cursor = page.cursor
    }
    expect(pages).toEqual([
      { ids: [], lookedAt: 900 },
      { ids: [], lookedAt: 900 },
      { ids: [oldest], lookedAt: null },
    ])
    const bySize = await listDocuments(openStore(), creator, { sort: 'largest', limit: 1, now: 10 })
    expect({ ids: getIds(bySize.documents), lookedAt: bySize.lookedAt }).toEqual({
      ids: ['m0002000'],
      lookedAt: 600,
    })
  })
})
