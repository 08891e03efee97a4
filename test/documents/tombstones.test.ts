import { env } from 'cloudflare:workers'
import { beforeEach, expect, it } from 'vitest'
import { processAccountDeletions, startAccountDeletion } from '../../src/accounts/account-deletion.ts'
import { deleteOwnDocuments } from '../../src/documents/delete.ts'
import { processTombstones } from '../../src/documents/tombstones.ts'
import { restoreDocument, takeDownDocument } from '../../src/moderation/removals.ts'
import { Database } from '../../src/platform/database.ts'
import { hashTombstone } from '../../src/shared/hashing.ts'
import { DAY_MS } from '../../src/shared/instant.ts'
import { account } from '../support/accounts.ts'
import { bindingsWith, countCalls } from '../support/bindings.ts'
import { create, edit, read, remove } from '../support/client.ts'
import { backUp } from '../support/storage/backups.ts'
import { openStore } from '../support/storage/contents.ts'
import { runCleanup } from '../support/storage/faults.ts'
import { startEmpty } from '../support/storage/wipe.ts'

interface Tombstone {
  readonly kind: 'account' | 'document'
  readonly id: string
  readonly hashed: number
  readonly ends_at: number
}

const listTombstones = async (): Promise<Tombstone[]> =>
  (await env.DB.prepare('SELECT * FROM tombstones ORDER BY kind, id').all<Tombstone>()).results

const listIds = async () => (await listTombstones()).map(({ kind, id }) => `${kind} ${id}`)

const processNow = (bindings: Env = env, now = Date.now()) =>
  processTombstones(new Database(bindings.DB, 5_000), { now, keptDays: 90, hasTime: () => true })

beforeEach(startEmpty)

it('every kind of deletion leaves one, and an earlier expiry, but expiry itself does not', async () => {
  const [ada, gone] = [await account(), await account()]
  const texts = ['deleted', 'chosen', 'removed', 'burned', 'shortened', 'expired', 'kept'] as const
  const ids = Object.fromEntries(
    await Promise.all(
      texts.map(async (text) => {
        const settings = { instant_delete: text === 'burned', public: text === 'removed' }
        return [text, (await create(text, settings, { key: ada.key })).id]
      }),
    ),
  ) as Record<(typeof texts)[number], string>
  const { id: theirs } = await create('theirs', {}, { key: gone.key })
  await backUp()
  const store = openStore()
  await remove(ids.deleted, { key: ada.key })
  await deleteOwnDocuments(store, [ids.chosen], ada)
  await takeDownDocument(store, ids.removed, { by: 'operator', reason: 'why', now: Date.now(), keepMs: 0 })
  await read(ids.burned)
  await edit({ id: ids.shortened, settings: { expiration: 1 } }, { key: ada.key })
  await edit({ id: ids.kept, settings: { expiration: 30 } }, { key: ada.key })
  await env.DB.prepare('UPDATE documents SET expires_at = 1 WHERE id = ?1').bind(ids.expired).run()
  await env.DB.prepare('DELETE FROM tombstones WHERE id = ?1').bind(ids.expired).run()
  await runCleanup()
  await startAccountDeletion(store.db, gone.id, 'delete')
  await processAccountDeletions(store, () => true)
  expect(await listIds()).toEqual(
    [
      `account ${gone.id}`,
      ...[ids.deleted, ids.chosen, ids.removed, ids.burned, ids.shortened, theirs].map(
        (id) => `document ${id}`,
      ),
    ].sort(),
  )
  const shortened = (await listTombstones()).find(({ id }) => id === ids.shortened)
  expect(shortened?.ends_at).toBe(Date.parse((await read(ids.shortened)).body.data.timestamps.expiration))
})

it('what no backup can hold leaves none, so a deletion costs a row only after a backup', async () => {
  const { key } = await account()
  const measureDeletion = async (id: string) => {
    const { bindings, rows } = countCalls()
    await remove(id, { key, bindings, settle: true })
    return rows.written
  }
  const [before, held] = [await create('x', {}, { key }), await create('y', {}, { key })]
  const without = await measureDeletion(before.id)
  const now = Date.now()
  await backUp({ now })
  await env.DB.prepare('UPDATE documents SET created_at = ?2 WHERE id <> ?1')
    .bind(held.id, now + 1)
    .run()
  const { id: later } = await create('z', {}, { key })
  await env.DB.prepare('UPDATE documents SET created_at = ?2 WHERE id = ?1')
    .bind(later, now + 1)
    .run()
  expect([await measureDeletion(later), await measureDeletion(held.id)]).toEqual([without, without + 1])
  expect(await listIds()).toEqual([`document ${held.id}`])
  const { bindings, rows } = countCalls()
  await processNow(bindings)
  expect(rows.written).toBe(2)
})

