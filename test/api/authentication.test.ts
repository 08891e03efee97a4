import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { createKey } from '../../src/accounts/api-keys.ts'
import type { KeyScope } from '../../src/accounts/key-format.ts'
import { Database } from '../../src/platform/database.ts'
import { account, session, suspend } from '../support/accounts.ts'
import { call, create, edit, ORIGIN, read, remove, send } from '../support/client.ts'
import { expectError } from '../support/expect.ts'

const EDIT_403 = 'You are not allowed to edit this document'
const DELETE_403 = 'You do not own this document'

/** Creates accounts, and a document of one of them. */
async function cast() {
  const [creator, editor, stranger] = [await account(), await account(), await account()]
  const unconfirmed = await account({ confirmed: false })
  const suspended = await account()
  await suspend(suspended)
  const { id } = await create('x', { editors: [editor.username] }, { key: creator.key })
  return { id, creator, accounts: { creator, editor, stranger, unconfirmed, suspended } }
}

describe('the key of a suspended account', () => {
  it('is as invalid as one that never existed', async () => {
    const own = await account()
    const { id } = await create('x', {}, { key: own.key })
    const { id: anonymous } = await create('x')
    await suspend(own)
    const { key } = own
    for (const answer of [
      await call('POST', '/v1/document', { content: 'x' }, { key }),
      await call('POST', '/v1/document', { content: 'x', settings: { language: 'json' } }, { key }),
      await edit({ id, content: 'y' }, { key }),
      await edit({ id: anonymous, content: 'y' }, { key }),
      await remove(id, { key }),
      await remove(anonymous, { key }),
    ]) {
      expectError(answer, 401, 'Unauthorized')
    }
    expect((await read(anonymous, { key })).body.data.content).toBe('x')
  })
})

describe('a credential', () => {
  it('lets an unconfirmed editor use no settings', async () => {
    const { creator } = await cast()
    const editor = await account({ confirmed: false })
    const { id } = await create('x', { editors: [editor.username] }, { key: creator.key })
    const present = { settings: { encrypted: false, long_urls: false } }
    expect((await edit({ id, content: 'y', ...present }, { key: editor.key })).status).toBe(200)
    const answer = await edit({ id, settings: { public: true } }, { key: editor.key })
    expectError(answer, 403, 'Your account is not confirmed')
    const alien = await create('x', {}, { key: creator.key })
    expectError(await edit({ id: alien.id, settings: { public: true } }, { key: editor.key }), 403, EDIT_403)
  })
})

