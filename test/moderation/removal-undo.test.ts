import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { processAccountDeletion, startAccountDeletion } from '../../src/accounts/account-deletion.ts'
import { cleanup } from '../../src/documents/cleanup.ts'
import { contentCache } from '../../src/documents/content-store.ts'
import { generateVersion } from '../../src/documents/document.ts'
import { findRemoval, restoreDocument, takeDownDocument } from '../../src/moderation/removals.ts'
import { KEPT_COLUMNS, purgeStatements, undoStatements } from '../../src/moderation/undo-statements.ts'
import { account } from '../support/accounts.ts'
import { bindingsWith } from '../support/bindings.ts'
import { call, create, createAnonymous, remove as deleteOwn, edit, read, send } from '../support/client.ts'
import { findContentKey, listReferencedKeys, listStoredKeys, openStore } from '../support/storage/contents.ts'
import { startEmpty } from '../support/storage/wipe.ts'

const DAY_MS = 86_400_000
const KEEP_MS = 30 * DAY_MS

const store = openStore()

const remove = (id: string, { keepMs = KEEP_MS, blockContent = false, now = Date.now() } = {}) =>
  takeDownDocument(store, id, { by: 'moderator', reason: 'why', now, keepMs, blockContent })

const restore = (id: string, now = Date.now()) => restoreDocument(store, id, { by: 'moderator', now })

const runCleanup = (now: number) =>
  cleanup(store, { now, budgetMs: 60_000, clock: () => 0, orphanGraceMs: 0 })

const count = (sql: string, ...values: string[]) =>
  env.DB.prepare(`SELECT count(*) AS n FROM ${sql}`)
    .bind(...values)
    .first('n')

const usage = () => env.DB.prepare('SELECT account_id, documents, bytes FROM usage ORDER BY 1').all()

