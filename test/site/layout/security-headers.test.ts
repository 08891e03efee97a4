import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { app } from '../../../src/app.ts'
import { FILE_SECURITY_HEADERS } from '../../../src/platform/security-headers.ts'
import { account, session } from '../../support/accounts.ts'
import { create, createAnonymous, ORIGIN, send, withVars } from '../../support/client.ts'

interface Exchange {
  readonly path: string
  readonly status: number
  readonly init?: RequestInit
  readonly vars?: Record<string, string>
}

const BROWSER = { headers: { Accept: 'text/html', 'User-Agent': 'Mozilla/5.0' } }
const CURL = { headers: { Accept: '*/*', 'User-Agent': 'curl/8' } }
const PREFLIGHT = {
  method: 'OPTIONS',
  headers: { Origin: 'https://other.example', 'Access-Control-Request-Method': 'GET' },
}
const form = (fields: Record<string, string>, headers: Record<string, string> = { Origin: ORIGIN }) => ({
  method: 'POST',
  headers,
  body: new URLSearchParams(fields),
})

/** Returns requests for every kind of answer: pages, texts, JSON, pictures, redirects, preflights and errors. */
async function listExchanges(): Promise<readonly Exchange[]> {
  const owner = await account()
  const cookies = await session(owner)
  const own = await create('one', { public: true }, { key: owner.key })
  const { id, token } = await createAnonymous('two')
  const burned = await create('three', { instant_delete: true }, { key: owner.key })
  const { headers } = await send(`/v1/document/${own.id}`)
  const fresh = { headers: { 'If-None-Match': headers.get('ETag') ?? '' } }
  return [
    ...['/', `/${id}`, `/${id}.py`, `/${burned.id}`, '/about', '/sign-in', '/device', `/${id}/report`].map(
      (path) => ({ path, status: 200, init: BROWSER }),
    ),
    { path: '/account', status: 200, init: { headers: cookies } },
    { path: `/${own.id}/edit`, status: 200, init: { headers: cookies } },
    { path: `/${id}`, status: 200, init: { method: 'HEAD', ...BROWSER } },
    { path: '/nothing', status: 404, init: BROWSER },
    { path: '/nothing/here', status: 404 },
    { path: '/', status: 405, init: { method: 'DELETE', ...BROWSER } },
    { path: '/', status: 400, init: form({ content: '' }) },
    { path: '/', status: 403, init: form({ content: 'x' }, { Origin: 'https://other.example' }) },
    { path: '/account', status: 303, init: BROWSER },
    { path: '/theme', status: 303, init: form({ theme: 'sand' }) },
    { path: `/p/${id}`, status: 301, init: BROWSER },
    { path: `/${id}/manage?token=${token}`, status: 303, init: BROWSER },
    { path: `/${id}/manage`, status: 204, init: form({ token }) },
    { path: `/r/${id}`, status: 200 },
    { path: `/raw/${id}`, status: 200 },
    { path: '/r/xxxxxxxx', status: 404 },
    { path: `/r/${id}`, status: 405, init: { method: 'PUT' } },
    { path: `/r/${id}`, status: 204, init: PREFLIGHT },
    { path: '/', status: 200, init: CURL },
    { path: `/${id}`, status: 200, init: CURL },
    { path: '/xxxxxxxx', status: 404, init: CURL },
    { path: '/', status: 201, init: { method: 'PUT', body: 'four', ...CURL } },
    { path: '/robots.txt', status: 200 },
    { path: '/.well-known/security.txt', status: 404 },
    { path: `/icons/${owner.id}.svg`, status: 200 },
    { path: '/v1', status: 200 },
    { path: `/v1/document/${id}`, status: 200 },
    { path: `/v1/document/${own.id}`, status: 304, init: fresh },
    { path: '/v1/document/xxxxxxxx', status: 404 },
    { path: '/v1/nothing', status: 404 },
    { path: '/v1/document', status: 405, init: { method: 'PUT' } },
    { path: '/v1/document', status: 415, init: { method: 'POST', body: 'x' } },
    { path: '/v1/users/@me', status: 401 },
    { path: '/v1/document', status: 204, init: PREFLIGHT },
    {
      path: `/v1/document/${id}`,
      status: 204,
      init: { method: 'DELETE', headers: { 'X-Document-Token': token } },
    },
    ...['/', '/v1', '/r/xxxxxxxx'].map((path) => ({ path, status: 500, vars: { STORAGE_TIMEOUT_MS: 'x' } })),
  ]
}

const describeExchange = ({ path, status, init }: Exchange) => `${init?.method ?? 'GET'} ${path} ${status}`

describe('every answer', () => {
  it('has the security headers', { timeout: 60_000 }, async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    for (const exchange of await listExchanges()) {
      const { path, init, vars, status } = exchange
      const response = await send(path, init, { bindings: withVars(vars ?? {}) })
      expect(response.status, describeExchange(exchange)).toBe(status)
      const policy = response.headers.get('Content-Security-Policy') ?? ''
      expect(policy, describeExchange(exchange)).toMatch(
        /^default-src 'none'; (sandbox$|.*frame-ancestors 'none')/,
      )
      expect(policy).not.toContain('unsafe')
      const { 'Content-Security-Policy': _, ...expected } = FILE_SECURITY_HEADERS
      const headers = Object.fromEntries(
        Object.keys(expected).map((name) => [name, response.headers.get(name)]),
      )
      expect({ exchange: describeExchange(exchange), ...headers }).toEqual({
        exchange: describeExchange(exchange),
        ...expected,
        // Other sites show pictures of accounts, and the address of a management link must not reach even this one.
        ...(path.startsWith('/icons/') && { 'Cross-Origin-Resource-Policy': 'cross-origin' }),
        ...(path.includes('token=') && { 'Referrer-Policy': 'no-referrer' }),
      })
      await response.body?.cancel()
    }
  })

  it('asks browsers for https only over https', async () => {
    for (const path of ['/', '/v1', '/r/xxxxxxxx', '/account']) {
      const context = createExecutionContext()
      const { headers } = await app.fetch(new Request(`http://paste.example${path}`), env, context)
      expect(headers.get('Strict-Transport-Security')).toBeNull()
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
    }
  })
})
