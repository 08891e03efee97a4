import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { account } from '../support/accounts.ts'
import { call, create, type DocumentBody, read } from '../support/client.ts'

interface Page {
  readonly documents: (DocumentBody & { readonly title: string | null; readonly size: number })[]
  readonly cursor: string | null
}

async function list(key: string | undefined, query = '') {
  const path = `/v1/users/@me/documents${query}`
  const { status, body, headers } = await call<Page>('GET', path, undefined, { key })
  return { status, headers, error: body.error, page: body.data }
}

describe('GET /v1/users/@me/documents', () => {
  it('searches, sorts and returns the title and size', async () => {
    const { key } = await account()
    const short = await create('Beta', {}, { key })
    const long = await create('\n  alpha 50% \nmore', { encrypted: false }, { key })
    const encrypted = await create('secret', { encrypted: true }, { key })
    const byTitle = (await list(key, '?sort=title')).page.documents
    expect(byTitle.map(({ id, title, size }) => ({ id, title, size }))).toEqual([
      { id: long.id, title: 'alpha 50%', size: 18 },
      { id: short.id, title: 'Beta', size: 4 },
      { id: encrypted.id, title: null, size: 6 },
    ])
    const idsFor = async (query: string) => (await list(key, query)).page.documents.map(({ id }) => id)
    expect(await idsFor('?search=BETA')).toEqual([short.id])
    expect(await idsFor('?search=0%25')).toEqual([long.id])
    expect((await idsFor('?search=')).length).toBe(3)
    expect(await idsFor('?sort=largest')).toEqual([long.id, encrypted.id, short.id])
  })

  it('lists documents that others share with the account', async () => {
    const [creator, editor] = [await account(), await account()]
    const shared = await create('shared', { editors: [editor.username] }, { key: creator.key })
    await create('not shared', {}, { key: creator.key })
    const own = await create('own', {}, { key: editor.key })
    const { page } = await list(editor.key, '?shared=true')
    expect(page.documents).toEqual([
      expect.objectContaining({
        id: shared.id,
        creator: expect.objectContaining({ username: creator.username }),
      }),
    ])
    expect((await list(editor.key, '?shared=false')).page.documents.map(({ id }) => id)).toEqual([own.id])
    expect((await list(creator.key, '?shared=true')).page.documents).toEqual([])
  })

  it('lists documents that the account created, newest first, without content', async () => {
    const { key } = await account()
    const other = await account()
    await create('not mine', {}, { key: other.key })
    await create('nobody’s')
    const first = await create('one', { language: 'json' }, { key })
    await read(first.id)
    const second = await create('two', { encrypted: true, editors: [other.username] }, { key })
    const { status, headers, page } = await list(key)
    expect(status).toBe(200)
    expect(headers.get('Cache-Control')).toBe('no-store')
    expect(page.cursor).toBeNull()
    expect(page.documents.map(({ id, views, settings }) => ({ id, views, settings }))).toEqual([
      { id: second.id, views: 0, settings: second.settings },
      { id: first.id, views: 1, settings: first.settings },
    ])
    for (const document of page.documents) {
      expect(document).not.toHaveProperty('content')
      expect(document.creator).toMatchObject({ documents_made: 2 })
    }
  })

  it('pages through all documents exactly once, even if more are created meanwhile', async () => {
    const { key } = await account()
    const made: string[] = []
    for (let n = 0; n < 25; n++) made.unshift((await create('x', {}, { key })).id)
    // The id decides the order within one millisecond.
    await env.DB.prepare('UPDATE documents SET created_at = 5 WHERE id IN (?1, ?2, ?3)')
      .bind(...made.slice(-3))
      .run()
    const found: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { page } = await list(key, `?limit=4${cursor && `&cursor=${cursor}`}`)
      found.push(...page.documents.map(({ id }) => id))
      expect(page.documents.length).toBeLessThanOrEqual(4)
      cursor = page.cursor
      if (found.length === 4) await create('new', {}, { key })
    }
    expect(new Set(found)).toEqual(new Set(made))
    expect(found).toHaveLength(25)
    expect(found.slice(0, 22)).toEqual(made.slice(0, 22))
  })

  it('leaves out expired documents', async () => {
    const { key } = await account()
    const { id } = await create('x', {}, { key })
    await env.DB.prepare('UPDATE documents SET expires_at = 1 WHERE id = ?1').bind(id).run()
    expect((await list(key)).page).toEqual({ documents: [], cursor: null })
  })

  it.each([
    '?limit=0',
    '?limit=101',
    '?limit=many',
    '?limit=1.5',
    '?sort=best',
    '?sort=toString',
    '?shared=perhaps',
    `?search=${'x'.repeat(10_000)}`,
    '?cursor=',
    '?cursor=%F0%9F%98%80',
    '?cursor=x',
    '?cursor=1-',
    "?cursor=1-' OR",
  ])('returns 400 for %.40s', async (query) => {
    const { key } = await account()
    const { status, error } = await list(key, query)
    expect(status).toBe(400)
    expect(error.code).toBe('bad_request')
  })

  it('requires a key and the method GET', async () => {
    expect((await list(undefined)).status).toBe(401)
    expect((await list('imperial_wrong')).status).toBe(401)
    expect((await list(undefined, '?limit=0')).status).toBe(401)
    const answer = await call('DELETE', '/v1/users/@me/documents')
    expect(answer.status).toBe(405)
    expect(answer.headers.get('Allow')).toBe('GET, HEAD')
  })
})
