import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { hashSecret } from '../../src/accounts/hashing.ts'
import { cleanup } from '../../src/documents/content/cleanup.ts'
import { contentCache } from '../../src/documents/content/content-cache.ts'
import { ContentStore } from '../../src/documents/content/content-store.ts'
import { Database } from '../../src/platform/database.ts'
import { type Account, account } from '../support/accounts.ts'
import { bindingsWith, countCalls, type StorageCall } from '../support/bindings.ts'
import { type Answer, call, create, edit, read, remove } from '../support/client.ts'
import { namedKeys, storedKeys } from '../support/contents.ts'

/** Long enough for any call that doesn't hang, on a busy machine too. Calls that hang skip it. */
const TIMEOUT_MS = 10_000
const HOUR_MS = 3_600_000

type Fault = 'fails' | 'takes effect, and its answer is lost' | 'hangs' | 'takes effect, and hangs'

const FAULTS: Fault[] = ['fails', 'takes effect, and its answer is lost', 'hangs', 'takes effect, and hangs']

/** Never answers. Its caller's timeout passes at once. */
async function hang(): Promise<never> {
  // Not a fake timer: the caller sets its timeout first.
  await scheduler.wait(1)
  if (vi.isFakeTimers()) vi.advanceTimersByTime(TIMEOUT_MS)
  return new Promise(() => {})
}

/** The real bindings, whose nth call suffers the fault; every further one too, where it is to stay. */
function faulty(nth: number, fault: Fault, stays: boolean): { bindings: Env; struck: () => boolean } {
  let calls = 0
  const bindings = bindingsWith(
    async (_, run) => {
      calls += 1
      if (stays ? calls < nth : calls !== nth) return run()
      if (fault.startsWith('takes effect')) await run()
      if (fault.endsWith('hangs')) return hang()
      throw new Error('D1_ERROR: Network connection lost.')
    },
    { STORAGE_TIMEOUT_MS: String(TIMEOUT_MS) },
  )
  return { bindings, struck: () => calls >= nth }
}

const store = (bindings: Env = env) => ({
  db: new Database(bindings.DB, TIMEOUT_MS),
  contents: new ContentStore(bindings.CONTENTS, TIMEOUT_MS),
})

const runCleanup = (bindings: Env = env, now = Date.now()) =>
  cleanup(store(bindings), { now, budgetMs: 60_000, clock: Date.now })

interface Scene {
  readonly owner: Account
  readonly id: string
}

interface Operation {
  readonly settings: Record<string, unknown>
  readonly run: (scene: Scene, bindings: Env) => Promise<Answer>
  /** The contents that a read may find afterwards; null is 404. */
  readonly before: string | null
  readonly after: string | null
}

const OPERATIONS: Record<string, Operation> = {
  create: {
    settings: {},
    run: ({ owner }, bindings) =>
      call(
        'POST',
        '/v1/document',
        { content: 'new', settings: { language: 'json', expiration: null } },
        {
          key: owner.key,
          bindings,
          settle: true,
        },
      ),
    before: 'text',
    after: 'text',
  },
  'edit of content': {
    settings: {},
    run: ({ owner, id }, bindings) =>
      edit({ id, content: 'edited' }, { key: owner.key, bindings, settle: true }),
    before: 'text',
    after: 'edited',
  },
  'edit of the expiration': {
    settings: { expiration: 1 },
    run: ({ owner, id }, bindings) =>
      edit({ id, settings: { expiration: null } }, { key: owner.key, bindings, settle: true }),
    before: 'text',
    after: 'text',
  },
  read: {
    settings: {},
    run: ({ id }, bindings) => read(id, { bindings, settle: true }),
    before: 'text',
    after: 'text',
  },
  'read that deletes': {
    settings: { instant_delete: true },
    run: ({ id }, bindings) => read(id, { bindings, settle: true }),
    before: 'text',
    after: null,
  },
  delete: {
    settings: {},
    run: ({ owner, id }, bindings) => remove(id, { key: owner.key, bindings, settle: true }),
    before: 'text',
    after: null,
  },
}

/** Which storage calls an operation makes when nothing goes wrong, those after its response included. */
async function callsOf(operation: Operation): Promise<StorageCall[]> {
  const owner = await account()
  const { id } = await create('text', operation.settings, { key: owner.key })
  contentCache.clear()
  const { bindings, calls } = countCalls()
  expect((await operation.run({ owner, id }, bindings)).status).toBeLessThan(300)
  return calls
}

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  // Only timers: times of documents and statements are real.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
})

afterEach(() => {
  vi.useRealTimers()
})