describe('a removed document', () => {
  beforeAll(startEmpty)

  it('can be restored as it was, with its content, settings, editors, views and token', async () => {
    const [creator, editor] = [await account(), await account()]
    const { id } = await create(
      'the text',
      { language: 'markdown', name: 'report', editors: [editor.username], public: true, expiration: 30 },
      { key: creator.key },
    )
    await edit({ id, content: 'the new text' }, { key: editor.key })
    const before = await env.DB.prepare('SELECT * FROM documents WHERE id = ?1').bind(id).first()
    const made = await env.DB.prepare('SELECT documents_made AS n FROM users WHERE id = ?1')
      .bind(creator.id)
      .first('n')
    const stored = await usage()

    await remove(id, { blockContent: true })
    await store.settle()
    await runCleanup(Date.now() + DAY_MS)
    contentCache.clear()
    expect((await read(id)).status).toBe(404)
    expect(await count('blocks')).toBe(1)

    await restore(id)
    const after = await env.DB.prepare('SELECT * FROM documents WHERE id = ?1').bind(id).first()
    expect({ ...after, version: '' }).toEqual({ ...before, version: '' })
    expect(after?.version).not.toBe(before?.version)
    expect((await read(id, { key: editor.key })).body.data.content).toBe('the new text')
    expect((await edit({ id, content: 'edited again' }, { key: editor.key })).status).toBe(200)
    expect(
      await env.DB.prepare('SELECT documents_made AS n FROM users WHERE id = ?1').bind(creator.id).first('n'),
    ).toBe(made)
    // The revision that the first edit kept is gone, and the second edit has kept another one.
    expect((await usage()).results.length).toBe(stored.results.length)
    expect(await findRemoval(store.db, id)).toBeNull()
    expect(await count('blocks')).toBe(0)
    expect(await count('removed_documents')).toBe(0)
    expect(await count(`audit_log WHERE action = 'document.restore' AND subject = ?1`, id)).toBe(1)
  })

  it('is no longer blocked once it is restored, though it was stored without a hash', async () => {
    const { id } = await create('an old text')
    await env.DB.prepare('UPDATE documents SET content_hash = NULL WHERE id = ?1').bind(id).run()
    await remove(id, { blockContent: true })
    expect(await count('blocks')).toBe(1)
    await restore(id)
    expect(await count('blocks')).toBe(0)
  })

  it('leaves its name free, and comes back without it if another document has it', async () => {
    const { key, username } = await account()
    const { id } = await create('removed', { name: 'report' }, { key })
    await remove(id)
    await store.settle()
    expect((await read(`@${username}/report`)).status).toBe(404)
    await create('new', { name: 'report' }, { key })
    await restore(id)
    expect((await read(id)).body.data.settings).not.toHaveProperty('name')
    expect((await read(`@${username}/report`)).body.data.content).toBe('new')
  })

  it('is shown by no route, to nobody, and its id stays taken', async () => {
    const { key } = await account()
    const { id } = await create('the secret text', { public: true }, { key })
    await edit({ id, content: 'another secret text' }, { key })
    const contentKey = await findContentKey(id)
    await remove(id)
    await store.settle()
    for (const path of [
      `/v1/document/${id}`,
      `/v1/document/${id}/revisions`,
      `/v1/document/${id}/revisions/1`,
      `/r/${id}`,
      `/${id}`,
      `/${id}.md`,
      `/${id}/embed`,
      `/${id}/edit`,
      `/${id}/history`,
      `/${id}/preview.png`,
    ]) {
      for (const headers of [{}, { Authorization: key }]) {
        const response = await send(path, { headers })
        // Pages of an editor lead people to sign in first.
        expect(`${path} ${response.status}`).toMatch(/ 404$|\/(?:edit|history) 303$/)
        expect(await response.text()).not.toContain('secret text')
      }
    }
    const list = await call('GET', '/v1/users/@me/documents', undefined, { key })
    expect(list.status).toBe(200)
    expect(JSON.stringify(list.body)).not.toContain(id)
    // A row with that id, from a create or a backup, isn't inserted.
    await env.DB.prepare(
      `INSERT OR IGNORE INTO documents (id, content_key, content_bytes, content_until, language, image_embed,
          instant_delete, encrypted, public, version, created_at, updated_at, expires_at)
        VALUES (?1, ?2, 1, 1, 'plaintext', 0, 0, 0, 0, 'v', 1, 1, 9999999999999)`,
    )
      .bind(id, contentKey)
      .run()
    expect((await read(id)).status).toBe(404)
  })

  it('is deleted for good when the time is over, and no run of cleanup deletes its content before', async () => {
    const { key } = await account()
    const { id } = await create('text', { expiration: null }, { key })
    const contentKey = await findContentKey(id)
    const now = Date.now()
    await remove(id, { now })
    await store.settle()
    for (const days of [1, 10, 29]) await runCleanup(now + days * DAY_MS)
    expect(await listStoredKeys()).toContain(contentKey)
    await expect(restore(id, now + KEEP_MS)).rejects.toMatchObject({ code: 'not_found' })
    await runCleanup(now + KEEP_MS + 600_000)
    expect(await listStoredKeys()).not.toContain(contentKey)
    expect(await count('removed_documents WHERE id = ?1', id)).toBe(0)
    expect(await findRemoval(store.db, id)).toMatchObject({ keptUntil: null, reason: 'why' })
  })

  it('is kept no longer than until it would have expired', async () => {
    const { key } = await account()
    const { id } = await create('text', { expiration: 1 }, { key })
    const now = Date.now()
    await remove(id, { now })
    await expect(restore(id, now + DAY_MS + 1_000)).rejects.toMatchObject({ code: 'not_found' })
  })

  it.each([
    ['its creator deletes it', 'creator'],
    ['its creator deletes it without an account', 'token'],
    ['its account is deleted', 'delete'],
    ['its account is deleted, and keeps its documents', 'keep'],
    ['staff deletes it for good', 'purge'],
    ['it was removed without being kept', 'now'],
  ])('is gone for good once %s', async (_, how) => {
    const creator = await account()
    const anonymous = how === 'token' ? await createAnonymous('text') : null
    const { id } = anonymous ?? (await create('text', undefined, { key: creator.key }))
    const contentKey = await findContentKey(id)
    await remove(id, how === 'now' ? { keepMs: 0 } : {})
    await store.settle()
    if (how === 'creator' || how === 'token') {
      const stranger = await account()
      const own = anonymous ? { headers: anonymous.headers } : { key: creator.key }
      const statuses = []
      for (const options of [{ key: stranger.key }, own, own])
        statuses.push((await deleteOwn(id, options)).status)
      expect(statuses).toEqual([404, 204, 404])
    }
    if (how === 'delete' || how === 'keep') {
      await startAccountDeletion(store.db, creator.id, how)
      await processAccountDeletion(store, { id: creator.id, documents: how }, () => true)
    }
    if (how === 'purge')
      await store.db.idempotentBatch(purgeStatements(id, { actor: 'cli:x', now: Date.now() }))
    await store.settle()
    await runCleanup(Date.now())
    expect(await count('removed_documents WHERE id = ?1', id)).toBe(0)
    expect(await listStoredKeys()).not.toContain(contentKey)
    await expect(restore(id)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('comes back once, however often D1 runs the statements, and not after the deadline', async () => {
    const { key } = await account()
    const { id } = await create('text', {}, { key })
    await remove(id)
    await store.settle()
    const now = Date.now()
    const late = undoStatements(id, { actor: 'x', now, version: generateVersion(), deadline: now - 60_000 })
    await store.db.idempotentBatch(late)
    expect((await read(id)).status).toBe(404)
    let lost = false
    const bindings = bindingsWith(async (name, run) => {
      const result = await run()
      if (name !== 'DB.batch' || lost) return result
      lost = true
      throw new Error('D1_ERROR: Network connection lost.')
    })
    await restoreDocument(openStore(bindings), id, { by: 'moderator', now })
    expect(lost).toBe(true)
    expect((await read(id)).status).toBe(200)
    expect(await count(`audit_log WHERE action = 'document.restore' AND subject = ?1`, id)).toBe(1)
    await runCleanup(Date.now() + DAY_MS)
    expect(await listStoredKeys()).toEqual(await listReferencedKeys())
  })
})

it('keeps every column of a document that a restore needs', async () => {
  const listColumns = async (table: string) =>
    (await env.DB.prepare(`PRAGMA table_info(${table})`).all<{ name: string }>()).results.map(
      ({ name }) => name,
    )
  expect([...KEPT_COLUMNS, 'burn_mark', 'creator_address', 'hidden', 'version'].toSorted()).toEqual(
    (await listColumns('documents')).toSorted(),
  )
  expect([...KEPT_COLUMNS, 'editors', 'kept_until', 'restored_as'].toSorted()).toEqual(
    (await listColumns('removed_documents')).toSorted(),
  )
})
