import { env } from 'cloudflare:workers'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { contentCache } from '../../src/documents/content-store.ts'
import { ViewCounter, viewCounter, waitForViews } from '../../src/documents/views.ts'
import { account } from '../support/accounts.ts'
import { bindingsWith, countCalls } from '../support/bindings.ts'
import { create, edit, read, remove, send } from '../support/client.ts'
import { expectError } from '../support/expect.ts'
import { loseContent } from '../support/storage/contents.ts'

// The test file before this one may have planned to write its views within the next second.
beforeAll(waitForViews)

describe('the views of a document', () => {
  it('are written by a second attempt if the first fails, without another view', async () => {
    const { id } = await create('x')
    let failed = 0
    const bindings = bindingsWith(async (name, run) => {
      if (name === 'DB.all' && failed++ === 0) throw new Error('Network connection lost')
      return run()
    })
    expect((await read(id, { bindings, settle: true })).body.data.views).toBe(1)
    expect(failed).toBe(2)
    const row = await env.DB.prepare('SELECT views FROM documents WHERE id = ?1').bind(id).first('views')
    expect(row).toBe(1)
  })
})

describe('fifty concurrent reads of a document', () => {
  it('write one row with one call', async () => {
    const { id } = await create('x')
    const { bindings, calls, rows } = countCalls()
    const first = read(id, { bindings, settle: true })
    await Promise.all(Array.from({ length: 49 }, () => read(id, { bindings })))
    await first
    expect(calls.filter((call) => call === 'DB.all')).toHaveLength(1)
    expect(rows.written).toBe(1)
    expect((await read(id)).body.data.views).toBe(51)
  })
})

describe('the view counter', () => {
  it('counts each view once before, during and after a flush', async () => {
    const counter = new ViewCounter()
    let stored = 5
    expect(counter.count('a', stored)).toBe(6)
    expect(counter.count('a', stored)).toBe(7)
    const written = Promise.withResolvers<void>()
    const flush = counter.flush(async (views) => {
      await written.promise
      stored += views.get('a') ?? 0
    })
    expect(counter.count('a', stored)).toBe(8)
    written.resolve()
    await flush
    expect(stored).toBe(7)
    expect(counter.current('a', stored)).toBe(8)
    expect(counter.count('a', stored)).toBe(9)
    expect(counter.current('b', 3)).toBe(3)
  })

  it('never goes back for a row that was remembered since before a flush', async () => {
    const counter = new ViewCounter()
    counter.count('a', 0)
    const remembered = 0
    await counter.flush(async () => {})
    await counter.flush(async () => {})
    expect(counter.count('a', remembered)).toBe(2)
  })

  it('plans one flush at a time, and another if one is lost', async () => {
    const counter = new ViewCounter()
    expect(counter.planFlush(0)).toBe(true)
    expect(counter.planFlush(500)).toBe(false)
    expect(counter.planFlush(10_000)).toBe(true)
    await counter.flush(async () => {})
    expect(counter.planFlush(10_001)).toBe(true)
  })
})

afterEach(() => {
  vi.useRealTimers()
})

const storedViews = (id: string) =>
  env.DB.prepare('SELECT views FROM documents WHERE id = ?1').bind(id).first('views')