it('the job replaces ids by hashes, whenever it is interrupted, and a backup in between has hashes, too', async () => {
  const { id: accountId, key } = await account()
  const { id } = await create('text', {}, { key })
  await backUp()
  await remove(id, { key, settle: true })
  await startAccountDeletion(openStore().db, accountId, 'keep')
  await processAccountDeletions(openStore(), () => true)
  const between = new TextDecoder().decode(await backUp())
  for (const call of ['DB.batch', 'DB.all'] as const) {
    const failing = bindingsWith(async (made, run) => {
      const isHashing = made === call && (await listTombstones()).some(({ hashed }) => hashed === 0)
      if (isHashing && call === 'DB.batch') {
        await run()
        throw new Error('D1_ERROR: response lost')
      }
      if (isHashing) throw new Error('D1_ERROR: SQLITE_FULL')
      return run()
    })
    await processNow(failing).catch(() => {})
  }
  await processNow()
  const hashes = await Promise.all([hashTombstone('account', accountId), hashTombstone('document', id)])
  expect(await listTombstones()).toEqual([
    expect.objectContaining({ kind: 'account', id: hashes[0], hashed: 1 }),
    expect.objectContaining({ kind: 'document', id: hashes[1], hashed: 1 }),
  ])
  expect(between).not.toContain(`"id":"${id}"`)
  for (const hash of hashes) expect(between).toContain(hash)
})

it('a second deletion of an id in the same second, or of one that was shortened, keeps the earlier end', async () => {
  const { key } = await account()
  const { id } = await create('text', {}, { key })
  await backUp()
  await edit({ id, settings: { expiration: 2 } }, { key })
  await edit({ id, settings: { expiration: 1 } }, { key })
  await remove(id, { key })
  expect(await listTombstones()).not.toEqual([])
  await processNow()
  const tombstones = await listTombstones()
  expect(Math.min(...tombstones.map(({ ends_at }) => ends_at))).toBeLessThanOrEqual(Date.now())
  expect(new Set(tombstones.map(({ hashed }) => hashed))).toEqual(new Set([1]))
})

it('backups and tombstones are forgotten after BACKUP_DAYS, tombstones last, 5,000 in a run', async () => {
  const { key } = await account()
  const { id } = await create('text', {}, { key })
  await backUp()
  await remove(id, { key })
  await processNow()
  await env.DB.prepare(
    `INSERT INTO tombstones (hashed, recorded_at, kind, id, ends_at)
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5500)
      SELECT 1, i, 'document', 'old' || i, i FROM n`,
  ).run()
  const count = (table: string) => env.DB.prepare(`SELECT count(*) AS n FROM ${table}`).first('n')
  await processNow()
  expect([await count('backups'), await count('tombstones')]).toEqual([1, 501])
  await processNow()
  await processNow(env, Date.now() + 90 * DAY_MS)
  expect([await count('backups'), await count('tombstones')]).toEqual([0, 1])
  await processNow(env, Date.now() + 91 * DAY_MS)
  expect(await count('tombstones')).toBe(0)
})

it('a removed document leaves one only once staff can’t restore it any more', async () => {
  const { key } = await account()
  const [back, gone] = [await create('back', {}, { key }), await create('gone', {}, { key })]
  await backUp()
  const store = openStore()
  const removal = { by: 'operator', reason: 'why', keepMs: DAY_MS }
  for (const { id } of [back, gone]) await takeDownDocument(store, id, { ...removal, now: Date.now() })
  await restoreDocument(store, back.id, { by: 'operator', now: Date.now() })
  expect(await listIds()).toEqual([])
  await env.DB.prepare('DELETE FROM removed_documents WHERE id = ?1').bind(gone.id).run()
  expect(await listIds()).toEqual([`document ${gone.id}`])
})
