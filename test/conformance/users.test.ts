import { describe, expect } from 'vitest'
import type { DocumentBody } from './support/answer.ts'
import { type ClauseApi, clause } from './support/clause.ts'
import { anAccount, aTime, expectError } from './support/expect.ts'

type Listed = DocumentBody & { readonly title: string | null; readonly size: number }

async function list(api: ClauseApi, key: string, query: string) {
  const answer = await api.send('GET', `/v1/users/@me/documents${query}`, { key })
  expect(answer.status).toBe(200)
  return answer.data as { readonly documents: Listed[]; readonly cursor: string | null }
}

describe('Accounts', () => {
  clause('accounts.me', 'GET /v1/users/@me returns the account of the key, with its email', async (api) => {
    const answer = await api.send('GET', '/v1/users/@me', { key: api.needAccount() })
    expect(answer.status).toBe(200)
    expect(answer.data).toMatchObject({
      ...anAccount(),
      email: expect.stringContaining('@'),
      confirmed: true,
    })
    expect(answer.header('Cache-Control')).toBe('no-store')
  })

  clause('accounts.unconfirmed', 'An unconfirmed account has confirmed: false', async (api) => {
    const answer = await api.send('GET', '/v1/users/@me', { key: api.need('unconfirmedKey') })
    expect(answer.data).toMatchObject({ confirmed: false })
  })

  for (const [method, path] of [
    ['GET', '/v1/users/@me'],
    ['GET', '/v1/users/@me/recent'],
    ['GET', '/v1/users/@me/documents'],
    ['POST', '/v1/users/@me/regenerate_api_token'],
  ] as const) {
    clause(
      `accounts.credential ${method} ${path}`,
      'A request without a valid key gets a 401',
      async (api) => {
        expectError(await api.send(method, path), 401, 'Unauthorized')
        expectError(await api.send(method, path, { key: 'imperial_wrong' }), 401, 'Unauthorized')
      },
    )
  }

  clause('accounts.public', 'A profile is public, without the email, in any letter case', async (api) => {
    const me = (await api.send('GET', '/v1/users/@me', { key: api.needAccount() })).data as {
      username: string
    }
    for (const name of [me.username, me.username.toUpperCase(), me.username.toLowerCase()]) {
      const answer = await api.send('GET', `/v1/users/${name}`)
      expect(answer.status).toBe(200)
      expect(answer.data).toEqual(anAccount(me.username))
    }
  })

  clause('accounts.icon', 'The icon of an account is a picture', async (api) => {
    const { icon } = (await api.send('GET', '/v1/users/@me', { key: api.needAccount() })).data as {
      icon: string
    }
    const { pathname } = new URL(icon)
    // The site may have another address than the one that is checked. Other icons are GitHub's.
    const { headers } = pathname.startsWith('/icons/')
      ? await api.send('GET', pathname)
      : await fetch(icon, { method: 'HEAD' })
    expect(headers.get('Content-Type')).toMatch(/^image\//)
  })

  clause('accounts.not-found', 'An unknown username gets a 404', async (api) => {
    for (const name of ['nobody-has-this-name', 'x', 'not%20a%20name', '%F0%9F%98%80']) {
      expectError(await api.send('GET', `/v1/users/${name}`), 404, 'User not found')
    }
  })

  clause(
    'accounts.regenerate',
    'A key can be replaced: the new key works, and the old one no longer does',
    async (api) => {
      const key = api.need('disposableKey')
      const answer = await api.send('POST', '/v1/users/@me/regenerate_api_token', { key })
      expect(answer.status).toBe(200)
      const { api_token } = answer.data as { api_token: string }
      expect(answer.data).toMatchObject({
        ...anAccount(),
        api_token: expect.stringMatching(/^imperial_\w{40}$/),
      })
      expect(answer.header('Cache-Control')).toBe('no-store')
      expectError(await api.send('GET', '/v1/users/@me', { key }), 401, 'Unauthorized')
      expect((await api.send('GET', '/v1/users/@me', { key: api_token })).status).toBe(200)
    },
  )
})

describe('Lists', () => {
  clause(
    'lists.recent',
    'The list has the ten newest documents, newest first, without content by default',
    async (api) => {
      const key = api.needAccount()
      await api.create(key, 'text')
      const answer = await api.send('GET', '/v1/users/@me/recent', { key })
      expect(answer.status).toBe(200)
      const documents = answer.data as Listed[]
      expect(documents.length).toBeGreaterThan(0)
      expect(documents.length).toBeLessThanOrEqual(10)
      const times = documents.map(({ timestamps }) => timestamps.creation)
      expect(times).toEqual([...times].sort().reverse())
      if (api.target.legacyClients) return
      for (const document of documents) expect(document).not.toHaveProperty('content')
    },
  )

  clause(
    'lists.documents',
    'A listed document has every field of a document except the content',
    async (api) => {
      const key = api.needAccount()
      const { content: _, ...created } = await api.create(key, '\n  conformance list \nmore', {
        language: 'css',
      })
      const { documents } = await list(api, key, '?search=CONFORMANCE%20LIST')
      expect(documents.find(({ id }) => id === created.id)).toEqual({
        ...created,
        creator: anAccount(created.creator?.username),
        timestamps: { creation: aTime(), expiration: aTime() },
        title: 'conformance list',
        size: 25,
      })
    },
  )

  clause(
    'lists.encrypted',
    'A listed encrypted document has no title, and the size of its text',
    async (api) => {
      const key = api.needAccount()
      const { id } = await api.create(key, 'secret', { encrypted: true })
      const { documents } = await list(api, key, '?limit=100')
      expect(documents.find((document) => document.id === id)).toMatchObject({ title: null, size: 6 })
    },
  )

  clause('lists.given-title', 'Lists show a given title and can search for it', async (api) => {
    const key = api.needAccount()
    const { id } = await api.create(key, 'text', { title: 'conformance title.txt' })
    const { documents } = await list(api, key, '?search=formance%20title')
    expect(documents.find((document) => document.id === id)).toMatchObject({
      title: 'conformance title.txt',
      settings: { title: 'conformance title.txt' },
    })
  })

  clause('lists.pages', 'The cursors lead through all pages, and the last cursor is null', async (api) => {
    const key = api.needAccount()
    const title = `conformance-pages-${Date.now()}`
    const ids: string[] = []
    for (let n = 0; n < 5; n++) ids.unshift((await api.create(key, 'text', { title })).id)
    const found: string[] = []
    let query = `?search=${title}&limit=2`
    for (let pages = 1; ; pages++) {
      const { documents, cursor } = await list(api, key, query)
      found.push(...documents.map(({ id }) => id))
      expect(cursor === null).toBe(pages === 3)
      if (cursor === null) break
      query = `?search=${title}&limit=2&cursor=${encodeURIComponent(cursor)}`
    }
    expect(found).toEqual(ids)
  })

  clause('lists.sort', 'Lists sort by time, expiry, size and title', async (api) => {
    const key = api.needAccount()
    const prefix = `conformance-sort-${Date.now()}`
    const b = await api.create(key, 'short', { title: `${prefix}-b`, expiration: 3 })
    const a = await api.create(key, 'a long text', { title: `${prefix}-a`, expiration: 2 })
    for (const [sort, expected] of [
      ['newest', [a, b]],
      ['oldest', [b, a]],
      ['expiring', [a, b]],
      ['largest', [a, b]],
      ['title', [a, b]],
    ] as const) {
      const { documents } = await list(api, key, `?search=${prefix}&sort=${sort}`)
      expect([sort, ...documents.map(({ id }) => id)]).toEqual([sort, ...expected.map(({ id }) => id)])
    }
  })

  clause('lists.shared', 'shared=true lists documents that others let the account edit', async (api) => {
    const [key, editorKey] = [api.need('key'), api.need('secondKey')]
    const { username } = (await api.send('GET', '/v1/users/@me', { key: editorKey })).data as {
      username: string
    }
    const title = `conformance-shared-${Date.now()}`
    const { id } = await api.create(key, 'text', { title, editors: [username] })
    const shared = await list(api, editorKey, `?shared=true&search=${title}`)
    expect(shared.documents.map((document) => document.id)).toEqual([id])
    expect((await list(api, editorKey, `?search=${title}`)).documents).toEqual([])
  })

  for (const query of ['limit=0', 'limit=101', 'limit=many', 'sort=best', 'shared=perhaps']) {
    clause(`lists.invalid ${query}`, 'A parameter out of range gets a 400 "Invalid query"', async (api) => {
      const answer = await api.send('GET', `/v1/users/@me/documents?${query}`, { key: api.needAccount() })
      expectError(answer, 400, 'Invalid query')
      expect(answer.body.error?.errors?.[0]?.path).toEqual([query.split('=')[0]])
    })
  }

  clause('lists.cursor', 'A cursor that no page returned gets a 400', async (api) => {
    const answer = await api.send('GET', '/v1/users/@me/documents?cursor=x', { key: api.needAccount() })
    expectError(answer, 400, 'Invalid cursor')
  })
})

/** Lists public documents. Skips the clause if the server has no public list. */
async function listPublic(api: ClauseApi, query: string) {
  const answer = await api.send('GET', `/v1/public${query}`)
  api.needServer(answer.status !== 404, 'a server with EXPLORE=on')
  expect(answer.status).toBe(200)
  return answer.data as { readonly documents: Listed[]; readonly cursor: string | null }
}

const getIds = ({ documents }: { documents: readonly Listed[] }) => documents.map(({ id }) => id)

describe('Public documents', () => {
  clause(
    'public.list',
    'Anyone can list the public documents, newest first and without content',
    async (api) => {
      const key = api.needAccount()
      const title = `conformance-public-${Date.now()}`
      const settings = { title, language: 'css', public: true }
      const [first, second] = [await api.create(key, 'one', settings), await api.create(key, 'two', settings)]
      await api.create(key, 'unlisted', { title, language: 'css' })
      const { documents } = await listPublic(api, `?search=${title}&language=CSS`)
      expect(documents.map(({ id, title, size }) => ({ id, title, size }))).toEqual([
        { id: second.id, title, size: 3 },
        { id: first.id, title, size: 3 },
      ])
      for (const document of documents) expect(document).not.toHaveProperty('content')
      expect(getIds(await listPublic(api, `?search=${title}&language=go`))).toEqual([])
    },
  )

  clause('public.hidden', 'Encrypted and burn-after-reading documents are never listed', async (api) => {
    const key = api.needAccount()
    const burning = await api.create(key, 'text', { public: true, instant_delete: true })
    const encrypted = await api.create(key, 'text', { public: true, encrypted: true })
    const ids = getIds(await listPublic(api, '?limit=100'))
    expect(ids).not.toContain(burning.id)
    expect(ids).not.toContain(encrypted.id)
  })

  clause('public.pages', 'The cursors lead through all pages, and the last cursor is null', async (api) => {
    const key = api.needAccount()
    const title = `conformance-public-pages-${Date.now()}`
    const ids: string[] = []
    for (let n = 0; n < 3; n++) ids.unshift((await api.create(key, 'text', { title, public: true })).id)
    const first = await listPublic(api, `?search=${title}&limit=2`)
    const second = await listPublic(api, `?search=${title}&limit=2&cursor=${first.cursor}`)
    expect([...getIds(first), ...getIds(second)]).toEqual(ids)
    expect(second.cursor).toBeNull()
  })

  clause('public.invalid', 'A limit out of range and an unknown cursor get a 400', async (api) => {
    await listPublic(api, '')
    expectError(await api.send('GET', '/v1/public?limit=101'), 400, 'Invalid query')
    expectError(await api.send('GET', '/v1/public?cursor=x'), 400, 'Invalid cursor')
  })
})
