import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest'
import { contentCache } from '../../src/documents/content-store.ts'
import { createLogHasher } from '../../src/platform/log-hash.ts'
import { runScheduledJobs } from '../../src/scheduled.ts'
import { account } from '../support/accounts.ts'
import { bindingsWith, withFailing } from '../support/bindings.ts'
import { create, ORIGIN, send, withVars } from '../support/client.ts'
import { forgetSearch } from '../support/storage/cleanup.ts'

let printed: MockInstance
let failed: MockInstance

beforeEach(() => {
  printed = vi.spyOn(console, 'log').mockImplementation(() => {})
  failed = vi.spyOn(console, 'error').mockImplementation(() => {})
})

afterEach(() => {
  vi.restoreAllMocks()
})

const LOGGING = withVars({ LOG_REQUESTS: '' })

const readLines = (spy: MockInstance) => spy.mock.calls.map(([line]) => JSON.parse(String(line)))

describe('the log of requests', () => {
  it('has one line for a read, with its route, its storage calls and a truncated address', async () => {
    const { id } = await create('x')
    contentCache.clear()
    const response = await send(
      `/v1/document/${id}?password=secret`,
      { headers: { 'CF-Connecting-IP': '203.0.113.9' } },
      { bindings: LOGGING },
    )
    expect(readLines(printed)).toEqual([
      {
        event: 'request',
        request_id: response.headers.get('X-Request-Id'),
        method: 'GET',
        route: '/v1/document/:id',
        front_end: 'api',
        status: 200,
        outcome: 'ok',
        duration_ms: expect.any(Number),
        d1_calls: 1,
        d1_ms: expect.any(Number),
        kv_calls: 1,
        kv_ms: expect.any(Number),
        network: '203.0.113.0/24',
        document: expect.stringMatching(/^[A-Za-z0-9]{16}$/),
      },
    ])
  })

  it('has a keyed hash of the document and the account, the same wherever they occur, and no id', async () => {
    const { key, id: accountId } = await account()
    const headers = { Authorization: key, 'Content-Type': 'application/json' }
    const post = async (method: string, body: object) =>
      send('/v1/document', { method, headers, body: JSON.stringify(body) }, { bindings: LOGGING })
    const created = await post('POST', { content: 'x' })
    const { id } = (await created.json<{ data: { id: string } }>()).data
    await post('PATCH', { id, content: 'y' })
    for (const path of [`/v1/document/${id}`, `/r/${id}`, `/${id}.py`, `/${id}/history`])
      await send(path, { headers: { Authorization: key } }, { bindings: LOGGING })
    await send(
      '/',
      { method: 'POST', body: 'x', headers: { ...headers, 'User-Agent': 'curl/8' } },
      { bindings: LOGGING },
    )
    const lines = readLines(printed)
    const hash = await createLogHasher(String(env.AUTH_SECRET))
    const document = await hash('document', id)
    expect(lines.slice(0, 6).map((line) => line.document)).toEqual(Array.from({ length: 6 }, () => document))
    expect(lines.slice(0, 3).map((line) => line.account)).toEqual(
      Array.from({ length: 3 }, () => expect.stringMatching(/^[A-Za-z0-9]{16}$/)),
    )
    expect(lines[0].account).toBe(await hash('account', accountId))
    expect(lines[6].document).toMatch(/^[A-Za-z0-9]{16}$/)
    expect(lines[6].document).not.toBe(document)
    expect(JSON.stringify(lines)).not.toContain(id)
    expect(JSON.stringify(lines)).not.toContain(accountId)
  })

  it('has no hash without a secret', async () => {
    const { id } = await create('x')
    await send(`/${id}`, {}, { bindings: withVars({ LOG_REQUESTS: '', AUTH_SECRET: '' }) })
    expect(Object.keys(readLines(printed)[0])).not.toContain('document')
  })

  it.each([
    ['/', {}, '/', 'site', 'ok'],
    ['/', { headers: { 'User-Agent': 'curl/8.0', Accept: '*/*' } }, '/', 'text', 'ok'],
    ['/xxxxxxxx', { headers: { Accept: 'text/html' } }, '/:address', 'site', 'not_found'],
    ['/r/xxxxxxxx', {}, '/r/:id', 'text', 'not_found'],
    ['/v1/document/xxxxxxxx', { method: 'HEAD' }, '/v1/document/:id', 'api', 'not_found'],
    ['/v1/secret/word', {}, 'none', 'api', 'not_found'],
    ['/v1/document', { method: 'PUT' }, '/v1/document', 'api', 'method_not_allowed'],
    ['/some/secret/path/word', {}, '/:id/:name{.+}', 'site', 'not_found'],
  ])('names the route and the front end of %s %j', async (path, init, route, frontEnd, outcome) => {
    await send(path, init, { bindings: LOGGING })
    expect(readLines(printed)).toMatchObject([{ route, front_end: frontEnd, outcome }])
  })

  it('never contains a path, a query, a header or a body', async () => {
    const { key } = await account()
    const headers = {
      Authorization: key,
      Cookie: 'session=secret-cookie',
      'X-Document-Password': 'secret-password',
      'X-Document-Token': 'secret-token',
      'User-Agent': 'secret-agent',
      Referer: `${ORIGIN}/secret-referer`,
      'CF-Connecting-IP': '2001:db8:1:2:3:4:5:6',
    }
    const failing = bindingsWith(
      async () => {
        throw new Error('D1_ERROR: broken')
      },
      { LOG_REQUESTS: 'all' },
    )
    for (const bindings of [LOGGING, failing]) {
      for (const path of ['/v1/document/secretid', '/secretid', '/r/secretid', '/secret/path']) {
        await send(`${path}?password=secret-query`, { headers }, { bindings })
      }
      const init = { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' } }
      await send('/v1/document', { ...init, body: '{"content":"secret-body"}' }, { bindings })
    }
    const lines = JSON.stringify([printed.mock.calls, failed.mock.calls])
    expect(printed.mock.calls.length + failed.mock.calls.length).toBe(10)
    expect(lines).not.toContain('secret')
    expect(lines).not.toContain(key)
    expect(lines).not.toContain('2001:db8:1:2')
  })

  it('has the cause of a fault in the same line, even if requests are not logged', async () => {
    const bindings = withFailing('all', 'D1_ERROR: broken')
    for (const [path, d1Calls] of [
      ['/v1/document/xxxxxxxx', 2],
      // Not the nearest copy, which has just failed.
      ['/xxxxxxxx', 1],
      ['/r/xxxxxxxx', 1],
    ] as const) {
      failed.mockClear()
      const response = await send(path, {}, { bindings })
      expect(response.status).toBe(500)
      expect(readLines(failed)).toEqual([
        expect.objectContaining({
          event: 'request failed',
          request_id: response.headers.get('X-Request-Id'),
          status: 500,
          outcome: 'internal_error',
          d1_calls: d1Calls,
          error: expect.objectContaining({ cause: expect.objectContaining({ message: 'D1_ERROR: broken' }) }),
        }),
      ])
    }
    expect(printed).not.toHaveBeenCalled()
  })

  it.each([
    ['none', 0, 0],
    ['all', 100, 100],
    ['0.5', 20, 80],
  ])('has the share of requests that LOG_REQUESTS = %s asks for', async (share, min, max) => {
    const bindings = withVars({ LOG_REQUESTS: share })
    for (let n = 0; n < 100; n++) await send('/robots.txt', {}, { bindings })
    expect(printed.mock.calls.length).toBeGreaterThanOrEqual(min)
    expect(printed.mock.calls.length).toBeLessThanOrEqual(max)
  })

  it('is empty on a loopback address, and if asked for, only wrangler has readable lines', async () => {
    const local = { SITE_URL: 'http://127.0.0.1:8787' }
    await send('/robots.txt', {}, { bindings: withVars({ ...local, LOG_REQUESTS: '' }) })
    expect(printed).not.toHaveBeenCalled()
    const asked = { ...local, LOG_REQUESTS: 'all' }
    await send('/robots.txt', {}, { bindings: { ...withVars(asked), LOCAL_SERVER: 'on' } })
    await send('/robots.txt', {}, { bindings: withVars(asked) })
    expect(printed.mock.calls).toEqual([
      [expect.stringMatching(/^GET \/robots\.txt 200: \d+ ms, 0 D1 calls in 0 ms, 0 KV calls in 0 ms$/)],
      [expect.stringMatching(/^\{"event":"request",.*"route":"\/robots\.txt"/)],
    ])
  })
})

describe('Analytics Engine', () => {
  it('gets a data point for each request, whether or not it is logged', async () => {
    const points: AnalyticsEngineDataPoint[] = []
    const ANALYTICS: AnalyticsEngineDataset = { writeDataPoint: (point) => points.push(point ?? {}) }
    await send('/v1/document/xxxxxxxx', {}, { bindings: { ...env, ANALYTICS } })
    expect(points).toEqual([
      {
        indexes: ['/v1/document/:id'],
        blobs: ['request', '/v1/document/:id', 'GET', 'api', 'not_found'],
        // The nearest copy doesn't have it, and then neither does the primary.
        doubles: [expect.any(Number), 404, 2, expect.any(Number), 0, 0, 0],
      },
    ])
    expect(printed).not.toHaveBeenCalled()
  })

  it('gets a data point for each scheduled job, which also has a line in the log', async () => {
    const points: AnalyticsEngineDataPoint[] = []
    const ANALYTICS: AnalyticsEngineDataset = { writeDataPoint: (point) => points.push(point ?? {}) }
    const failing = withFailing('CONTENTS.list', 'KV is broken')
    const controller = { scheduledTime: Date.now(), cron: '', noRetry: () => {} }
    await runScheduledJobs(controller, { ...env, ANALYTICS })
    expect(points[0]).toEqual({
      indexes: ['cleanup'],
      blobs: ['scheduled', 'cleanup', '', '', 'ok'],
      doubles: [expect.any(Number), 0, 0, 0, 0, 0, 0],
    })
    expect(readLines(printed)).toHaveLength(points.length)
    for (const line of readLines(printed)) expect(line).toMatchObject({ outcome: 'ok' })
    points.length = 0
    await forgetSearch()
    await expect(runScheduledJobs(controller, { ...failing, ANALYTICS })).rejects.toThrow()
    expect(points[0]?.blobs).toEqual(['scheduled', 'cleanup', '', '', 'failed'])
  })

  it('that does not work never makes a request fail', async () => {
    const ANALYTICS: AnalyticsEngineDataset = {
      writeDataPoint: () => {
        throw new Error('too many data points')
      },
    }
    const response = await send('/robots.txt', {}, { bindings: { ...env, ANALYTICS } })
    expect(response.status).toBe(200)
    expect(String(failed.mock.calls[0]?.[0])).toContain('too many data points')
  })
})
