import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { restoreContents } from '../../scripts/backup/restore-contents.ts'
import type { Bindings } from '../../scripts/support/storage.ts'
import { contentCache } from '../../src/documents/content-store.ts'
import { account } from '../support/accounts.ts'
import { bindingsWith } from '../support/bindings.ts'
import { create, edit, read, remove } from '../support/client.ts'
import { ACTOR, backUp, opener } from '../support/storage/backups.ts'
import { listReferencedKeys, listStoredKeys, loseContent } from '../support/storage/contents.ts'
import { copyDatabase } from '../support/storage/time-travel.ts'
import { startEmpty, wipeContents } from '../support/storage/wipe.ts'

const restore = (file: Uint8Array, bindings: Bindings = env) =>
  restoreContents(bindings, opener(file), { now: Date.now(), actor: ACTOR })

/** Every row but the audit log's. */
const copyRows = async () => [...(await copyDatabase())].filter(([table]) => table !== 'audit_log')

let key: string

beforeEach(async () => {
  await startEmpty()
  key = (await account()).key
})

afterEach(() => vi.restoreAllMocks())

describe('a restore of content only', () => {
  it('puts back what rows refer to and KV has lost, and changes no row', async () => {
    // Documents without content answer 503, and the log says so.
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const { id } = await create('one', {}, { key })
    await edit({ id, content: 'two' }, { key })
    const edited = await create('before', { revisions: false }, { key })
    const deleted = await create('deleted', {}, { key })
    const longer = await create('longer', { expiration: 1 }, { key })
    // The rows don't know this backup, as those of an earlier release, and it doesn't matter.
    const file = await backUp()
    await env.DB.prepare('DELETE FROM backups').run()
    await edit({ id: edited.id, content: 'after' }, { key })
    await remove(deleted.id, { key, settle: true })
    await env.DB.prepare('UPDATE documents SET content_until = 253402300799999 WHERE id = ?1')
      .bind(longer.id)
      .run()
    await wipeContents()
    contentCache.clear()
    expect((await read(id)).status).toBe(503)
    const before = await copyRows()
    expect(await restore(file)).toEqual({ documents: 2, revisions: 1, stillMissing: [] })
    expect(await copyRows()).toEqual(before)
    expect((await read(id)).body.data.content).toBe('two')
    const { keys } = await env.CONTENTS.list<{ document: string }>({ prefix: 'content/' })
    expect(keys.map(({ metadata }) => metadata?.document).sort()).toEqual([id, id, longer.id].sort())
    expect(keys.find(({ metadata }) => metadata?.document === longer.id)?.expiration).toBeUndefined()
    expect((await read(edited.id)).status).toBe(503)
    expect(await restore(file)).toEqual({ documents: 0, revisions: 0, stillMissing: [] })
    const entries = await env.DB.prepare("SELECT 1 FROM audit_log WHERE action = 'backup.restore'").all()
    expect(entries.results).toHaveLength(4)
  })

  it('says what neither KV nor the backup has', async () => {
    const ids: string[] = []
    for (let n = 0; n < 12; n++) ids.push((await create(`text ${n}`, {}, { key })).id)
    const [lost = '', deleted = ''] = ids
    await loseContent(lost)
    await loseContent(deleted)
    const file = await backUp()
    await remove(deleted, { key, settle: true })
    expect((await restore(file)).stillMissing).toEqual([{ document: lost, revision: null }])
  })

  it('leaves no content of a document that is deleted meanwhile', async () => {
    const { id } = await create('text', {}, { key })
    const file = await backUp()
    await wipeContents()
    const bindings = bindingsWith(async (call, run) => {
      const done = await run()
      if (call === 'CONTENTS.put') await env.DB.prepare('DELETE FROM documents WHERE id = ?1').bind(id).run()
      return done
    })
    expect(await restore(file, bindings)).toMatchObject({ documents: 0 })
    expect([await listStoredKeys(), await listReferencedKeys()]).toEqual([[], []])
  })
})
