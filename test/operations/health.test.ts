import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest'
import { judgeCleanup } from '../../src/health/health.ts'
import { runScheduledJobs } from '../../src/scheduled.ts'
import { bindingsWith, countCalls } from '../support/bindings.ts'
import { send, withVars } from '../support/client.ts'

let log: MockInstance

beforeEach(() => {
  log = vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.spyOn(console, 'log').mockImplementation(() => {})
})

afterEach(() => {
  vi.restoreAllMocks()
})

async function check(bindings: Env = { ...env }, init: RequestInit = {}) {
  const response = await send('/health', init, { bindings })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: text ? JSON.parse(text) : null }
}

const without = (binding: 'DB' | 'CONTENTS'): Env => ({ ...env, [binding]: undefined }) as Env

const OK = { status: 'ok', duration_ms: expect.any(Number) }
const FAILED = { status: 'failed', duration_ms: expect.any(Number) }

describe('GET /health', () => {
  it('answers 200 with the state of D1, KV, the schema and the last cleanup', async () => {
    await runScheduledJobs({ scheduledTime: Date.now(), cron: '', noRetry: () => {} }, env)
    const { status, headers, body } = await check()
    expect(body).toEqual({
      status: 'ok',
      mode: 'normal',
      checked_at: expect.stringMatching(/^20.*Z$/),
      configuration: { status: 'ok' },
      d1: OK,
      kv: OK,
      schema: {
        status: 'ok',
        latest_migration: env.TEST_MIGRATIONS.at(-1)?.name,
        missing_migrations: [],
      },
      cleanup: {
        status: 'ok',
        finished_at: expect.stringMatching(/^20.*Z$/),
        age_seconds: expect.any(Number),
      },
      contents: { status: 'ok', missing: 0 },
    })
    expect(status).toBe(200)
    expect(headers.get('Content-Type')).toBe('application/json')
    expect(headers.get('Cache-Control')).toBe('no-store')
    expect(headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(log).not.toHaveBeenCalled()
  })

  it('answers HEAD with the same status and without a body', async () => {
    expect(await check({ ...env }, { method: 'HEAD' })).toMatchObject({ status: 200, text: '' })
    expect(await check(without('CONTENTS'), { method: 'HEAD' })).toMatchObject({ status: 503, text: '' })
  })

  it.each([
    ['DB.first', { d1: FAILED, kv: OK, schema: { status: 'unknown' }, cleanup: { status: 'unknown' } }],
    ['CONTENTS.get', { d1: OK, kv: FAILED, schema: { status: 'ok' } }],
  ])('answers 503 if %s fails, without its cause, which it logs', async (broken, checks) => {
    const bindings = bindingsWith(async (call, run) => {
      if (call === broken) throw new Error('a secret of the platform')
      return run()
    })
    const { status, text, body } = await check(bindings)
    expect(status).toBe(503)
    expect(body).toMatchObject({ status: 'failing', ...checks })
    expect(text).not.toContain('secret')
    expect(log).toHaveBeenCalledTimes(1)
    expect(String(log.mock.calls[0]?.[0])).toContain('a secret of the platform')
  })

  it.each(['DB', 'CONTENTS'] as const)('answers 503 without the binding %s', async (name) => {
    const { status, body } = await check(without(name))
    expect(status).toBe(503)
    expect(body).toMatchObject({ [name === 'DB' ? 'd1' : 'kv']: FAILED })
  })

  it('answers 503 after three seconds if storage hangs', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const bindings = bindingsWith((call, run) => (call === 'CONTENTS.get' ? new Promise(() => {}) : run()))
      const checking = check(bindings)
      await vi.advanceTimersByTimeAsync(3_000)
      expect(await checking).toMatchObject({ status: 503, body: { kv: { status: 'failed' } } })
    } finally {
      vi.useRealTimers()
    }
  })

  it('answers 503 and names what is missing if the schema is older than the code', async () => {
    const newest = env.TEST_MIGRATIONS.at(-1)?.name ?? ''
    await env.DB.prepare('DELETE FROM d1_migrations WHERE name = ?1').bind(newest).run()
    try {
      expect(await check()).toMatchObject({
        status: 503,
        body: { d1: OK, schema: { status: 'outdated', missing_migrations: [newest] } },
      })
    } finally {
      await env.DB.prepare('INSERT INTO d1_migrations (name) VALUES (?1)').bind(newest).run()
    }
  })

  it.each([
    ['ALTER TABLE sweep_progress RENAME TO hidden', 'ALTER TABLE hidden RENAME TO sweep_progress'],
    ['ALTER TABLE d1_migrations RENAME TO hidden', 'ALTER TABLE hidden RENAME TO d1_migrations'],
  ])('answers 503 for a database that is too old to tell: %s', async (hide, restore) => {
    await env.DB.prepare(hide).run()
    try {
      expect(await check()).toMatchObject({
        status: 503,
        body: { d1: OK, cleanup: { status: 'unknown' } },
      })
    } finally {
      await env.DB.prepare(restore).run()
    }
  })

  it('answers 503 if a variable is invalid, without its value', async () => {
    const { status, text, body } = await check(withVars({ MAX_CONTENT_BYTES: 'secret' }))
    expect(status).toBe(503)
    expect(body).toMatchObject({ status: 'failing', configuration: { status: 'invalid' }, d1: OK })
    expect(text).not.toContain('secret')
  })

  it('asks storage once, however many requests come at once', async () => {
    const { bindings, calls } = countCalls()
    const answers = await Promise.all(Array.from({ length: 50 }, () => check(bindings)))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    await check(bindings)
    expect(calls.toSorted()).toEqual(['CONTENTS.get', 'DB.first'])
  })
})

describe('the last cleanup', () => {
  const MINUTE = 60_000
  const now = 1_000 * MINUTE

  it.each([
    ['has just finished', { finishedAt: now - 90_000, outcome: 'complete', migratedAt: 0 }, 'ok'],
    [
      'finished half an hour ago',
      { finishedAt: now - 31 * MINUTE, outcome: 'complete', migratedAt: 0 },
      'late',
    ],
    ['refused to delete', { finishedAt: now - MINUTE, outcome: 'refused', migratedAt: 0 }, 'refused'],
    ['failed', { finishedAt: now - MINUTE, outcome: 'failed', migratedAt: 0 }, 'failed'],
    ['ran out of time', { finishedAt: now - MINUTE, outcome: 'unfinished', migratedAt: 0 }, 'ok'],
    ['has not run yet', { finishedAt: null, outcome: null, migratedAt: now - MINUTE }, 'ok'],
    [
      'finished by a clock that was ahead',
      { finishedAt: now + 31 * MINUTE, outcome: 'complete', migratedAt: 0 },
      'late',
    ],
    [
      'has just finished, after a migration by a clock that was ahead',
      { finishedAt: now - MINUTE, outcome: 'complete', migratedAt: now + 31 * MINUTE },
      'ok',
    ],
    ['has never run', { finishedAt: null, outcome: null, migratedAt: now - 31 * MINUTE }, 'late'],
  ])('that %s', (_, last, status) => {
    expect(judgeCleanup(last, now).status).toBe(status)
  })

  it('has an age in seconds', () => {
    const last = { finishedAt: now - 90_500, outcome: 'complete', migratedAt: 0 }
    expect(judgeCleanup(last, now).age_seconds).toBe(90)
  })
})
