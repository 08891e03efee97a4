import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { previewCleanup } from '../../src/backup/preview-cleanup.ts'
import { cleanup } from '../../src/documents/cleanup.ts'
import { ContentStore } from '../../src/documents/content-store.ts'
import { ORPHAN_GRACE_MS } from '../../src/documents/orphaned-content.ts'
import { Database } from '../../src/platform/database.ts'
import { account } from '../support/accounts.ts'
import { create, edit } from '../support/client.ts'
import { copyDatabase } from '../support/storage/time-travel.ts'

const HOUR_MS = 60 * 60_000

it('a dry run of cleanup says what it would find, and changes nothing', async () => {
  const { key } = await account()
  const settings = { expiration: null }
  const { id } = await create('one', { ...settings, revisions: false }, { key })
  await edit({ id, content: 'two' }, { key })
  const lost = await create('content is missing', settings, { key })
  const found = await env.DB.prepare('SELECT content_key FROM documents WHERE id = ?1').bind(lost.id).first()
  await env.CONTENTS.delete(String(found?.content_key))
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
