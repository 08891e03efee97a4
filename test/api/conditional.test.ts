import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { contentCache } from '../../src/documents/content-store.ts'
import { account } from '../support/accounts.ts'
import { countCalls } from '../support/bindings.ts'
import { create, edit, read, send } from '../support/client.ts'
import { expectError } from '../support/expect.ts'

const etagOf = async (path: string) => (await send(path)).headers.get('ETag') ?? ''
const get = (path: string, ifNoneMatch: string, bindings: Env = env) =>
  send(path, { headers: { 'If-None-Match': ifNoneMatch } }, { bindings })

describe('ETag', () => {
  it('is strong and differs for each representation', async () => {
    const { id } = await create('x')
    const tags = await Promise.all([etagOf(`/v1/document/${id}`), etagOf(`/r/${id}`), etagOf(`/${id}`)])
    for (const tag of tags) expect(tag).toMatch(/^"[\w-]+"$/)
    expect(new Set(tags).size).toBe(3)
  })

  it('changes with content and settings but not with views', async () => {
    const { key } = await account()
    const { id } = await create('x', {}, { key })
    const first = await etagOf(`/v1/document/${id}`)
    expect(await etagOf(`/v1/document/${id}`)).toBe(first)
    const edited = await edit({ id, content: 'y' }, { key })
    const second = edited.headers.get('ETag')
    expect(second).not.toBe(first)
    expect(await etagOf(`/v1/document/${id}`)).toBe(second)
    await edit({ id, settings: { public: true } }, { key })
    expect(await etagOf(`/v1/document/${id}`)).not.toBe(second)
  })

  it('lets no cache respond by itself', async () => {
    const { id } = await create('x')
    for (const path of [`/v1/document/${id}`, `/r/${id}`, `/${id}`]) {
      expect((await send(path)).headers.get('Cache-Control')).toBe('private, no-cache')
    }
  })
})

describe('If-None-Match', () => {
  it('returns 304 with one query, without content and without counting a view', async () => {
    const { id } = await create('x')
    for (const path of [`/v1/document/${id}`, `/r/${id}`, `/${id}`]) {
      const etag = await etagOf(path)
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

  it('is ignored for encrypted and burn-after-reading documents', async () => {
    const { key } = await account()
    const encrypted = await create('x', { encrypted: true }, { key })
    for (const path of [`/v1/document/${encrypted.id}`, `/r/${encrypted.id}`, `/${encrypted.id}`]) {
      expect((await get(path, await etagOf(path))).status).toBe(200)
      expect((await get(path, '*')).status).toBe(200)
    }
    const burning = await create('x', { instant_delete: true }, { key })
    expect((await get(`/v1/document/${burning.id}`, '*')).status).toBe(200)
    expect((await read(burning.id)).status).toBe(404)
  })
})

describe('If-Match', () => {
  it('allows an edit of the version that was read', async () => {
    const { key } = await account()
    const { id } = await create('x', {}, { key })
    const etag = await etagOf(`/v1/document/${id}`)
    const first = await edit({ id, content: 'y' }, { key, headers: { 'If-Match': `"other", ${etag}` } })
    expect(first.status).toBe(200)
    const weak = `W/${first.headers.get('ETag')}`
    expect((await edit({ id, content: 'z' }, { key, headers: { 'If-Match': weak } })).status).toBe(200)
    expect((await edit({ id, content: 'a' }, { key, headers: { 'If-Match': '*' } })).status).toBe(200)
  })

  it('returns 412 with the present tag for any other version and changes nothing', async () => {
    const { key } = await account()
    const { id } = await create('x', {}, { key })
    const outdated = await etagOf(`/v1/document/${id}`)
    const present = (await edit({ id, content: 'y' }, { key })).headers.get('ETag')
    for (const header of [outdated, '"x"', await etagOf(`/r/${id}`), 'nonsense', '']) {
      const answer = await edit({ id, content: 'z' }, { key, headers: { 'If-Match': header } })
      expectError(answer, 412, 'The document has changed since you read it')
      expect(answer.headers.get('ETag')).toBe(present)
    }
    expect((await read(id)).body.data.content).toBe('y')
  })

  it('works for encrypted documents', async () => {
    const { key } = await account()
    const { id, password } = await create('x', { encrypted: true }, { key })
    const etag = await etagOf(`/v1/document/${id}`)
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
