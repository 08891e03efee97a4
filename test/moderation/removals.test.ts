import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { cleanup } from '../../src/documents/cleanup.ts'
import { ContentStore, contentCache } from '../../src/documents/content-store.ts'
import type { DocumentStore } from '../../src/documents/document-store.ts'
import { Turns } from '../../src/documents/turns.ts'
import { ViewCounter } from '../../src/documents/views.ts'
import {
  deleteExpiredModerationData,
  REMOVAL_TITLE_RETENTION_DAYS,
} from '../../src/moderation/delete-expired.ts'
import { removalStatements } from '../../src/moderation/removal-statements.ts'
import {
  findRemoval,
  listRemovals,
  listRemovalsOfCreator,
  takeDownDocument,
} from '../../src/moderation/removals.ts'
import { createReport, findReports } from '../../src/moderation/reports.ts'
import { Database } from '../../src/platform/database.ts'
import { account } from '../support/accounts.ts'
import { bindingsWith, countCalls } from '../support/bindings.ts'
import { create, edit, read } from '../support/client.ts'
import { findContentKey, listReferencedKeys, listStoredKeys, NO_QUOTAS } from '../support/storage/contents.ts'
import { startEmpty } from '../support/storage/wipe.ts'

const TIMEOUT_MS = 250

/** Creates a store, and a function that waits for its deferred work. */
function createStore(bindings: Env = env): { store: DocumentStore; settle: () => Promise<void> } {
  const deferred: Promise<unknown>[] = []
  const store = {
    db: new Database(bindings.DB, TIMEOUT_MS),
    contents: new ContentStore(bindings.CONTENTS, TIMEOUT_MS),
    views: new ViewCounter(),
    defer: (work: () => Promise<unknown>) => {
      deferred.push(Promise.allSettled([work()]))
    },
    turns: new Turns(),
    getClientAddress: () => null,
    quotas: NO_QUOTAS,
    forget: () => {},
    scheduleGistSync: () => {},
  }
  return { store, settle: async () => void (await Promise.all(deferred)) }
}

const { store } = createStore()

const remove = (id: string, by = 'operator', reason = 'why') =>
  takeDownDocument(store, id, { by, reason, now: Date.now(), keepMs: 0 })

const runCleanup = () => cleanup(store, { now: Date.now() + 3_600_000, budgetMs: 60_000, clock: () => 0 })

