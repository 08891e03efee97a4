import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { mergeBackup } from '../../scripts/backup/merge-backup.ts'
import type { Bindings } from '../../scripts/support/storage.ts'
import { processAccountDeletions, startAccountDeletion } from '../../src/accounts/account-deletion.ts'
import { contentCache } from '../../src/documents/content-store.ts'
import { processTombstones } from '../../src/documents/tombstones.ts'
import { takeDownDocument } from '../../src/moderation/removals.ts'
import { DAY_MS } from '../../src/shared/instant.ts'
import { type Account, account, reinstate, session } from '../support/accounts.ts'
import { bindingsWith } from '../support/bindings.ts'
import { call, create, createAnonymous, edit, read, remove, send } from '../support/client.ts'
import { ACTOR, backUp, opener } from '../support/storage/backups.ts'
import { listReferencedKeys, listStoredKeys, loseContent, openStore } from '../support/storage/contents.ts'
import { chooseCalls, runCleanup } from '../support/storage/faults.ts'
import { copyDatabase, type DatabaseCopy } from '../support/storage/time-travel.ts'
import { startEmpty, wipeContents } from '../support/storage/wipe.ts'

const merge = (
  file: Uint8Array,
  { bindings = env, now = Date.now() }: { bindings?: Bindings; now?: number } = {},
) => mergeBackup(bindings, opener(file), { now, actor: ACTOR })

/** Loses rows as a fault would: without the tombstones that a deletion leaves. */
async function loseRow(table: 'documents' | 'users', id: string): Promise<void> {
  await env.DB.batch([
    env.DB.prepare(`DELETE FROM ${table} WHERE id = ?1`).bind(id),
    env.DB.prepare('DELETE FROM tombstones WHERE id = ?1').bind(id),
    env.DB.prepare('DELETE FROM former_usernames WHERE user_id = ?1').bind(id),
  ])
}

/** What a merge itself writes. */
const OWN_TABLES = new Set(['audit_log', 'backups', 'sweep_progress', 'tombstones'])

const readRows = (copy: DatabaseCopy) => [...copy].filter(([table]) => !OWN_TABLES.has(table))

const run = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run()

const hashIds = () =>
  processTombstones(openStore().db, { now: Date.now(), keptDays: 90, hasTime: () => true })

let ada: Account

beforeEach(async () => {
  await startEmpty()
  ada = await account()
})

afterEach(() => vi.restoreAllMocks())

