import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { contentCache } from '../../src/documents/content-store.ts'
import { answered, combine, Database, query } from '../../src/platform/database.ts'
import { account } from '../support/accounts.ts'
import { bindingsWith, type StorageCall, withFailing } from '../support/bindings.ts'
import { call, create, edit, read } from '../support/client.ts'
import { expectFaults } from '../support/log.ts'
import { findContentKey, listStoredKeys, loseContent } from '../support/storage/contents.ts'
import { setUpFaults } from '../support/storage/faults.ts'
import { startEmpty } from '../support/storage/wipe.ts'

setUpFaults()

describe('a change that D1 refuses', () => {
  it.each([
    ['D1_ERROR: database or disk is full: SQLITE_FULL', 503, '60'],
    ['D1_ERROR: attempt to write a readonly database: SQLITE_READONLY', 503, '60'],
    ['D1_ERROR: Exceeded maximum DB size', 503, '60'],
    ['D1_ERROR: database is locked: SQLITE_BUSY', 503, '1'],
    ['D1_ERROR: D1 DB is overloaded. Requests queued for too long.', 503, '5'],
    ['D1_ERROR: no such table: documents: SQLITE_ERROR', 500, null],
  ])('leaves no content behind: %s', async (message, status, retryAfter) => {
    const { key } = await account()
    const { id } = await create('x', {}, { key })
    const before = await listStoredKeys()
    const bindings = bindingsWith(async (name, run) => {
      if (name === 'DB.batch') throw new Error(message)
      return run()
    })
    const created = await call('POST', '/v1/document', { content: 'y' }, { bindings, settle: true })
    const edited = await edit({ id, content: 'y' }, { key, bindings, settle: true })
    for (const answer of [created, edited]) {
      expect(answer.status).toBe(status)
      expect(answer.headers.get('Retry-After')).toBe(retryAfter)
    }
    expect(await listStoredKeys()).toEqual(before)
  })
})

describe('a database that another program holds', () => {
  /** Returns bindings whose first calls to D1 fail. */
  const busy = (message: string, times: number) => {
    let failed = 0
    return bindingsWith(async (name, run) => {
      if (name.startsWith('DB.') && failed++ < times) throw new Error(message)
      return run()
    })
  }
  const BUSY = 'D1_ERROR: database is locked: SQLITE_BUSY'
  const INTERNAL = 'D1_ERROR: Failed to parse body as JSON, got: Error: internal error; reference = x1'

  it.each([BUSY, 'D1_ERROR: database table is locked: SQLITE_LOCKED', INTERNAL])(
    'is asked again, for reads and for changes: %s',
    async (message) => {
      const created = await call('POST', '/v1/document', { content: 'x' }, { bindings: busy(message, 1) })
      expect(created.status).toBe(200)
      const { key } = await account()
      const { id } = await create('x', {}, { key })
      expect((await read(id, { key, bindings: busy(message, 3) })).body.data.content).toBe('x')
      const edited = await edit({ id, content: 'y' }, { key, bindings: busy(message, 2) })
      expect(edited.body.data.content).toBe('y')
    },
  )

  it.each([
    [BUSY, '1'],
    [INTERNAL, '1'],
    ['D1_ERROR: D1 DB exceeded its memory limit and was reset.', '1'],
    ['D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.', '1'],
    // These last until the operator does something.
    ['D1_ERROR: database disk image is malformed: SQLITE_CORRUPT', '60'],
    ['D1_ERROR: disk I/O error: SQLITE_IOERR', '60'],
  ])('is unavailable in the end, never an internal error: %s', async (message, seconds) => {
    const bindings = busy(message, Number.POSITIVE_INFINITY)
    const { key } = await account()
    const { id } = await create('x', {}, { key })
    const answers = [
      await read(id, { key, bindings }),
      await call('POST', '/v1/document', { content: 'x' }, { bindings }),
      await edit({ id, content: 'y' }, { key, bindings }),
    ]
    for (const { status, body, headers } of answers) {
      expect(status).toBe(503)
      expect(body.error.code).toBe('unavailable')
      expect(headers.get('Retry-After')).toBe(seconds)
    }
  })
})

describe('content that KV doesn’t have', () => {
  it('is answered with 503 and Retry-After, not with an empty document', async () => {
    const { key } = await account()
    const { id } = await create('x', { instant_delete: true }, { key })
    await loseContent(id)
    contentCache.clear()
    const answer = await read(id)
    expect(answer.status).toBe(503)
    expect(answer.body.error).toEqual({ code: 'unavailable', message: 'Internal server error' })
    expect(answer.headers.get('Retry-After')).toBe('1')
    await env.CONTENTS.put(await findContentKey(id), 'x')
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
    const bindings = withFailing('all', 'table documents is on fire')
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
})

const NO_KEY = `imperial_${'x'.repeat(40)}`

const post = (body: Record<string, unknown>, key: string, bindings?: Env) =>
  call('POST', '/v1/document', body, { key, settle: true, ...(bindings && { bindings }) })

describe('a create whose author isn’t known', () => {
  beforeAll(startEmpty)

  it('stores nothing if the author can’t be looked up', async () => {
    expectFaults('request failed')
    const { key } = await account()
    const bindings = withFailing('DB.reads', 'D1 DB is overloaded')
    expect((await post({ content: 'x' }, key, bindings)).status).toBe(503)
    expect(await listStoredKeys()).toEqual([])
  })

  it('derives no key from the password of an encrypted document', async () => {
    const calls: StorageCall[] = []
    const bindings = bindingsWith((name, run) => {
      calls.push(name)
      return run()
    })
    const settings = { encrypted: true, password: 'secret' }
    expect((await post({ content: 'x', settings }, NO_KEY, bindings)).status).toBe(401)
    expect(calls).toEqual(['DB.reads'])
  })

  it('is refused with the error of the key, whatever is wrong with the body', async () => {
    for (const body of [{}, { content: 1 }, { content: 'x', settings: { expiration: 'no date' } }]) {
      expect((await post(body, NO_KEY)).status).toBe(401)
    }
    const edits = [{}, { id: 'xxxxxxxx', settings: { expiration: 'no date' } }]
    for (const body of edits) {
      expect((await call('PATCH', '/v1/document', body, { key: NO_KEY })).status).toBe(401)
    }
  })

  it('is kept once if the document is created', async () => {
    const { key } = await account()
    const { id } = await create('x', { image_embed: true }, { key, settle: true })
    expect(id).toHaveLength(8)
    expect(await listStoredKeys()).toHaveLength(1)
  })
})

const number = (sql: string) => query([`SELECT ${sql} AS n`], ([row]: { n: number }[]) => row?.n ?? null)

function openCounted() {
  const durations: number[] = []
  return { durations, db: new Database(env.DB, 5_000, { onCall: (duration) => durations.push(duration) }) }
}

describe('queries that are asked together', () => {
  it('take one call, and each gets its own rows', async () => {
    const { db, durations } = openCounted()
    const both = combine(number('2'), answered('known'), number('3'))
    expect(await db.ask(number('1'), both, number('4'))).toEqual([1, [2, 'known', 3], 4])
    expect(durations).toHaveLength(1)
  })

  it('take none if all are answered', async () => {
    const { db, durations } = openCounted()
    expect(await db.ask(answered('a'), answered(null))).toEqual(['a', null])
    expect(await db.ask()).toEqual([])
    expect(durations).toEqual([])
  })

  it('fail together', async () => {
    const { db } = openCounted()
    await expect(db.ask(number('1'), number('missing'))).rejects.toThrow('no such column')
  })
})
