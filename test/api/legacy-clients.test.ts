import { describe, expect, it } from 'vitest'
import { encryptText } from '../../src/shared/jwe.ts'
import { account, session } from '../support/accounts.ts'
import {
  call,
  create,
  createAnonymous,
  edit,
  ORIGIN,
  read,
  remove,
  send,
  withVars,
} from '../support/client.ts'
import { expectError, expectInvalid } from '../support/expect.ts'

const legacy = withVars({ LEGACY_CLIENTS: 'on' })

describe('an edit with content: null', () => {
  it('keeps encrypted content without its password', async () => {
    const { key } = await account()
    const { id, password = '' } = await create('kept', { encrypted: true }, { key })
    expect((await edit({ id, content: null, settings: { public: true } }, { key })).status).toBe(200)
    const { body } = await read(id, { headers: { 'X-Document-Password': password } })
    expect(body.data.content).toBe('kept')
  })
})

describe('a JWE with whitespace around it', () => {
  it('replaces the content without it, and is refused with whitespace inside', async () => {
    const { key } = await account()
    const { id } = await create('one', { encrypted: true }, { key })
    const { jwe } = await encryptText({ text: 'two', password: 'opensesame', generated: true })
    const settings = { client_encrypted: true }
    const edited = await edit({ id, content: `${jwe}\n\n`, settings }, { key })
    expect(edited.body.data.content).toBe(jwe)
    expect(await (await send(`/r/${id}`)).text()).toBe(jwe)
    expectInvalid(await edit({ id, content: jwe.replace('.', '\n.'), settings }, { key }), ['content'])
  })
})

describe('LEGACY_CLIENTS=on', () => {
  it('also returns a generated password in the settings, on create only', async () => {
    const { key } = await account()
    const options = { key, bindings: legacy }
    const { id, password, settings } = await create('x', { encrypted: true }, options)
    expect(password).toMatch(/^\w{24}$/)
    expect(settings).toMatchObject({ encrypted: true, password })
    expect((await read(id, options)).body.data.settings).not.toHaveProperty('password')
  })

  it('lists recent documents with their content, and counts no view', async () => {
    const { key } = await account()
    const plain = await create('plain', {}, { key })
    const encrypted = await create('secret', { encrypted: true }, { key })
    const burns = await create('once', { instant_delete: true }, { key })
    type Recent = { id: string; content?: string | null; views: number }[]
    const ask = async (bindings?: Env) =>
      (await call<Recent>('GET', '/v1/users/@me/recent', undefined, { key, ...(bindings && { bindings }) }))
        .body.data
    const shown = new Map((await ask(legacy)).map(({ id, content, views }) => [id, { content, views }]))
    expect(shown.get(plain.id)).toEqual({ content: 'plain', views: 0 })
    expect(shown.get(encrypted.id)?.content).toMatch(/^eyJ/)
    expect(shown.get(burns.id)?.content).toBe('once')
    expect((await read(burns.id)).body.data.content).toBe('once')
    for (const document of await ask()) expect(document).not.toHaveProperty('content')
  })

  it('leaves out contents that would make the answer too large', async () => {
    const { key } = await account()
    const small = await create('small', {}, { key })
    const large = await create('x'.repeat(9 * 1024 * 1024), {}, { key })
    const { body } = await call<{ id: string; content: string | null }[]>(
      'GET',
      '/v1/users/@me/recent',
      undefined,
      { key, bindings: legacy },
    )
    expect(body.data.find(({ id }) => id === large.id)?.content).toBeNull()
    expect(body.data.find(({ id }) => id === small.id)?.content).toBe('small')
  })

  it('returns a password to the request that chose it, and to no other', async () => {
    const { key } = await account()
    const settings = { encrypted: true, password: 'opensesame' }
    const created = await create('x', settings, { key, bindings: legacy })
    expect(created.password).toBe('opensesame')
    expect(created.settings).toMatchObject({ password: 'opensesame' })
    const { body } = await read(created.id, { key, bindings: legacy })
    expect(JSON.stringify(body)).not.toContain('opensesame')
    expect(await create('x', settings, { key })).not.toHaveProperty('password')
    expect(await create('x', {}, { key, bindings: legacy })).not.toHaveProperty('password')
  })

  it('answers DELETE with 200 and an empty object', async () => {
    const { key } = await account()
    const byKey = await create('x', {}, { key })
    const byToken = await createAnonymous('x')
    for (const path of ['document', 'documents']) {
      const { id } = await create('x', {}, { key })
      const answer = await call('DELETE', `/v1/${path}/${id}`, undefined, { key, bindings: legacy })
      expect({ status: answer.status, body: answer.body }).toEqual({
        status: 200,
        body: { success: true, data: {} },
      })
      expect(answer.headers.get('Content-Type')).toBe('application/json')
    }
    expect((await remove(byKey.id, { key, bindings: legacy })).status).toBe(200)
    expect((await remove(byToken.id, { headers: byToken.headers, bindings: legacy })).status).toBe(200)
    expectError(await remove(byKey.id, { key, bindings: legacy }), 404, 'Document not found')
    expectError(await remove(byToken.id, { bindings: legacy }), 401, 'Unauthorized')
  })

  it('answers HEAD without a body', async () => {
    const { id } = await create('x')
    const response = await send(`/v1/document/${id}`, { method: 'HEAD' }, { bindings: legacy })
    expect(response.status).toBe(200)
    expect(response.headers.get('ETag')).toMatch(/^"json-/)
  })

  it('is off by default, so the API follows the specification', async () => {
    const { key } = await account()
    const { id, settings } = await create('x', { encrypted: true }, { key })
    expect(settings).not.toHaveProperty('password')
    const answer = await remove(id, { key })
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 204, body: null })
  })
})