describe('a merge', () => {
  it.each(['at once', 'after the job'])(
    'brings nothing back that was deleted, removed, burned, revoked or shortened, %s',
    async (when) => {
      const [grace, gone, kept] = [await account(), await account({ flags: 9 }), await account({ flags: 9 })]
      const browser = await session(ada)
      const shared = await create('shared', { editors: [grace.username] }, { key: ada.key })
      await edit({ id: shared.id, content: 'shared again' }, { key: ada.key })
      const ids = {
        deleted: (await create('deleted', {}, { key: ada.key })).id,
        removed: (await create('removed', {}, { key: ada.key })).id,
        burned: (await create('burned', { instant_delete: true }, { key: ada.key })).id,
        shortened: (await create('shortened', {}, { key: ada.key })).id,
        theirs: (await create('theirs', {}, { key: gone.key })).id,
        left: (await create('left behind', {}, { key: kept.key })).id,
      }
      const anonymous = await createAnonymous('anonymous')
      await run(`INSERT INTO blocks (kind, value, reason, created_by, created_at)
        VALUES ('domain', 'lifted.example', 'why', 'operator', 1)`)
      await run(
        `INSERT INTO linked_accounts (id, user_id, provider_id, account_id, created_at)
          VALUES ('link', ?1, 'github', '1', 1)`,
        ada.id,
      )
      await run("INSERT INTO former_usernames VALUES ('former', ?1, ?2)", ada.id, Date.now() + DAY_MS)
      const file = await backUp({ burnAfterReading: true })

      const store = openStore()
      await remove(ids.deleted, { key: ada.key, settle: true })
      await remove(anonymous.id, { headers: anonymous.headers, settle: true })
      await takeDownDocument(store, ids.removed, {
        by: 'operator',
        reason: 'why',
        now: Date.now(),
        keepMs: 0,
      })
      await read(ids.burned, { settle: true })
      await call('DELETE', `/v1/document/${shared.id}/revisions`, undefined, { key: ada.key })
      await edit({ id: shared.id, settings: { editors: [], expiration: 1 } }, { key: ada.key })
      await edit({ id: ids.shortened, settings: { expiration: 1 / 24 } }, { key: ada.key })
      // It has expired, and cleanup has deleted its row.
      await run('UPDATE documents SET expires_at = unixepoch() * 1000 WHERE id = ?1', ids.shortened)
      await run('DELETE FROM documents WHERE id = ?1', ids.shortened)
      await run('DELETE FROM api_keys WHERE user_id = ?1', grace.id)
      await run('DELETE FROM sessions')
      await run('DELETE FROM blocks')
      await run('DELETE FROM linked_accounts')
      await run('DELETE FROM former_usernames')
      await run('UPDATE users SET flags = 1 WHERE id = ?1', kept.id)
      await startAccountDeletion(store.db, gone.id, 'delete')
      await processAccountDeletions(store, () => true)
      await startAccountDeletion(store.db, kept.id, 'keep')
      await processAccountDeletions(store, () => true)
      await store.settle()
      if (when === 'after the job') await hashIds()
      await runCleanup()
      const [before, contents] = [await copyDatabase(), await listStoredKeys()]

      const report = await merge(file)
      expect(readRows(await copyDatabase())).toEqual(readRows(before))
      expect(await listStoredKeys()).toEqual(contents)
      expect(report).toMatchObject({
        added: { documents: 0, users: 0 },
        kept: { documents: 2, users: 2 },
        leftOut: {
          users: { deleted: 2 },
          documents: { deleted: 5, 'removed by staff': 1 },
          api_keys: { 'never merged': 3 },
          document_editors: { 'never merged': 1 },
          revisions: { 'never merged': 1 },
          blocks: { 'never merged': 1 },
          linked_accounts: { 'never merged': 1 },
          former_usernames: { 'never merged': 1 },
        },
        contents: { documents: 0, revisions: 0, stillMissing: [] },
        withoutContent: [],
      })
      expect((await send('/account', { headers: browser, redirect: 'manual' })).status).toBe(303)
      expect((await read(ids.left)).status).toBe(200)
    },
  )

  it('adds accounts and documents whose rows were lost, without anything that grants access', async () => {
    const [grace, admin] = [await account(), await account({ flags: 9 })]
    const { id } = await create('lost', { editors: [grace.username], public: true }, { key: admin.key })
    await edit({ id, content: 'lost, version 2' }, { key: admin.key })
    const anonymous = await createAnonymous('anonymous')
    const once = await create('once', { instant_delete: true }, { key: grace.key })
    const kept = await create('kept', {}, { key: grace.key })
    const file = await backUp({ burnAfterReading: true })
    await edit({ id: kept.id, content: 'newer' }, { key: grace.key })
    for (const lost of [id, anonymous.id, once.id]) await loseRow('documents', lost)
    await loseRow('users', admin.id)
    await run(
      `INSERT INTO audit_log (id, at, actor, action, subject) VALUES ('s', 5, 'operator', 'account.suspend', ?1)`,
      admin.username.toUpperCase(),
    )
    // A deletion would have made its content due.
    await wipeContents()
    contentCache.clear()

    const report = await merge(file)
    expect(report).toMatchObject({
      added: { documents: 2, users: 1 },
      kept: { documents: 1, users: 2 },
      leftOut: { documents: { 'burns after reading': 1 }, document_editors: { 'never merged': 1 } },
    })
    await runCleanup()
    // The documents of a suspended account are hidden.
    expect((await read(id)).status).toBe(404)
    const found = env.DB.prepare('SELECT flags, suspended_at, documents_made FROM users WHERE id = ?1').bind(
      admin.id,
    )
    expect(await found.first()).toEqual({ flags: 1, suspended_at: 5, documents_made: 1 })
    await reinstate(admin)
    expect((await read(id)).body.data).toMatchObject({
      content: 'lost, version 2',
      creator: { username: admin.username },
    })
    expect((await read(anonymous.id)).body.data.content).toBe('anonymous')
    expect((await remove(anonymous.id, { headers: anonymous.headers })).status).toBe(403)
    expect((await edit({ id, content: 'x' }, { key: grace.key })).status).toBe(403)
    expect((await call('GET', '/v1/users/@me', undefined, { key: admin.key })).status).toBe(401)
    // Neither KV nor the backup has its newer content.
    vi.spyOn(console, 'error').mockImplementation(() => {})
    expect((await read(kept.id)).status).toBe(503)
    expect((await merge(file)).added).toEqual({ documents: 0, users: 0 })
  })

  it('brings back names that are free, and a document without a name that another has by now', async () => {
    const { key, username } = ada
    const [one, two] = [
      await create('one', { name: 'one' }, { key }),
      await create('two', { name: 'two' }, { key }),
    ]
    const file = await backUp()
    for (const { id } of [one, two]) await loseRow('documents', id)
    await create('new', { name: 'one' }, { key })
    expect((await merge(file)).added.documents).toBe(2)
    expect((await read(one.id)).body.data).toMatchObject({ content: 'one' })
    expect((await read(`@${username}/one`)).body.data.content).toBe('new')
    expect((await read(`@${username}/two`)).body.data.id).toBe(two.id)
  })

  it('keeps an earlier expiry, and leaves out accounts and texts that the service would refuse', async () => {
    const [grace, other] = [await account({ username: 'Grace' }), await account({ username: 'other' })]
    const shortened = await create('shortened', {}, { key: ada.key })
    const blocked = await create('a text that staff have blocked since', {}, { key: ada.key })
    const theirs = await create('theirs', {}, { key: grace.key })
    const file = await backUp()
    await edit({ id: shortened.id, settings: { expiration: 1 } }, { key: ada.key })
    const expiry = (await read(shortened.id)).body.data.timestamps.expiration
    await run(
      `INSERT INTO blocks (kind, value, reason, created_by, created_at)
        SELECT 'content', content_hash, 'why', 'operator', 1 FROM documents WHERE id = ?1`,
      blocked.id,
    )
    await hashIds()
    await env.DB.prepare('DELETE FROM documents').run()
    await env.DB.prepare('DELETE FROM tombstones WHERE hashed = 0').run()
    await loseRow('users', grace.id)
    await loseRow('users', other.id)
    // One name is taken, the other reserved: they look alike.
    await account({ username: 'gr4ce' })
    await run("UPDATE users SET username = 'grace' WHERE username = 'gr4ce'")
    await run("INSERT INTO former_usernames VALUES ('other', ?1, ?2)", ada.id, Date.now() + DAY_MS)
    const report = await merge(file)
    expect(report).toMatchObject({
      added: { documents: 1, users: 0 },
      leftOut: {
        users: { 'name or address is taken': 2 },
        documents: { 'account is gone': 1, 'text is blocked': 1 },
      },
    })
    expect((await read(shortened.id)).body.data.timestamps.expiration).toBe(expiry)
    expect((await read(theirs.id)).status).toBe(404)
  })

  it('adds no document without content, and says which it left out', async () => {
    const ids: string[] = []
    for (let n = 0; n < 12; n++) ids.push((await create(`text ${n}`, {}, { key: ada.key })).id)
    const [lost = '', present = '', later = ''] = ids
    await loseContent(lost)
    await loseContent(present)
    const file = await backUp()
    await loseRow('documents', lost)
    await loseRow('documents', later)
    const report = await merge(file)
    expect(report).toMatchObject({
      added: { documents: 1 },
      withoutContent: [lost],
      contents: { stillMissing: [{ document: present, revision: null }] },
      leftOut: { documents: { 'content is missing': 1 } },
    })
    expect([(await read(lost)).status, (await read(later)).status]).toEqual([404, 200])
    const stored = new Set(await listStoredKeys())
    expect((await listReferencedKeys()).filter((key) => !stored.has(key))).toHaveLength(1)
  })

  it('of a backup that the database does not know is refused, unless the database is younger', async () => {
    const { id } = await create('text', {}, { key: ada.key })
    const file = await backUp()
    await loseRow('documents', id)
    await env.DB.prepare('DELETE FROM backups').run()
    const before = await copyDatabase()
    await expect(merge(file)).rejects.toThrow('The database has no record of this backup')
    expect(await copyDatabase()).toEqual(before)
    const { results } = await env.DB.prepare('SELECT name, applied_at FROM d1_migrations').all()
    onTestFinished(async () => {
      for (const { name, applied_at } of results)
        await run('UPDATE d1_migrations SET applied_at = ?2 WHERE name = ?1', name, applied_at)
    })
    await run("UPDATE d1_migrations SET applied_at = datetime('now', '+1 hour')")
    // A restored database continues an older one, and had what was deleted there.
    await run("INSERT INTO restore_progress (backup_id, parts, finished_at) VALUES ('other', 1, 1)")
    await expect(merge(file)).rejects.toThrow('The database has no record of this backup')
    await run('DELETE FROM restore_progress')
    expect((await merge(file)).added.documents).toBe(1)
    // Now it's known: what is deleted afterwards stays away.
    await remove(id, { key: ada.key, settle: true })
    expect((await merge(file)).added.documents).toBe(0)
  })

  it('sees a deletion that happens while it runs', async () => {
    const { id } = await create('text', {}, { key: ada.key })
    const file = await backUp()
    let done = false
    const bindings = bindingsWith(async (made, work) => {
      if (made === 'CONTENTS.list' && !done) {
        done = true
        await remove(id, { key: ada.key, settle: true })
        await hashIds()
      }
      return work()
    })
    expect(await merge(file, { bindings })).toMatchObject({ leftOut: { documents: { deleted: 1 } } })
    expect((await read(id)).status).toBe(404)
  })

  it('can be run again after an interruption at any storage call', async () => {
    const grace = await account()
    for (let n = 0; n < 3; n++) await create(`text ${n}`, {}, { key: grace.key })
    const file = await backUp()
    const lose = async () => {
      const { results } = await env.DB.prepare('SELECT id FROM documents').all<{ id: string }>()
      for (const { id } of results) await loseRow('documents', id)
      await loseRow('users', grace.id)
    }
    await lose()
    let calls = 0
    await merge(file, {
      bindings: bindingsWith(async (_, work) => {
        calls += 1
        return work()
      }),
    })
    for (const nth of chooseCalls(calls)) {
      await lose()
      let made = 0
      const dying = bindingsWith(async (_, work) => {
        made += 1
        if (made >= nth) throw new Error('SQLITE_FULL')
        return work()
      })
      await expect(merge(file, { bindings: dying })).rejects.toThrow()
      await merge(file)
      const { results } = await env.DB.prepare('SELECT content_key FROM documents').all<{
        content_key: string
      }>()
      const stored = new Set(await listStoredKeys())
      expect(results.filter(({ content_key }) => stored.has(content_key))).toHaveLength(3)
      const counted = env.DB.prepare('SELECT documents_made AS n FROM users WHERE id = ?1').bind(grace.id)
      expect(await counted.first('n')).toBe(3)
    }
  })

  it('and a backup are in the audit log, with what they did', async () => {
    const { id } = await create('text', {}, { key: ada.key })
    const file = await backUp()
    await remove(id, { key: ada.key, settle: true })
    await merge(file)
    const { results } = await env.DB.prepare(
      "SELECT detail FROM audit_log WHERE action LIKE 'backup.%' AND actor = ?1",
    )
      .bind(ACTOR)
      .all<{ detail: string }>()
    expect(results.map(({ detail }) => detail.replace(/backup of [^,]*, /, '')).sort()).toEqual([
      'merge: added 0 documents and 0 accounts; put back the content of 0 documents and 0 revisions; left out {"documents":{"deleted":1}}',
      'merge: begun',
      'rows and content',
    ])
  })
})
