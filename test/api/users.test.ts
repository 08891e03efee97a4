import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { account, session, suspend } from '../support/accounts.ts'
import { losingFirst } from '../support/bindings.ts'
import { type CallOptions, call, create, type DocumentBody, ORIGIN } from '../support/client.ts'
import { expectError } from '../support/expect.ts'

const ask = <Data = DocumentBody>(path: string, options: CallOptions & { method?: string } = {}) =>
  call<Data>(options.method ?? 'GET', `/v1/users/${path}`, undefined, options)

describe('GET /v1/users/@me', () => {
  it('returns the account for a key and for a session', async () => {
    const own = await account()
    await create('x', {}, { key: own.key })
    const expected = {
      documents_made: 1,
      id: own.id,
      username: own.username,
      flags: 1,
      icon: `${ORIGIN}/icons/${own.id}.svg`,
      email: own.email,
      confirmed: true,
    }
    for (const options of [{ key: own.key }, { headers: await session(own) }]) {
      const { status, body, headers } = await ask('@me', options)
      expect({ status, body }).toEqual({ status: 200, body: { success: true, data: expected } })
      expect(headers.get('Cache-Control')).toBe('no-store')
      expect(headers.get('Access-Control-Allow-Origin')).toBe('*')
    }
    const unconfirmed = await account({ confirmed: false })
    expect((await ask('@me', { key: unconfirmed.key })).body.data).toMatchObject({ confirmed: false })
  })

  it('returns full URLs of pictures that this site serves', async () => {
    const own = await account()
    await env.DB.prepare('UPDATE users SET icon = ?2 WHERE id = ?1').bind(own.id, `/icons/${own.id}/v1`).run()
    const icon = `${ORIGIN}/icons/${own.id}/v1`
    expect((await ask('@me', { key: own.key })).body.data).toMatchObject({ icon })
    expect((await ask(own.username)).body.data).toMatchObject({ icon })
    expect(await create('x', {}, { key: own.key })).toMatchObject({ creator: { icon } })
    const elsewhere = 'https://pictures.example/1'
    await env.DB.prepare('UPDATE users SET icon = ?2 WHERE id = ?1').bind(own.id, elsewhere).run()
    expect((await ask(own.username)).body.data).toMatchObject({ icon: elsewhere })
  })
})

describe('GET /v1/users/:username', () => {
  it("returns 404 for accounts that don't exist, are suspended or are being deleted", async () => {
    const [suspended, leaving] = [await account(), await account()]
    await suspend(suspended)
    await env.DB.prepare("UPDATE users SET leaving = 'keep' WHERE id = ?1").bind(leaving.id).run()
    const names = [
      'nobody-here',
      suspended.username,
      leaving.username,
      'x',
      'x'.repeat(31),
      '@you',
      '%27%20OR%201',
      '%00',
    ]
    for (const name of names) {
      const answer = await ask(name)
      expectError(answer, 404, 'User not found')
      expect(answer.body.error.code).toBe('not_found')
    }
    expect((await ask('one/two')).body.error.message).toBe('Route not found')
  })
})

describe('GET /v1/users/@me/recent', () => {
  it('returns the ten latest documents without content', async () => {
    const { key } = await account()
    const ids: string[] = []
    for (let n = 0; n < 12; n++) ids.unshift((await create(`number ${n}`, {}, { key })).id)
    // Keeps their order, however quickly they were created.
    await env.DB.prepare('UPDATE documents SET created_at = created_at + instr(?1, id)')
      .bind([...ids].reverse().join())
      .run()
    await create('not mine')
    const { status, body } = await ask<DocumentBody[]>('@me/recent', { key })
    expect(status).toBe(200)
    const listed = body.data
    expect(listed.map(({ id }) => id)).toEqual(ids.slice(0, 10))
    expect(listed[0]).toMatchObject({ title: 'number 11', size: 9, links: { formatted: expect.any(String) } })
    for (const document of listed) expect(document).not.toHaveProperty('content')
  })
})

describe('POST /v1/users/@me/regenerate_api_token', () => {
  const regenerate = (options: CallOptions) =>
    ask<{ readonly api_token: string }>('@me/regenerate_api_token', { method: 'POST', ...options })

  it('gives a working key to only one of two concurrent requests', async () => {
    const own = await account()
    const answers = await Promise.all([regenerate({ key: own.key }), regenerate({ key: own.key })])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
    const [made] = answers.flatMap(({ status, body }) => (status === 200 ? [body.data.api_token] : []))
    expect((await ask('@me', { key: made })).status).toBe(200)
    const keys = await env.DB.prepare('SELECT 1 FROM api_keys WHERE user_id = ?1').bind(own.id).all()
    expect(keys.results).toHaveLength(1)
  })

  it('returns the new key even if the response of D1 was lost', async () => {
    const own = await account()
    const { bindings, count } = losingFirst('DB.batch')
    const { status, body } = await regenerate({ key: own.key, bindings })
    expect({ status, batches: count() }).toEqual({ status: 200, batches: 2 })
    expect((await ask('@me', { key: body.data.api_token })).status).toBe(200)
  })

  it('requires a key: a session has none to replace', async () => {
    const own = await account()
    expectError(await regenerate({ headers: await session(own) }), 401, 'Unauthorized')
    expectError(await regenerate({}), 401, 'Unauthorized')
    expect((await ask('@me', { key: own.key })).status).toBe(200)
  })
})