describe('GET /v1', () => {
  it('links to a page that exists', async () => {
    const { body } = await call<{ documentation: string }>('GET', '/v1')
    const { origin, pathname } = new URL(body.data.documentation)
    expect(origin).toBe(ORIGIN)
    const page = await send(pathname)
    expect(page.status).toBe(200)
    expect(page.headers.get('Content-Type')).toMatch(/^text\/html/)
    expect(pathname).not.toBe('/')
  })
})

const withAuthorization = (Authorization: string) => ({ headers: { Authorization } })

describe('a credential', () => {
  it.each(['', ' ', 'null', 'undefined', 'Bearer', 'Bearer null', 'bearer undefined'])(
    'counts as absent if it is what clients without a key send: %j',
    async (value) => {
      const options = withAuthorization(value)
      const { id, creator } = await create('x', undefined, options)
      expect(creator).toBeNull()
      expect((await read(id, options)).status).toBe(200)
      expectError(await edit({ id, content: 'y' }, options), 401, 'Unauthorized')
      expectError(await remove(id, options), 401, 'Unauthorized')
      expectError(await call('GET', '/v1/users/@me', undefined, options), 401, 'Unauthorized')
    },
  )

  it('does not hide the session of a browser if it counts as absent', async () => {
    const own = await account()
    const headers = { ...(await session(own)), Authorization: 'null' }
    expect((await create('x', undefined, { headers })).creator).toMatchObject({ username: own.username })
  })

  it.each(['Bearer', 'bearer', 'BEARER'])('may follow a scheme: %s', async (scheme) => {
    const { key, username } = await account()
    const options = withAuthorization(`${scheme}  ${key} `)
    const { id, creator } = await create('x', { language: 'json' }, options)
    expect(creator).toMatchObject({ username })
    expect((await edit({ id, content: 'y' }, options)).status).toBe(200)
    expect((await remove(id, options)).status).toBe(204)
  })

  it('can be replaced if it follows a scheme', async () => {
    const { key } = await account()
    const path = '/v1/users/@me/regenerate_api_token'
    const { status, body } = await call<{ api_token: string }>('POST', path, undefined, {
      headers: { Authorization: `Bearer ${key}` },
    })
    expect(status).toBe(200)
    expect((await call('GET', '/v1/users/@me', undefined, { key })).status).toBe(401)
    const { api_token } = body.data
    expect((await call('GET', '/v1/users/@me', undefined, { key: api_token })).status).toBe(200)
  })

  it.each([
    'Null',
    'none',
    'None',
    'nullundefined',
    'Bearer x',
    'Bearer Bearer',
    'Basic aW1wZXJpYWw6',
    'Token null',
  ])('is refused on create, edit and delete if it is anything else: %s', async (value) => {
    const { id } = await create('x')
    const options = withAuthorization(value)
    expectError(await call('POST', '/v1/document', { content: 'x' }, options), 401, 'Unauthorized')
    expectError(await edit({ id, content: 'y' }, options), 401, 'Unauthorized')
    expectError(await remove(id, options), 401, 'Unauthorized')
    expect((await read(id, options)).status).toBe(200)
  })

  it('is refused without a space between the scheme and the key', async () => {
    const { key } = await account()
    const answer = await call('POST', '/v1/document', { content: 'x' }, withAuthorization(`Bearer${key}`))
    expectError(answer, 401, 'Unauthorized')
  })
})

