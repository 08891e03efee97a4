import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { account } from '../support/accounts.ts'
import { call, create, type DocumentBody, read } from '../support/client.ts'

interface Page {
  readonly documents: DocumentBody[]
  readonly cursor: string | null
}

async function list(key: string | undefined, query = '') {
  const { status, body, headers } = await call('GET', `/v1/users/@me/documents${query}`, undefined, { key })
  return { status, headers, error: body.error, page: body.data as unknown as Page }
}

describe('GET /v1/users/@me/documents', () => {
  it('lists what the account created, the latest first, without content', async () => {
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

  it('goes through all of them by cursors, once each, whatever is created meanwhile', async () => {
    const { key } = await account()
    const made: string[] = []
    for (let n = 0; n < 25; n++) made.unshift((await create('x', {}, { key })).id)
    // Several of one millisecond: the id decides.
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

  it('leaves out what has expired', async () => {
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
    '?cursor=x',
    '?cursor=1-',
    "?cursor=1-' OR",
  ])('answers 400 to %s', async (query) => {
    const { key } = await account()
    const { status, error } = await list(key, query)
    expect(status).toBe(400)
    expect(error.code).toBe('bad_request')
  })

  it('needs a key, and no other method', async () => {
    expect((await list(undefined)).status).toBe(401)
    expect((await list('imperial_wrong')).status).toBe(401)
    expect((await list(undefined, '?limit=0')).status).toBe(401)
    const answer = await call('DELETE', '/v1/users/@me/documents')
    expect(answer.status).toBe(405)
    expect(answer.headers.get('Allow')).toBe('GET, HEAD')
  })
})