describe('the routes under /v1/users', () => {
  it.each(['@me', '@me/recent', '@me/documents'])('require a key or a session: %s', async (path) => {
    expectError(await ask(path), 401, 'Unauthorized')
    expectError(await ask(path, { key: 'imperial_wrong' }), 401, 'Unauthorized')
    expect((await ask(path, { headers: await session(await account()) })).status).toBe(200)
  })
})

interface Found {
  readonly username: string
}

const search = (prefix: string, options: CallOptions) =>
  call<Found[]>('GET', `/v1/users/search/${prefix}`, undefined, options)

/** Returns the usernames that a search finds. */
async function find(prefix: string, key: string): Promise<string[]> {
  const { status, body } = await search(prefix, { key })
  expect(status).toBe(200)
  return body.data.map(({ username }) => username)
}

describe('GET /v1/users/search/:prefix', () => {
  it('returns public profiles, ignoring case, in alphabetical order', async () => {
    const { key } = await account({ username: 'Grace-Hopper' })
    const { id } = await account({ username: 'gracie', flags: 9 })
    await account({ username: 'ungrace' })
    const { status, body, headers } = await search('GRAC', { key })
    expect(status).toBe(200)
    expect(headers.get('Cache-Control')).toBe('no-store')
    expect(body.data.map(({ username }) => username)).toEqual(['Grace-Hopper', 'gracie'])
    expect(body.data[1]).toEqual({
      documents_made: 0,
      id,
      username: 'gracie',
      flags: 9,
      icon: `${ORIGIN}/icons/${id}.svg`,
    })
    expect(await find('gracie', key)).toEqual(['gracie'])
  })

  it('returns at most ten', async () => {
    const { key } = await account({ username: 'crowd-00' })
    for (let n = 1; n < 12; n++) await account({ username: `crowd-${String(n).padStart(2, '0')}x` })
    const found = await find('crowd-', key)
    expect(found).toHaveLength(10)
    expect(found.slice(0, 2)).toEqual(['crowd-00', 'crowd-01x'])
  })

  it('leaves out accounts that are suspended or being deleted, like the other routes', async () => {
    const { key } = await account({ username: 'bye-confirmed' })
    await account({ username: 'bye-unconfirmed', confirmed: false })
    await suspend(await account({ username: 'bye-suspended' }))
    const leaving = await account({ username: 'bye-leaving' })
    await env.DB.prepare("UPDATE users SET leaving = 'keep' WHERE id = ?1").bind(leaving.id).run()
    expect(await find('bye', key)).toEqual(['bye-confirmed', 'bye-unconfirmed'])
  })

  it.each(['%25', 'und%25', 'und_rscore', '_', 'x'.repeat(31), '%20', "'", 'und%00', '%F0%9F%98%80', '*'])(
    'treats wildcards as text, and finds nothing if no username starts with it: %s',
    async (prefix) => {
      const { key } = await account()
      await account({ username: `underscore${Math.random().toString(36).slice(2, 8)}` })
      expect(await find(prefix, key)).toEqual([])
    },
  )

  it('searches the index for a range of usernames', async () => {
    const { results } = await env.DB.prepare(
      'EXPLAIN QUERY PLAN SELECT id FROM users WHERE username >= ?1 AND username < ?2 ORDER BY username LIMIT 10',
    )
      .bind('a', 'a{')
      .all<{ detail: string }>()
    expect(results.map(({ detail }) => detail)).toEqual([
      expect.stringMatching(/^SEARCH users USING .*INDEX .*\(username>\? AND username<\?\)$/),
    ])
  })

  it('requires a key or a session', async () => {
    expectError(await search('a', {}), 401, 'Unauthorized')
    expectError(await search('a', { key: 'imperial_wrong' }), 401, 'Unauthorized')
    expect((await search('a', { headers: await session(await account()) })).status).toBe(200)
  })

  it('does not hide the profile of an account called search', async () => {
    await account({ username: 'search' })
    const answer = await call<Found>('GET', '/v1/users/search')
    expect(answer.body.data.username).toBe('search')
  })
})
