import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { createKey } from '../../../src/accounts/api-keys.ts'
import type { KeyScope } from '../../../src/accounts/key-format.ts'
import { Database } from '../../../src/platform/database.ts'
import { account } from '../../support/accounts.ts'
import { call, create, edit, ORIGIN, read, remove, send } from '../../support/client.ts'
import { expectError } from '../../support/expect.ts'

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
