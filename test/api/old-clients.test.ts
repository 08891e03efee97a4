import { describe, expect, it } from 'vitest'
import { account } from '../support/accounts.ts'
import { type CallOptions, call, create, edit, read, send, withVars } from '../support/client.ts'
import { expectError, expectInvalid } from '../support/expect.ts'

// The requests that clients of the original service build, according to their public source. docs/compatibility.md
// says what works, and which clients need LEGACY_CLIENTS. See also legacy-clients.test.ts.

const legacy = withVars({ LEGACY_CLIENTS: 'on' })

const post = (path: string, body: unknown, options: CallOptions = {}) => call('POST', path, body, options)

/** Returns the statuses of a create by default and with LEGACY_CLIENTS. */
async function createBothWays(path: string, body: unknown, headers: Record<string, string>) {
  const [strict, lenient] = await Promise.all([
    post(path, body, { headers }),
    post(path, body, { headers, bindings: legacy }),
  ])
  return [strict.status, lenient.status]
}

describe('imperial.js', () => {
  it('creates, reads and edits with a token', async () => {
    const { key } = await account()
    const settings = { password: 'opensesame', instant_delete: false, encrypted: true }
    const created = await post('/v1/document', { settings, content: 'text' }, { key })
    const { id } = created.body.data
    const found = await call('GET', `/v1/document/${id}?password=opensesame`, undefined, { key })
    expect(found.body.data.content).toBe('text')
    const plain = await post('/v1/document', { settings: { encrypted: false }, content: 'x' }, { key })
    const edit = { id: plain.body.data.id, content: 'y', settings: {} }
    expect((await call('PATCH', '/v1/document', edit, { key })).body.data.content).toBe('y')
  })

  it('creates without a token, with options only if LEGACY_CLIENTS is on', async () => {
    const plain = { settings: { encrypted: false }, content: 'x' }
    expect(await createBothWays('/v1/document', plain, {})).toEqual([200, 200])
    const options = { settings: { encrypted: false, expiration: 5 }, content: 'x' }
    expect(await createBothWays('/v1/document', options, {})).toEqual([401, 200])
  })

  it('asks for its account', async () => {
    const { key, username } = await account()
    for (const path of ['user/@me', 'user/@me/recentDocuments', `users/${username}`]) {
      expect((await call('GET', `/v1/${path}`, undefined, { key })).status).toBe(200)
    }
  })

  it('cannot verify a token in a URL', async () => {
    const { key } = await account()
    expect((await call('GET', `/v1/checkApiToken/${key}`, undefined, { key })).status).toBe(404)
  })
})

describe('imperial.py', () => {
  const settings = {
    expiration: 5,
    shortUrls: false,
    longUrls: false,
    imageEmbed: false,
    instantDelete: false,
    encrypted: false,
    public: false,
    createGist: false,
  }

  it('creates and edits with a token, at a path that ends in a slash', async () => {
    const { key } = await account()
    const created = await post('/v1/document', { settings, content: 'x' }, { key })
    const edit = { id: created.body.data.id, content: 'y', settings: { expiration: 5, instantDelete: false } }
    expect((await call('PATCH', '/v1/document/', edit, { key })).body.data.content).toBe('y')
  })

  it('creates without a token only if LEGACY_CLIENTS is on', async () => {
    expect(await createBothWays('/v1/document', { settings, content: 'x' }, {})).toEqual([401, 200])
  })

  it('burns a document with instant_delete', async () => {
    const { key } = await account()
    const burn = { settings: { ...settings, instantDelete: true }, content: 'x' }
    const { id } = (await post('/v1/document', burn, { key })).body.data
    expect((await call('GET', `/v1/document/${id}`)).status).toBe(200)
    expect((await call('GET', `/v1/document/${id}`)).status).toBe(404)
  })

  it('may send a body with DELETE', async () => {
    const { key } = await account()
    const { id } = (await post('/v1/document', { content: 'x' }, { key })).body.data
    const { status, body } = await call('DELETE', `/v1/document/${id}`, {}, { key, bindings: legacy })
    expect({ status, body }).toEqual({ status: 200, body: { success: true, data: {} } })
  })
})

