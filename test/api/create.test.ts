import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { account } from '../support/accounts.ts'
import {
  call,
  create,
  createAnonymous,
  type DocumentBody,
  ORIGIN,
  send,
  withVars,
} from '../support/client.ts'
import { expectError, expectInvalid } from '../support/expect.ts'

const DAY_MS = 86_400_000

const post = (body: unknown, key?: string, bindings?: Env) =>
  call('POST', '/v1/document', body, { key, ...(bindings && { bindings }) })

const msUntilExpiry = ({ timestamps }: DocumentBody) =>
  Date.parse(timestamps.expiration) - Date.parse(timestamps.creation)

describe('a server with ANONYMOUS_SETTINGS=ignore-cosmetic', () => {
  const bindings = withVars({ ANONYMOUS_SETTINGS: 'ignore-cosmetic' })

  it('keeps the language and ignores the other cosmetic settings', async () => {
    const settings = {
      language: 'Rust',
      expiration: 30,
      long_urls: true,
      short_urls: true,
      image_embed: true,
      public: true,
    }
    const { body } = await post({ content: 'x', settings }, undefined, bindings)
    expect(body.data.settings).toMatchObject({ language: 'rust', image_embed: false, public: false })
    expect(body.data.id).toHaveLength(8)
    expect(msUntilExpiry(body.data)).toBe(7 * DAY_MS)
  })

  it.each([
    ['encrypted', { encrypted: true }],
    ['password', { encrypted: true, password: 'x' }],
    ['instant_delete', { instant_delete: true }],
    ['editors', { editors: ['anyone'] }],
    ['create_gist', { create_gist: true }],
  ])('still refuses %s', async (_, settings) => {
    const answer = await post(
      { content: 'x', settings: { ...settings, language: 'rust' } },
      undefined,
      bindings,
    )
    expect(answer.status).toBe(401)
  })

  it('changes nothing for requests with a key', async () => {
    const { key } = await account()
    const { body } = await post({ content: 'x', settings: { public: true } }, key, bindings)
    expect(body.data.settings.public).toBe(true)
  })
})

describe('a server with ANONYMOUS_SETTINGS=allow', () => {
  const bindings = withVars({ ANONYMOUS_SETTINGS: 'allow' })
  const postAnonymously = (settings: Record<string, unknown>) =>
    post({ content: 'x', settings }, undefined, bindings)

  it('accepts every setting that needs no account', async () => {
    const settings = {
      title: 'main.rs',
      language: 'Rust',
      expiration: 30,
      long_urls: true,
      image_embed: true,
      instant_delete: true,
      encrypted: true,
    }
    const { title, ...untitled } = settings
    const { body } = await postAnonymously(untitled)
    expect(body.data.settings).toMatchObject({
      language: 'rust',
      image_embed: true,
      instant_delete: true,
      encrypted: true,
    })
    expect(body.data.password).toHaveLength(24)
    expect(body.data.id).toHaveLength(36)
    expect(msUntilExpiry(body.data)).toBe(30 * DAY_MS)
    expect((await postAnonymously({ title })).body.data.settings.title).toBe(title)
  })

  it.each([
    ['editors', ['anyone']],
    ['create_gist', true],
    ['public', true],
    ['name', 'report'],
  ])('refuses %s without an account', async (name, value) => {
    const answer = await postAnonymously({ [name]: value, language: 'rust' })
    expect({ status: answer.status, message: answer.body.error.message }).toEqual({
      status: 401,
      message: 'Unauthorized',
    })
    const harmless = { editors: [], create_gist: false, public: false, name: '' }
    expect((await postAnonymously(harmless)).status).toBe(200)
  })

  it('still refuses an invalid key, and settings with the key of an unconfirmed account', async () => {
    const { key } = await account({ confirmed: false })
    const body = { content: 'x', settings: { language: 'rust' } }
    expect((await post(body, key, bindings)).status).toBe(403)
    expect((await post(body, 'imperial_no', bindings)).status).toBe(401)
  })
})

