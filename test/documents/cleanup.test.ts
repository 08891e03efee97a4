import { createExecutionContext, createScheduledController, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { ALLOW_DELETIONS } from '../../scripts/backup/preview-cleanup.ts'
import { type CleanupReport, cleanup } from '../../src/documents/cleanup.ts'
import { ContentStore } from '../../src/documents/content-store.ts'
import worker from '../../src/index.ts'
import { Database } from '../../src/platform/database.ts'
import { account } from '../support/accounts.ts'
import { bindingsWith } from '../support/bindings.ts'
import { create, edit, read } from '../support/client.ts'
import { forgetSearch } from '../support/storage/cleanup.ts'
import { findContentKey } from '../support/storage/contents.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

const store = { db: new Database(env.DB, 5_000), contents: new ContentStore(env.CONTENTS, 5_000) }

/**
 * Runs cleanup as a day after the last search for orphaned content, and without a grace period, which
 * `cleanup-brake.test.ts` tests.
 */
async function run(now: number, budgetMs = 60_000, clock = () => 0): Promise<CleanupReport> {
  await forgetSearch()
  return cleanup(store, { now, budgetMs, clock, orphanGraceMs: 0 })
}

/** Returns the real KV, which lists fewer keys at once. */
const withSmallPages = (limit: number): KVNamespace =>
  new Proxy(env.CONTENTS, {
    get: (contents, name) => {
      if (name === 'list') return (options: KVNamespaceListOptions) => contents.list({ ...options, limit })
      const value: unknown = Reflect.get(contents, name)
      return typeof value === 'function' ? value.bind(contents) : value
    },
  })

const count = (table: string) => env.DB.prepare(`SELECT count(*) AS n FROM ${table}`).first<number>('n')

/** Inserts documents with this expiry, without content in KV. */
async function insertExpired(howMany: number, expiresAt: number): Promise<void> {
  await env.DB.prepare(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
      INSERT INTO documents (id, content_key, content_bytes, content_until, language, image_embed,
        instant_delete, encrypted, public, version, created_at, updated_at, expires_at)
      SELECT 'expired' || i || 'x' || ?2, 'content/e' || i || 'x' || ?2, 1, ?2, 'plaintext', 0, 0, 0, 0, 'v', 0, 0, ?2 FROM n`,
  )
    .bind(howMany, expiresAt)
    .run()
}

describe('cleanup', () => {
  it('deletes the rows of expired documents once KV has deleted their content', async () => {
    const now = Date.now()
    await insertExpired(1_200, now - 6 * MINUTE_MS)
    await insertExpired(3, now - MINUTE_MS)
    const { id } = await create('alive')
    expect(await run(now)).toEqual({
      expired: 1_200,
      copied: 0,
      deleted: 0,
      checked: 1,
      found: 0,
      orphaned: 0,
      missing: 0,
      refused: null,
      complete: true,
    })
    expect(await count('documents')).toBe(4)
    expect(await count('detached_contents')).toBe(0)
    expect((await read(id)).status).toBe(200)
    expect((await run(now + 5 * MINUTE_MS)).expired).toBe(3)
  })

  it('deletes content that edits replaced, after five minutes', async () => {
    const { key } = await account()
    const { id } = await create('one', { revisions: false }, { key })
    await edit({ id, content: 'two' }, { key })
    await edit({ id, content: 'three' }, { key })
    const now = Date.now()
    expect((await run(now)).deleted).toBe(0)
    expect((await run(now + 5 * MINUTE_MS)).deleted).toBe(2)
    expect(await count('detached_contents')).toBe(0)
    expect((await read(id)).body.data.content).toBe('three')
  })

  it('deletes content that a crash left without a row, once it’s an hour old', async () => {
    const { id } = await create('kept')
    for (let n = 0; n < 2; n++) await create('also kept')
    const putAt = Date.now()
    const documents = [id, 'never', 'neither']
    for (const document of documents) {
      await env.CONTENTS.put(`content/of-${document}`, 'x', { metadata: { document, putAt } })
    }
    expect((await run(putAt + 59 * MINUTE_MS)).orphaned).toBe(0)
    expect((await run(putAt + 60 * MINUTE_MS)).orphaned).toBe(3)
    expect((await read(id)).body.data.content).toBe('kept')
  })

  it('keeps replaced content for reads in progress, however old it is', async () => {
    const { key } = await account()
    const { id } = await create('old', { revisions: false }, { key })
    const contentKey = await findContentKey(id)
    await edit({ id, content: 'new' }, { key })
    const later = Date.now() + DAY_MS
    await env.DB.prepare('UPDATE detached_contents SET removable_at = ?1')
      .bind(later + 1)
      .run()
    expect(await run(later)).toMatchObject({ deleted: 0, orphaned: 0 })
    expect(await env.CONTENTS.get(String(contentKey))).toBe('old')
    expect((await run(later + 1)).deleted).toBe(1)
  })

  it('starts over if KV no longer accepts its cursor', async () => {
    await env.DB.prepare("UPDATE sweep_progress SET cursor = 'outdated'").run()
    const bindings = bindingsWith(async (call, proceed) => {
      const cursor = await env.DB.prepare('SELECT cursor FROM sweep_progress').first('cursor')
      if (call === 'CONTENTS.list' && cursor === 'outdated')
        throw new Error('KV LIST failed: 400 Bad Request')
      return proceed()
    })
    const contents = new ContentStore(bindings.CONTENTS, 5_000)
    const report = await cleanup(
      { ...store, contents },
      { now: Date.now(), budgetMs: 60_000, clock: () => 0, orphanGraceMs: 0 },
    )
    expect(report.complete).toBe(true)
  })

  it('searches for orphaned content once a day, whatever the clock said before', async () => {
    await create('text')
    const cleanUp = (now: number) => cleanup(store, { now, budgetMs: 60_000, clock: () => 0 })
    const now = Date.now()
    const { checked } = await run(now)
    expect(checked).toBeGreaterThan(0)
    expect(await cleanUp(now + 5 * MINUTE_MS)).toMatchObject({ checked: 0, complete: true })
    expect(await cleanUp(now + DAY_MS - 1)).toMatchObject({ checked: 0, complete: true })
    expect(await cleanUp(now + DAY_MS)).toMatchObject({ checked, complete: true })
    expect(await cleanUp(now)).toMatchObject({ checked })
  })

  it('continues if the content of one document can’t be deleted', async () => {
    const { key } = await account()
    const { id } = await create('one', { revisions: false }, { key })
    for (const content of ['two', 'three', 'four']) await edit({ id, content }, { key })
    const later = Date.now() + DAY_MS
    await env.CONTENTS.put('content/orphan', 'x', { metadata: { document: 'none', putAt: 0 } })
    let deletes = 0
    const bindings = bindingsWith(async (call, proceed) => {
      if (call === 'CONTENTS.delete' && ++deletes === 1) throw new Error('KV DELETE failed')
      return proceed()
    })
    const contents = new ContentStore(bindings.CONTENTS, 5_000)
    await forgetSearch()
    await expect(
      cleanup({ ...store, contents }, { now: later, budgetMs: 60_000, clock: () => 0, orphanGraceMs: 0 }),
    ).rejects.toMatchObject({ code: 'unavailable' })
    expect(await count('detached_contents')).toBe(1)
    expect(await env.CONTENTS.get('content/orphan')).toBeNull()
    expect((await run(later)).deleted).toBe(1)
  })

  it('stops when its time is up, and the next run continues', async () => {
    const now = Date.now()
    await insertExpired(1_100, now - DAY_MS)
    let reads = 0
    const clock = () => (++reads > 3 ? 100 : 0)
    expect(await run(now, 100, clock)).toMatchObject({ expired: 500, complete: false })
    expect(await run(now)).toMatchObject({ expired: 600, complete: true })
  })

  it('checks many pages of keys over several runs', async () => {
    const putAt = Date.now()
    const puts = Array.from({ length: 130 }, (_, n) =>
      env.CONTENTS.put(`content/many${n}`, 'x', { metadata: { document: 'none', putAt } }),
    )
    await Promise.all(puts)
    const small = { ...store, contents: new ContentStore(withSmallPages(20), 5_000) }
    await store.db.all([ALLOW_DELETIONS, 300])
    let orphans = 0
    let runs = 0
    for (; orphans < 130; runs++) {
      expect(runs).toBeLessThan(20)
      const options = { now: putAt + DAY_MS, budgetMs: 60_000, clock: () => 0, orphanGraceMs: 0, maxKeys: 40 }
      const report = await cleanup(small, options)
      expect(report.checked).toBeLessThanOrEqual(40)
      orphans += report.orphaned
    }
    expect(runs).toBeGreaterThan(3)
    expect((await env.CONTENTS.list({ prefix: 'content/many' })).keys).toEqual([])
  })

  it('does no harm if two runs overlap', async () => {
    const { key } = await account()
    const now = Date.now()
    await insertExpired(800, now - DAY_MS)
    const { id } = await create('one', { revisions: false }, { key })
    for (let n = 0; n < 60; n++) await edit({ id, content: `version ${n}` }, { key })
    await Promise.all([run(now + 10 * MINUTE_MS), run(now + 10 * MINUTE_MS), read(id)])
    expect(await count('detached_contents')).toBe(0)
    expect((await run(now + 10 * MINUTE_MS)).expired).toBe(0)
    expect((await read(id)).body.data.content).toBe('version 59')
  })
})

describe('the scheduled trigger', () => {
  it('runs each job and logs its report in one line', async () => {
    await insertExpired(2, Date.now() - DAY_MS)
    const log = vi.spyOn(console, 'log').mockImplementation(() => {})
    const ctx = createExecutionContext()
    await worker.scheduled(createScheduledController(), env)
    await waitOnExecutionContext(ctx)
    const lines = log.mock.calls.map(([line]) => JSON.parse(String(line)) as { event: string })
    expect(lines.map(({ event }) => event)).toEqual([
      'cleanup',
      'gists',
      'account deletions',
      'tombstones',
      'expired account data',
      'report notices',
      'expired moderation data',
      'expired idempotency keys',
    ])
    expect(lines[0]).toEqual({
      event: 'cleanup',
      outcome: 'ok',
      expired: 2,
      copied: expect.any(Number),
      deleted: expect.any(Number),
      checked: expect.any(Number),
      found: 0,
      orphaned: 0,
      missing: 0,
      refused: null,
      complete: true,
      duration_ms: expect.any(Number),
    })
  })
})
