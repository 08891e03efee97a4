import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { contentCache } from '../../src/documents/content-store.ts'
import { account } from '../support/accounts.ts'
import { bindingsWith, countCalls, type StorageCall } from '../support/bindings.ts'
import { create, edit, read, remove } from '../support/client.ts'

/** Returns the real bindings, and runs something just before the first storage call of a kind. */
function runBefore(kind: StorageCall, run: () => Promise<unknown>): Env {
  let done = false
  return bindingsWith(async (call, proceed) => {
    if (call === kind && !done) {
      done = true
      await run()
    }
    return proceed()
  })
}

describe('a burn', () => {
  it('delivers the new content if an edit replaced it after the reader fetched the old one', async () => {
    const { key } = await account()
    const { id } = await create('before', { instant_delete: true }, { key })
    const bindings = runBefore('DB.batch', () => edit({ id, content: 'after' }, { key }))
    const answer = await read(id, { bindings })
    expect(answer).toMatchObject({ status: 200, body: { data: { content: 'after' } } })
    expect((await read(id)).status).toBe(404)
  })

  it('doesn’t happen if an edit turned burning off after the reader fetched the row', async () => {
    const { key } = await account()
    const { id } = await create('text', { instant_delete: true }, { key })
    const bindings = runBefore('DB.batch', () => edit({ id, settings: { instant_delete: false } }, { key }))
    expect((await read(id, { bindings })).body.data.content).toBe('text')
    expect((await read(id)).body.data.content).toBe('text')
  })
})

describe('the delete of a burn-after-reading document', () => {
  it('is 204 although an edit replaced the content in between, and nobody gets the document', async () => {
    const { key } = await account()
    const { id } = await create('before', { instant_delete: true }, { key })
    const bindings = runBefore('DB.batch', () => edit({ id, content: 'after' }, { key }))
    expect((await remove(id, { key, bindings })).status).toBe(204)
    expect((await read(id)).status).toBe(404)
  })

  it('is 404 if a reader got it in between', async () => {
    const { key } = await account()
    const { id } = await create('once', { instant_delete: true }, { key })
    const bindings = runBefore('DB.batch', async () => expect((await read(id)).status).toBe(200))
    expect((await remove(id, { key, bindings })).status).toBe(404)
  })

  it('is 404 if burning was turned on and a reader got it in between', async () => {
    const { key } = await account()
    const { id } = await create('once', {}, { key })
    const bindings = runBefore('DB.batch', async () => {
      await edit({ id, settings: { instant_delete: true } }, { key })
      expect((await read(id)).body.data.content).toBe('once')
    })
    expect((await remove(id, { key, bindings })).status).toBe(404)
  })

  it('is 204 for one and 404 for the other if two delete it at once', async () => {
    const { key } = await account()
    const { id } = await create('once', { instant_delete: true }, { key })
    const answers = await Promise.all([remove(id, { key }), remove(id, { key })])
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404])
  })
})

describe('an isolate', () => {
  beforeEach(() => contentCache.clear())

  it('keeps no content of a burn-after-reading document that its creator reads', async () => {
    const { key } = await account()
    const { id } = await create('once', { instant_delete: true }, { key })
    for (let time = 0; time < 2; time++) {
      const { bindings, calls } = countCalls()
      expect((await read(id, { key, bindings })).body.data.content).toBe('once')
      expect(calls.filter((call) => call === 'CONTENTS.get')).toHaveLength(1)
      expect(contentCache.bytes).toBe(0)
    }
  })

  it('keeps no content of a document that a reader burned, even if it can’t be deleted from KV', async () => {
    const { key } = await account()
    const { id } = await create('once', { instant_delete: true }, { key })
    let cached: number | null = null
    const bindings = runBefore('DB.batch', async () => {
      cached = contentCache.bytes
    })
    expect((await read(id, { bindings, settle: true })).status).toBe(200)
    expect(cached).toBe(0)
    expect(contentCache.bytes).toBe(0)
  })

  it('keeps content of other documents', async () => {
    const { id } = await create('text')
    await read(id, { bindings: env })
    expect(contentCache.bytes).toBeGreaterThan(0)
  })
})
