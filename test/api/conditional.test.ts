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

  it('is ignored for encrypted documents', async () => {
    const { key } = await account()
    const encrypted = await create('x', { encrypted: true }, { key })
    for (const path of [`/v1/document/${encrypted.id}`, `/r/${encrypted.id}`, `/${encrypted.id}`]) {
      expect((await get(path, await etagOf(path))).status).toBe(200)
      expect((await get(path, '*')).status).toBe(200)
    }
  })
})

describe('If-Match', () => {
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
