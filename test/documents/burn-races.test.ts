import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { contentCache } from '../../src/documents/content-store.ts'
import { hashSecret } from '../../src/shared/hashing.ts'
import { account } from '../support/accounts.ts'
import { bindingsWith, countCalls, losingFirst, type StorageCall } from '../support/bindings.ts'
import { call, create, createAnonymous, edit, read, remove, send, withVars } from '../support/client.ts'
import { findContentKey, listReferencedKeys, listStoredKeys } from '../support/storage/contents.ts'
import { hang, runCleanup, setUpFaults, TIMEOUT_MS } from '../support/storage/faults.ts'
import { startEmpty } from '../support/storage/wipe.ts'

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

describe('a GET that only shows a document', () => {
  it.each([
    ['the text', '/r/ID', {}],
    ['some bytes', '/r/ID', { Range: 'bytes=0-1' }],
    ['the page', '/ID', { Accept: 'text/html', 'User-Agent': 'Mozilla/5.0' }],
    ['haste', '/documents/ID', {}],
  ])('doesn’t delete it if an edit has just made it burn: %s', async (_, path, headers) => {
    const { key } = await account()
    const { id } = await create('before', {}, { key })
    const contentKey = await findContentKey(id)
    contentCache.clear()
    const bindings = runBefore('CONTENTS.get', async () => {
      await edit({ id, content: 'after', settings: { instant_delete: true } }, { key })
      await env.CONTENTS.delete(String(contentKey))
    })
    const answer = await send(path.replace('ID', id), { headers }, { bindings })
    expect(answer.status).toBe(400)
    expect(await answer.text()).not.toContain('after')
    expect((await read(id)).body.data.content).toBe('after')
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

setUpFaults()

describe('a burn', () => {
  it('is delivered exactly once if its first response is lost', async () => {
    const { key } = await account()
    for (const fault of ['takes effect, but its response is lost', 'fails', 'hangs'] as const) {
      const { id } = await create('once', { instant_delete: true }, { key })
      let burns = 0
      const bindings = bindingsWith(
        async (name, run) => {
          if (name !== 'DB.batch' || ++burns > 1) return run()
          if (fault.startsWith('takes effect')) await run()
          if (fault === 'hangs') return hang()
          throw new Error('Network connection lost')
        },
        { STORAGE_TIMEOUT_MS: String(TIMEOUT_MS) },
      )
      const answer = await read(id, { bindings })
      expect(answer.body.data?.content).toBe('once')
      expect(burns).toBe(2)
      expect((await read(id)).status).toBe(404)
    }
  })
})

describe('a burn that takes effect, but whose response is lost', () => {
  beforeAll(startEmpty)

  it('is delivered even if cleanup runs before the retry', async () => {
    const { key } = await account()
    const { id } = await create('once', { instant_delete: true }, { key })
    let burns = 0
    const bindings = bindingsWith(async (name, run) => {
      const result = await run()
      if (name !== 'DB.batch' || ++burns > 1) return result
      await runCleanup()
      throw new Error('Network connection lost')
    })
    expect((await read(id, { bindings, settle: true })).body.data?.content).toBe('once')
    expect(await listStoredKeys()).toEqual(await listReferencedKeys())
  })
})

describe('a delete whose first response is lost', () => {
  it.each([
    { credential: 'key', burns: true },
    { credential: 'key', burns: false },
    { credential: 'token', burns: true },
    { credential: 'token', burns: false },
  ] as const)('is 204 with a $credential (burn after reading: $burns)', async ({ credential, burns }) => {
    const { key } = await account()
    const bindings = withVars({ ANONYMOUS_SETTINGS: 'allow' })
    const settings = { instant_delete: burns }
    const byKey = async () => ({ id: (await create('once', settings, { key })).id, options: { key } })
    const byToken = async () => {
      const { id, headers } = await createAnonymous('once', settings, { bindings })
      return { id, options: { headers } }
    }
    const { id, options } = await (credential === 'key' ? byKey() : byToken())
    const { bindings: losing, count } = losingFirst('DB.batch')
    expect((await remove(id, { ...options, bindings: losing })).status).toBe(204)
    expect(count()).toBe(2)
    expect((await read(id)).status).toBe(404)
  })
})

describe('an edit whose response is lost', () => {
  it.each([false, true])(
    'keeps its content if somebody has changed a setting since (with If-Match: %s)',
    async (conditional) => {
      const { key } = await account()
      const { id } = await create('before', {}, { key })
      const etag = (await read(id)).headers.get('ETag') ?? ''
      let batches = 0
      const bindings = bindingsWith(async (name, run) => {
        const result = await run()
        if (name !== 'DB.batch' || ++batches > 1) return result
        await edit({ id, settings: { public: true } }, { key })
        throw new Error('Network connection lost')
      })
      const headers: Record<string, string> = conditional ? { 'If-Match': etag } : {}
      const answer = await edit({ id, content: 'after' }, { key, bindings, headers, settle: true })
      expect(answer.status).toBe(200)
      expect(answer.body.data).toMatchObject({ content: 'after', settings: { public: true } })
      contentCache.clear()
      expect((await read(id)).body.data.content).toBe('after')
    },
  )
})

describe('a create whose response is lost', () => {
  it.each(['a key', 'no account'])(
    'keeps the content of its document, which somebody has changed since (with %s)',
    async (credential) => {
      const key = credential === 'a key' ? (await account()).key : undefined
      const existing = new Set(await listReferencedKeys())
      let batches = 0
      const bindings = bindingsWith(async (name, run) => {
        const result = await run()
        if (name !== 'DB.batch' || ++batches > 1) return result
        const change = "UPDATE documents SET public = 1 - public, version = 'changed' WHERE content_key = ?1"
        for (const contentKey of await listReferencedKeys())
          if (!existing.has(contentKey)) await env.DB.prepare(change).bind(contentKey).run()
        throw new Error('Network connection lost')
      })
      const created = await call('POST', '/v1/document', { content: 'new' }, { key, bindings, settle: true })
      expect(created.status).toBe(200)
      expect(batches).toBeGreaterThan(1)
      contentCache.clear()
      const rows = await env.DB.prepare('SELECT id, content_key AS contentKey FROM documents').all<{
        id: string
        contentKey: string
      }>()
      const own = rows.results.filter(({ contentKey }) => !existing.has(contentKey))
      expect(own.map(({ id }) => id)).toContain(created.body.data.id)
      for (const { id } of own) expect((await read(id)).body.data.content).toBe('new')
    },
  )
})

describe('a change whose response is lost and whose retry D1 refuses', () => {
  it.each(['D1_ERROR: D1 DB is overloaded.', 'D1_ERROR: database is locked: SQLITE_BUSY'])(
    'keeps its content, which a row may refer to: %s',
    async (refusal) => {
      const { key } = await account()
      const { id } = await create('before', {}, { key })
      const twice = () => {
        let batches = 0
        return bindingsWith(async (name, run) => {
          if (name !== 'DB.batch') return run()
          if (++batches > 1) throw new Error(refusal)
          await run()
          throw new Error('Network connection lost')
        })
      }
      const edited = await edit({ id, content: 'after' }, { key, bindings: twice(), settle: true })
      expect(edited.status).toBe(503)
      const created = await call(
        'POST',
        '/v1/document',
        { content: 'new' },
        { bindings: twice(), settle: true },
      )
      expect(created.status).toBe(503)
      contentCache.clear()
      expect((await read(id)).body.data.content).toBe('after')
      const stored = new Set(await listStoredKeys())
      for (const contentKey of await listReferencedKeys()) expect(stored).toContain(contentKey)
    },
  )
})

describe('a statement that D1 runs long after its caller gave up', () => {
  /** Returns bindings whose batches hang, and a function that runs those batches after their deadline. */
  function late(hanging: number): { bindings: Env; runAll: () => Promise<void> } {
    const held: (() => Promise<unknown>)[] = []
    const clock = vi.spyOn(Date, 'now')
    const bindings = bindingsWith(
      async (name, run) => {
        if (name !== 'DB.batch' || held.length >= hanging) return run()
        held.push(run)
        return hang()
      },
      { STORAGE_TIMEOUT_MS: String(TIMEOUT_MS) },
    )
    // By a clock this far behind, the deadline has already passed.
    const behindMs = 2 * TIMEOUT_MS + 10_000
    clock.mockImplementation(() => performance.timeOrigin + performance.now() - behindMs)
    const runAll = async () => {
      clock.mockRestore()
      for (const run of held) await run()
    }
    return { bindings, runAll }
  }

  it('doesn’t restore a document that was deleted meanwhile', async () => {
    const { key } = await account()
    const { bindings, runAll } = late(1)
    const created = await call('POST', '/v1/document', { content: 'x' }, { key, bindings })
    await runAll()
    expect([200, 503]).toContain(created.status)
    const rows =
      'SELECT count(*) AS n FROM documents WHERE creator_id = (SELECT user_id FROM api_keys WHERE key_hash = ?1)'
    expect(
      await env.DB.prepare(rows)
        .bind(await hashSecret(key))
        .first('n'),
    ).toBe(0)
  })

  it('doesn’t burn a document that nobody received', async () => {
    const { key } = await account()
    const { id } = await create('once', { instant_delete: true }, { key })
    const { bindings, runAll } = late(2)
    expect((await read(id, { bindings })).status).toBe(503)
    await runAll()
    expect((await read(id)).body.data.content).toBe('once')
  })
})
