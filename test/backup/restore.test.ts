import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { previewCleanup } from '../../scripts/backup/preview-cleanup.ts'
import { restoreBackup, verifyBackup } from '../../scripts/backup/restore-backup.ts'
import type { Bindings } from '../../scripts/support/storage.ts'
import { cleanup } from '../../src/documents/cleanup.ts'
import { ContentStore } from '../../src/documents/content-store.ts'
import { ORPHAN_GRACE_MS } from '../../src/documents/orphaned-content.ts'
import { Database } from '../../src/platform/database.ts'
import { account, session } from '../support/accounts.ts'
import { bindingsWith } from '../support/bindings.ts'
import { call, create, createAnonymous, edit, read, remove, send } from '../support/client.ts'
import { ACTOR, backUp, opener } from '../support/storage/backups.ts'
import { listReferencedKeys, listStoredKeys, loseContent } from '../support/storage/contents.ts'
import { chooseCalls, runCleanup } from '../support/storage/faults.ts'
import { copyDatabase } from '../support/storage/time-travel.ts'
import { startEmpty } from '../support/storage/wipe.ts'

const HOUR_MS = 60 * 60_000

const restore = (
  file: Uint8Array,
  { bindings = env, now = Date.now() }: { bindings?: Bindings; now?: number } = {},
) => restoreBackup(bindings, opener(file), { now, actor: ACTOR })

const readRows = async (table: string) =>
  (await env.DB.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all()).results

/** Contents that are easily damaged on the way. */
const TEXTS = [
  'plain',
  '\uFEFFwith a BOM',
  'NUL \0, CRLF \r\n, 😀 and ünïcode',
  '\n',
  '{"type":"part"}\n',
  'x'.repeat(9_000),
]

beforeEach(startEmpty)

describe('a restore into an empty service', () => {
  it('gives back every document with its content, its settings and its creator', async () => {
    const { key, username } = await account()
    const settings = { language: 'json', public: true, title: 'A title' }
    const ids = await Promise.all(TEXTS.map(async (text) => (await create(text, settings, { key })).id))
    const encrypted = await create('secret', { encrypted: true, password: 'pass' }, { key })
    const forever = await create('forever', { expiration: null }, { key })
    const before = await Promise.all([...ids, forever.id].map((id) => read(id, { key })))
    const file = await backUp()
    await startEmpty()
    expect(await restore(file)).toMatchObject({ documents: TEXTS.length + 2, expired: 0 })
    for (const [index, id] of [...ids, forever.id].entries()) {
      const { body } = await read(id, { key })
      const was = before[index]?.body.data
      expect(body.data).toEqual({ ...was, views: body.data.views })
      expect(body.data.creator).toMatchObject({ username })
    }
    const opened = await call('GET', `/v1/document/${encrypted.id}?password=pass`)
    expect(opened.body.data.content).toBe('secret')
  })

  it('gives back accounts, keys, editors, gists, pictures, reports and removals', async () => {
    const [ada, grace] = [await account(), await account()]
    const { id } = await create('shared', { editors: [grace.username] }, { key: ada.key })
    await env.DB.batch([
      env.DB.prepare(
        "INSERT INTO gists (document_id, user_id, gist_id, public) VALUES (?1, ?2, 'gist', 0)",
      ).bind(id, ada.id),
      env.DB.prepare('INSERT INTO pictures VALUES (?1, ?2, ?3, ?4)').bind(
        ada.id,
        'image/png',
        new Uint8Array([0, 255, 13, 10]),
        'v',
      ),
      env.DB.prepare(
        "INSERT INTO reports (id, document_id, reason, created_at) VALUES ('r', ?1, 'spam', 1)",
      ).bind(id),
      env.DB.prepare("INSERT INTO removals VALUES ('gone', ?1, 'title', 1, 'operator', 'why')").bind(ada.id),
    ])
    const tables = [
      'users',
      'api_keys',
      'document_editors',
      'gists',
      'pictures',
      'reports',
      'removals',
      'documents',
    ]
    const before = await Promise.all(tables.map(readRows))
    const file = await backUp()
    await startEmpty()
    await restore(file)
    expect(await Promise.all(tables.map(readRows))).toEqual(before)
    expect((await edit({ id, content: 'edited' }, { key: grace.key })).status).toBe(200)
  })

  it('gives the holder of a document token their document back', async () => {
    const { id, headers } = await createAnonymous('mine')
    const file = await backUp()
    await startEmpty()
    await restore(file)
    expect((await remove(id, { headers })).status).toBe(204)
  })

  it('signs nobody in, and leaves out documents that burn after reading', async () => {
    const owner = await account()
    const signedIn = await session(owner)
    const { id } = await create('once', { instant_delete: true }, { key: owner.key })
    const file = await backUp()
    const complete = await backUp({ burnAfterReading: true })
    await startEmpty()
    await restore(file)
    expect((await send('/account', { headers: signedIn, redirect: 'manual' })).status).toBe(303)
    expect((await read(id)).status).toBe(404)
    await startEmpty()
    await restore(complete)
    expect((await read(id)).body.data.content).toBe('once')
    expect((await read(id)).status).toBe(404)
  })

  it('leaves out documents that have expired since', async () => {
    const { key } = await account()
    await create('soon', { expiration: 0.01 }, { key })
    const { id } = await create('later', {}, { key })
    const file = await backUp()
    await startEmpty()
    const report = await restore(file, { now: Date.now() + HOUR_MS })
    expect(report).toMatchObject({ documents: 1, expired: 1 })
    expect((await read(id)).body.data.content).toBe('later')
    expect(await listStoredKeys()).toEqual(await listReferencedKeys())
  })

  it('counts the rows that it leaves out, by table, and so does the check of the file', async () => {
    const [ada, grace] = [await account(), await account()]
    const editors = { editors: [grace.username] }
    await create('once', { instant_delete: true, ...editors }, { key: ada.key })
    await create('soon', { expiration: 0.01, ...editors }, { key: ada.key })
    const { id } = await create('kept', editors, { key: ada.key })
    const file = await backUp()
    const now = Date.now() + HOUR_MS
    const leftOut = { document_editors: 2 }
    expect((await verifyBackup(opener(file), now)).leftOut).toEqual(leftOut)
    await startEmpty()
    const report = await restore(file, { now })
    expect(report).toMatchObject({ expired: 1, leftOut })
    const editing = await env.DB.prepare('SELECT document_id AS id FROM document_editors').all()
    expect(editing.results).toEqual([{ id }])
  })

  it('keeps its content if the documents have just been deleted', async () => {
    const { id } = await create('kept')
    const file = await backUp()
    await env.DB.prepare('DELETE FROM documents').run()
    expect(await readRows('detached_contents')).toHaveLength(1)
    await restore(file)
    await runCleanup(env, Date.now() + HOUR_MS)
    expect((await read(id)).body.data.content).toBe('kept')
  })

  it('brings an account back whose name another one had here until it was deleted', async () => {
    await account({ username: 'ada' })
    const file = await backUp()
    await startEmpty()
    const other = await account({ username: 'ada' })
    await env.DB.prepare('DELETE FROM users WHERE id = ?1').bind(other.id).run()
    await restore(file)
    expect((await readRows('users')).map(({ username }) => username)).toEqual(['ada'])
  })

  it('lets cleanup work as before', async () => {
    await create('text')
    for (let n = 0; n < 3; n++) await runCleanup(env, Date.now() + n)
    const file = await backUp()
    await startEmpty()
    await env.CONTENTS.put('database', JSON.stringify({ databaseId: 'of before', trustedAt: 1 }))
    expect((await runCleanup()).refused).not.toBeNull()
    await restore(file)
    expect((await runCleanup()).refused).toBeNull()
    expect(await listStoredKeys()).toHaveLength(1)
  })
})