describe('a session', () => {
  const edited = { content: 'by a session' }

  it('acts for its account when a page of this site sends the request', async () => {
    const { id, accounts } = await cast()
    const asCreator = { headers: { ...(await session(accounts.creator)) } }
    const asEditor = { headers: { ...(await session(accounts.editor)) } }
    const asStranger = { headers: { ...(await session(accounts.stranger)) } }
    const body = { content: 'x', settings: { language: 'json' } }
    const made = await call('POST', '/v1/document', body, asCreator)
    expect(made.body.data.creator).toMatchObject({ username: accounts.creator.username })
    expect((await edit({ id, ...edited }, asEditor)).status).toBe(200)
    expectError(await edit({ id, ...edited }, asStranger), 403, EDIT_403)
    expectError(await remove(id, asEditor), 403, DELETE_403)
    expect((await remove(id, asCreator)).status).toBe(204)
  })

  it.each([
    ['no origin', {}],
    ['another origin', { Origin: 'https://evil.example' }],
    ['a null origin', { Origin: 'null' }],
    ['another app', { Origin: 'null', 'Sec-Fetch-Site': 'none' }],
    ['another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['a sibling site', { 'Sec-Fetch-Site': 'same-site' }],
  ])('is ignored with %s', async (_, origin) => {
    const { id, accounts } = await cast()
    const { Cookie } = await session(accounts.creator)
    const options = { headers: { Cookie, ...origin } as Record<string, string> }
    const made = await call('POST', '/v1/document', { content: 'x' }, options)
    expect(made.body.data.creator).toBeNull()
    const body = { content: 'x', settings: { language: 'json' } }
    expectError(await call('POST', '/v1/document', body, options), 401, 'Unauthorized')
    expectError(await edit({ id, ...edited }, options), 401, 'Unauthorized')
    expectError(await remove(id, options), 401, 'Unauthorized')
  })

  it('allows no settings for an unconfirmed account and nothing for a suspended one', async () => {
    const { id, accounts } = await cast()
    const body = { content: 'x', settings: { language: 'json' } }
    const unconfirmed = { headers: { ...(await session(accounts.unconfirmed)) } }
    expectError(await call('POST', '/v1/document', body, unconfirmed), 403, 'Your account is not confirmed')
    const suspended = { headers: { ...(await session(accounts.suspended)) } }
    expectError(await call('POST', '/v1/document', body, suspended), 401, 'Unauthorized')
    expectError(await edit({ id, ...edited }, suspended), 401, 'Unauthorized')
  })

  it('lets only the creator and editors read without burning', async () => {
    const { accounts } = await cast()
    const settings = { instant_delete: true, editors: [accounts.editor.username] }
    const { id } = await create('secret', settings, { key: accounts.creator.key })
    for (const who of [accounts.creator, accounts.editor]) {
      const { Cookie } = await session(who)
      expect((await read(id, { headers: { Cookie } })).body.data.content).toBe('secret')
    }
    const { Cookie } = await session(accounts.stranger)
    expect((await read(id, { headers: { Cookie } })).body.data.content).toBe('secret')
    expect((await read(id)).status).toBe(404)
  })

  it('is ignored if the request has a key, even an invalid one', async () => {
    const { id, accounts } = await cast()
    const headers = { ...(await session(accounts.creator)) }
    expectError(await edit({ id, ...edited }, { key: accounts.stranger.key, headers }), 403, EDIT_403)
    expectError(await edit({ id, ...edited }, { key: 'imperial_no', headers }), 401, 'Unauthorized')
  })
})

const db = new Database(env.DB, 15_000)

/** Creates an account with a key of its own, and another key with this scope or expiry. */
async function accountWithKey(options: { scope?: KeyScope; expiresAt?: number } = {}) {
  const own = await account()
  const made = await createKey(db, own.id, { name: 'limited', now: Date.now(), ...options })
  if ('problem' in made) throw new Error(made.problem)
  return { own, key: made.key }
}

const refusal = (scope: KeyScope, needed: KeyScope) =>
  `This API key has the scope "${scope}", but this request needs "${needed}"`

const regenerate = (key: string) =>
  call<{ api_token: string }>('POST', '/v1/users/@me/regenerate_api_token', undefined, { key })

describe('an API key with the scope "read"', () => {
  it('reads documents, lists, accounts and its own account', async () => {
    const { own, key } = await accountWithKey({ scope: 'read' })
    const { id } = await create('text', { instant_delete: true }, own)
    // As the creator, it doesn't burn the document.
    expect((await read(id, { key })).status).toBe(200)
    expect((await read(id, { key })).status).toBe(200)
    for (const path of ['@me', '@me/recent', '@me/documents', 'search/user']) {
      expect((await call('GET', `/v1/users/${path}`, undefined, { key })).status).toBe(200)
    }
  })

  it('cannot create, edit or delete documents, or replace itself', async () => {
    const { own, key } = await accountWithKey({ scope: 'read' })
    const { id } = await create('text', {}, own)
    const answers = [
      await call('POST', '/v1/document', { content: 'x' }, { key }),
      await edit({ id, content: 'x' }, { key }),
      await remove(id, { key }),
      await regenerate(key),
    ]
    for (const answer of answers) expectError(answer, 403, refusal('read', 'write'))
    expect(answers[0]?.body.error.code).toBe('bad_auth')
    expect((await read(id)).body.data.content).toBe('text')
  })

  it('claims what anybody may read', async () => {
    const { key } = await accountWithKey({ scope: 'read' })
    const { id } = await create('burns', { instant_delete: true }, await account())
    const response = await send(`/r/${id}`, { method: 'POST', headers: { Authorization: key } })
    expect({ status: response.status, text: await response.text() }).toEqual({ status: 200, text: 'burns' })
  })

  it('cannot create or delete documents as plain text, or by the form of the site', async () => {
    const { own, key } = await accountWithKey({ scope: 'read' })
    const { id } = await create('text', {}, own)
    const byProgram = { Authorization: key, 'User-Agent': 'curl/8.0' }
    const requests: [string, RequestInit][] = [
      ['/notes.txt', { method: 'PUT', body: 'text', headers: byProgram }],
      [`/${id}`, { method: 'DELETE', headers: byProgram }],
      [
        '/',
        {
          method: 'POST',
          body: new URLSearchParams({ content: 'text' }),
          headers: { Authorization: key, Origin: ORIGIN },
        },
      ],
    ]
    for (const [path, init] of requests) {
      const response = await send(path, init)
      expect({ path, status: response.status }).toEqual({ path, status: 403 })
    }
    expect((await read(id)).status).toBe(200)
  })
})

describe('an API key with the scope "write"', () => {
  it('creates, edits and deletes documents', async () => {
    const { own, key } = await accountWithKey({ scope: 'write' })
    const made = await create('text', { language: 'json' }, { key })
    expect(made.creator?.id).toBe(own.id)
    expect((await edit({ id: made.id, content: 'x' }, { key })).status).toBe(200)
    expect((await remove(made.id, { key })).status).toBe(204)
  })

  it('cannot replace itself', async () => {
    const { key } = await accountWithKey({ scope: 'write' })
    expectError(await regenerate(key), 403, refusal('write', 'everything'))
    expect((await call('GET', '/v1/users/@me', undefined, { key })).status).toBe(200)
  })
})

describe('an API key with the scope "everything"', () => {
  it('replaces itself, and the new key keeps the expiry', async () => {
    const expiresAt = Date.now() + 60_000
    const { own, key } = await accountWithKey({ scope: 'everything', expiresAt })
    const { api_token } = (await regenerate(key)).body.data
    expect((await call('GET', '/v1/users/@me', undefined, { key: api_token })).status).toBe(200)
    const row = await env.DB.prepare(
      "SELECT scope, expires_at FROM api_keys WHERE user_id = ?1 AND name = 'limited'",
    )
      .bind(own.id)
      .first()
    expect(row).toEqual({ scope: 'everything', expires_at: expiresAt })
  })
})

describe('an API key that was created before there were scopes', () => {
  it('may do everything, and never expires', async () => {
    const own = await account()
    const row = await env.DB.prepare('SELECT scope, expires_at FROM api_keys WHERE user_id = ?1')
      .bind(own.id)
      .first()
    expect(row).toEqual({ scope: 'everything', expires_at: null })
    expect((await regenerate(own.key)).status).toBe(200)
  })
})

describe('an expired API key', () => {
  it('is as invalid as one that never existed', async () => {
    const { key } = await accountWithKey({ expiresAt: Date.now() - 1 })
    const { id } = await create('text', {}, await account())
    expectError(await call('POST', '/v1/document', { content: 'x' }, { key }), 401, 'Unauthorized')
    expectError(await call('GET', '/v1/users/@me', undefined, { key }), 401, 'Unauthorized')
    expectError(await regenerate(key), 401, 'Unauthorized')
    // Reads ignore invalid keys.
    expect((await read(id, { key })).status).toBe(200)
  })

  it('works until it expires', async () => {
    const { key } = await accountWithKey({ expiresAt: Date.now() + 60_000 })
    expect((await call('GET', '/v1/users/@me', undefined, { key })).status).toBe(200)
  })
})