describe('a server with ANONYMOUS_DOCUMENTS=refuse', () => {
  const bindings = withVars({ ANONYMOUS_DOCUMENTS: 'refuse' })

  it('refuses a create without a credential, before its body is read', async () => {
    const answer = await call('POST', '/v1/document', 'not json', { bindings })
    expect({ status: answer.status, message: answer.body.error.message }).toEqual({
      status: 401,
      message: 'Unauthorized',
    })
    const allowing = withVars({ ANONYMOUS_DOCUMENTS: 'refuse', ANONYMOUS_SETTINGS: 'allow' })
    expect((await post({ content: 'x' }, undefined, allowing)).status).toBe(401)
  })

  it('lets accounts create, and everyone read', async () => {
    const { key } = await account({ confirmed: false })
    const { id } = await create('x', {}, { key, bindings })
    expect((await call('GET', `/v1/document/${id}`, undefined, { bindings })).status).toBe(200)
  })

  it('leaves the tokens of documents from before it valid', async () => {
    const { id, headers } = await createAnonymous('x')
    const answer = await call('DELETE', `/v1/document/${id}`, undefined, { headers, bindings })
    expect(answer.status).toBe(204)
  })
})

describe('a refused create', () => {
  it('stores nothing', async () => {
    const before = await env.DB.prepare('SELECT count(*) AS n FROM documents').first('n')
    const { key } = await account({ confirmed: false })
    const body = { content: 'x', settings: { language: 'auto' } }
    expectError(await post(body), 401, 'Unauthorized')
    expectError(await post(body, key), 403, 'Your account is not confirmed')
    expect(await env.DB.prepare('SELECT count(*) AS n FROM documents').first('n')).toBe(before)
  })

  it('has the path of a lone surrogate in a password', async () => {
    const { key } = await account()
    const settings = { encrypted: true, password: '\udc00' }
    expectInvalid(await post({ content: 'x', settings }, key), ['settings', 'password'])
  })
})

describe('a create with a key', () => {
  it('makes the account the creator and counts its documents', async () => {
    const { id, key, username } = await account()
    await create('first', undefined, { key })
    const { creator } = await create('second', undefined, { key })
    expect(creator).toEqual({
      documents_made: 2,
      id,
      username,
      flags: 1,
      icon: `${ORIGIN}/icons/${id}.svg`,
    })
  })

  it('reports every editor who does not exist and stores nothing', async () => {
    const { id, key } = await account()
    const { username } = await account()
    expectInvalid(
      await post({ content: 'x', settings: { editors: ['nobody', username, 'no one'] } }, key),
      ['settings', 'editors', 0],
      ['settings', 'editors', 2],
    )
    const made = 'SELECT count(*) AS n FROM documents WHERE creator_id = ?1'
    expect(await env.DB.prepare(made).bind(id).first('n')).toBe(0)
  })
})

const FORM = 'application/x-www-form-urlencoded'

describe('the API', () => {
  it.each([
    ['/v1/document/:id/claim', '/v1/document/xxxxxxxx/claim'],
    ['/r/:id', '/r/xxxxxxxx'],
    ['/:id/edit', '/xxxxxxxx/edit'],
    ['/:id/edit/', '/xxxxxxxx/edit'],
    ['/%3Aid/edit', '/xxxxxxxx/edit'],
    ['/account/*', '/account/unknown'],
    ['/*', '/unknown'],
    ['/*/', '/unknown'],
    ['/%2A', '/unknown'],
  ])("answers a route's own pattern, %s, as it does %s", async (pattern, unknown) => {
    const ask = async (path: string) => {
      const headers = { 'Content-Type': path.startsWith('/v1') ? 'application/json' : FORM, Origin: ORIGIN }
      const body = path.startsWith('/v1') ? JSON.stringify({ token: 'A'.repeat(43) }) : 'content=x'
      return (await send(path, { method: 'POST', headers, body, redirect: 'manual' })).status
    }
    expect(await ask(pattern)).toBe(await ask(unknown))
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