describe('removing a document', () => {
  it('deletes its reports and its content, and leaves a record', async () => {
    const creator = await account()
    const { id } = await create('a title\ntext', { expiration: null }, { key: creator.key })
    const contentKey = await findContentKey(id)
    const now = Date.now()
    await createReport(store.db, id, { reason: 'spam', comment: null, now })
    const { store: own, settle } = createStore()
    const removal = await takeDownDocument(own, id, { by: 'moderator', reason: 'spam', now, keepMs: 0 })
    await settle()
    expect(removal).toEqual({
      documentId: id,
      creatorId: creator.id,
      creator: creator.username,
      title: 'a title',
      removedAt: now,
      removedBy: 'moderator',
      reason: 'spam',
      keptUntil: null,
    })
    expect(await findRemoval(store.db, id)).toEqual(removal)
    expect(await findReports(store.db, id)).toEqual([])
    expect((await read(id)).status).toBe(404)
    expect(await listStoredKeys()).not.toContain(contentKey)
    expect(await env.DB.prepare('SELECT count(*) AS n FROM detached_contents').first('n')).toBe(0)
  })

  it('records one removal when many moderators remove it at once, and tells all of them whose', async () => {
    const { id } = await create('x')
    const names = Array.from({ length: 16 }, (_, index) => `moderator-${index}`)
    const removals = await Promise.all(names.map((name) => remove(id, name, `why ${name}`)))
    expect(new Set(removals.map(({ removedBy, reason }) => `${removedBy}: ${reason}`)).size).toBe(1)
    expect(removals[0]?.reason).toBe(`why ${removals[0]?.removedBy}`)
  })

  it('throws not_found if the document is gone or never existed', async () => {
    const { key } = await account()
    const { id } = await create('once', { instant_delete: true }, { key })
    await read(id)
    for (const nothing of [id, 'xxxxxxxx', '']) {
      await expect(remove(nothing)).rejects.toMatchObject({ code: 'not_found' })
    }
    const expired = await create('x', { expiration: 1 }, { key })
    const late = { by: 'operator', reason: 'why', now: Date.now() + 2 * 86_400_000, keepMs: 0 }
    await expect(takeDownDocument(store, expired.id, late)).rejects.toMatchObject({ code: 'not_found' })
    expect((await read(expired.id)).status).toBe(200)
  })

  it('replaces the record of an earlier document with the same id', async () => {
    const { key, id: creatorId } = await account()
    const before = await create('before')
    await remove(before.id, 'first')
    const { id } = await create('after', {}, { key })
    await env.DB.prepare('UPDATE documents SET id = ?2 WHERE id = ?1').bind(id, before.id).run()
    await remove(before.id, 'second')
    expect(await findRemoval(store.db, before.id)).toMatchObject({
      creatorId,
      title: 'after',
      removedBy: 'second',
    })
  })

  it('does nothing when D1 runs it again after the deadline', async () => {
    const { id } = await create('before')
    const now = Date.now()
    const statements = removalStatements(id, {
      by: 'operator',
      reason: 'why',
      now,
      deadline: now + 60_000,
      keepMs: 0,
    })
    const late = removalStatements(id, {
      by: 'operator',
      reason: 'why',
      now,
      deadline: now - 60_000,
      keepMs: 0,
    })
    const run = ([sql, ...values]: (typeof statements)[0]) => env.DB.prepare(sql).bind(...values)
    await env.DB.batch(statements.map(run))
    const after = await create('after')
    await env.DB.prepare('UPDATE documents SET id = ?2 WHERE id = ?1').bind(after.id, id).run()
    await env.DB.batch(late.map(run))
    expect((await read(id)).body.data.content).toBe('after')
    await remove(id)
  })

  it('makes a concurrent read return 404', async () => {
    const { id } = await create('x')
    contentCache.clear()
    const bindings = bindingsWith(async (name, run) => {
      if (name === 'CONTENTS.get') {
        const { store: own, settle } = createStore()
        await takeDownDocument(own, id, { by: 'operator', reason: 'why', now: Date.now(), keepMs: 0 })
        await settle()
      }
      return run()
    })
    expect(await read(id, { bindings })).toMatchObject({ status: 404 })
  })

  it('makes a concurrent edit return 404 and keeps nothing of it', async () => {
    const { key } = await account()
    const { id } = await create('x', { expiration: null }, { key })
    const bindings = bindingsWith(async (name, run) => {
      const result = await run()
      if (name === 'CONTENTS.put') await remove(id)
      return result
    })
    const answer = await edit({ id, content: 'edited' }, { key, bindings, settle: true })
    expect(answer.status).toBe(404)
    await runCleanup()
    expect(await listStoredKeys()).toEqual(await listReferencedKeys())
  })

  it.each(['fails', 'takes effect, and its answer is lost', 'hangs', 'takes effect, and hangs'])(
    'happens completely or not at all when a storage call %s',
    async (fault) => {
      const counted = countCalls()
      const whole = createStore(counted.bindings)
      const sample = await create('x')
      await takeDownDocument(whole.store, sample.id, {
        by: 'operator',
        reason: 'why',
        now: Date.now(),
        keepMs: 0,
      })
      await whole.settle()
      expect(counted.calls).toEqual(['DB.batch', 'CONTENTS.delete', 'DB.all'])
      for (const stays of [false, true]) {
        for (let nth = 1; nth <= counted.calls.length; nth++) {
          const { id } = await create('text', undefined)
          contentCache.clear()
          let calls = 0
          const bindings = bindingsWith(async (_, run) => {
            calls += 1
            if (stays ? calls < nth : calls !== nth) return run()
            if (fault.startsWith('takes effect')) await run()
            if (fault.endsWith('hangs')) return new Promise<never>(() => {})
            throw new Error('D1_ERROR: Network connection lost.')
          })
          const own = createStore(bindings)
          const now = Date.now()
          const told = await takeDownDocument(own.store, id, {
            by: 'operator',
            reason: 'why',
            now,
            keepMs: 0,
          }).catch((error: unknown) => error)
          await own.settle()
          const record = await findRemoval(store.db, id)
          if (nth === 1 && stays) expect(told).toMatchObject({ code: 'unavailable' })
          else expect(told).toEqual(record)
          // Either recorded and gone, or neither.
          expect((await read(id)).status).toBe(record === null ? 200 : 404)
        }
      }
      await runCleanup()
      expect(await listStoredKeys()).toEqual(await listReferencedKeys())
    },
  )

  it('does nothing when D1 runs it only after the deadline', async () => {
    const { id } = await create('x')
    const held: (() => Promise<unknown>)[] = []
    const bindings = bindingsWith(async (name, run) => {
      if (name !== 'DB.batch') return run()
      held.push(run)
      return new Promise<never>(() => {})
    })
    const clock = vi.spyOn(Date, 'now')
    clock.mockImplementation(() => performance.timeOrigin + performance.now() - 10_000)
    const { store: hanging } = createStore(bindings)
    const now = Date.now()
    const removing = takeDownDocument(hanging, id, { by: 'operator', reason: 'why', now, keepMs: 0 })
    await expect(removing).rejects.toMatchObject({ code: 'unavailable' })
    clock.mockRestore()
    for (const run of held) await run()
    expect((await read(id)).status).toBe(200)
    expect(await findRemoval(store.db, id)).toBeNull()
  })
})

