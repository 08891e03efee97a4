import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { SORTS } from '../../src/documents/lists.ts'
import { Database } from '../../src/platform/database.ts'
import { recordHeartbeat } from '../../src/platform/nearest-copy.ts'
import { DAY_MS } from '../../src/shared/instant.ts'
import { type Account, account, session } from '../support/accounts.ts'
import { countCalls } from '../support/bindings.ts'
import { type Answer, call, send } from '../support/client.ts'

const MANY = 10_000
/** The rows that a page of a list may read, and a search or an order that no index has. */
const [PAGE, SEARCH] = [200, 2_000]

let owner: Account
let editor: Account

interface World {
  /** Columns of the documents, in SQL that knows the number `i` of the document, from 1 on. */
  readonly columns?: Readonly<Record<string, string>>
  readonly after?: () => Promise<unknown>
}

const runSql = (sql: string, ...parameters: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...parameters)
    .run()

/** Documents that are public and shared with an editor, and two that aren't like the others: the oldest ones. */
async function fill({ columns = {}, after }: World): Promise<void> {
  const now = Date.now()
  const values: Record<string, string> = {
    id: `printf('b%07d', i)`,
    creator_id: `'${owner.id}'`,
    content_key: 'i',
    content_bytes: 'i',
    content_until: '1',
    language: `'go'`,
    image_embed: '0',
    instant_delete: '0',
    encrypted: '0',
    public: '1',
    version: `'v'`,
    created_at: `${now - 2 * DAY_MS} + i * 1000`,
    updated_at: String(now),
    expires_at: String(now + DAY_MS),
    title: `'title ' || i`,
    title_key: `'title ' || i`,
    has_editors: '1',
  }
  const different = { title: `'rare'`, title_key: `'rare'`, language: `'lua'`, creator_id: `'${owner.id}'` }
  const insert = async (from: number, to: number, more: Readonly<Record<string, string>>) => {
    const all = { ...values, ...more }
    await runSql(`INSERT INTO documents (${Object.keys(all).join(', ')})
      WITH RECURSIVE n (i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i < ${to})
      SELECT ${Object.values(all).join(', ')} FROM n`)
  }
  await insert(1, 2, different)
  await insert(3, MANY, columns)
  await runSql(
    'INSERT INTO document_editors (document_id, position, user_id) SELECT id, 0, ?1 FROM documents',
    editor.id,
  )
  await after?.()
}

const addAuthors = () =>
  runSql(`INSERT OR IGNORE INTO users (id, username, email, confirmed, created_at)
    WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 999)
    SELECT 'author' || i, 'author' || i, i || '@author.example', 1, 1 FROM n`)

const WORLDS: Readonly<Record<string, World>> = {
  'of one account': {},
  'of a thousand accounts': { columns: { creator_id: `'author' || (i % 1000)` } },
  'created at the same time': { columns: { created_at: String(Date.now() - DAY_MS) } },
  'that have just expired': { columns: { expires_at: String(Date.now() - 1) } },
  'of a suspended account': {
    columns: { creator_id: `'author1'` },
    after: () => runSql(`UPDATE users SET suspended_at = 1 WHERE id = 'author1'`),
  },
  'that were public, encrypted or burn after reading': {
    columns: { public: 'i % 3 > 0', encrypted: 'i % 3 = 1', instant_delete: 'i % 3 = 2' },
  },
}

const far = (order: string, at: number) => btoa(JSON.stringify([order, at, 'b0000001'])).replaceAll('=', '')

async function countRows(path: string, headers: HeadersInit = {}): Promise<number> {
  await recordHeartbeat(new Database(env.DB, 5_000), Date.now())
  const { bindings, rows } = countCalls()
  const { status } = await send(path, { headers }, { bindings })
  expect({ path, status }).toEqual({ path, status: expect.toBeOneOf([200, 404]) })
  return rows.read
}

beforeEach(async () => {
  await runSql('DELETE FROM documents')
  owner = await account()
  editor = await account()
  await addAuthors()
})

