import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { recoverDatabase } from '../../scripts/backup/recover.ts'
import type { Bindings } from '../../scripts/support/storage.ts'
import { restoreDocument, takeDownDocument } from '../../src/moderation/removals.ts'
import { type Account, account, session, suspend } from '../support/accounts.ts'
import { bindingsWith, withFailing } from '../support/bindings.ts'
import { call, create, createAnonymous, edit, read, remove, send } from '../support/client.ts'
import { expectFaults } from '../support/log.ts'
import { ACTOR, backUp, opener } from '../support/storage/backups.ts'
import { listReferencedKeys, listStoredKeys, openStore } from '../support/storage/contents.ts'
import { chooseCalls, runCleanup } from '../support/storage/faults.ts'
import { copyDatabase, travelBack } from '../support/storage/time-travel.ts'
import { startEmpty } from '../support/storage/wipe.ts'

interface Options {
  saved?: Uint8Array
  apply?: boolean
  keepAccounts?: boolean
  bindings?: Bindings
}

const recover = ({ saved, apply = true, keepAccounts = false, bindings = env }: Options = {}) =>
  recoverDatabase(bindings, saved ? opener(saved) : null, {
    now: Date.now(),
    actor: ACTOR,
    apply,
    keepAccounts,
  })

const saveState = () => backUp({ kind: 'rows' })

/** A create with a key: 200 if the key works, 401 if not. */
const useKey = async (key: string) => (await call('POST', '/v1/document', { content: 'x' }, { key })).status

const isSignedIn = async (headers: { Cookie: string }) =>
  (await send('/account', { headers, redirect: 'manual' })).status === 200

const status = async (id: string) => (await read(id)).status

let ada: Account

beforeEach(async () => {
  await startEmpty()
  ada = await account()
})

