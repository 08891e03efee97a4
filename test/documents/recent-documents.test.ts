import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { contentCache } from '../../src/documents/content-store.ts'
import type { Document } from '../../src/documents/document.ts'
import { RecentDocuments } from '../../src/documents/recent-documents.ts'
import { Database } from '../../src/platform/database.ts'
import { recordHeartbeat } from '../../src/platform/nearest-copy.ts'
import { HOUR_MS } from '../../src/shared/instant.ts'
import { account, session } from '../support/accounts.ts'
import { bindingsWith, countCalls } from '../support/bindings.ts'
import { create, createAnonymous, edit, read, remove, send } from '../support/client.ts'
import { findDocument } from '../support/storage/contents.ts'

beforeEach(async () => {
  // Without a recent one, each read asks the primary, too.
  await recordHeartbeat(new Database(env.DB, 5_000), Date.now())
})

/** Stops the clock. Returns a function that moves it on by milliseconds. */
function stopClock(start = Date.now()): (milliseconds: number) => void {
  let now = start
  vi.spyOn(Date, 'now').mockImplementation(() => now)
  return (milliseconds) => {
    now += milliseconds
  }
}

/** Reads a document without an account, in one isolate of its own. Returns how often that asked the database. */
async function openIsolate(vars: Record<string, string> = {}) {
  const { bindings, calls } = countCalls(vars)
  return {
    bindings,
    countQueries: async (operation: () => Promise<unknown>) => {
      const before = calls.length
      await operation()
      return calls.slice(before).filter((call) => call === 'DB.reads').length
    },
  }
}

describe('a document that was read less than a second ago', () => {
  it('takes no query for anyone without an account, on every front end', async () => {
    const { id } = await create('x')
    const { bindings, countQueries } = await openIsolate()
    stopClock()
    expect(await countQueries(() => read(id, { bindings }))).toBe(1)
    for (const path of [
      `/v1/document/${id}`,
      `/r/${id}`,
      `/raw/${id}`,
      `/${id}`,
      `/${id}.py`,
      `/${id}/embed`,
    ]) {
      expect(await countQueries(() => send(path, {}, { bindings }))).toBe(0)
    }
  })

  it('is queried again once a second has passed', async () => {
    const { id } = await create('x')
    const { bindings, countQueries } = await openIsolate()
    const wait = stopClock()
    await read(id, { bindings })
    wait(999)
    expect(await countQueries(() => read(id, { bindings }))).toBe(0)
    wait(1)
    expect(await countQueries(() => read(id, { bindings }))).toBe(1)
  })

  it('counts every view', async () => {
    const { id } = await create('x')
    stopClock()
    for (const views of [1, 2, 3]) expect((await read(id)).body.data.views).toBe(views)
    vi.restoreAllMocks()
    const readViews = () =>
      env.DB.prepare('SELECT views FROM documents WHERE id = ?1').bind(id).first('views')
    await expect.poll(readViews, { timeout: 10_000 }).toBe(3)
  })

  it('expires to the millisecond', async () => {
    const { key } = await account()
    const expiration = new Date(Date.now() + 90_000).toISOString()
    const { id } = await create('x', { expiration }, { key })
    const wait = stopClock(Date.parse(expiration) - 500)
    expect((await read(id)).status).toBe(200)
    wait(499)
    expect((await read(id)).status).toBe(200)
    wait(1)
    expect((await read(id)).status).toBe(404)
  })

  it('is queried again for anyone who must see the newest version', async () => {
    const owner = await account()
    const { id } = await create('x', {}, { key: owner.key })
    const anonymous = await createAnonymous('x')
    const { bindings, countQueries } = await openIsolate()
    stopClock()
    await read(id, { bindings })
    await read(anonymous.id, { bindings })
    const bookmark = '00000000-00000000-00000000-00000000000000000000000000000000'
    for (const headers of [
      { Authorization: owner.key },
      await session(owner),
      { 'If-Match': '"x"' },
      { 'X-Bookmark': bookmark },
      { Cookie: `__Host-regent.bookmark=${bookmark}` },
    ]) {
      expect(await countQueries(() => read(id, { bindings, headers }))).toBe(1)
    }
    const { headers } = anonymous
    expect(await countQueries(() => read(anonymous.id, { bindings, headers }))).toBe(1)
  })

  it('is queried again with READ_FROM=primary', async () => {
    const { id } = await create('x')
    const { bindings, countQueries } = await openIsolate({ READ_FROM: 'primary' })
    stopClock()
    await read(id, { bindings })
    expect(await countQueries(() => read(id, { bindings }))).toBe(1)
  })

  it('is not remembered if it burns after reading', async () => {
    const { key } = await account()
    const { id } = await create('x', { instant_delete: true }, { key })
    const { bindings, countQueries } = await openIsolate()
    stopClock()
    await send(`/${id}`, {}, { bindings })
    // The nearest copy, and then the primary.
    expect(await countQueries(() => send(`/${id}`, {}, { bindings }))).toBe(2)
  })

  it('is not remembered if it doesn’t exist', async () => {
    const { bindings, countQueries } = await openIsolate()
    stopClock()
    await read('xxxxxxxx', { bindings })
    expect(await countQueries(() => read('xxxxxxxx', { bindings }))).toBe(2)
  })
})

