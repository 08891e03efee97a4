import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { cleanup } from '../../src/documents/cleanup.ts'
import { ContentStore, contentCache } from '../../src/documents/content-store.ts'
import { Database } from '../../src/platform/database.ts'
import { runScheduledJobs } from '../../src/scheduled.ts'
import { account } from '../support/accounts.ts'
import { bindingsWith } from '../support/bindings.ts'
import { create, edit, read, remove, send } from '../support/client.ts'
import { expectFaults } from '../support/log.ts'
import { findContentKey } from '../support/storage/contents.ts'
import { startEmpty } from '../support/storage/wipe.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Runs cleanup at a later time, when new content has arrived everywhere, and returns how much is missing. */
async function findMissing(bindings: Env = env, afterMs = HOUR_MS): Promise<number | null> {
  const store = { db: new Database(bindings.DB, 5_000), contents: new ContentStore(bindings.CONTENTS, 5_000) }
  const now = Date.now() + afterMs
  return (await cleanup(store, { now, budgetMs: 60_000, clock: () => 0 })).missing
}

/** Takes content out of KV as no part of Regent does. Returns a function that puts it back. */
async function lose(...ids: readonly string[]): Promise<() => Promise<void>> {
  const { results } = await env.DB.prepare(
    `SELECT content_key AS key FROM documents WHERE id IN (SELECT value FROM json_each(?1))
      UNION ALL SELECT content_key FROM revisions WHERE document_id IN (SELECT value FROM json_each(?1))`,
  )
    .bind(JSON.stringify(ids))
    .all<{ key: string }>()
  const stored = await Promise.all(
    results.map(async ({ key }) => ({ key, ...(await env.CONTENTS.getWithMetadata(key)) })),
  )
  await Promise.all(results.map(({ key }) => env.CONTENTS.delete(key)))
  contentCache.clear()
  return async () => {
    for (const { key, value, metadata } of stored) await env.CONTENTS.put(key, value ?? '', { metadata })
  }
}

const createMany = (count: number) =>
  Promise.all(Array.from({ length: count }, (_, n) => create(`text ${n}`)))

const checkHealth = async () => {
  const response = await send('/health', {}, { bindings: { ...env } })
  return { status: response.status, body: await response.json<{ contents: object }>() }
}

beforeEach(async () => {
  vi.spyOn(console, 'log').mockImplementation(() => {})
  await startEmpty()
})

describe('content that KV has lost', () => {
  it('is noticed by cleanup, and makes the service degraded until it is back', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const documents = await createMany(12)
    const restore = await lose(...documents.map(({ id }) => id))
    await env.DB.prepare('UPDATE documents SET updated_at = updated_at - ?1').bind(HOUR_MS).run()
    const points: AnalyticsEngineDataPoint[] = []
    const bindings = { ...env, ANALYTICS: { writeDataPoint: (point = {}) => void points.push(point) } }
    const runJobs = () => runScheduledJobs({ scheduledTime: 0, cron: '', noRetry: () => {} }, bindings)
    await runJobs()
    expect(await checkHealth()).toMatchObject({
      status: 503,
      body: {
        status: 'degraded',
        contents: {
          status: 'lost',
          missing: 12,
          advice: expect.stringContaining('npm run admin -- cleanup'),
        },
      },
    })
    const printed = log.mock.calls.map(([line]) => String(line)).join('\n')
    expect(printed).toContain('KV has lost content of documents or revisions (12 known)')
    for (const { id } of documents) expect(printed).not.toContain(id)
    expect(points[0]).toMatchObject({ indexes: ['cleanup'], blobs: expect.arrayContaining(['missing']) })
    expect(points[0]?.doubles?.[6]).toBe(12)
    await restore()
    await runJobs()
    expect(await checkHealth()).toMatchObject({
      status: 200,
      body: { status: 'ok', contents: { status: 'ok', missing: 0 } },
    })
  })

  it('of one document out of many is remembered, although most runs look at others', async () => {
    const documents = await createMany(60)
    const [{ id } = { id: '' }] = documents
    await lose(id)
    let runs = 0
    while ((await findMissing()) === 0) expect(++runs).toBeLessThan(200)
    for (let run = 0; run < 5; run++) expect(await findMissing()).toBe(1)
    expect(await checkHealth()).toMatchObject({
      status: 200,
      body: { status: 'degraded', contents: { status: 'incomplete', missing: 1 } },
    })
    await env.DB.prepare('DELETE FROM documents WHERE id = ?1').bind(id).run()
    expect(await findMissing()).toBe(0)
  })

  it('of a revision counts, too', async () => {
    const { key } = await account()
    const { id } = await create('one', {}, { key })
    await edit({ id, content: 'two' }, { key })
    await lose(id)
    expect(await findMissing()).toBe(2)
  })

  it('does not count while it may still be on its way', async () => {
    const { id } = await create('x')
    await lose(id)
    expect(await findMissing(env, 9 * MINUTE_MS)).toBe(0)
    expect(await findMissing(env, 10 * MINUTE_MS + 1_000)).toBe(1)
  })

  it('does not count once its document has expired', async () => {
    const { id } = await create('x')
    await lose(id)
    expect(await findMissing()).toBe(1)
    expect(await findMissing(env, 7 * 24 * HOUR_MS + MINUTE_MS)).toBe(0)
  })

  it.each([
    ['edited', (id: string, key: string) => edit({ id, content: 'new' }, { key })],
    ['deleted', (id: string, key: string) => remove(id, { key })],
  ])('does not count if the document is %s while cleanup asks for it', async (_, change) => {
    const { key } = await account()
    const { id } = await create('old', { revisions: false }, { key })
    const contentKey = await findContentKey(id)
    let asked = false
    const bindings = bindingsWith(async (call, run) => {
      if (call === 'CONTENTS.get' && !asked) {
        asked = true
        await change(id, key)
        await env.CONTENTS.delete(contentKey ?? '')
      }
      return run()
    })
    expect(await findMissing(bindings)).toBe(0)
    expect(asked).toBe(true)
  })

  it('is bounded in what it costs, however much is missing', async () => {
    const documents = await createMany(90)
    await lose(...documents.map(({ id }) => id))
    let gets = 0
    const bindings = bindingsWith(async (call, run) => {
      if (call === 'CONTENTS.get') gets += 1
      return run()
    })
    let runs = 0
    while ((await findMissing(bindings)) !== 50) expect(++runs).toBeLessThan(100)
    gets = 0
    expect(await findMissing(bindings)).toBe(50)
    // 50 that are known, a sample of 20, and the marker of the database.
    expect(gets).toBeLessThanOrEqual(71)
    expectFaults('request failed')
    expect((await read(documents[0]?.id ?? '')).status).toBe(503)
  })
})

