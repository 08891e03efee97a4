import { describe, expect, it } from 'vitest'
import { account } from '../../support/accounts.ts'
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
} from '../../support/client.ts'
import { expectError, expectInvalid } from '../../support/expect.ts'

const NEVER = '9999-12-31T23:59:59.999Z'
const legacy = withVars({ LEGACY_CLIENTS: 'on' })

describe('an expiration of 0', () => {
  it('means never, on create and on edit', async () => {
    const { key } = await account()
    const { id, timestamps } = await create('x', { expiration: 0 }, { key })
    expect(timestamps.expiration).toBe(NEVER)
    const week = await edit({ id, settings: { expiration: 7 } }, { key })
    expect(week.body.data.timestamps.expiration).not.toBe(NEVER)
    const never = await edit({ id, settings: { expiration: 0 } }, { key })
    expect(never.body.data.timestamps.expiration).toBe(NEVER)
    expect((await read(id)).body.data.timestamps.expiration).toBe(NEVER)
  })

  it('is a setting, so it needs a key', async () => {
    const answer = await call('POST', '/v1/document', { content: 'x', settings: { expiration: 0 } })
    expectError(answer, 401, 'Unauthorized')
  })
})

describe('an edit with content: null', () => {
  it('keeps the content', async () => {
    const { key } = await account()
    const { id } = await create('kept', {}, { key })
    const { status, body } = await edit({ id, content: null, settings: { language: 'json' } }, { key })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ content: 'kept', settings: { language: 'json' } })
  })

  it('keeps encrypted content without its password', async () => {
    const { key } = await account()
    const { id } = await create('kept', { encrypted: true, password: 'opensesame' }, { key })
    expect((await edit({ id, content: null, settings: { public: true } }, { key })).status).toBe(200)
    const { body } = await read(id, { headers: { 'X-Document-Password': 'opensesame' } })
    expect(body.data.content).toBe('kept')
  })

  it('does not create a document', async () => {
    expectInvalid(await call('POST', '/v1/document', { content: null }), ['content'])
  })
})

describe('a JWE with whitespace around it', () => {
  const settings = { encrypted: true, client_encrypted: true }

  /** Returns two JWEs of the same password. */
  async function makeJwes(key: string): Promise<string[]> {
    const jwes: string[] = []
    for (const content of ['one', 'two']) {
      const { id } = await create(content, { encrypted: true, password: 'opensesame' }, { key })
      jwes.push((await read(id)).body.data.content)
    }
    return jwes
  }

  it('is stored and returned without it, on create and on edit', async () => {
    const { key } = await account()
    const [one = '', two = ''] = await makeJwes(key)
    const created = await create(`\r\n ${one}\n`, settings, { key })
    expect(created.content).toBe(one)
    const { id } = created
    expect((await read(id)).body.data.content).toBe(one)
    const raw = await send(`/r/${id}`)
    expect(await raw.text()).toBe(one)
    const edited = await edit({ id, content: `${two}\n\n`, settings: { client_encrypted: true } }, { key })
    expect(edited.body.data.content).toBe(two)
    expect(await (await send(`/r/${id}`)).text()).toBe(two)
    const opened = await read(id, { headers: { 'X-Document-Password': 'opensesame' } })
    expect(opened.body.data.content).toBe('two')
  })

  it('is still refused with whitespace inside', async () => {
    const { key } = await account()
    const [one = ''] = await makeJwes(key)
    const content = one.replace('.', '\n.')
    expectInvalid(await call('POST', '/v1/document', { content, settings }, { key }), ['content'])
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

  it('does not return a password that the request chose', async () => {
    const options = { key: (await account()).key, bindings: legacy }
    for (const settings of [{}, { encrypted: true, password: 'opensesame' }]) {
      const created = await create('x', settings, options)
      expect(created).not.toHaveProperty('password')
      expect(created.settings).not.toHaveProperty('password')
    }
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

  it('ignores cosmetic settings without a key, and still refuses protections', async () => {
    // A bot sends this if its user hasn't linked an account.
    const settings = {
      language: 'json',
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
    const created = await create('x', settings, { headers, bindings: legacy })
    expect(created.settings).toMatchObject({ language: 'json', public: false })
    expect(created.timestamps.expiration).not.toBe(NEVER)
    for (const protection of [{ encrypted: true }, { instant_delete: true }]) {
      const body = { content: 'x', settings: { ...settings, ...protection } }
      const answer = await call('POST', '/v1/document', body, { headers, bindings: legacy })
      expectError(answer, 401, 'Unauthorized')
    }
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