// What clients of the original service rely on. clients.test.ts sends their own requests. See also legacy-clients.test.ts.

describe('/v1/user', () => {
  it.each([
    ['POST', '@me', 405, 'GET, HEAD'],
    ['DELETE', '@me/recentDocuments', 405, 'GET, HEAD'],
    ['PATCH', 'search/x', 405, 'GET, HEAD'],
    ['GET', '@me/regenerate_api_token', 405, 'POST'],
    ['GET', '@me/nothing', 404, null],
    ['GET', 'nobody-at-all', 404, null],
    ['GET', '', 404, null],
  ])('refuses as /v1/users does: %s %s', async (method, path, status, allow) => {
    for (const name of ['user', 'users']) {
      const answer = await call(method, `/v1/${name}/${path}`)
      expect({ status: answer.status, allow: answer.headers.get('Allow') }).toEqual({ status, allow })
      expect(answer.body.success).toBe(false)
    }
  })
})

describe('settings in camelCase', () => {
  it('work like the same settings in snake_case', async () => {
    const { key } = await account()
    const { id, settings } = await create(
      'x',
      { instantDelete: true, imageEmbed: true, longUrls: true },
      { key },
    )
    expect(settings).toMatchObject({ instant_delete: true, image_embed: true })
    expect(id).toHaveLength(36)
    expect((await read(id)).body.data.content).toBe('x')
    expect((await read(id)).status).toBe(404)
  })

  it('also work on edit', async () => {
    const { key } = await account()
    const { id } = await create('x', {}, { key })
    const { body } = await edit({ id, settings: { instantDelete: true } }, { key })
    expect(body.data.settings.instant_delete).toBe(true)
  })

  it('are refused where settings in snake_case are', async () => {
    const body = { content: 'x', settings: { instantDelete: true } }
    expectError(await call('POST', '/v1/document', body), 401, 'Unauthorized')
    const { key } = await account()
    const invalid = { content: 'x', settings: { instantDelete: 'yes' } }
    expectInvalid(await call('POST', '/v1/document', invalid, { key }), ['settings', 'instant_delete'])
  })

  it('never override the present names', async () => {
    const { key } = await account()
    const sent = { instantDelete: true, instant_delete: false, imageEmbed: true, image_embed: null }
    const { settings } = await create('x', sent, { key })
    expect(settings).toMatchObject({ instant_delete: false, image_embed: true })
  })

  it('are ignored if no such setting exists', async () => {
    const settings = { longerUrls: true, toString: 'x', Encrypted: true }
    expect((await create('x', settings)).settings).toMatchObject({ encrypted: false, instant_delete: false })
    for (const odd of [[], 'json', 7]) {
      expectInvalid(await call('POST', '/v1/document', { content: 'x', settings: odd }), ['settings'])
    }
  })
})
