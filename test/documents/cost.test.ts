import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { cleanup } from '../../src/documents/content/cleanup.ts'
import { contentCache } from '../../src/documents/content/content-cache.ts'
import { ContentStore } from '../../src/documents/content/content-store.ts'
import { Database } from '../../src/platform/database.ts'
import { account } from '../support/accounts.ts'
import { countCalls } from '../support/bindings.ts'
import { create, edit, read, remove, send } from '../support/client.ts'

/** What an operation costs: its calls of storage, and what D1 counts of rows. */
interface Cost {
  readonly calls: string[]
  readonly rowsWritten: number
}

/** Runs an operation to its very end, deferred work included. */
async function costOf(operation: (bindings: Env) => Promise<unknown>): Promise<Cost> {
  const { bindings, calls, rows } = countCalls()
  await operation(bindings)
  return { calls, rowsWritten: rows.written }
}

// The table of costs in the README is computed from these numbers.
describe('the cost', () => {
  it('of a read whose content the isolate has is one query', async () => {
    const { id } = await create('x')
    await read(id, { settle: true })
    const { calls } = await costOf((bindings) => read(id, { bindings }))
    expect(calls).toEqual(['DB.first'])
  })

  it('of a read whose content it does not have is one query and one value of KV', async () => {
    const { id } = await create('x')
    contentCache.clear()
    const { calls } = await costOf((bindings) => read(id, { bindings }))
    expect(calls).toEqual(['DB.first', 'CONTENTS.get'])
  })

  it('of an anonymous create is one value of KV and one batch of two rows', async () => {
    const { calls, rowsWritten } = await costOf((bindings) =>
      create('x', undefined, { bindings, settle: true }),
    )
    expect({ calls, rowsWritten }).toEqual({ calls: ['CONTENTS.put', 'DB.batch'], rowsWritten: 2 })
  })

  it('of a create with a key is a query more for the key, and two rows more for the account', async () => {
    const { key } = await account()
    const { calls, rowsWritten } = await costOf((bindings) =>
      create('x', {}, { key, bindings, settle: true }),
    )
    expect({ calls, rowsWritten }).toEqual({
      calls: ['DB.first', 'CONTENTS.put', 'DB.batch'],
      rowsWritten: 4,
    })
  })

  it('of an edit of content is two queries, one value of KV and one batch', async () => {
    const { key } = await account()
    const { id } = await create('x', {}, { key })
    const { calls, rowsWritten } = await costOf((bindings) =>
      edit({ id, content: 'another length' }, { key, bindings, settle: true }),
    )
    expect(calls).toEqual(['DB.first', 'DB.first', 'CONTENTS.put', 'DB.batch'])
    // The row, its entry among the account's documents twice, and what was there before.
    expect(rowsWritten).toBe(5)
  })

  it('of a burn is one query, one value, one batch, and the removal of the content', async () => {
    const { key } = await account()
    const { id } = await create('x', { instant_delete: true }, { key })
    const { calls, rowsWritten } = await costOf((bindings) => read(id, { bindings, settle: true }))
    expect(calls).toEqual(['DB.first', 'CONTENTS.get', 'DB.batch', 'CONTENTS.delete', 'DB.all'])
    expect(rowsWritten).toBe(5)
  })

  it('of a deletion is two queries, one batch, and the removal of the content', async () => {
    const { key } = await account()
    const { id } = await create('x', {}, { key })
    const { calls, rowsWritten } = await costOf((bindings) => remove(id, { key, bindings, settle: true }))
    expect(calls).toEqual(['DB.first', 'DB.first', 'DB.batch', 'CONTENTS.delete', 'DB.all'])
    expect(rowsWritten).toBe(4)
  })

  it('of the page and the raw link is that of a read', async () => {
    const { id } = await create('x')
    await read(id, { settle: true })
    for (const path of [`/${id}`, `/r/${id}`]) {
      const { calls } = await costOf((bindings) => send(path, {}, { bindings }))
      expect(calls).toEqual(['DB.first'])
    }
  })

  it('of cleaning up an expired document is its rows, and no call of KV', async () => {
    const now = Date.now()
    await env.DB.prepare(
      `INSERT INTO documents (id, content_key, content_bytes, content_until, language, image_embed,
          instant_delete, encrypted, public, version, created_at, updated_at, expires_at)
        SELECT 'expired' || value, 'content/e' || value, 1, 0, 'plaintext', 0, 0, 0, 0, 'v', 0, 0, 1
        FROM json_each('[1,2,3,4,5,6,7,8,9,10]')`,
    ).run()
    const { calls, rowsWritten } = await costOf(async (bindings) => {
      const store = {
        db: new Database(bindings.DB, 5_000),
        contents: new ContentStore(bindings.CONTENTS, 5_000),
      }
      const report = await cleanup(store, { now, budgetMs: 60_000, clock: () => 0 })
      expect(report.expired).toBe(10)
    })
    expect(calls.filter((call) => call.startsWith('CONTENTS'))).toEqual(['CONTENTS.list'])
    // Each row, and the cursor of the sweep.
    expect(rowsWritten).toBe(11)
  })
})