describe('a page that was rendered before', () => {
  const open = async (path: string, headers: Record<string, string> = {}, bindings?: Env) =>
    (await send(path, { headers }, bindings && { bindings })).text()

  it('shows how many views there are, and ages as they are', async () => {
    const { id } = await create('x')
    const wait = stopClock()
    expect(await open(`/${id}`)).toMatch(/>1 view<.*>just now<.*>in 7 days</s)
    expect(await open(`/${id}`)).toContain(' · 2 views<')
    wait(25 * HOUR_MS)
    expect(await open(`/${id}`)).toMatch(/>3 views<.*>1 day ago<.*>in 6 days</s)
  })

  it('is the page that anybody else would get', async () => {
    const { key } = await account()
    const text = '1 view, never expires, just now \ue0000\ue001'
    const { id } = await create(text, { public: true, expiration: null }, { key })
    const wait = stopClock()
    await open(`/${id}`)
    wait(5 * HOUR_MS)
    const kept = await open(`/${id}`)
    const rendered = await open(
      `/${id}`,
      {},
      bindingsWith((_, run) => run()),
    )
    expect(kept).toBe(rendered.replaceAll('3 views', '2 views'))
    expect(kept).toContain(text)
  })

  it('is rendered again when its author has another name', async () => {
    const owner = await account()
    const { id } = await create('x', {}, { key: owner.key })
    const wait = stopClock()
    expect(await open(`/${id}`)).toContain(`by ${owner.username}`)
    await env.DB.prepare("UPDATE users SET username = 'renamed-' || id WHERE id = ?1").bind(owner.id).run()
    wait(1_000)
    expect(await open(`/${id}`)).toContain(`by renamed-${owner.id}`)
  })

  it('is only for those who get the very same', async () => {
    const owner = await account()
    const { id } = await create('x', {}, { key: owner.key })
    stopClock()
    await open(`/${id}`)
    expect(await open(`/${id}`, { Cookie: 'theme=dark' })).toMatch(/<html[^>]*dark/)
    expect(await open(`/${id}`, await session(owner))).toContain(`/${id}/edit`)
    expect(await open(`/${id}`)).not.toContain(`/${id}/edit`)
    expect(await open(`/${id}?from=mail`)).toContain(`/${id}?from=mail`)
    expect(await open(`/${id}`)).not.toContain('from=mail')
    expect(await open(`/${id}.py`)).not.toBe(await open(`/${id}`))
  })

  it('is rendered again after an edit', async () => {
    const { key } = await account()
    const { id } = await create('before', {}, { key })
    stopClock()
    expect(await open(`/${id}`)).toContain('before')
    await edit({ id, content: 'after' }, { key })
    expect(await open(`/${id}`)).toContain('after')
    await remove(id, { key })
    expect(await open(`/${id}`)).not.toContain('after')
  })
})

describe('a change in the same isolate', () => {
  it('is seen at once by everyone', async () => {
    const { key } = await account()
    const { id } = await create('before', {}, { key })
    stopClock()
    expect((await read(id)).body.data.content).toBe('before')
    await edit({ id, content: 'after' }, { key })
    expect((await read(id)).body.data.content).toBe('after')
    await edit({ id, settings: { instant_delete: true } }, { key })
    expect((await read(id)).status).toBe(200)
    expect((await read(id)).status).toBe(404)
    const other = await create('x', {}, { key })
    await read(other.id)
    await remove(other.id, { key })
    expect((await read(other.id)).status).toBe(404)
  })

  it('is seen although a read was under way', async () => {
    const { key } = await account()
    const { id } = await create('before', {}, { key })
    let edited = false
    const bindings: Env = bindingsWith(async (call, run) => {
      const result = await run()
      if (call === 'DB.reads' && !edited) {
        edited = true
        await edit({ id, content: 'after' }, { key, bindings })
      }
      return result
    })
    stopClock()
    contentCache.clear()
    await read(id, { bindings })
    expect(edited).toBe(true)
    expect((await read(id, { bindings })).body.data.content).toBe('after')
  })

  it('is seen although a read began and ended during it', async () => {
    const { key } = await account()
    const { id } = await create('before', {}, { key })
    const bindings: Env = bindingsWith(async (call, run) => {
      if (call === 'DB.batch') expect((await read(id, { bindings })).body.data.content).toBe('before')
      return run()
    })
    stopClock()
    await edit({ id, content: 'after' }, { key, bindings })
    expect((await read(id, { bindings })).body.data.content).toBe('after')
  })
})

describe('the memory for recent documents', () => {
  it('is bounded: what was used longest ago is forgotten first', async () => {
    const { id } = await create('x')
    const found = (await findDocument(id)) as Document
    const recent = new RecentDocuments()
    // Two megabytes hold no more than 200 rows with titles of this length.
    const title = 'x'.repeat(5_000)
    const remember = (one: string) => recent.remember(async () => ({ ...found, id: one, title }), 1)
    for (let n = 0; n < 180; n++) await remember(`id${n}`)
    expect(recent.find('id0', 1)).not.toBeNull()
    for (let n = 180; n < 200; n++) await remember(`id${n}`)
    expect(recent.find('id0', 1)).not.toBeNull()
    expect(recent.find('id1', 1)).toBeNull()
    expect(recent.find('id199', 1)).not.toBeNull()
  })
})
