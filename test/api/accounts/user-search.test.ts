import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { account, session, suspend } from '../../support/accounts.ts'
import { type CallOptions, call, ORIGIN } from '../../support/client.ts'
import { expectError } from '../../support/expect.ts'

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