describe.each(Object.keys(WORLDS))('among 10,000 documents %s', (name) => {
  it('a page of a list reads at most 200 rows, and a search at most 2,000', async () => {
    await fill(WORLDS[name] ?? {})
    const [own, shared] = [await session(owner), await session(editor)]
    const [ownKey, editorKey] = [{ Authorization: owner.key }, { Authorization: editor.key }]
    const later = Date.now()
    const profile = `/@${owner.username}`
    const pages: [string, HeadersInit?][] = [
      ['/explore'],
      ['/explore?language=go'],
      ['/explore?language=lua'],
      ['/explore?language=none'],
      [`/explore?cursor=${far('public', later)}`],
      [`/explore?cursor=${far('public', 1)}`],
      ['/explore.atom'],
      ['/explore.atom?language=lua'],
      ['/v1/public'],
      ['/v1/users/search/author', ownKey],
      ['/v1/public?language=lua'],
      [profile],
      [`${profile}?cursor=${far('public', later)}`],
      [`${profile}.atom`],
      ['/account/documents', own],
      ['/account/documents?sort=oldest', own],
      [`/account/documents?cursor=${far('newest', later)}`, own],
      ['/account/documents?view=shared', shared],
      ['/account/documents?view=shared&sort=oldest', shared],
      ['/v1/users/@me/documents', ownKey],
      ['/v1/users/@me/documents?shared=true', editorKey],
      ['/v1/users/@me/recent', ownKey],
    ]
    const searches: [string, HeadersInit?][] = [
      ...['title', 'rare', 'nothing'].flatMap((search): [string, HeadersInit?][] => [
        [`/explore?search=${search}`],
        [`/explore?search=${search}&language=go`],
        [`/explore?search=${search}&cursor=${far('public', later)}`],
        [`/v1/public?limit=100&search=${search}`],
        [`${profile}?search=${search}`],
        [`/account/documents?search=${search}`, own],
        [`/account/documents?view=shared&search=${search}`, shared],
        [`/account/documents?view=shared&search=${search}&sort=title`, shared],
        [`/v1/users/@me/documents?search=${search}`, ownKey],
      ]),
      ...SORTS.flatMap((sort): [string, HeadersInit?][] => [
        [`/account/documents?sort=${sort}`, own],
        [`/account/documents?view=shared&sort=${sort}`, shared],
        [`/v1/users/@me/documents?sort=${sort}&search=title`, ownKey],
      ]),
      ['/sitemap.xml'],
    ]
    const found: Record<string, number> = {}
    for (const [path, headers] of pages)
      found[path.replace(owner.username, 'owner')] = await countRows(path, headers)
    const above = (limit: number) => Object.entries(found).filter(([, rows]) => rows > limit)
    expect(above(PAGE)).toEqual([])
    for (const [path, headers] of searches)
      found[path.replace(owner.username, 'owner')] = await countRows(path, headers)
    expect(above(SEARCH)).toEqual([])
  })
})

it('deleting selected documents reads no others of the account', async () => {
  await fill({})
  const ids = Array.from({ length: 50 }, (_, n) => ['id', `b${String(n + 100).padStart(7, '0')}`])
  const { bindings, rows } = countCalls()
  const init = { method: 'POST', body: new URLSearchParams(ids), headers: await session(owner) }
  expect((await send('/account/documents/delete', init, { bindings })).status).toBe(303)
  expect(rows.read).toBeLessThan(50 * 25)
  const { results } = await env.DB.prepare('SELECT 1 FROM documents').all()
  expect(results).toHaveLength(MANY - 50)
})

interface Listed {
  readonly documents: readonly { readonly id: string; readonly settings: { readonly editors: string[] } }[]
  readonly cursor: string | null
}

describe('among documents that have 50 editors each', () => {
  const addMoreEditors = () =>
    runSql(`INSERT INTO document_editors (document_id, position, user_id)
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 49)
      SELECT d.id, i, 'author' || i FROM (SELECT id FROM documents ORDER BY created_at DESC LIMIT 100) d, n`)

  it.each<[string, number, () => HeadersInit]>([
    ['/v1/public', PAGE, () => ({})],
    ['/v1/public?limit=100', 2 * PAGE, () => ({})],
    ['/v1/users/@me/documents', PAGE, () => ({ Authorization: owner.key })],
    ['/v1/users/@me/documents?limit=100', 2 * PAGE, () => ({ Authorization: owner.key })],
    ['/v1/users/@me/documents?limit=100&shared=true', 2 * PAGE, () => ({ Authorization: editor.key })],
    ['/v1/users/@me/documents?limit=100&sort=title', SEARCH + PAGE, () => ({ Authorization: owner.key })],
    ['/v1/users/@me/recent', SEARCH, () => ({ Authorization: owner.key })],
  ])('%s reads at most %i rows', async (path, limit, getHeaders) => {
    await fill({ after: addMoreEditors })
    expect(await countRows(path, getHeaders())).toBeLessThanOrEqual(limit)
  })

  it.each(['newest', 'title'])(
    'the pages by %s have every document once, with all its editors',
    async (sort) => {
      await fill({ after: addMoreEditors })
      await runSql(
        `DELETE FROM documents WHERE id NOT IN (SELECT id FROM documents ORDER BY created_at DESC LIMIT 9)`,
      )
      const found: [id: string, editors: number][] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const path: string = `/v1/users/@me/documents?limit=5&sort=${sort}${cursor && `&cursor=${cursor}`}`
        const { body }: Answer<Listed> = await call<Listed>('GET', path, undefined, { key: owner.key })
        expect(body.data.documents).not.toEqual([])
        for (const { id, settings } of body.data.documents) found.push([id, new Set(settings.editors).size])
        cursor = body.data.cursor
      }
      const { results } = await env.DB.prepare('SELECT id FROM documents').all<{ id: string }>()
      expect(new Map(found)).toEqual(new Map(results.map(({ id }) => [id, 50])))
      expect(found).toHaveLength(9)
    },
  )
})