describe.each(Object.entries(OPERATIONS))('%s', (_, operation) => {
  it.each(FAULTS.flatMap((fault) => [true, false].map((stays) => ({ fault, stays }))))(
    'loses nothing that was acknowledged when a storage call $fault (from then on: $stays)',
    async ({ fault, stays }) => {
      const count = (await callsOf(operation)).length
      for (let nth = 1; nth <= count; nth++) {
        const owner = await account()
        const bystander = await create('bystander', { expiration: null }, { key: owner.key })
        const { id } = await create('text', operation.settings, { key: owner.key })
        contentCache.clear()
        const { bindings, struck } = faulty(nth, fault, stays)
        const answer = await operation.run({ owner, id }, bindings)
        expect(struck()).toBe(true)

        const acknowledged = answer.status < 300
        if (!acknowledged) {
          expect([500, 503]).toContain(answer.status)
          expect(answer.body).toEqual({
            success: false,
            error: { code: expect.any(String), message: 'Internal server error' },
          })
        }
        contentCache.clear()
        const found = await read(id, { key: owner.key })
        const text = found.status === 404 ? null : found.body.data.content
        // What was not acknowledged may have taken effect or not; what was acknowledged has.
        if (acknowledged) expect(text).toBe(operation.after)
        else expect([operation.before, operation.after]).toContain(text)
        if (acknowledged && answer.body?.data.content === 'new') {
          expect((await read(answer.body.data.id)).body.data.content).toBe('new')
        }
        expect((await read(bystander.id)).body.data.content).toBe('bystander')

        const stored = new Set(await storedKeys())
        for (const key of await namedKeys()) expect(stored).toContain(key)
      }
      await runCleanup(env, Date.now() + 2 * HOUR_MS)
      expect(await storedKeys()).toEqual(await namedKeys())
    },
  )
})

describe('a burn', () => {
  it('whose answer is lost once is delivered all the same, and once', async () => {
    const { key } = await account()
    for (const fault of ['takes effect, and its answer is lost', 'fails', 'hangs'] as const) {
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

describe('a burn that takes effect while its answer is lost', () => {
  it('is delivered even if a cleanup runs before the reader asks again', async () => {
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
    expect(await storedKeys()).toEqual(await namedKeys())
  })
})

describe('an edit whose answer is lost', () => {
  it.each([false, true])(
    'leaves its content to whoever changed a setting since (with If-Match: %s)',
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

describe('a change whose answer is lost, and which D1 then refuses', () => {
  it.each(['D1_ERROR: D1 DB is overloaded.', 'D1_ERROR: database is locked: SQLITE_BUSY'])(
    'keeps the content that a row may name by now: %s',
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
      const stored = new Set(await storedKeys())
      for (const contentKey of await namedKeys()) expect(stored).toContain(contentKey)
    },
  )
})

describe('a statement that D1 runs long after everyone gave up', () => {
  /** Bindings whose batches hang, and what runs those batches in the end, after their deadline. */
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
    // By a clock that is this far behind, the deadline has passed already.
    const behindMs = 2 * TIMEOUT_MS + 10_000
    clock.mockImplementation(() => performance.timeOrigin + performance.now() - behindMs)
    const runAll = async () => {
      clock.mockRestore()
      for (const run of held) await run()
    }
    return { bindings, runAll }
  }

  it('does not bring back a document that was deleted meanwhile', async () => {
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

  it('does not burn a document that was delivered to nobody', async () => {
    const { key } = await account()
    const { id } = await create('once', { instant_delete: true }, { key })
    const { bindings, runAll } = late(2)
    expect((await read(id, { bindings })).status).toBe(503)
    await runAll()
    expect((await read(id)).body.data.content).toBe('once')
  })
})

describe('a change that D1 refuses', () => {
  it('leaves no content behind', async () => {
    const { key } = await account()
    const { id } = await create('x', {}, { key })
    const before = await storedKeys()
    const bindings = bindingsWith(async (name, run) => {
      if (name === 'DB.batch') throw new Error('D1_ERROR: database or disk is full: SQLITE_FULL')
      return run()
    })
    expect((await call('POST', '/v1/document', { content: 'y' }, { bindings, settle: true })).status).toBe(
      500,
    )
    expect((await edit({ id, content: 'y' }, { key, bindings, settle: true })).status).toBe(500)
    expect(await storedKeys()).toEqual(before)
  })
})

describe('content that KV does not have', () => {
  it('is 503 with Retry-After, not an empty document', async () => {
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

  it('is waited for by an edit too', async () => {
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

  it('is looked for again, in case an edit has just replaced it', async () => {
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

describe('a server fault', () => {
  it('is logged with its cause and the request id, and tells the client nothing', async () => {
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

  it('of a database with too much to do asks for patience', async () => {
    const bindings = bindingsWith(async () => {
      throw new Error('D1_ERROR: D1 DB is overloaded. Requests queued for too long.')
    })
    const answer = await read('xxxxxxxx', { bindings })
    expect(answer.status).toBe(503)
    expect(answer.headers.get('Retry-After')).toBe('5')
  })
})

describe('cleanup', () => {
  it.each(FAULTS)('leaves work, not garbage, when any of its storage calls %s', async (fault) => {
    const { key } = await account()
    const later = Date.now() + 2 * HOUR_MS
    const prepare = async () => {
      const expiring = await create('x', { expiration: 1 / 24 }, { key })
      const edited = await create('x', { expiration: null }, { key })
      await edit({ id: edited.id, content: 'y' }, { key })
      await env.CONTENTS.put(`content/orphan${Math.random()}`, 'x', {
        metadata: { document: 'gone', putAt: Date.now() },
      })
      return { expiring, edited }
    }
    await runCleanup(env, later)
    await prepare()
    const { bindings, calls } = countCalls()
    expect(await runCleanup(bindings, later)).toMatchObject({ orphaned: 1, complete: true })
    expect(await storedKeys()).toEqual(await namedKeys())
    for (let nth = 1; nth <= calls.length; nth++) {
      const { edited } = await prepare()
      await expect(runCleanup(faulty(nth, fault, true).bindings, later)).rejects.toThrow()
      contentCache.clear()
      expect((await read(edited.id)).body.data.content).toBe('y')
      await runCleanup(env, later)
      expect(await storedKeys()).toEqual(await namedKeys())
    }
  })
})
