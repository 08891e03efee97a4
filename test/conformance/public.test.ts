import { describe, expect } from 'vitest'
import type { DocumentBody } from './support/answer.ts'
import { type ClauseApi, clause } from './support/clause.ts'
import { expectError } from './support/expect.ts'

type Listed = DocumentBody & { readonly title: string | null; readonly size: number }

/** Lists public documents. Skips the clause if the server has no public list. */
async function list(api: ClauseApi, query: string) {
  const answer = await api.send('GET', `/v1/public${query}`)
  api.needServer(answer.status !== 404, 'a server with EXPLORE=on')
  expect(answer.status).toBe(200)
  return answer.data as { readonly documents: Listed[]; readonly cursor: string | null }
}

const getIds = ({ documents }: { documents: readonly Listed[] }) => documents.map(({ id }) => id)

describe('Public documents', () => {
  clause(
    'public.list',
    'Anyone can list the public documents, newest first and without content',
    async (api) => {
      const key = api.needAccount()
      const title = `conformance-public-${Date.now()}`
      const settings = { title, language: 'css', public: true }
      const [first, second] = [await api.create(key, 'one', settings), await api.create(key, 'two', settings)]
      await api.create(key, 'unlisted', { title, language: 'css' })
      const { documents } = await list(api, `?search=${title}&language=CSS`)
      expect(documents.map(({ id, title, size }) => ({ id, title, size }))).toEqual([
        { id: second.id, title, size: 3 },
        { id: first.id, title, size: 3 },
      ])
      for (const document of documents) expect(document).not.toHaveProperty('content')
      expect(getIds(await list(api, `?search=${title}&language=go`))).toEqual([])
    },
  )

  clause('public.hidden', 'Encrypted and burn-after-reading documents are never listed', async (api) => {
    const key = api.needAccount()
    const burning = await api.create(key, 'text', { public: true, instant_delete: true })
    const encrypted = await api.create(key, 'text', { public: true, encrypted: true })
    const ids = getIds(await list(api, '?limit=100'))
    expect(ids).not.toContain(burning.id)
    expect(ids).not.toContain(encrypted.id)
  })

  clause('public.pages', 'The cursors lead through all pages, and the last cursor is null', async (api) => {
    const key = api.needAccount()
    const title = `conformance-public-pages-${Date.now()}`
    const ids: string[] = []
    for (let n = 0; n < 3; n++) ids.unshift((await api.create(key, 'text', { title, public: true })).id)
    const first = await list(api, `?search=${title}&limit=2`)
    const second = await list(api, `?search=${title}&limit=2&cursor=${first.cursor}`)
    expect([...getIds(first), ...getIds(second)]).toEqual(ids)
    expect(second.cursor).toBeNull()
  })

  clause('public.invalid', 'A limit out of range and an unknown cursor get a 400', async (api) => {
    await list(api, '')
    expectError(await api.send('GET', '/v1/public?limit=101'), 400, 'Invalid query')
    expectError(await api.send('GET', '/v1/public?cursor=x'), 400, 'Invalid cursor')
  })
})
