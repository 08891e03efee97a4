import { createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { ALLOW_DELETIONS } from '../../scripts/backup/preview-cleanup.ts'
import { type CleanupReport, cleanup } from '../../src/documents/cleanup.ts'
import { REFUSALS } from '../../src/documents/cleanup-state.ts'
import { ContentStore } from '../../src/documents/content-store.ts'
import worker from '../../src/index.ts'
import { Database } from '../../src/platform/database.ts'
import { NEVER } from '../../src/shared/expiry.ts'
import { bindingsWith } from '../support/bindings.ts'
import { create, createAnonymous, read, remove } from '../support/client.ts'
import { expectFaults } from '../support/log.ts'
import { forgetSearch } from '../support/storage/cleanup.ts'
import { listReferencedKeys, listStoredKeys } from '../support/storage/contents.ts'
import { resetDatabase, startEmpty } from '../support/storage/wipe.ts'

const HOUR_MS = 60 * 60_000
const DAY_MS = 24 * HOUR_MS
const store = { db: new Database(env.DB, 5_000), contents: new ContentStore(env.CONTENTS, 5_000) }

/** Runs cleanup as a day after the last search for orphaned content. */
async function run(now: number): Promise<CleanupReport> {
  await forgetSearch()
  return cleanup(store, { now, budgetMs: 60_000, clock: () => 0 })
}

/** Creates documents that never expire. */
async function createMany(count: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, n) => create(`text ${n}`)))
  await env.DB.prepare('UPDATE documents SET expires_at = ?1').bind(NEVER).run()
}

/** Puts content into KV that no row refers to. */
const putOrphans = (count: number, putAt = Date.now()) =>
  Promise.all(
    Array.from({ length: count }, (_, n) =>
      env.CONTENTS.put(`content/orphan${n}`, 'x', { metadata: { document: 'none', putAt } }),
    ),
  )

const readStatus = () => env.DB.prepare('SELECT finished_at, outcome, message FROM sweep_progress').first()

const readMarker = () => env.CONTENTS.get<{ trustedAt: number }>('database', 'json')

/** Runs cleanup until KV holds a marker of the database. */
async function trustDatabase(now: number): Promise<void> {
  await run(now - 2)
  await run(now - 1)
  expect(await readMarker()).not.toBeNull()
}

beforeEach(startEmpty)

describe('orphaned content', () => {
  it('is deleted seven days after cleanup first found it', async () => {
    await createMany(3)
    await putOrphans(2)
    const found = Date.now() + HOUR_MS
    expect(await run(found)).toMatchObject({ found: 2, orphaned: 0, refused: null })
    expect(await run(found + 7 * DAY_MS - 1)).toMatchObject({ found: 0, orphaned: 0 })
    expect(await run(found + 7 * DAY_MS)).toMatchObject({ orphaned: 2 })
    expect((await env.CONTENTS.list({ prefix: 'content/orphan' })).keys).toEqual([])
    expect(await env.DB.prepare('SELECT count(*) AS n FROM orphaned_contents').first('n')).toBe(0)
  })

  it('is kept if its row is back before that', async () => {
    const kept = await create('kept')
    await createMany(4)
    const row = await env.DB.prepare('SELECT * FROM documents WHERE id = ?1').bind(kept.id).first()
    const columns = Object.keys(row ?? {})
    await env.DB.prepare('DELETE FROM documents WHERE id = ?1').bind(kept.id).run()
    await env.DB.prepare('DELETE FROM detached_contents').run()
    const found = Date.now() + HOUR_MS
    expect(await run(found)).toMatchObject({ found: 1 })
    await env.DB.prepare(
      `INSERT INTO documents (${columns.join()}) VALUES (${columns.map((_, n) => `?${n + 1}`).join()})`,
    )
      .bind(...Object.values(row ?? {}))
      .run()
    expect(await run(found + 8 * DAY_MS)).toMatchObject({ orphaned: 0 })
    expect((await read(kept.id)).body.data.content).toBe('kept')
  })
})

