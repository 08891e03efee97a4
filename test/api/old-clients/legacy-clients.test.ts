import { describe, expect, it } from 'vitest'
import { encryptText } from '../../../src/shared/jwe.ts'
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