describe('a database that was restored to an earlier time', () => {
  it('no longer has what had been deleted, burned or revoked since, once the saved state is applied', async () => {
    const grace = await account()
    const browser = await session(ada)
    const [kept, deleted, burned] = await Promise.all([
      create('kept', {}, { key: ada.key }),
      create('deleted', {}, { key: ada.key }),
      create('burned', { instant_delete: true }, { key: ada.key }),
    ])
    const before = await copyDatabase()
    await remove(deleted.id, { key: ada.key })
    await read(burned.id)
    await env.DB.prepare('DELETE FROM api_keys WHERE user_id = ?1').bind(grace.id).run()
    await env.DB.prepare('DELETE FROM sessions').run()
    const saved = await saveState()
    await travelBack(before)
    expect([await useKey(grace.key), await isSignedIn(browser)]).toEqual([200, true])

    expect(await recover({ saved })).toMatchObject({ keys: 1, sessions: 1, documents: 2 })
    const entry = env.DB.prepare("SELECT actor, detail FROM audit_log WHERE action = 'database.recover'")
    expect(await entry.first()).toEqual({
      actor: ACTOR,
      detail: expect.stringMatching(/^with the saved state: .*"documents":2/),
    })
    expect(await Promise.all([kept, deleted, burned].map(({ id }) => status(id)))).toEqual([200, 404, 404])
    expect([await useKey(grace.key), await useKey(ada.key), await isSignedIn(browser)]).toEqual([
      401,
      200,
      false,
    ])
  })

  it('no longer has a burned document whose content KV still holds', async () => {
    const { id } = await create('burned', { instant_delete: true }, { key: ada.key })
    const plain = await create('deleted', {}, { key: ada.key })
    const before = await copyDatabase()
    const bindings = withFailing('CONTENTS.delete', 'KV DELETE failed')
    expectFaults('deferred work failed')
    expect((await read(id, { bindings })).status).toBe(200)
    expect((await remove(plain.id, { bindings, key: ada.key })).status).toBe(204)
    const saved = await saveState()
    await travelBack(before)
    await recover({ saved })
    expect([await status(id), await status(plain.id)]).toEqual([404, 404])
    await runCleanup(env, Date.now() + 10 * 60_000)
    expect(await listStoredKeys()).toEqual(await listReferencedKeys())
  })

  it('has what staff removed and restored since as it was, with its content', async () => {
    const store = openStore()
    const takeDown = ({ id }: { id: string }) =>
      takeDownDocument(store, id, { by: 'operator', reason: 'why', now: Date.now(), keepMs: 86_400_000 })
    const restore = ({ id }: { id: string }) =>
      restoreDocument(store, id, { by: 'operator', now: Date.now() })
    const [removed, restored] = await Promise.all([
      create('removed later', {}, { key: ada.key }),
      create('restored later', {}, { key: ada.key }),
    ])
    await takeDown(restored)
    const before = await copyDatabase()
    await takeDown(removed)
    await restore(restored)
    const saved = await saveState()
    await travelBack(before)
    await recover({ saved })
    expect([await status(removed.id), await status(restored.id)]).toEqual([404, 200])
    await runCleanup(env, Date.now() + 10 * 60_000)
    expect(await listStoredKeys()).toEqual(await listReferencedKeys())
    await restore(removed)
    expect((await read(removed.id)).body.data.content).toBe('removed later')
    expect((await read(restored.id)).body.data.content).toBe('restored later')
  })

  it('no longer has what staff and users had undone since', async () => {
    const [reported, removed] = await Promise.all([
      create('reported', {}, { key: ada.key }),
      create('restored', {}, { key: ada.key }),
    ])
    const store = openStore()
    const options = { by: 'operator', now: Date.now() }
    await takeDownDocument(store, removed.id, { ...options, reason: 'why', keepMs: 86_400_000 })
    const undone = {
      blocks: `INSERT INTO blocks (kind, value, reason, created_by, created_at)
        VALUES ('domain', 'lifted.example', 'why', 'operator', 1), ('domain', 'kept.example', 'why', 'operator', 1)`,
      pictures: `INSERT INTO pictures VALUES ('${ada.id}', 'image/png', x'00', 'v')`,
      reports: `INSERT INTO reports (id, document_id, reason, created_at)
        VALUES ('dismissed', '${reported.id}', 'other', 1)`,
      report_notices: `INSERT INTO report_notices (document_id) VALUES ('${reported.id}')`,
      switches: "INSERT INTO switches VALUES ('anonymous-documents', 'refuse', 1)",
    }
    await env.DB.batch(Object.values(undone).map((sql) => env.DB.prepare(sql)))
    const before = await copyDatabase()
    await restoreDocument(store, removed.id, options)
    await env.DB.batch(
      Object.keys(undone).map((table) =>
        env.DB.prepare(`DELETE FROM ${table}${table === 'blocks' ? " WHERE value = 'lifted.example'" : ''}`),
      ),
    )
    const saved = await saveState()
    await travelBack(before)
    await recover({ saved })
    const rows = async (sql: string) => (await env.DB.prepare(sql).all()).results
    expect(await rows('SELECT value FROM blocks')).toEqual([{ value: 'kept.example' }])
    for (const table of ['pictures', 'removals', 'reports', 'report_notices', 'switches'])
      expect({ table, rows: await rows(`SELECT * FROM ${table}`) }).toEqual({ table, rows: [] })
    expect(await status(removed.id)).toBe(200)
  })

  it('has the reports and the picture of what was lost by accident, and kept', async () => {
    const lost = await account()
    const { id } = await create('lost', {}, { key: ada.key })
    await env.DB.batch(
      [
        `INSERT INTO pictures VALUES ('${lost.id}', 'image/png', x'00', 'v')`,
        `INSERT INTO reports (id, document_id, reason, created_at) VALUES ('open', '${id}', 'other', 1)`,
      ].map((sql) => env.DB.prepare(sql)),
    )
    const before = await copyDatabase()
    await env.DB.batch([
      env.DB.prepare('DELETE FROM users WHERE id = ?1').bind(lost.id),
      env.DB.prepare('DELETE FROM documents WHERE id = ?1').bind(id),
      env.DB.prepare('DELETE FROM detached_contents'),
    ])
    const saved = await saveState()
    await travelBack(before)
    await recover({ saved, keepAccounts: true })
    for (const table of ['pictures', 'reports'])
      expect((await env.DB.prepare(`SELECT * FROM ${table}`).all()).results).toHaveLength(1)
    expect(await status(id)).toBe(200)
  })

  it('takes the state that a newer version saved, and says what it left out', async () => {
    const deleted = await create('deleted', {}, { key: ada.key })
    const before = await copyDatabase()
    await remove(deleted.id, { key: ada.key })
    await env.DB.batch([
      env.DB.prepare("ALTER TABLE users ADD COLUMN newer TEXT NOT NULL DEFAULT 'new'"),
      env.DB.prepare('CREATE TABLE newer (id TEXT PRIMARY KEY)'),
      env.DB.prepare("INSERT INTO newer VALUES ('one')"),
    ])
    const saved = await saveState()
    await env.DB.batch([
      env.DB.prepare('DROP TABLE newer'),
      env.DB.prepare('ALTER TABLE users DROP COLUMN newer'),
    ])
    await travelBack(before)
    expect(await recover({ saved })).toMatchObject({ documents: 1, leftOut: ['users.newer', 'newer'] })
    expect([await status(deleted.id), await useKey(ada.key)]).toEqual([404, 200])
  })

  it('has the revisions of the saved state, and not those that were deleted since', async () => {
    const [changed, cleared] = await Promise.all([
      create('one', {}, { key: ada.key }),
      create('one', {}, { key: ada.key }),
    ])
    await edit({ id: cleared.id, content: 'two' }, { key: ada.key })
    const before = await copyDatabase()
    await edit({ id: changed.id, content: 'two' }, { key: ada.key })
    await edit({ id: changed.id, content: 'three' }, { key: ada.key })
    await edit({ id: cleared.id, content: 'three' }, { key: ada.key })
    await call('DELETE', `/v1/document/${cleared.id}/revisions`, undefined, { key: ada.key, settle: true })
    const saved = await saveState()
    await travelBack(before)
    await recover({ saved })
    const { results } = await env.DB.prepare(
      'SELECT document_id, number FROM revisions ORDER BY number',
    ).all()
    expect(results).toEqual([1, 2].map((number) => ({ document_id: changed.id, number })))
    await runCleanup(env, Date.now() + 10 * 60_000)
    expect(await listStoredKeys()).toEqual(await listReferencedKeys())
    for (const [number, content] of [
      [1, 'one'],
      [2, 'two'],
    ]) {
      const path = `/v1/document/${changed.id}/revisions/${number}`
      expect((await call('GET', path, undefined, { key: ada.key })).body.data.content).toBe(content)
    }
    const usage = await env.DB.prepare("SELECT bytes FROM usage WHERE account_id = ''").first('bytes')
    expect(usage).toBe('onetwothreethree'.length)
  })

  it('has the present version of what was edited, created, suspended or shared since', async () => {
    const [grace, mallory] = [await account(), await account()]
    const edited = await create('old', { editors: [grace.username], public: true }, { key: ada.key })
    const before = await copyDatabase()
    await edit({ id: edited.id, content: 'new', settings: { editors: [], public: false } }, { key: ada.key })
    const created = await create('created since', {}, { key: ada.key })
    const late = await account()
    await suspend(mallory)
    await runCleanup(env, Date.now() + 10 * 60_000)
    const saved = await saveState()
    await travelBack(before)
    await recover({ saved })
    expect((await read(edited.id)).body.data).toMatchObject({
      content: 'new',
      settings: { editors: [], public: false },
    })
    expect((await edit({ id: edited.id, content: 'x' }, { key: grace.key })).status).toBe(403)
    expect((await read(created.id)).body.data).toMatchObject({
      content: 'created since',
      creator: { username: ada.username },
    })
    expect([await useKey(late.key), await useKey(mallory.key)]).toEqual([200, 401])
    expect(
      await env.DB.prepare('SELECT documents_made FROM users WHERE id = ?1')
        .bind(ada.id)
        .first('documents_made'),
    ).toBe(2)
  })

  it('brings back rows that were lost, with their content', async () => {
    const { id } = await create('lost by accident', {}, { key: ada.key })
    const before = await copyDatabase()
    // As somebody's own SQL might, without the pending deletion of its content.
    await env.DB.batch([
      env.DB.prepare('DELETE FROM documents'),
      env.DB.prepare('DELETE FROM detached_contents'),
    ])
    const saved = await saveState()
    await travelBack(before)
    expect(await recover({ saved })).toMatchObject({ documents: 0, broughtBack: 1 })
    expect((await read(id)).body.data.content).toBe('lost by accident')
  })

  it('deletes accounts again that had been deleted, unless they may stay', async () => {
    const { id } = await create('of an account', {}, { key: ada.key })
    const before = await copyDatabase()
    await env.DB.prepare('UPDATE documents SET creator_id = NULL').run()
    await env.DB.prepare('DELETE FROM users WHERE id = ?1').bind(ada.id).run()
    const saved = await saveState()
    await travelBack(before)
    expect(await recover({ saved, apply: false })).toMatchObject({ accounts: 1 })
    expect(await recover({ saved, apply: false, keepAccounts: true })).toMatchObject({ accounts: 0 })
    await recover({ saved })
    expect(await useKey(ada.key)).toBe(401)
    expect((await read(id)).body.data.creator).toBeNull()
  })

  it('is exact again after an interruption at any storage call', async () => {
    const deleted = await create('deleted', { instant_delete: true }, { key: ada.key })
    const edited = await create('old', {}, { key: ada.key })
    const before = await copyDatabase()
    await read(deleted.id)
    await edit({ id: edited.id, content: 'new' }, { key: ada.key })
    await create('created', {}, { key: ada.key })
    const saved = await saveState()
    await travelBack(before)
    let calls = 0
    const counting = bindingsWith(async (_, run) => {
      calls += 1
      return run()
    })
    await recover({ saved, bindings: counting })
    const expected = await copyDatabase()
    for (const nth of chooseCalls(calls)) {
      await travelBack(before)
      let made = 0
      const dying = bindingsWith(async (_, run) => {
        made += 1
        if (made >= nth) throw new Error('SQLITE_FULL')
        return run()
      })
      await expect(recover({ saved, bindings: dying })).rejects.toThrow()
      await recover({ saved })
      for (const table of ['documents', 'users', 'api_keys', 'detached_contents']) {
        expect({ nth, rows: (await copyDatabase()).get(table) }).toEqual({ nth, rows: expected.get(table) })
      }
    }
  })
})

