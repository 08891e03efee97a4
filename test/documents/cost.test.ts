import { env } from 'cloudflare:workers'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { cleanup } from '../../src/documents/cleanup.ts'
import { ContentStore, contentCache } from '../../src/documents/content-store.ts'
import { excerptReads } from '../../src/documents/excerpts.ts'
import { Database } from '../../src/platform/database.ts'
import { recordHeartbeat } from '../../src/platform/nearest-copy.ts'
import { account, session } from '../support/accounts.ts'
import { countCalls, type StorageCall } from '../support/bindings.ts'
import { call, create, createAnonymous, edit, read, remove, send } from '../support/client.ts'
import { parseForm, sendForm, visit } from '../support/site/forms.ts'
import { runCleanup } from '../support/storage/faults.ts'

interface Cost {
  readonly calls: StorageCall[]
  /** The calls of each round trip. D1's primary may be on another continent. */
  readonly steps: string[]
  /** Rows written, as D1 bills them. */
  readonly rowsWritten: number
}

/** Runs an operation, including the work after its response, and returns its storage calls. */
async function measureCost(operation: (bindings: Env) => Promise<unknown>): Promise<Cost> {
  // Without a recent one, each read asks the primary, too.
  await recordHeartbeat(new Database(env.DB, 5_000), Date.now())
  const { bindings, calls, steps, rows } = countCalls()
  await operation(bindings)
  return { calls, steps: steps.map((step) => step.join(' and ')), rowsWritten: rows.written }
}

// The cost of operation in the documentation is calculated from these numbers.
describe('the cost of a read', () => {
  it('is one query if the isolate has cached the content', async () => {
    const { id } = await create('x')
    await read(id, { settle: true })
    const { calls } = await measureCost((bindings) => read(id, { bindings }))
    expect(calls).toEqual(['DB.reads'])
  })

  it('is one query and one KV read if it has not', async () => {
    const { id } = await create('x')
    contentCache.clear()
    const { calls } = await measureCost((bindings) => read(id, { bindings }))
    expect(calls).toEqual(['DB.reads', 'CONTENTS.get'])
  })

  it('is the same for the page and the raw link', async () => {
    const { id } = await create('x')
    await read(id, { settle: true })
    for (const path of [`/${id}`, `/r/${id}`]) {
      const { calls } = await measureCost((bindings) => send(path, {}, { bindings }))
      expect(calls).toEqual(['DB.reads'])
    }
  })

  it('of a duplicate is the same', async () => {
    const original = await create('x')
    const body = { content: 'x', duplicated_from: original.id }
    const { id } = (await call('POST', '/v1/document', body)).body.data
    await read(id, { settle: true })
    for (const path of [`/v1/document/${id}`, `/${id}`, `/r/${id}`]) {
      const { calls } = await measureCost((bindings) => send(path, {}, { bindings }))
      expect(calls).toEqual(['DB.reads'])
    }
  })

  it('that burns the document is a query of the nearest copy and the primary each, one KV read, one batch, and the deletion of the content', async () => {
    const { key } = await account()
    const { id } = await create('x', { instant_delete: true }, { key })
    const { calls, rowsWritten } = await measureCost((bindings) => read(id, { bindings, settle: true }))
    expect(calls).toEqual(['DB.reads', 'DB.reads', 'CONTENTS.get', 'DB.batch', 'CONTENTS.delete', 'DB.all'])
    // Two of them count what the account and the server store.
    expect(rowsWritten).toBe(7)
  })
})