describe('the lists of removals', () => {
  it("are paged, and an account's list contains only its own documents", async () => {
    const [creator, other] = [await account(), await account()]
    const ids: string[] = []
    for (let made = 0; made < 3; made++) {
      const { id } = await create('x', {}, { key: creator.key })
      await create('x', {}, { key: other.key }).then(({ id }) => remove(id))
      await takeDownDocument(store, id, { by: 'operator', reason: 'why', now: 1_000_000, keepMs: 0 })
      ids.push(id)
    }
    const first = await listRemovalsOfCreator(store.db, creator.id, { limit: 2 })
    const rest = await listRemovalsOfCreator(store.db, creator.id, { limit: 2, cursor: first.cursor ?? '' })
    expect(rest.cursor).toBeNull()
    const found = [...first.items, ...rest.items].map(({ documentId }) => documentId)
    // All have the same time, so they are sorted by id.
    expect(found).toEqual(ids.toSorted().reverse())

    const all: string[] = []
    let cursor: string | null | undefined
    while (cursor !== null) {
      const page: Awaited<ReturnType<typeof listRemovals>> = await listRemovals(store.db, {
        limit: 2,
        ...(cursor !== undefined && { cursor }),
      })
      all.push(...page.items.map(({ documentId }) => documentId))
      cursor = page.cursor
    }
    expect(new Set(all).size).toBe(all.length)
    expect(all.slice(-3)).toEqual(found)
    const nonsense = listRemovals(store.db, { limit: 2, cursor: 'nonsense' })
    await expect(nonsense).rejects.toMatchObject({ code: 'bad_request' })
  })
})

const DAY_MS = 86_400_000

describe('the title of a removed document', () => {
  beforeAll(startEmpty)

  it('is forgotten after the time that the privacy page names, and the rest of the record stays', async () => {
    const now = Date.now()
    const insert = env.DB.prepare(
      `INSERT INTO removals (document_id, creator_id, title, removed_at, removed_by, reason)
        VALUES (?1, 'creator', 'My secret plan', ?2, 'operator', 'spam')`,
    )
    const oldest = now - REMOVAL_TITLE_RETENTION_DAYS * DAY_MS
    await env.DB.batch([insert.bind('old', oldest), insert.bind('new', oldest + 1)])
    await deleteExpiredModerationData(new Database(env.DB, 15_000), now)
    const { results } = await env.DB.prepare(
      'SELECT document_id, title, reason FROM removals ORDER BY removed_at',
    ).all()
    expect(results).toEqual([
      { document_id: 'old', title: null, reason: 'spam' },
      { document_id: 'new', title: 'My secret plan', reason: 'spam' },
    ])
  })
})
