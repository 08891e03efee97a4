import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { account } from '../support/accounts.ts'
import { call, create, type DocumentBody } from '../support/client.ts'

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
    '?limit=1.5',
    '?sort=toString',
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
})