describe('the cost of a list', () => {
  it('of public documents is one query, and one KV read for each text that the isolate has not seen', async () => {
    const { key } = await account()
    for (const content of ['one', 'two']) await create(content, { public: true }, { key })
    contentCache.clear()
    const open = async (path: string) =>
      (await measureCost((bindings) => send(path, {}, { bindings }))).calls.sort()
    expect(await open('/explore')).toEqual(['CONTENTS.get', 'CONTENTS.get', 'DB.reads'])
    expect(await open('/explore?search=one')).toEqual(['DB.reads'])
  })

  it('of public documents is at most 250 KV reads a minute in an isolate for any requests', async () => {
    const owner = await account()
    const keys = Array.from({ length: 300 }, (_, n) => `content/excerpt${n}`)
    await Promise.all(keys.map((key, n) => env.CONTENTS.put(key, `text ${n}`)))
    const now = Date.now()
    await env.DB.prepare(
      `INSERT INTO documents (id, creator_id, content_key, content_bytes, content_until, language, image_embed,
          instant_delete, encrypted, public, version, created_at, updated_at, expires_at, title)
        SELECT 'excerpt' || key, ?2, value, 1, 1, 'plaintext', 0, 0, 0, 1, 'v', ?3 + 1000 + key, 0, ?3 + 86400000, 'title'
        FROM json_each(?1)`,
    )
      .bind(JSON.stringify(keys), owner.id, now)
      .run()
    // The whole test is in one minute.
    vi.useFakeTimers({ now, toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    excerptReads.count = 0
    const { bindings, calls } = countCalls()
    const pages: string[] = []
    for (let path = '/explore'; path && pages.length < 12; ) {
      const html = await (await send(path, {}, { bindings })).text()
      pages.push(html)
      path = /<a href="([^"]*cursor=[^"]*)"[^>]*>Next page/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''
    }
    expect(pages).toHaveLength(12)
    expect(calls.filter((call) => call === 'CONTENTS.get').length).toBeLessThanOrEqual(250)
    expect([pages[0]?.includes('text 299'), pages[11]?.includes('excerpt0')]).toEqual([true, true])
    excerptReads.count = 0
    await env.DB.exec("DELETE FROM documents WHERE id LIKE 'excerpt%'")
    await Promise.all(keys.map((key) => env.CONTENTS.delete(key)))
  })

  it('of an account is one query after the session’s, one for its removed documents, and each text once', async () => {
    const user = await account()
    await create('x', {}, { key: user.key })
    await create('y', { encrypted: true }, { key: user.key })
    const headers = await session(user)
    const list = () => measureCost((bindings) => send('/account/documents', { headers }, { bindings }))
    const queries = ['DB.reads', 'DB.reads', 'DB.reads']
    expect((await list()).calls).toEqual([...queries, 'CONTENTS.get'])
    expect((await list()).calls).toEqual(queries)
  })
})

describe('the cost of a create', () => {
  it('without an API key is one KV write and one batch that writes three rows', async () => {
    const { steps, rowsWritten } = await measureCost((bindings) =>
      create('x', undefined, { bindings, settle: true }),
    )
    expect({ steps, rowsWritten }).toEqual({ steps: ['CONTENTS.put', 'DB.batch'], rowsWritten: 3 })
  })

  it('with an API key is one more query, and three more rows for the account', async () => {
    const { key } = await account()
    const { steps, rowsWritten } = await measureCost((bindings) =>
      create('x', {}, { key, bindings, settle: true }),
    )
    expect({ steps, rowsWritten }).toEqual({
      steps: ['DB.reads', 'CONTENTS.put', 'DB.batch'],
      rowsWritten: 6,
    })
  })
})

describe('the cost of an edit', () => {
  /** Opens the form of an edit, and returns a function that saves it with some fields changed. */
  async function openForm(content: string, settings: Record<string, unknown> = {}) {
    const owner = await account()
    const { id, password } = await create(content, settings, { key: owner.key })
    const headers = await session(owner)
    const path = `/${id}/edit`
    const opened =
      password === undefined
        ? await visit(path, { headers })
        : await sendForm(path, { password }, { headers })
    const fields = await parseForm(opened.html, path)
    const save = async (changed: Record<string, string>, status: number, bindings: Env) =>
      expect((await sendForm(path, { ...fields, ...changed }, { headers, bindings })).status).toBe(status)
    return { id, key: owner.key, password, save }
  }

  const withoutKv = (calls: readonly StorageCall[]) => calls.filter((call) => call.startsWith('DB'))

  it('of text that is as long as the text that this isolate stored last is no KV read', async () => {
    const { key } = await account()
    const { id } = await create('first', {}, { key })
    contentCache.clear()
    const change = (content: string) =>
      measureCost((bindings) => edit({ id, content }, { key, bindings, settle: true }))
    expect((await change('again')).steps).toEqual(['DB.reads', 'CONTENTS.get', 'CONTENTS.put', 'DB.batch'])
    expect((await change('later')).steps).toEqual(['DB.reads', 'CONTENTS.put', 'DB.batch'])
  })

  it('of the content is one batch of reads, one KV write and one batch', async () => {
    const { key } = await account()
    const { id } = await create('x', {}, { key })
    const { steps, rowsWritten } = await measureCost((bindings) =>
      edit({ id, content: 'another length' }, { key, bindings, settle: true }),
    )
    expect(steps).toEqual(['DB.reads', 'CONTENTS.put', 'DB.batch'])
    // The row, which counts twice, the revision, and what the account and the server store. No index.
    expect(rowsWritten).toBe(5)
  })

  it.each([
    { name: 'content', changed: { content: 'after' }, body: { content: 'later' } },
    { name: 'a setting', changed: { visibility: 'public' }, body: { settings: { image_embed: true } } },
    { name: 'nothing', changed: {}, body: { settings: {} } },
  ])('of $name takes no more D1 calls on the site than through the API', async ({ changed, body }) => {
    const { id, key, save } = await openForm('before')
    const site = await measureCost((bindings) => save(changed, 303, bindings))
    const api = await measureCost((bindings) => edit({ id, ...body }, { key, bindings }))
    expect(withoutKv(site.calls)).toEqual(withoutKv(api.calls))
  })

  it('of an encrypted document takes no more D1 calls on the site than through the API', async () => {
    const { id, key, password, save } = await openForm('before', { encrypted: true })
    const site = await measureCost((bindings) => save({ content: 'after' }, 303, bindings))
    const api = await measureCost((bindings) => edit({ id, password, content: 'later' }, { key, bindings }))
    expect(withoutKv(site.calls)).toEqual(withoutKv(api.calls))
  })

  it('of a version that has been replaced takes no more D1 calls on the site than through the API', async () => {
    const { id, key, save } = await openForm('before')
    const stale = (await read(id)).headers.get('ETag') ?? ''
    await edit({ id, content: 'meanwhile' }, { key })
    const site = await measureCost((bindings) => save({ content: 'after' }, 412, bindings))
    const api = await measureCost((bindings) =>
      edit({ id, content: 'after' }, { key, bindings, headers: { 'If-Match': stale } }),
    )
    expect(withoutKv(site.calls)).toEqual(withoutKv(api.calls))
  })
})

describe('the cost with a document token', () => {
  it('of a read is the same as without one', async () => {
    const { id, headers } = await createAnonymous('x')
    await read(id, { settle: true })
    for (const path of [`/v1/document/${id}`, `/r/${id}`]) {
      const { calls } = await measureCost((bindings) => send(path, { headers }, { bindings }))
      expect(calls).toEqual(['DB.reads'])
    }
  })

  it('of an edit of the content is one query, one KV write and one batch', async () => {
    const { id, headers } = await createAnonymous('x')
    const { steps, rowsWritten } = await measureCost((bindings) =>
      edit({ id, content: 'another length' }, { headers, bindings, settle: true }),
    )
    expect(steps).toEqual(['DB.reads', 'CONTENTS.put', 'DB.batch'])
    // One less than with a key, because no account stores it.
    expect(rowsWritten).toBe(4)
  })

  it('of a deletion is one query, one batch, and the deletion of the content', async () => {
    const { id, headers } = await createAnonymous('x')
    const { steps, rowsWritten } = await measureCost((bindings) =>
      remove(id, { headers, bindings, settle: true }),
    )
    expect(steps).toEqual(['DB.reads', 'DB.batch', 'CONTENTS.delete', 'DB.all'])
    expect(rowsWritten).toBe(6)
  })
})

describe('the cost of a deletion', () => {
  it('is one batch of reads, one batch, and the deletion of the content', async () => {
    const { key } = await account()
    const { id } = await create('x', {}, { key })
    const { steps, rowsWritten } = await measureCost((bindings) =>
      remove(id, { key, bindings, settle: true }),
    )
    expect(steps).toEqual(['DB.reads', 'DB.batch', 'CONTENTS.delete', 'DB.all'])
    expect(rowsWritten).toBe(7)
  })

  it('of an expired document by cleanup is its rows, and no KV call of its own', async () => {
    const now = Date.now()
    await env.DB.prepare(
      `INSERT INTO documents (id, content_key, content_bytes, content_until, language, image_embed,
          instant_delete, encrypted, public, version, created_at, updated_at, expires_at)
        SELECT 'expired' || value, 'content/e' || value, 1, 0, 'plaintext', 0, 0, 0, 0, 'v', 0, 0, 1
        FROM json_each('[1,2,3,4,5,6,7,8,9,10]')`,
    ).run()
    const { calls, rowsWritten } = await measureCost(async (bindings) => {
      const store = {
        db: new Database(bindings.DB, 5_000),
        contents: new ContentStore(bindings.CONTENTS, 5_000),
      }
      const report = await cleanup(store, { now, budgetMs: 60_000, clock: () => 0 })
      expect(report.expired).toBe(10)
    })
    // Once a run: whether the database belongs to the content in KV, and a page of the search for orphaned content.
    expect(calls.filter((call) => call.startsWith('CONTENTS'))).toEqual(['CONTENTS.get', 'CONTENTS.list'])
    // The ten rows, what the server stores after each, and the cursor of the search for orphaned content.
    expect(rowsWritten).toBe(21)
  })

  it('of a revision is five more rows with its document, and one row and one KV call in cleanup', async () => {
    const { key } = await account()
    const { id } = await create('x', {}, { key })
    await edit({ id, content: 'another length' }, { key })
    const deletion = await measureCost((bindings) => remove(id, { key, bindings, settle: true }))
    expect(deletion.calls).toEqual(['DB.reads', 'DB.batch', 'CONTENTS.delete', 'DB.all'])
    // A deletion without revisions writes seven.
    expect(deletion.rowsWritten).toBe(12)
    const later = Date.now() + 60 * 60_000
    const cleanUp = () => measureCost((bindings) => runCleanup(bindings, later))
    const [withRevision, without] = [await cleanUp(), await cleanUp()]
    expect(withRevision.calls.filter((call) => call === 'CONTENTS.delete')).toHaveLength(1)
    expect(without.calls).not.toContain('CONTENTS.delete')
    expect(withRevision.rowsWritten - without.rowsWritten).toBe(1)
  })
})
