import { describe, expect, it, vi } from 'vitest'
import { account } from '../support/accounts.ts'
import { call, create, edit, ORIGIN, read, remove, send, withVars } from '../support/client.ts'

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

  it.each(['/v1/document/:id/claim', '/:id/edit', '/:id/edit/', '/r/:id', '/*', '/*/'])(
    "returns 404 for a route's own pattern, %s",
    async (path) => {
      const headers = { 'Content-Type': path.startsWith('/v1') ? 'application/json' : FORM, Origin: ORIGIN }
      const body = path.startsWith('/v1') ? JSON.stringify({ token: 'A'.repeat(43) }) : 'content=x'
      expect((await send(path, { method: 'POST', headers, body })).status).toBe(404)
    },
  )

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

/** Returns a document with an editor, and the key of an account that has nothing to do with it. */
async function arrange(settings: Record<string, unknown> = {}) {
  const [owner, editor, stranger] = [await account(), await account(), await account()]
  const { id } = await create('text', { editors: [editor.username], ...settings }, { key: owner.key })
  return { id, owner, editor, key: stranger.key }
}

describe('an account that is neither the creator nor an editor of a document with editors', () => {
  it('can’t edit or delete it', async () => {
    const { id, key } = await arrange()
    expect((await edit({ id, content: 'changed' }, { key })).status).toBe(403)
    expect((await edit({ id, settings: { language: 'json' } }, { key })).status).toBe(403)
    expect((await remove(id, { key })).status).toBe(403)
    expect((await read(id)).body.data.content).toBe('text')
  })

  it('burns it by reading, as an editor doesn’t', async () => {
    const { id, editor, key } = await arrange({ instant_delete: true })
    expect((await read(id, { key: editor.key })).body.data.content).toBe('text')
    expect((await read(id, { key })).body.data.content).toBe('text')
    expect((await read(id, { key: editor.key })).status).toBe(404)
  })
})
