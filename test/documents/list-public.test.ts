import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ListedDocuments } from '../../src/documents/lists.ts'
import { publicDocuments } from '../../src/documents/public-lists.ts'
import { Database } from '../../src/platform/database.ts'
import { NEVER } from '../../src/shared/expiry.ts'
import { account } from '../support/accounts.ts'
import { create } from '../support/client.ts'

const NOW = 10

const openDatabase = (DB = env.DB) => new Database(DB, 5_000)

let made = 0

interface Row {
  readonly creatorId: string | null
  readonly title?: string
  readonly language?: string
  readonly createdAt?: number
  readonly expiresAt?: number
  readonly isPublic?: 0 | 1
  readonly encrypted?: 0 | 1
  readonly burns?: 0 | 1
}

/** Inserts a public document like a create does, with a random id. */
async function addRow({
  creatorId,
  title = 'title',
  language = 'plaintext',
  createdAt = 5,
  expiresAt = NEVER,
  isPublic = 1,
  encrypted = 0,
  burns = 0,
}: Row): Promise<string> {
  const id = `${crypto.randomUUID().slice(0, 8)}x${++made}`
  await env.DB.prepare(
    `INSERT INTO documents (id, creator_id, content_key, content_bytes, content_until, language, image_embed,
        instant_delete, encrypted, public, version, created_at, updated_at, expires_at, title, title_key)
      VALUES (?1, ?2, 'content/' || ?1, 1, 0, ?3, 0, ?4, ?5, ?6, 'v', ?7, ?7, ?8, ?9, ?10)`,
  )
    .bind(
      id,
      creatorId,
      language,
      burns,
      encrypted,
      isPublic,
      createdAt,
      expiresAt,
      title,
      title.toLowerCase(),
    )
    .run()
  return id
}

const remove = (id: string | undefined) =>
  env.DB.prepare('DELETE FROM documents WHERE id = ?1')
    .bind(id ?? '')
    .run()

type Query = Partial<Parameters<typeof publicDocuments>[0]>

async function list(query: Query = {}): Promise<string[]> {
  const [{ documents }] = await openDatabase().ask(publicDocuments({ limit: 100, now: NOW, ...query }))
  return documents.map(({ id }) => id)
}

const setUser = (id: string, change: string) =>
  env.DB.prepare(`UPDATE users SET ${change} WHERE id = ?1`).bind(id).run()

beforeEach(async () => {
  await env.DB.prepare('DELETE FROM documents').run()
})