const DAY_SECONDS = 24 * 60 * 60

/** Returns bindings that record the `cacheTtl` of each read of content, and may miss the first ones. */
function recordCacheTtl({ misses = 0 } = {}): { bindings: Env; ttls: (number | undefined)[] } {
  const ttls: (number | undefined)[] = []
  const CONTENTS = new Proxy(env.CONTENTS, {
    get(kv, property) {
      const value = Reflect.get(kv, property)
      if (property !== 'get') return typeof value === 'function' ? value.bind(kv) : value
      return async (key: string, options: KVNamespaceGetOptions<'arrayBuffer'>) => {
        ttls.push(options.cacheTtl)
        return ttls.length <= misses ? null : kv.get(key, options)
      }
    },
  })
  return { bindings: { ...env, CONTENTS }, ttls }
}

/** Makes a document look as if its content was stored some minutes ago. */
const age = (id: string, minutes: number) =>
  env.DB.prepare('UPDATE documents SET updated_at = ?2 WHERE id = ?1')
    .bind(id, Date.now() - minutes * 60_000)
    .run()

beforeEach(() => contentCache.clear())

describe('KV caches content', () => {
  it('for 30 seconds while a location may not have received it', async () => {
    const { id } = await create('new')
    contentCache.clear()
    const { bindings, ttls } = recordCacheTtl()
    expect((await read(id, { bindings })).status).toBe(200)
    expect(ttls).toEqual([30])
  })

  it('for a day once it’s ten minutes old', async () => {
    const { id } = await create('old')
    await age(id, 10)
    contentCache.clear()
    const { bindings, ttls } = recordCacheTtl()
    expect((await read(id, { bindings })).status).toBe(200)
    expect(ttls).toEqual([DAY_SECONDS])
  })

  it('for 30 seconds again after an edit', async () => {
    const { key } = await account()
    const { id } = await create('one', {}, { key })
    await age(id, 60)
    await edit({ id, content: 'two' }, { key })
    contentCache.clear()
    const { bindings, ttls } = recordCacheTtl()
    expect((await read(id, { bindings })).body.data.content).toBe('two')
    expect(ttls).toEqual([30])
  })

  it('for 30 seconds if a location has cached that it isn’t there', async () => {
    const { id } = await create('missed before')
    await age(id, 60)
    contentCache.clear()
    const { bindings, ttls } = recordCacheTtl({ misses: 1 })
    expect((await read(id, { bindings })).body.data.content).toBe('missed before')
    expect(ttls).toEqual([DAY_SECONDS, 30])
  })

  it('in the same way if it is streamed', async () => {
    const { id } = await create('long '.repeat(200_000))
    const young = recordCacheTtl()
    await (await send(`/r/${id}`, {}, young)).text()
    await age(id, 60)
    const old = recordCacheTtl()
    await (await send(`/r/${id}`, {}, old)).text()
    expect([young.ttls, old.ttls]).toEqual([[30], [DAY_SECONDS]])
  })

  it('for 30 seconds if it is about to be burned', async () => {
    const { key } = await account()
    const { id } = await create('once', { instant_delete: true }, { key })
    await age(id, 60)
    const { bindings, ttls } = recordCacheTtl()
    expect((await read(id, { bindings })).status).toBe(200)
    expect(ttls).toEqual([30])
  })
})