describe.each([
  ['the VS Code extension', '/v1/document', { language: 'python' }],
  ['the JetBrains plugin', '/v1/documents', { language: 'plaintext', create_gist: false }],
])('%s', (_, path, own) => {
  const settings = {
    ...own,
    long_urls: false,
    short_urls: false,
    image_embed: false,
    expiration: null,
    encrypted: false,
  }
  const body = { content: 'x', settings }

  it('creates with a token', async () => {
    const { key } = await account()
    const { status, body: answered } = await post(path, body, { key })
    expect({ status, language: answered.data.settings.language }).toEqual({
      status: 200,
      language: own.language,
    })
    expect(answered.data.timestamps.expiration).toMatch(/^9999-/)
  })

  it('creates without a token only if LEGACY_CLIENTS is on', async () => {
    expect(await createBothWays(path, body, { Authorization: '' })).toEqual([401, 200])
  })

  it('gets the password that the server generated', async () => {
    const { key } = await account()
    const encrypted = { content: 'x', settings: { ...settings, encrypted: true, password: '' } }
    expect((await post(path, encrypted, { key })).body.data.password).toMatch(/^\w{24}$/)
  })
})

describe('the Discord bot', () => {
  const settings = {
    language: 'plaintext',
    expiration: 0,
    image_embeds: false,
    instant_delete: false,
    encrypted: false,
    password: '',
    public: false,
    long_urls: false,
    short_urls: false,
    create_gist: false,
  }
  const headers = { Authorization: 'null' }

  it('creates only if LEGACY_CLIENTS is on, and never drops a requested protection', async () => {
    expect(await createBothWays('/v1/documents', { content: 'x', settings }, headers)).toEqual([401, 200])
    for (const protection of ['encrypted', 'instant_delete']) {
      const body = { content: 'x', settings: { ...settings, [protection]: true } }
      expect(await createBothWays('/v1/documents', body, headers)).toEqual([401, 401])
    }
  })

  it('gets the language that it chose, and none of the other cosmetic settings', async () => {
    const sent = { content: 'x', settings: { ...settings, language: 'json' } }
    const { body } = await post('/v1/documents', sent, { headers, bindings: legacy })
    expect(body.data.settings).toMatchObject({ language: 'json', public: false })
    expect(body.data.timestamps.expiration).not.toBe('9999-12-31T23:59:59.999Z')
  })

  it('reads with an empty password', async () => {
    const { id } = (await post('/v1/documents', { content: 'x' }, { headers })).body.data
    const { body } = await call('GET', `/v1/documents/${id}?password=`, undefined, { headers })
    expect(body.data.content).toBe('x')
  })
})

describe('ImperialSharp', () => {
  const unset = {
    language: null,
    image_embed: null,
    instant_delete: null,
    encrypted: null,
    password: null,
    public: null,
    editors: null,
  }

  it('creates and edits with null for every missing value', async () => {
    const { key } = await account()
    expect((await post('/v1/document', { content: 'x', settings: null })).status).toBe(200)
    const created = await post(
      '/v1/document',
      { content: 'x', settings: { ...unset, language: 'json' } },
      { key },
    )
    const { id } = created.body.data
    const edit = { id, content: null, settings: { ...unset, image_embed: true } }
    expect((await call('PATCH', '/v1/document', edit, { key })).body.data).toMatchObject({
      content: 'x',
      settings: { language: 'json', image_embed: true },
    })
  })
})

describe('programs that push text to a document', () => {
  it('replace the content, and read it at the raw address', async () => {
    const { key } = await account()
    const { id } = (await post('/v1/document', { content: 'old' }, { key })).body.data
    const headers = { Accept: 'application/json' }
    const { status, body } = await call('PATCH', '/v1/document', { id, content: 'new' }, { key, headers })
    expect({ status, success: body.success }).toEqual({ status: 200, success: true })
    expect(await (await send(`/r/${id}`)).text()).toBe('new')
  })
})

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