describe('the public list', () => {
  it('has only documents that are public, unencrypted, kept after reading and of an account', async () => {
    const { id: creatorId, username: author } = await account()
    const listed = await addRow({ creatorId, language: 'css' })
    await addRow({ creatorId, language: 'css', isPublic: 0 })
    await addRow({ creatorId, language: 'css', encrypted: 1 })
    await addRow({ creatorId, language: 'css', burns: 1 })
    await addRow({ creatorId: null, language: 'css' })
    for (const query of [
      {},
      { language: 'css' },
      { author },
      { search: 'title' },
      { language: 'css', search: 'T' },
    ]) {
      expect(await list(query)).toEqual([listed])
    }
  })

  it('loses a document in the millisecond of its expiry', async () => {
    const { id: creatorId, username: author } = await account()
    const id = await addRow({ creatorId, expiresAt: 1_000 })
    for (const query of [{}, { language: 'plaintext' }, { author }, { search: 'title' }]) {
      expect(await list({ ...query, now: 999 })).toEqual([id])
      expect(await list({ ...query, now: 1_000 })).toEqual([])
    }
  })

  it.each(['suspended_at = 1', "leaving = 'keep'", "leaving = 'delete'"])(
    'omits documents of an account with %s',
    async (change) => {
      const [hidden, other] = [await account(), await account()]
      await addRow({ creatorId: hidden.id })
      const shown = await addRow({ creatorId: other.id })
      await setUser(hidden.id, change)
      for (const query of [{}, { language: 'plaintext' }, { search: 'title' }])
        expect(await list(query)).toEqual([shown])
      expect(await list({ author: hidden.username })).toEqual([])
    },
  )

  it('is newest first, and the id decides within a millisecond', async () => {
    const { id: creatorId } = await account()
    const old = await addRow({ creatorId, createdAt: 1 })
    const same = [await addRow({ creatorId, createdAt: 2 }), await addRow({ creatorId, createdAt: 2 })]
    const newest = await addRow({ creatorId, createdAt: 3 })
    expect(await list()).toEqual([newest, ...same.sort().reverse(), old])
  })

  it('filters by language and by author in any letter case', async () => {
    const [one, other] = [await account(), await account()]
    const css = await addRow({ creatorId: one.id, language: 'css' })
    const go = await addRow({ creatorId: other.id, language: 'go' })
    expect(await list({ language: 'CSS' })).toEqual([css])
    expect(await list({ language: 'javascript' })).toEqual([])
    expect(await list({ author: other.username.toUpperCase() })).toEqual([go])
    expect(await list({ author: 'nobody' })).toEqual([])
  })

  it.each([{}, { language: 'css' }, { search: 'wanted' }, { author: 'mine' }])(
    'pages through each document that exists throughout exactly once, with %j',
    async (query) => {
      const { id: creatorId, username } = await account()
      const filter = { ...query, ...('author' in query && { author: username }) }
      const add = (n: number) => addRow({ creatorId, language: 'css', title: 'Wanted', createdAt: n % 3 })
      const [throughout, passing]: [string[], string[]] = [[], []]
      for (let n = 0; n < 40; n++) (n % 4 === 0 ? passing : throughout).push(await add(n))
      const found: string[] = []
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const query = publicDocuments({ ...filter, cursor, limit: 7, now: NOW })
        const [page]: [ListedDocuments] = await openDatabase().ask(query)
        expect(page.documents.length).toBeLessThanOrEqual(7)
        found.push(...page.documents.map(({ id }) => id))
        cursor = page.cursor
        // Others create and delete documents meanwhile, even the one that the cursor names.
        await Promise.all([add(found.length), remove(passing.shift()), remove(passing.shift())])
        const last = found.at(-1) ?? ''
        if (!throughout.includes(last)) await remove(last)
      }
      expect(new Set(found).size).toBe(found.length)
      expect(found.filter((id) => throughout.includes(id)).sort()).toEqual([...throughout].sort())
    },
  )

  it('takes every search literally, in any case and Unicode form', async () => {
    const { key } = await account()
    const titles = ['100% sure', '100 sure', 'snake_case', 'snakeXcase', '😀 smile', `${'x'.repeat(198)}Yz`]
    const ids = new Map<string, string>()
    for (const title of titles) {
      ids.set((await create('text', { public: true, title }, { key })).id, title)
    }
    const find = async (search: string) =>
      (await list({ search, now: Date.now() })).map((id) => ids.get(id)).sort()
    expect(await find('0%')).toEqual(['100% sure'])
    expect(await find('e_c')).toEqual(['snake_case'])
    expect(await find('SNAKE')).toEqual(['snakeXcase', 'snake_case'])
    expect(await find('😀')).toEqual(['😀 smile'])
    expect(await find('ｓｍｉｌｅ')).toEqual(['😀 smile'])
    expect(await find('xyz')).toEqual([titles[5]])
    expect(await find('x'.repeat(200))).toEqual([])
    expect(await find("' OR 1=1 --")).toEqual([])
    expect(await find('  ')).toEqual([...titles].sort())
  })

  it('doesn’t pass the documents of suspended accounts, and shows them again after that', async () => {
    const [suspended, other] = [await account(), await account()]
    const old = await addRow({ creatorId: other.id, createdAt: 1 })
    const ids: string[] = []
    for (let n = 0; n < 100; n++) ids.unshift(await addRow({ creatorId: suspended.id, createdAt: 2 + n }))
    const unlisted = await addRow({ creatorId: suspended.id, isPublic: 0, createdAt: 999 })
    expect(await list()).toEqual(ids)
    await setUser(suspended.id, 'suspended_at = 1')
    await setUser(suspended.id, 'suspended_at = 2')
    expect(await list({ limit: 20 })).toEqual([old])
    await setUser(suspended.id, 'suspended_at = NULL')
    await env.DB.prepare('UPDATE documents SET public = 1 WHERE id = ?1').bind(unlisted).run()
    expect(await list({ limit: 20 })).toEqual([unlisted, ...ids].slice(0, 20))
  })

  it('goes on after documents that have expired', async () => {
    const { id: creatorId } = await account()
    const shown = await addRow({ creatorId, createdAt: 1 })
    for (let n = 0; n < 80; n++) await addRow({ creatorId, createdAt: 2, expiresAt: NOW })
    const [first] = await openDatabase().ask(publicDocuments({ limit: 20, now: NOW }))
    expect(first).toMatchObject({ documents: [], lookedAt: 70, cursor: expect.any(String) })
    expect(await list({ cursor: first.cursor ?? '' })).toEqual([shown])
  })

  it.each([
    ['of an account’s list', ['newest', 1, 'abcd']],
    ['with a key of another type', ['public', 'x', 'abcd']],
    ['without an id', ['public', 1]],
    ['with an invalid id', ['public', 1, "' OR 1"]],
    ['that isn’t an array', { 0: 'public' }],
  ])('refuses a cursor %s', async (_, parts) => {
    const cursor = btoa(JSON.stringify(parts)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
    await expect(list({ cursor })).rejects.toMatchObject({ code: 'bad_request' })
  })
})