describe('GET /v1/document/:id', () => {
  it('counts all views together and writes them with one statement within seconds', async () => {
    const { id } = await create('x')
    const others = await Promise.all(Array.from({ length: 20 }, () => create('y')))
    await Promise.all(others.flatMap((other) => [read(other.id), read(other.id)]))
    await read(id)
    await send(`/r/${id}`)
    await send(`/${id}`, {}, { settle: true })
    // The request that scheduled the flush waits for it, and it writes all counts.
    await vi.waitFor(async () => expect(await storedViews(id)).toBe(3), { timeout: 10_000 })
    for (const other of others) expect(await storedViews(other.id)).toBe(2)
    expect((await read(id)).body.data.views).toBe(4)
  })

  it('continues to count if a write fails', async () => {
    const { id } = await create('x')
    await read(id)
    const failing = viewCounter.flush(async () => {
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect((await read(id, { settle: true })).body.data.views).toBe(2)
    await vi.waitFor(async () => expect(await storedViews(id)).toBe(2), { timeout: 10_000 })
  })

  it('returns 404 on every route from the millisecond a document expires', async () => {
    const { key } = await account()
    const { id, timestamps } = await create('x', { expiration: 1 }, { key })
    const expiration = Date.parse(timestamps.expiration)
    vi.useFakeTimers({ toFake: ['Date'], now: expiration - 1 })
    expect((await read(id)).status).toBe(200)
    expect((await send(`/r/${id}`)).status).toBe(200)
    vi.setSystemTime(expiration)
    expect((await read(id)).status).toBe(404)
    expect((await read(`${id}/claim`)).status).toBe(404)
    expect((await send(`/r/${id}`)).status).toBe(404)
    expect((await send(`/${id}`)).status).toBe(404)
    expect((await send(`/${id}`, { method: 'POST' })).status).toBe(404)
    expect((await remove(id, { key })).status).toBe(404)
  })
})

describe('HEAD', () => {
  it('returns the headers of GET from the row alone and counts nothing', async () => {
    const { key } = await account()
    const plain = await create('x')
    const encrypted = await create('x', { encrypted: true }, { key })
    await loseContent(plain.id)
    for (const path of [
      `/v1/document/${plain.id}`,
      `/r/${plain.id}`,
      `/${plain.id}`,
      `/v1/document/${encrypted.id}?password=x`,
    ]) {
      const response = await send(path, { method: 'HEAD' })
      expect(response.status).toBe(200)
      expect(await response.text()).toBe('')
      expect(response.headers.get('ETag')).not.toBeNull()
    }
    expect((await send('/v1/document/xxxxxxxx', { method: 'HEAD' })).status).toBe(404)
    expect(viewCounter.current(plain.id, 0)).toBe(0)
  })

  it('never burns and reports a missing password', async () => {
    const { key } = await account()
    const burning = await create('x', { instant_delete: true }, { key })
    const encrypted = await create('x', { instant_delete: true, encrypted: true }, { key })
    for (const path of [`/v1/document/${burning.id}`, `/r/${burning.id}`, `/${burning.id}`]) {
      const response = await send(path, { method: 'HEAD' })
      expect(response.status).toBe(200)
      expect(response.headers.get('Cache-Control')).toBe('no-store')
      expect(response.headers.get('ETag')).toBeNull()
    }
    expect((await send(`/v1/document/${encrypted.id}`, { method: 'HEAD' })).status).toBe(400)
    expect((await send(`/v1/document/${encrypted.id}?password=any`, { method: 'HEAD' })).status).toBe(200)
    expect(
      (await send(`/v1/document/${encrypted.id}`, { method: 'HEAD', headers: { Authorization: key } }))
        .status,
    ).toBe(200)
    expect((await read(burning.id)).body.data.content).toBe('x')
  })
})

const getEntityTag = async (path: string) => (await send(path)).headers.get('ETag') ?? ''
const get = (path: string, ifNoneMatch: string, bindings: Env = env) =>
  send(path, { headers: { 'If-None-Match': ifNoneMatch } }, { bindings })

describe('ETag', () => {
  it('is strong and differs for each representation', async () => {
    const { id } = await create('x')
    const paths = [`/v1/document/${id}`, `/r/${id}`, `/${id}`]
    const answers = await Promise.all(paths.map((path) => send(path)))
    const tags = answers.map(({ headers }) => headers.get('ETag'))
    for (const tag of tags) expect(tag).toMatch(/^"[\w-]+"$/)
    expect(new Set(tags).size).toBe(3)
    for (const { headers } of answers) expect(headers.get('Cache-Control')).toBe('private, no-cache')
  })
})

describe('If-None-Match', () => {
  it('returns 304 with one query, without content and without counting a view', async () => {
    const { id } = await create('x')
    for (const path of [`/v1/document/${id}`, `/r/${id}`, `/${id}`]) {
      const etag = await getEntityTag(path)
      contentCache.clear()
      for (const header of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const { bindings, calls } = countCalls()
        const response = await get(path, header, bindings)
        expect(response.status).toBe(304)
        expect(await response.text()).toBe('')
        expect(response.headers.get('ETag')).toBe(etag)
        expect(calls).toEqual(['DB.reads'])
      }
      expect((await send(path, { method: 'HEAD', headers: { 'If-None-Match': etag } })).status).toBe(304)
      expect((await get(path, '"other"')).status).toBe(200)
    }
    expect((await read(id)).body.data.views).toBe(7)
  })

  it('is ignored for encrypted documents', async () => {
    const { key } = await account()
    const encrypted = await create('x', { encrypted: true }, { key })
    for (const path of [`/v1/document/${encrypted.id}`, `/r/${encrypted.id}`, `/${encrypted.id}`]) {
      expect((await get(path, await getEntityTag(path))).status).toBe(200)
      expect((await get(path, '*')).status).toBe(200)
    }
  })
})

describe('If-Match', () => {
  it('returns 412 with the present tag for any other version and changes nothing', async () => {
    const { key } = await account()
    const { id } = await create('x', {}, { key })
    const outdated = await getEntityTag(`/v1/document/${id}`)
    const present = (await edit({ id, content: 'y' }, { key })).headers.get('ETag')
    for (const header of [outdated, '"x"', await getEntityTag(`/r/${id}`), 'nonsense', '']) {
      const answer = await edit({ id, content: 'z' }, { key, headers: { 'If-Match': header } })
      expectError(answer, 412, 'The document has changed since you read it')
      expect(answer.headers.get('ETag')).toBe(present)
    }
    expect((await read(id)).body.data.content).toBe('y')
  })

  it('works for encrypted documents', async () => {
    const { key } = await account()
    const { id, password } = await create('x', { encrypted: true }, { key })
    const etag = await getEntityTag(`/v1/document/${id}`)
    const save = () => edit({ id, content: 'y', password }, { key, headers: { 'If-Match': etag } })
    expect((await save()).status).toBe(200)
    expect((await save()).status).toBe(412)
  })

  it('is checked after the permission to edit and before the rest of the edit', async () => {
    const { key } = await account()
    const stranger = await account()
    const { id } = await create('x', {}, { key })
    const headers = { 'If-Match': '"outdated"' }
    expect((await edit({ id, content: 'y' }, { key: stranger.key, headers })).status).toBe(403)
    expect((await edit({ id, settings: { encrypted: true } }, { key, headers })).status).toBe(412)
    expect((await edit({ id: 'xxxxxxxx' }, { key, headers })).status).toBe(404)
  })
})