describe('without a saved state', () => {
  it('every key and session ends, and what may have been burned or deleted is gone', async () => {
    const browser = await session(ada)
    const [kept, deleted, unread] = await Promise.all([
      create('kept', {}, { key: ada.key }),
      create('deleted', {}, { key: ada.key }),
      create('unread', { instant_delete: true }, { key: ada.key }),
    ])
    const anonymous = await createAnonymous('anonymous')
    const before = await copyDatabase()
    await remove(deleted.id, { key: ada.key, settle: true })
    await travelBack(before)
    expect(await recover()).toMatchObject({ keys: 1, sessions: 1, documents: 2 })
    expect(await Promise.all([kept, deleted, unread].map(({ id }) => status(id)))).toEqual([200, 404, 404])
    expect([await useKey(ada.key), await isSignedIn(browser)]).toEqual([401, false])
    expect((await remove(anonymous.id, { headers: anonymous.headers })).status).toBe(204)
  })
})

describe('a recovery', () => {
  it('changes nothing unless it is applied', async () => {
    const { id } = await create('burns', { instant_delete: true }, { key: ada.key })
    const before = await copyDatabase()
    expect(await recover({ apply: false })).toMatchObject({ keys: 1, documents: 1 })
    expect(await copyDatabase()).toEqual(before)
    expect(await status(id)).toBe(200)
  })

  it('makes cleanup trust the database again', async () => {
    const { id } = await create('kept', {}, { key: ada.key })
    for (let n = 0; n < 2; n++) await runCleanup(env, Date.now() + n)
    const before = await copyDatabase()
    for (let hour = 1; hour < 4; hour++) await runCleanup(env, Date.now() + hour * 3_600_000)
    await travelBack(before)
    expect((await runCleanup()).refused).toMatch(/restored to an earlier time/)
    await recover({ saved: await saveState() })
    expect((await runCleanup()).refused).toBeNull()
    expect(await status(id)).toBe(200)
  })

  it('refuses a full backup as the saved state', async () => {
    await create('text')
    await expect(recover({ saved: await backUp() })).rejects.toThrow('full backup')
  })
})