describe('a restore', () => {
  it('is refused by a service that has accounts or documents, and changes nothing', async () => {
    const { id } = await create('here first')
    const file = await backUp()
    await expect(restore(file)).rejects.toThrow('already has accounts or documents')
    expect((await read(id)).body.data.content).toBe('here first')
    expect(await readRows('restore_progress')).toEqual([])
  })

  it.each(['damaged', 'incomplete'])('of a %s file changes nothing', async (what) => {
    await create('text '.repeat(1_000))
    const file = await backUp()
    await startEmpty()
    const broken = what === 'damaged' ? file.slice() : file.slice(0, -100)
    if (what === 'damaged') broken.set([1], broken.indexOf('x'.charCodeAt(0), 2_000))
    await expect(restore(broken)).rejects.toThrow(/damaged|incomplete|not JSON|ends in the middle/)
    expect([await readRows('documents'), await listStoredKeys()]).toEqual([[], []])
  })

  it('continues after an interruption at any storage call', async () => {
    const { key } = await account()
    const { id } = await create('first', {}, { key })
    for (let n = 0; n < 4; n++) await create(`text ${n}`, {}, { key })
    const file = await backUp()
    let calls = 0
    await startEmpty()
    const counting = bindingsWith(async (_, run) => {
      calls += 1
      return run()
    })
    await restore(file, { bindings: counting })
    const complete = await readRows('documents')
    const users = await readRows('users')
    for (const nth of chooseCalls(calls)) {
      await startEmpty()
      let made = 0
      const dying = bindingsWith(async (_, run) => {
        made += 1
        if (made >= nth) throw new Error('SQLITE_FULL')
        return run()
      })
      await expect(restore(file, { bindings: dying })).rejects.toThrow()
      for (const referenced of await listReferencedKeys())
        expect(await listStoredKeys()).toContain(referenced)
      await restore(file)
      expect({ nth, documents: await readRows('documents') }).toEqual({ nth, documents: complete })
      expect(await readRows('users')).toEqual(users)
    }
    expect((await read(id)).body.data.content).toBe('first')
  })
})

it('a dry run of cleanup says what it would find, and changes nothing', async () => {
  const { key } = await account()
  const settings = { expiration: null }
  const { id } = await create('one', { ...settings, revisions: false }, { key })
  await edit({ id, content: 'two' }, { key })
  const lost = await create('content is missing', settings, { key })
  await loseContent(lost.id)
  const kept = await create('kept', settings, { key })
  await edit({ id: kept.id, content: 'and its revision' }, { key })
  for (const name of ['known', 'new', 'young']) {
    const putAt = name === 'young' ? Date.now() + 8 * 24 * HOUR_MS : Date.now()
    await env.CONTENTS.put(`content/${name}`, 'x', { metadata: { document: 'none', putAt } })
  }
  const now = Date.now() + 8 * 24 * HOUR_MS
  await env.DB.prepare('INSERT INTO orphaned_contents VALUES (?1, ?2)')
    .bind('content/known', Date.now())
    .run()
  const before = await copyDatabase()
  expect(await previewCleanup(env, { now, graceMs: ORPHAN_GRACE_MS })).toEqual({
    expired: 0,
    pending: 1,
    contents: 7,
    orphaned: 2,
    due: 1,
    unreadable: 1,
    outcome: null,
    message: null,
  })
  expect(await copyDatabase()).toEqual(before)
  const store = { db: new Database(env.DB, 5_000), contents: new ContentStore(env.CONTENTS, 5_000) }
  expect(await cleanup(store, { now, budgetMs: 60_000, clock: () => 0 })).toMatchObject({
    deleted: 1,
    found: 1,
    orphaned: 1,
  })
})
