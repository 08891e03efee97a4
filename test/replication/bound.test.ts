import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { contentCache } from '../../src/documents/content-store.ts'
import { getRecentDocuments } from '../../src/http/find-document.ts'
import { Database } from '../../src/platform/database.ts'
import { MAX_LAG_MS, recordHeartbeat } from '../../src/platform/nearest-copy.ts'
import { type Account, account, suspend } from '../support/accounts.ts'
import { create, edit, read, remove, send } from '../support/client.ts'
import { hang, setUpFaults } from '../support/storage/faults.ts'
import { LaggingCopy } from '../support/storage/lagging-copy.ts'

setUpFaults()

const beatAt = (at: number) => recordHeartbeat(new Database(env.DB, 5_000), at)

let copy: LaggingCopy
let creator: Account

beforeEach(async () => {
  copy = new LaggingCopy()
  creator = await account()
  await beatAt(Date.now())
})

/** Lets the copy fall further behind than it may be. */
async function exceedBound(): Promise<void> {
  await env.COPY.prepare('UPDATE heartbeat SET beat_at = ?1')
    .bind(Date.now() - MAX_LAG_MS)
    .run()
  copy.startIsolate()
}

const LISTS = ['/v1/public', '/explore', '/explore.atom', '/sitemap.xml'] as const

describe('a copy that is behind', () => {
  it.each<[string, (id: string) => Promise<unknown>]>([
    ['deleted', (id) => remove(id, { key: creator.key })],
    ['of a suspended account', () => suspend(creator)],
    ['unlisted', (id) => edit({ id, settings: { public: false } }, { key: creator.key })],
  ])('shows a document that is %s for the bound at most, as do lists', async (change, make) => {
    const { id } = await create('text', { public: true }, { key: creator.key })
    await copy.catchUp()
    await make(id)
    const paths = [...LISTS, `/@${creator.username}`]
    const show = () =>
      Promise.all(
        paths.map(async (path) => ((await (await send(path, {}, copy)).text()).includes(id) ? path : null)),
      )
    // Its content is deleted at once, so a read of it asks the primary.
    if (change !== 'deleted') expect((await read(id, copy)).status).toBe(200)
    expect(await show()).toEqual(paths)
    await exceedBound()
    expect((await read(id, copy)).status).toBe(change === 'unlisted' ? 200 : 404)
    expect(await show()).toEqual(paths.map(() => null))
  })

  it('shows the content before an edit for the bound at most', async () => {
    const { id } = await create('before', {}, { key: creator.key })
    await copy.catchUp()
    await edit({ id, content: 'after' }, { key: creator.key })
    expect((await read(id, copy)).body.data.content).toBe('before')
    await exceedBound()
    expect((await read(id, copy)).body.data.content).toBe('after')
  })

  it('takes a document that was made burn-after-reading for an ordinary one, for the bound at most', async () => {
    const { id } = await create('text', {}, { key: creator.key })
    await copy.catchUp()
    await edit({ id, settings: { instant_delete: true } }, { key: creator.key })
    expect((await read(id, copy)).status).toBe(200)
    await exceedBound()
    const answers = await Promise.all(Array.from({ length: 8 }, () => read(id, copy)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(404)])
  })

  it('isn’t used without a heartbeat, or with one from the future', async () => {
    const { id } = await create('before', {}, { key: creator.key })
    await copy.catchUp()
    await edit({ id, content: 'after' }, { key: creator.key })
    for (const sql of ['UPDATE heartbeat SET beat_at = beat_at + 3600000', 'DELETE FROM heartbeat']) {
      await env.COPY.prepare(sql).run()
      copy.startIsolate()
      expect((await read(id, copy)).body.data.content).toBe('after')
    }
    expect(copy.calls).toBe(2)
  })

  it('is asked for the heartbeat once a minute, and no copy that is behind that state answers meanwhile', async () => {
    const { id } = await create('before', {}, { key: creator.key })
    const other = await create('other', {}, { key: creator.key })
    await copy.catchUp()
    expect((await read(id, copy)).body.data.content).toBe('before')
    await edit({ id, content: 'after' }, { key: creator.key })
    getRecentDocuments(copy.bindings).forget(id)
    await env.COPY.prepare('DELETE FROM heartbeat').run()
    expect((await read(other.id, copy)).status).toBe(200)
    expect((await read(id, copy)).body.data.content).toBe('before')
    expect(copy.calls).toBe(3)
    copy.replace()
    await edit({ id, content: 'last' }, { key: creator.key })
    getRecentDocuments(copy.bindings).forget(id)
    expect((await read(id, copy)).body.data.content).toBe('last')
    expect(copy.calls).toBe(3)
    const later = Date.now() + MAX_LAG_MS / 2
    vi.spyOn(Date, 'now').mockReturnValue(later)
    await read(id, copy)
    // It has no heartbeat any more.
    expect(copy.calls).toBe(4)
    await read(id, copy)
    expect(copy.calls).toBe(4)
  })

  it('is asked again only after a pause', async () => {
    const { id } = await create('text', {}, { key: creator.key })
    await copy.catchUp()
    await exceedBound()
    for (const _ of [1, 2, 3]) expect((await read(id, copy)).status).toBe(200)
    expect(copy.calls).toBe(1)
  })

  it('has its rows read again from the primary if their content is gone', async () => {
    const { id } = await create('before', {}, { key: creator.key })
    await copy.catchUp()
    await edit({ id, content: 'after' }, { key: creator.key })
    const row = await env.COPY.prepare('SELECT content_key FROM documents WHERE id = ?1').bind(id).first()
    await env.CONTENTS.delete(String(row?.content_key))
    contentCache.clear()
    expect((await read(id, copy)).body.data.content).toBe('after')
  })
})

describe('a copy that', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['fails', () => Promise.reject(new Error('D1_ERROR: Network connection lost.'))],
    ['has an older schema', () => Promise.reject(new Error('D1_ERROR: no such table: heartbeat'))],
    ['doesn’t answer', hang],
  ])('%s is replaced by the primary, and left alone for a while', async (_, fault) => {
    const { id } = await create('text', { public: true }, { key: creator.key })
    await copy.catchUp()
    copy.intercept = fault
    for (const path of [`/v1/document/${id}`, `/${id}`, `/r/${id}`, ...LISTS]) {
      const response = await send(path, {}, copy)
      expect({ path, status: response.status }).toEqual({ path, status: 200 })
      expect(await response.text()).toContain(path.includes(id) ? 'text' : id)
    }
    expect(copy.calls).toBe(1)
    const later = Date.now() + 11_000
    vi.spyOn(Date, 'now').mockReturnValue(later)
    copy.intercept = (_, run) => run()
    expect((await read(id, copy)).status).toBe(200)
    expect(copy.calls).toBe(2)
  })
})