describe('cleanup refuses to delete orphaned content', () => {
  it('if the database is empty, however long that lasts', async () => {
    await createMany(12)
    await resetDatabase()
    for (let day = 1; day < 20; day++) {
      expect(await run(Date.now() + day * DAY_MS)).toMatchObject({ orphaned: 0, refused: expect.any(String) })
    }
    expect(await listStoredKeys()).toHaveLength(12)
  })

  it('if the database is another one, even with as many documents', async () => {
    await createMany(4)
    await trustDatabase(Date.now())
    await resetDatabase()
    await createMany(12)
    expect(await run(Date.now() + HOUR_MS)).toMatchObject({ found: 0, refused: REFUSALS.otherDatabase })
    expect(await listStoredKeys()).toHaveLength(16)
  })

  it('if the database was restored to an earlier time', async () => {
    const now = Date.now()
    await createMany(12)
    await trustDatabase(now)
    const before = await env.DB.prepare('SELECT * FROM sweep_progress').first<Record<string, unknown>>()
    for (let hour = 1; hour < 4; hour++) expect((await run(now + hour * HOUR_MS)).refused).toBeNull()
    await env.DB.prepare('UPDATE sweep_progress SET trusted_at = ?1, finished_at = ?1')
      .bind(Number(before?.trusted_at))
      .run()
    for (let hour = 4; hour < 7; hour++) {
      expect((await run(now + hour * HOUR_MS)).refused).toBe(REFUSALS.rolledBack)
    }
  })

  it('if more than a small share of the content is orphaned', async () => {
    await createMany(20)
    await putOrphans(11)
    const later = Date.now() + HOUR_MS
    expect((await run(later)).refused).toMatch(/^No document refers to 11 of the 31 contents/)
    await env.CONTENTS.delete('content/orphan3')
    expect(await run(later)).toMatchObject({ found: 10, refused: null })
  })

  it('in each run, and goes on in the next one once that is allowed', async () => {
    await createMany(20)
    await putOrphans(11)
    const later = Date.now() + HOUR_MS
    const options = { budgetMs: 60_000, clock: () => 0 }
    for (let minutes = 0; minutes < 15; minutes += 5) {
      const report = await cleanup(store, { ...options, now: later + minutes * 60_000 })
      expect(report.refused).not.toBeNull()
      expect(await readStatus()).toMatchObject({ outcome: 'refused' })
    }
    await store.db.all([ALLOW_DELETIONS, 11])
    expect(await cleanup(store, { ...options, now: later + HOUR_MS })).toMatchObject({
      found: 11,
      refused: null,
    })
  })

  it('if the schema is older than the code', async () => {
    await createMany(1)
    await env.DB.prepare('DROP TABLE orphaned_contents').run()
    await expect(run(Date.now() + DAY_MS)).rejects.toThrow('no such table')
    expect(await readStatus()).toMatchObject({ outcome: 'refused', message: REFUSALS.oldSchema })
    expect(await listStoredKeys()).toHaveLength(1)
  })

  it('and still deletes the content of documents that people delete', async () => {
    const { id, headers } = await createAnonymous('delete me')
    await createMany(12)
    await putOrphans(30)
    const bindings = bindingsWith(async (call, proceed) => {
      if (call === 'CONTENTS.delete') throw new Error('KV DELETE failed')
      return proceed()
    })
    expectFaults('deferred work failed')
    expect((await remove(id, { headers, bindings })).status).toBe(204)
    expect(await run(Date.now() + HOUR_MS)).toMatchObject({ deleted: 1, refused: expect.any(String) })
    expect((await listStoredKeys()).filter((key) => !key.includes('orphan'))).toEqual(
      await listReferencedKeys(),
    )
  })

  it('unless the operator has allowed that many deletions', async () => {
    await createMany(5)
    await putOrphans(30)
    const later = Date.now() + HOUR_MS
    await store.db.all([ALLOW_DELETIONS, 29])
    expect((await run(later)).refused).not.toBeNull()
    await store.db.all([ALLOW_DELETIONS, 40])
    expect(await run(later)).toMatchObject({ found: 30, refused: null })
    expect(await run(later + 7 * DAY_MS)).toMatchObject({ orphaned: 30, refused: null })
    expect(await env.DB.prepare('SELECT allowed_deletions FROM sweep_progress').first()).toEqual({
      allowed_deletions: 10,
    })
  })
})

describe('the outcome of the last run', () => {
  it('is recorded for health checks', async () => {
    await createMany(2)
    const now = Date.now()
    await run(now)
    expect(await readStatus()).toEqual({ finished_at: now, outcome: 'complete', message: null })
    const bindings = bindingsWith(async (call, proceed) => {
      if (call === 'CONTENTS.list') throw new Error('KV LIST failed')
      return proceed()
    })
    const contents = new ContentStore(bindings.CONTENTS, 5_000)
    await forgetSearch()
    await expect(
      cleanup({ ...store, contents }, { now: now + 1, budgetMs: 60_000, clock: () => 0 }),
    ).rejects.toThrow()
    expect(await readStatus()).toEqual({ finished_at: now + 1, outcome: 'failed', message: null })
  })

  it('has its own time after one by a clock that was ahead', async () => {
    const now = Date.now()
    await run(now + DAY_MS)
    await run(now)
    expect(await readStatus()).toMatchObject({ finished_at: now })
  })

  it('is logged as one error line if cleanup refused, with what to do', async () => {
    await createMany(1)
    await putOrphans(12, 0)
    vi.spyOn(console, 'log').mockImplementation(() => {})
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    await worker.scheduled(createScheduledController(), env)
    expect(error.mock.calls).toHaveLength(1)
    expect(JSON.parse(String(error.mock.calls[0]?.[0]))).toEqual({
      event: 'cleanup refused',
      message: expect.stringContaining('npm run admin -- cleanup --dry-run'),
    })
    expect(await readStatus()).toMatchObject({ outcome: 'refused' })
  })
})

it('the marker in KV is written at most once an hour', async () => {
  const now = Date.now()
  await trustDatabase(now)
  let puts = 0
  const bindings = bindingsWith(async (call, proceed) => {
    if (call === 'CONTENTS.put') puts += 1
    return proceed()
  })
  const contents = new ContentStore(bindings.CONTENTS, 5_000)
  for (let minute = 0; minute <= 125; minute += 5) {
    await cleanup({ ...store, contents }, { now: now + minute * 60_000, budgetMs: 60_000, clock: () => 0 })
  }
  expect(puts).toBe(2)
})
