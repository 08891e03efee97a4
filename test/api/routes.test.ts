import { describe, expect, it, vi } from 'vitest'
import { account } from '../support/accounts.ts'
import { call, create, edit, ORIGIN, read, send, withVars } from '../support/client.ts'

const FORM = 'application/x-www-form-urlencoded'

describe('the API', () => {
  it('greets', async () => {
    const answer = await call('GET', '/v1')
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      success: true,
      data: {
        message: expect.any(String),
        version: '1',
        documentation: `${ORIGIN}/docs`,
        openapi: `${ORIGIN}/v1/openapi.json`,
      },
    })
  })

  it('answers under the alias as well', async () => {
    const { key } = await account()
    const created = await call('POST', '/v1/documents', { content: 'x' }, { key })
    const { id } = created.body.data
    expect((await call('GET', `/v1/documents/${id}`)).body.data.content).toBe('x')
    expect((await call('PATCH', '/v1/documents', { id, content: 'y' }, { key })).body.data.content).toBe('y')
    expect((await call('DELETE', `/v1/documents/${id}`, undefined, { key })).status).toBe(204)
  })

  it.each(['/v1/nothing', '/v1/document/a/b/c', '/v1/document/xxxxxxxx/claims', '/v1/users'])(
    'returns 404 for the unknown route %s',
    async (path) => {
      const answer = await call('GET', path)
      expect(answer.status).toBe(404)
      expect(answer.body).toEqual({
        success: false,
        error: { code: 'not_found', message: 'Route not found' },
      })
      expect(answer.headers.get('Cache-Control')).toBe('no-store')
    },
  )

  it.each([
    ['PUT', '/v1/document', 'POST, PATCH'],
    ['GET', '/v1/document', 'POST, PATCH'],
    ['DELETE', '/v1/documents', 'POST, PATCH'],
    ['POST', '/v1/document/xxxxxxxx', 'GET, HEAD, DELETE'],
    ['PATCH', '/v1/document/xxxxxxxx', 'GET, HEAD, DELETE'],
    ['DELETE', '/v1/document/xxxxxxxx/claim', 'GET, HEAD, POST'],
    ['POST', '/v1', 'GET, HEAD'],
    ['OPTIONS', '/v1/document', 'POST, PATCH'],
  ])('refuses %s %s and says what it allows', async (method, path, allow) => {
    const answer = await call(method, path)
    expect(answer.status).toBe(405)
    expect(answer.body.error).toEqual({ code: 'method_not_allowed', message: 'Method not allowed' })
    expect(answer.headers.get('Allow')).toBe(allow)
  })

  it.each([
    'abc',
    'a'.repeat(37),
    'not-an-id',
    'xx%00xx',
    '%E0%A4%A',
    '%F0%9F%98%80%F0%9F%98%80',
    'xxxxxxxx',
  ])('returns 404 for the id %s', async (id) => {
    const answer = await call('GET', `/v1/document/${id}`)
    expect(answer.status).toBe(404)
    expect(answer.body).toEqual({
      success: false,
      error: { code: 'not_found', message: 'Document not found' },
    })
  })

  it.each(['/v1/document/:id/claim', '/:id/edit', '/:id/edit/', '/r/:id'])(
    "returns 404 for a route's own pattern, %s",
    async (path) => {
      const headers = { 'Content-Type': path.startsWith('/v1') ? 'application/json' : FORM, Origin: ORIGIN }
      const body = path.startsWith('/v1') ? JSON.stringify({ token: 'A'.repeat(43) }) : 'content=x'
      expect((await send(path, { method: 'POST', headers, body })).status).toBe(404)
    },
  )

  it('treats ids as case-sensitive', async () => {
    const { key } = await account()
    const { id } = await create('x', { long_urls: true }, { key })
    expect((await read(id.toLowerCase())).status).toBe(404)
  })

  it('returns a request id of its own with every response', async () => {
    for (const path of ['/v1', '/v1/nothing', '/', '/nothing', '/r/xxxxxxxx']) {
      const { headers } = await send(path, { headers: { 'X-Request-Id': 'mine' } })
      expect(headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/)
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
    }
  })

  it('returns a proper error even if the configuration is invalid', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const bindings = withVars({ MAX_CONTENT_BYTES: 'ten' })
    const answer = await call('POST', '/v1/document', { content: 'x' }, { bindings })
    expect(answer.status).toBe(500)
    expect(answer.body.error).toEqual({ code: 'internal_error', message: 'Internal server error' })
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*')
    expect(String(log.mock.calls[0]?.[0])).toContain(answer.headers.get('X-Request-Id'))
    expect(String(log.mock.calls[0]?.[0])).toContain('MAX_CONTENT_BYTES')
  })

  it('builds links on SITE_URL if it is set', async () => {
    const bindings = withVars({ SITE_URL: 'https://paste.example.org/' })
    const { id, links } = await create('x', undefined, { bindings })
    expect(links).toEqual({
      formatted: `https://paste.example.org/${id}`,
      raw: `https://paste.example.org/r/${id}`,
    })
  })
})

describe('CORS', () => {
  it('allows any origin without credentials', async () => {
    const response = await send('/v1/document', {
      method: 'OPTIONS',
      headers: { Origin: 'https://elsewhere.example', 'Access-Control-Request-Method': 'PATCH' },
    })
    expect(response.status).toBe(204)
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*')
    expect(response.headers.get('Access-Control-Allow-Credentials')).toBeNull()
    expect(response.headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/)
    const list = (name: string) => response.headers.get(name)?.split(',').sort()
    expect(list('Access-Control-Allow-Methods')).toEqual(['DELETE', 'GET', 'HEAD', 'PATCH', 'POST'])
    expect(list('Access-Control-Allow-Headers')).toEqual([
      'Authorization',
      'Content-Type',
      'Idempotency-Key',
      'If-Match',
      'If-None-Match',
      'X-Bookmark',
      'X-Document-Password',
      'X-Document-Token',
    ])
  })

  it('exposes the headers that clients need, on errors as well', async () => {
    const { key } = await account()
    for (const answer of [await call('GET', '/v1'), await edit({}, { key }), await call('GET', '/v1/x')]) {
      expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*')
      expect(answer.headers.get('Access-Control-Expose-Headers')?.split(/, ?/).sort()).toEqual([
        'ETag',
        'RateLimit',
        'RateLimit-Policy',
        'Retry-After',
        'X-Bookmark',
        'X-Document-Token',
        'X-Request-Id',
      ])
    }
  })
})
