import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { account } from '../support/accounts.ts'
import {
  call,
  create,
  createAnonymous,
  type DocumentBody,
  ORIGIN,
  read,
  withVars,
} from '../support/client.ts'
import { expectInvalid } from '../support/expect.ts'

const DAY_MS = 86_400_000
const NEVER = '9999-12-31T23:59:59.999Z'

const post = (body: unknown, key?: string, bindings?: Env) =>
  call('POST', '/v1/document', body, { key, ...(bindings && { bindings }) })

const msUntilExpiry = ({ timestamps }: DocumentBody) =>
  Date.parse(timestamps.expiration) - Date.parse(timestamps.creation)

describe('an anonymous create', () => {
  it('stores content on its own and returns the whole document', async () => {
    const answer = await post({ content: 'Hello' })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('Content-Type')).toMatch(/^application\/json/)
    expect(answer.headers.get('Location')).toBeNull()
    const { id, timestamps } = answer.body.data
    expect(answer.body).toEqual({
      success: true,
      data: {
        id: expect.stringMatching(/^[2-9b-df-hjkmnp-tv-zB-DF-HJKMNP-TV-Z]{8}$/),
        content: 'Hello',
        creator: null,
        gist_url: null,
        views: 0,
        timestamps: { creation: expect.any(String), expiration: expect.any(String) },
        links: { formatted: `${ORIGIN}/${id}`, raw: `${ORIGIN}/r/${id}` },
        settings: {
          language: 'plaintext',
          image_embed: false,
          instant_delete: false,
          encrypted: false,
          public: false,
          editors: [],
        },
      },
    })
    for (const time of Object.values(timestamps)) expect(new Date(time).toISOString()).toBe(time)
    expect(msUntilExpiry(answer.body.data)).toBe(7 * DAY_MS)
  })

  it.each([
    ['no settings', undefined],
    ['null', null],
    ['an empty object', {}],
    ['what SDKs always send', { encrypted: false }],
    [
      'every setting at its default',
      {
        language: 'PlainText',
        expiration: 7,
        image_embed: false,
        instant_delete: null,
        encrypted: false,
        client_encrypted: false,
        password: '',
        claim_hash: null,
        public: false,
        long_urls: false,
        short_urls: null,
        create_gist: false,
        editors: [],
      },
    ],
    ['unknown members', { theme: 'dark', folder: 3 }],
  ])('accepts settings that ask for nothing: %s', async (_, settings) => {
    expect((await post({ content: 'x', settings })).status).toBe(200)
  })

  it.each([
    ['language', 'json'],
    ['language', 'auto'],
    ['expiration', null],
    ['expiration', 6],
    ['image_embed', true],
    ['instant_delete', true],
    ['encrypted', true],
    ['public', true],
    ['long_urls', true],
    ['short_urls', true],
    ['create_gist', true],
    ['editors', ['anyone']],
  ])('refuses the setting %s: %j and stores nothing', async (name, value) => {
    const before = await env.DB.prepare('SELECT count(*) AS n FROM documents').first('n')
    const answer = await post({ content: 'x', settings: { [name]: value } })
    expect(answer.status).toBe(401)
    expect(answer.body).toEqual({ success: false, error: { code: 'unauthorized', message: 'Unauthorized' } })
    expect(await env.DB.prepare('SELECT count(*) AS n FROM documents').first('n')).toBe(before)
  })

  it('refuses settings from an unconfirmed account but accepts its content', async () => {
    const { key, username } = await account({ confirmed: false })
    const refused = await post({ content: 'x', settings: { language: 'json' } }, key)
    expect(refused.status).toBe(403)
    expect(refused.body).toEqual({
      success: false,
      error: { code: 'bad_auth', message: 'Your account is not confirmed' },
    })
    const taken = await post({ content: 'x', settings: { encrypted: false } }, key)
    expect(taken.body.data.creator).toMatchObject({ username })
  })

  it('reports an invalid body before a missing credential', async () => {
    expectInvalid(await post({ content: 'x', settings: { expiration: -1 } }), ['settings', 'expiration'])
    expectInvalid(await post({ content: '', settings: { public: true } }), ['content'])
  })
})

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
  ])('refuses %s without an account', async (name, value) => {
    const answer = await postAnonymously({ [name]: value, language: 'rust' })
    expect({ status: answer.status, message: answer.body.error.message }).toEqual({
      status: 401,
      message: 'Unauthorized',
    })
    const harmless = { editors: [], create_gist: false, public: false }
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

  it('stores and returns every setting of the response', async () => {
    const { key } = await account()
    const { username } = await account({ username: 'Edith' })
    const settings = {
      language: 'TypeScript',
      image_embed: true,
      instant_delete: false,
      public: true,
      editors: ['eDITH'],
    }
    const created = await create('x', settings, { key })
    expect(created.settings).toEqual({
      language: 'typescript',
      image_embed: true,
      instant_delete: false,
      encrypted: false,
      public: true,
      editors: [username],
    })
    expect((await read(created.id)).body.data).toEqual({ ...created, views: 1 })
  })

  it.each([
    [{ short_urls: true }, 4],
    [{ long_urls: true }, 36],
    [{ short_urls: true, long_urls: true }, 4],
    [{}, 8],
  ])('generates an id of the length that %j asks for', async (settings, length) => {
    const { key } = await account()
    expect((await create('x', settings, { key })).id).toHaveLength(length)
  })

  it('detects the language only when asked to', async () => {
    const { key } = await account()
    const text = '#!/usr/bin/env python3\nprint("x")\n'
    expect((await create(text, { language: 'auto' }, { key })).settings.language).toBe('python')
    expect((await create(text, {}, { key })).settings.language).toBe('plaintext')
    expect((await create(text, { language: 'Brainf***' }, { key })).settings.language).toBe('brainf***')
  })

  it('accepts an expiration as null, as days and as a date-time with offset', async () => {
    const { key } = await account()
    const expire = (expiration: unknown) => create('x', { expiration }, { key })
    expect((await expire(null)).timestamps.expiration).toBe(NEVER)
    expect(msUntilExpiry(await expire(0.5))).toBe(DAY_MS / 2)
    expect(msUntilExpiry(await expire(undefined))).toBe(7 * DAY_MS)
    const at = new Date(Date.now() + 3 * DAY_MS)
    expect((await expire(at.toISOString())).timestamps.expiration).toBe(at.toISOString())
    const east = new Date(at.getTime() + 2 * 3_600_000).toISOString().replace('Z', '+02:00')
    expect((await expire(east)).timestamps.expiration).toBe(at.toISOString())
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

  it('keeps the editors in order, without duplicates and without the creator', async () => {
    const creator = await account()
    const [a, b] = [await account(), await account()]
    const editors = [b.username, a.username.toUpperCase(), creator.username, b.username.toUpperCase()]
    const { settings } = await create('x', { editors }, { key: creator.key })
    expect(settings.editors).toEqual([b.username, a.username])
  })

  it('refuses a gist for an account that is not linked to GitHub', async () => {
    const { key } = await account()
    expectInvalid(await post({ content: 'x', settings: { create_gist: true } }, key), [
      'settings',
      'create_gist',
    ])
  })
})
