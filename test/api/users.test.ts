import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { account, session, suspend } from '../support/accounts.ts'
import { bindingsWith } from '../support/bindings.ts'
import {
  type Answer,
  type CallOptions,
  call,
  create,
  type DocumentBody,
  ORIGIN,
  read,
} from '../support/client.ts'
import { expectError } from '../support/expect.ts'

interface Page {
  readonly documents: (DocumentBody & { readonly title: string | null; readonly size: number })[]
  readonly cursor: string | null
}

async function list(key: string | undefined, query = '') {
  const { status, body, headers } = await call('GET', `/v1/users/@me/documents${query}`, undefined, { key })
  return { status, headers, error: body.error, page: body.data as unknown as Page }
}

const ask = (path: string, options: CallOptions & { method?: string } = {}) =>
  call(options.method ?? 'GET', `/v1/users/${path}`, undefined, options)

describe('GET /v1/users/@me', () => {
  it('tells an account about itself, by key and by session', async () => {
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

  it('gives whole addresses of pictures that this site serves, wherever an account is shown', async () => {
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
  it('shows what everybody may know, to anybody, whatever the case', async () => {
    const { id, username } = await account({ username: 'Ada-Lovelace', flags: 9 })
    for (const name of [username, 'ada-lovelace', 'ADA-LOVELACE']) {
      const { status, body } = await ask(name)
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          success: true,
          data: { documents_made: 0, id, username, flags: 9, icon: `${ORIGIN}/icons/${id}.svg` },
        },
      })
    }
  })

  it('knows none that are not there, suspended, or leaving', async () => {
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
  it('answers the ten latest documents as a list, without content', async () => {
    const { key } = await account()
    const ids: string[] = []
    for (let n = 0; n < 12; n++) ids.unshift((await create(`number ${n}`, {}, { key })).id)
    // All in their order, however quickly they were made.
    await env.DB.prepare('UPDATE documents SET created_at = created_at + instr(?1, id)')
      .bind([...ids].reverse().join())
      .run()
    await create('not mine')
    const { status, body } = await ask('@me/recent', { key })
    expect(status).toBe(200)
    const listed = body.data as unknown as DocumentBody[]
    expect(listed.map(({ id }) => id)).toEqual(ids.slice(0, 10))
    expect(listed[0]).toMatchObject({ title: 'number 11', size: 9, links: { formatted: expect.any(String) } })
    for (const document of listed) expect(document).not.toHaveProperty('content')
  })
})

describe('POST /v1/users/@me/regenerate_api_token', () => {
  const regenerate = (options: CallOptions) => ask('@me/regenerate_api_token', { method: 'POST', ...options })

  const tokenOf = ({ data }: Answer['body']) => (data as unknown as { api_token: string }).api_token

  it('answers a new key for the one that made the call, which is over', async () => {
    const own = await account()
    const { status, body, headers } = await regenerate({ key: own.key })
    const { api_token, ...rest } = body.data as unknown as { api_token: string }
    expect(status).toBe(200)
    expect(headers.get('Cache-Control')).toBe('no-store')
    expect(api_token).toMatch(/^imperial_[A-Za-z0-9]{40}$/)
    expect(rest).toEqual((await ask('@me', { key: api_token })).body.data)
    for (const path of ['@me', '@me/recent', '@me/documents']) {
      expectError(await ask(path, { key: own.key }), 401, 'Unauthorized')
    }
    expectError(await regenerate({ key: own.key }), 401, 'Unauthorized')
  })

  it('gives one of two that call at once a key that works, and the other none', async () => {
    const own = await account()
    const answers = await Promise.all([regenerate({ key: own.key }), regenerate({ key: own.key })])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
    const [made] = answers.flatMap(({ status, body }) => (status === 200 ? [tokenOf(body)] : []))
    expect((await ask('@me', { key: made })).status).toBe(200)
    const keys = await env.DB.prepare('SELECT 1 FROM api_keys WHERE user_id = ?1').bind(own.id).all()
    expect(keys.results).toHaveLength(1)
  })

  it('answers the key that took the place though D1’s answer was lost', async () => {
    const own = await account()
    let batches = 0
    const bindings = bindingsWith(async (storageCall, run) => {
      const result = await run()
      if (storageCall !== 'DB.batch' || ++batches > 1) return result
      throw new Error('D1_ERROR: Network connection lost.')
    })
    const { status, body } = await regenerate({ key: own.key, bindings })
    expect({ status, batches }).toEqual({ status: 200, batches: 2 })
    expect((await ask('@me', { key: tokenOf(body) })).status).toBe(200)
  })

  it('needs a key: a session has none that could be replaced', async () => {
    const own = await account()
    expectError(await regenerate({ headers: await session(own) }), 401, 'Unauthorized')
    expectError(await regenerate({}), 401, 'Unauthorized')
    expect((await ask('@me', { key: own.key })).status).toBe(200)
  })
})

describe('the routes of accounts', () => {
  it.each(['@me', '@me/recent', '@me/documents'])('%s needs a key or a session', async (path) => {
    expectError(await ask(path), 401, 'Unauthorized')
    expectError(await ask(path, { key: 'imperial_wrong' }), 401, 'Unauthorized')
    expect((await ask(path, { headers: await session(await account()) })).status).toBe(200)
  })

  it.each([
    ['PATCH', '@me', 'GET, HEAD'],
    ['POST', '@me/recent', 'GET, HEAD'],
    ['DELETE', '@me/documents', 'GET, HEAD'],
    ['GET', '@me/regenerate_api_token', 'POST'],
    ['POST', 'somebody', 'GET, HEAD'],
  ])('refuse %s %s', async (method, path, allow) => {
    const answer = await ask(path, { method })
    expect({ status: answer.status, allow: answer.headers.get('Allow') }).toEqual({ status: 405, allow })
  })
})

describe('GET /v1/users/@me/documents', () => {
  it('searches, sorts, and tells title and size', async () => {
    const { key } = await account()
    const short = await create('Beta', {}, { key })
    const long = await create('\n  alpha 50% \nmore', { encrypted: false }, { key })
    const sealed = await create('secret', { encrypted: true }, { key })
    const byTitle = (await list(key, '?sort=title')).page.documents
    expect(byTitle.map(({ id, title, size }) => ({ id, title, size }))).toEqual([
      { id: long.id, title: 'alpha 50%', size: 18 },
      { id: short.id, title: 'Beta', size: 4 },
      { id: sealed.id, title: null, size: 6 },
    ])
    const idsFor = async (query: string) => (await list(key, query)).page.documents.map(({ id }) => id)
    expect(await idsFor('?search=BETA')).toEqual([short.id])
    expect(await idsFor('?search=0%25')).toEqual([long.id])
    expect((await idsFor('?search=')).length).toBe(3)
    expect(await idsFor('?sort=largest')).toEqual([long.id, sealed.id, short.id])
  })

  it('lists what others share with the account', async () => {
    const [creator, editor] = [await account(), await account()]
    const shared = await create('shared', { editors: [editor.username] }, { key: creator.key })
    await create('not shared', {}, { key: creator.key })
    const own = await create('own', {}, { key: editor.key })
    const { page } = await list(editor.key, '?shared=true')
    expect(page.documents).toEqual([
      expect.objectContaining({
        id: shared.id,
        creator: expect.objectContaining({ username: creator.username }),
      }),
    ])
    expect((await list(editor.key, '?shared=false')).page.documents.map(({ id }) => id)).toEqual([own.id])
    expect((await list(creator.key, '?shared=true')).page.documents).toEqual([])
  })

  it('lists what the account created, the latest first, without content', async () => {
    const { key } = await account()
    const other = await account()
    await create('not mine', {}, { key: other.key })
    await create('nobody’s')
    const first = await create('one', { language: 'json' }, { key })
    await read(first.id)
    const second = await create('two', { encrypted: true, editors: [other.username] }, { key })
    const { status, headers, page } = await list(key)
    expect(status).toBe(200)
    expect(headers.get('Cache-Control')).toBe('no-store')
    expect(page.cursor).toBeNull()
    expect(page.documents.map(({ id, views, settings }) => ({ id, views, settings }))).toEqual([
      { id: second.id, views: 0, settings: second.settings },
      { id: first.id, views: 1, settings: first.settings },
    ])
    for (const document of page.documents) {
      expect(document).not.toHaveProperty('content')
      expect(document.creator).toMatchObject({ documents_made: 2 })
    }
  })

  it('goes through all of them by cursors, once each, whatever is created meanwhile', async () => {
    const { key } = await account()
    const made: string[] = []
    for (let n = 0; n < 25; n++) made.unshift((await create('x', {}, { key })).id)
    // Several of one millisecond: the id decides.
    await env.DB.prepare('UPDATE documents SET created_at = 5 WHERE id IN (?1, ?2, ?3)')
      .bind(...made.slice(-3))
      .run()
    const found: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { page } = await list(key, `?limit=4${cursor && `&cursor=${cursor}`}`)
      found.push(...page.documents.map(({ id }) => id))
      expect(page.documents.length).toBeLessThanOrEqual(4)
      cursor = page.cursor
      if (found.length === 4) await create('new', {}, { key })
    }
    expect(new Set(found)).toEqual(new Set(made))
    expect(found).toHaveLength(25)
    expect(found.slice(0, 22)).toEqual(made.slice(0, 22))
  })

  it('leaves out what has expired', async () => {
    const { key } = await account()
    const { id } = await create('x', {}, { key })
    await env.DB.prepare('UPDATE documents SET expires_at = 1 WHERE id = ?1').bind(id).run()
    expect((await list(key)).page).toEqual({ documents: [], cursor: null })
  })

  it.each([
    '?limit=0',
    '?limit=101',
    '?limit=many',
    '?limit=1.5',
    '?sort=best',
    '?sort=toString',
    '?shared=perhaps',
    `?search=${'x'.repeat(10_000)}`,
    '?cursor=',
    '?cursor=%F0%9F%98%80',
    '?cursor=x',
    '?cursor=1-',
    "?cursor=1-' OR",
  ])('answers 400 to %.40s', async (query) => {
    const { key } = await account()
    const { status, error } = await list(key, query)
    expect(status).toBe(400)
    expect(error.code).toBe('bad_request')
  })

  it('needs a key, and no other method', async () => {
    expect((await list(undefined)).status).toBe(401)
    expect((await list('imperial_wrong')).status).toBe(401)
    expect((await list(undefined, '?limit=0')).status).toBe(401)
    const answer = await call('DELETE', '/v1/users/@me/documents')
    expect(answer.status).toBe(405)
    expect(answer.headers.get('Allow')).toBe('GET, HEAD')
  })
})
