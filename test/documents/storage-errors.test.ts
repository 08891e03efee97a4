import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { contentCache } from '../../src/documents/content/content-cache.ts'
import { account } from '../support/accounts.ts'
import { bindingsWith } from '../support/bindings.ts'
import { call, create, edit, read } from '../support/client.ts'
import { listStoredKeys } from '../support/storage/contents.ts'
import { setUpFaults } from '../support/storage/faults.ts'

setUpFaults()

describe('a change that D1 refuses', () => {
  it('leaves no content behind', async () => {
    const { key } = await account()
    const { id } = await create('x', {}, { key })
    const before = await listStoredKeys()
    const bindings = bindingsWith(async (name, run) => {
      if (name === 'DB.batch') throw new Error('D1_ERROR: database or disk is full: SQLITE_FULL')
      return run()
    })
    expect((await call('POST', '/v1/document', { content: 'y' }, { bindings, settle: true })).status).toBe(
      500,
    )
    expect((await edit({ id, content: 'y' }, { key, bindings, settle: true })).status).toBe(500)
    expect(await listStoredKeys()).toEqual(before)
  })
})

describe('content that KV doesn’t have', () => {
  it('is answered with 503 and Retry-After, not with an empty document', async () => {
    const { key } = await account()
    const { id } = await create('x', { instant_delete: true }, { key })
    const contentKey = String(
      await env.DB.prepare('SELECT content_key FROM documents WHERE id = ?1').bind(id).first('content_key'),
    )
    await env.CONTENTS.delete(contentKey)
    contentCache.clear()
    const answer = await read(id)
    expect(answer.status).toBe(503)
    expect(answer.body.error).toEqual({ code: 'unavailable', message: 'Internal server error' })
    expect(answer.headers.get('Retry-After')).toBe('1')
    await env.CONTENTS.put(contentKey, 'x')
    expect((await read(id)).body.data.content).toBe('x')
  })

  it('is waited for by an edit, too', async () => {
    const { key } = await account()
    const { id } = await create('text', {}, { key })
    contentCache.clear()
    let fetched = 0
    const bindings = bindingsWith(async (name, run) =>
      name === 'CONTENTS.get' && ++fetched === 1 ? null : run(),
    )
    const answer = await edit({ id, settings: { public: true } }, { key, bindings })
    expect(answer.body.data).toMatchObject({ content: 'text', settings: { public: true } })
  })

  it('is read again in case an edit has just replaced it', async () => {
    const { key } = await account()
    const { id } = await create('old', {}, { key })
    contentCache.clear()
    let fetched = 0
    const bindings = bindingsWith(async (name, run) => {
      if (name !== 'CONTENTS.get' || ++fetched > 1) return run()
      await edit({ id, content: 'new' }, { key })
      return null
    })
    expect((await read(id, { bindings })).body.data.content).toBe('new')
  })
})

describe('a server error', () => {
  it('is logged with its cause and the request id, and tells the client no details', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const bindings = bindingsWith(async () => {
      throw new Error('table documents is on fire')
    })
    const answer = await read('xxxxxxxx?password=hunter2', { bindings })
    expect(answer.status).toBe(500)
    expect(answer.body).toEqual({
      success: false,
      error: { code: 'internal_error', message: 'Internal server error' },
    })
    const logged = log.mock.calls.map((args) => args.join(' ')).join('\n')
    expect(logged).toContain('table documents is on fire')
    expect(logged).toContain(answer.headers.get('X-Request-Id'))
    expect(logged).not.toContain('hunter2')
  })

  it('of an overloaded database asks the client to wait longer', async () => {
    const bindings = bindingsWith(async () => {
      throw new Error('D1_ERROR: D1 DB is overloaded. Requests queued for too long.')
    })
    const answer = await read('xxxxxxxx', { bindings })
    expect(answer.status).toBe(503)
    expect(answer.headers.get('Retry-After')).toBe('5')
  })
})
