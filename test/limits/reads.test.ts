import { describe, expect, it, vi } from 'vitest'
import { generateApiKey } from '../../src/accounts/key-format.ts'
import { listRoutes } from '../../src/app.ts'
import { looksUp } from '../../src/http/paths.ts'
import { account, session } from '../support/accounts.ts'
import { countCalls } from '../support/bindings.ts'
import { call, create, createAnonymous, ORIGIN, read, send } from '../support/client.ts'
import { toPath } from '../support/routes.ts'
import { countStatuses, from, LIMITED, newAddress, repeat, withLimiter } from './support.ts'

const EXHAUSTED = withLimiter('READ_LIMIT', async () => ({ success: false }))

describe('the limit on reads', () => {
  it('is 500 a minute for each address', async () => {
    const { id } = await create('x')
    const address = newAddress()
    await repeat(495, () => LIMITED.READ_LIMIT.limit({ key: address }))
    const answers = await repeat(10, () => read(id, { bindings: LIMITED, headers: from(address) }))
    expect(countStatuses(answers)).toEqual({ 200: 5, 429: 5 })
  })

  it('counts by account once the address has used it up', async () => {
    const { id } = await create('x')
    const owner = await account()
    const keys: string[] = []
    const bindings = withLimiter('READ_LIMIT', async ({ key }) => {
      keys.push(key)
      return { success: key.startsWith('account') }
    })
    const address = newAddress()
    expect((await read(id, { bindings, headers: from(address) })).status).toBe(429)
    expect((await read(id, { bindings, headers: from(address), key: owner.key })).status).toBe(200)
    const cookie = await session(owner)
    const page = await send(`/${id}`, { headers: { ...from(address), ...cookie } }, { bindings })
    expect(page.status).toBe(200)
    const ownKey = `account ${owner.id}`
    expect(keys).toEqual([address, address, ownKey, address, ownKey])
  })

  it('lets reads pass if the limiter fails, and says so in the log', async () => {
    const { id } = await create('x')
    const log = vi.spyOn(console, 'error').mockReturnValue()
    const bindings = withLimiter('READ_LIMIT', async () => {
      throw new Error('no limiter')
    })
    vi.useFakeTimers({ now: Date.now() + 3_600_000, toFake: ['Date'] })
    try {
      const answers = await repeat(3, () => read(id, { bindings, headers: from(newAddress()) }))
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    } finally {
      vi.useRealTimers()
    }
    expect(log.mock.calls.flat().filter((line) => String(line).includes('no limiter'))).toHaveLength(1)
  })

  it('lets reads pass if the limiter hangs', async () => {
    const { id } = await create('x')
    const bindings = withLimiter('READ_LIMIT', () => new Promise<never>(() => {}))
    expect((await read(id, { bindings, headers: from(newAddress()) })).status).toBe(200)
  })

  it('counts a request once, also if its path is the pattern of a route', async () => {
    const counted: string[] = []
    const bindings = withLimiter('READ_LIMIT', async ({ key }) => {
      counted.push(key)
      return { success: true }
    })
    const paths = ['/*', '/account/*', '/:id/edit']
    for (const path of paths) await send(path, { headers: from(newAddress()) }, { bindings })
    expect(counted).toHaveLength(paths.length)
  })

  it('does not hold for preflight requests', async () => {
    const headers = {
      ...from(newAddress()),
      'Access-Control-Request-Method': 'GET',
      Origin: 'https://a.example',
    }
    const { status } = await send(
      '/v1/document/xxxx',
      { method: 'OPTIONS', headers },
      { bindings: EXHAUSTED },
    )
    expect(status).toBe(204)
  })
})

describe('the answer to a request over the limit', () => {
  it('is JSON in the API', async () => {
    const answer = await call('GET', '/v1/document/xxxx', undefined, { bindings: EXHAUSTED })
    expect(answer.status).toBe(429)
    expect(answer.body.error.code).toBe('rate_limited')
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*')
  })

  it.each(['/r/xxxx', '/raw/xxxx'])('is text that other origins can read at %s', async (path) => {
    const answer = await send(path, {}, { bindings: EXHAUSTED })
    expect(answer.status).toBe(429)
    expect(await answer.text()).toBe('Rate limit exceeded, retry in 60 seconds\n')
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*')
    expect(answer.headers.get('Retry-After')).toBe('60')
  })

  it('is text for curl', async () => {
    const answer = await send('/xxxx', { headers: { 'User-Agent': 'curl/8.0' } }, { bindings: EXHAUSTED })
    expect(await answer.text()).toBe('Rate limit exceeded, retry in 60 seconds\n')
  })

  it('is a page for browsers', async () => {
    const headers = { Accept: 'text/html', 'User-Agent': 'Mozilla/5.0' }
    const answer = await send('/xxxx', { headers }, { bindings: EXHAUSTED })
    const html = await answer.text()
    expect(answer.status).toBe(429)
    expect(html).toContain('<h1>You’ve sent too many requests</h1>')
    expect(html).toContain('Try again in 60 seconds.')
  })

  it('is JSON for the script of the form', async () => {
    const bindings = withLimiter('CREATE_LIMIT', async () => ({ success: false }))
    const body = new FormData()
    body.set('content', 'x')
    const headers = { Accept: 'application/json', Origin: ORIGIN, 'User-Agent': 'Mozilla/5.0' }
    const answer = await send('/', { method: 'POST', body, headers }, { bindings })
    expect(answer.status).toBe(429)
    expect(await answer.json()).toMatchObject({ error: { code: 'rate_limited' } })
  })
})

describe('the limit on unknown ids', () => {
  it('is for every route with the address of a document or an account', async () => {
    const routes = (await listRoutes()).filter(({ path }) => path.includes(':'))
    expect(routes.length).toBeGreaterThan(50)
    const isCounted = ({ method, path }: (typeof routes)[number]) =>
      looksUp({ method, path: toPath(path, { id: 'bcdfghjk', username: 'somebody' }) })
    expect(routes.filter((route) => !isCounted(route))).toEqual([])
  })

  it('lets 60 of 500 probes pass, and then asks no storage', async () => {
    const address = newAddress()
    const { bindings, calls } = countCalls()
    const probe = (index: number) =>
      read(`x${1000 + index}`, {
        bindings: { ...LIMITED, DB: bindings.DB, CONTENTS: bindings.CONTENTS },
        headers: from(address),
      })
    const answers = await repeat(500, probe)
    const statuses = countStatuses(answers)
    expect(statuses).toEqual({ 404: 60, 429: 440 })
    calls.length = 0
    expect((await probe(500)).status).toBe(429)
    expect(calls).toEqual([])
  })

  it('counts the probes of every front end together', async () => {
    const address = newAddress()
    const paths = [(id: string) => `/v1/document/${id}`, (id: string) => `/r/${id}`, (id: string) => `/${id}`]
    const answers = await repeat(90, (index) =>
      send(paths[index % 3]?.(`x${1000 + index}`) ?? '', { headers: from(address) }, { bindings: LIMITED }),
    )
    expect(countStatuses(answers)).toEqual({ 404: 60, 429: 30 })
  })

  it('counts those of edits, which have the name in the body', async () => {
    const address = newAddress()
    const headers = { ...from(address), 'X-Document-Token': (await createAnonymous('x')).token }
    const bindings = { ...LIMITED, WRITE_LIMIT: { limit: async () => ({ success: true }) } as RateLimit }
    const answers = await repeat(90, (index) =>
      call(
        'PATCH',
        index % 2 === 0 ? '/v1/document' : '/v1/documents',
        { id: `@nobody-here/x${index}` },
        { bindings, headers },
      ),
    )
    expect(countStatuses(answers)).toEqual({ 404: 60, 429: 30 })
  })

  it('does not burn what a scan hits once it is limited', async () => {
    const { key } = await account()
    const ids = await repeat(3, async () => (await create('x', { instant_delete: true }, { key })).id)
    const address = newAddress()
    await repeat(60, (index) => read(`x${1000 + index}`, { bindings: LIMITED, headers: from(address) }))
    // A hit before any other probe was refused: no isolate remembers the address yet.
    const [first = '', second = '', third = ''] = ids
    expect((await read(first, { bindings: LIMITED, headers: from(address) })).status).toBe(429)
    const post = (path: string) =>
      send(path, { method: 'POST', headers: from(address) }, { bindings: LIMITED })
    expect((await post(`/r/${second}`)).status).toBe(429)
    expect((await post(`/${third}`)).status).toBe(429)
    const answers = await Promise.all(ids.map((id) => read(id)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  })

  it('counts down the seconds to wait', async () => {
    const address = newAddress()
    const answers = await repeat(70, (index) =>
      read(`x${1000 + index}`, { bindings: LIMITED, headers: from(address) }),
    )
    const waits = answers
      .filter(({ status }) => status === 429)
      .map(({ headers }) => Number(headers.get('Retry-After')))
    expect(waits).toHaveLength(10)
    for (const wait of waits) expect(wait).toSatisfy((seconds: number) => seconds > 0 && seconds <= 60)
  })

  it('does not keep other addresses from reading', async () => {
    const { id } = await create('x')
    const address = newAddress()
    await repeat(61, (index) => read(`x${1000 + index}`, { bindings: LIMITED, headers: from(address) }))
    expect((await read(id, { bindings: LIMITED, headers: from(address) })).status).toBe(429)
    expect((await read(id, { bindings: LIMITED, headers: from(newAddress()) })).status).toBe(200)
  })
})

it('lets creators read their own burn-after-reading documents as often as others', async () => {
  const { key } = await account()
  const { id } = await create('x', { instant_delete: true }, { key })
  const headers = from(newAddress())
  const answers = await repeat(70, () => read(id, { bindings: LIMITED, headers, key }))
  expect(countStatuses(answers)).toEqual({ 200: 70 })
})

describe('the limit on invalid API keys', () => {
  it('lets 60 of 100 guesses pass', async () => {
    const address = newAddress()
    const answers = await repeat(100, () =>
      send(
        '/v1/users/@me',
        { headers: { ...from(address), Authorization: generateApiKey() } },
        { bindings: LIMITED },
      ),
    )
    expect(countStatuses(answers)).toEqual({ 401: 60, 429: 40 })
  })
})

it('limits the searches of an account in every place together', async () => {
  const owner = await account()
  const cookie = await session(owner)
  const search = (path: string, headers: Record<string, string>) =>
    send(path, { headers: { ...from(newAddress()), ...headers } }, { bindings: LIMITED })
  const key = { Authorization: owner.key }
  const paths: [path: string, headers: Record<string, string>][] = [
    ['/v1/users/search/us', key],
    ['/v1/users/@me/documents?search=x', key],
    ['/v1/users/@me/recent', key],
    ['/account/documents?search=x', cookie],
    ['/account/usernames?prefix=us', cookie],
  ]
  await repeat(118, () => LIMITED.SEARCH_LIMIT.limit({ key: `account ${owner.id}` }))
  const answers: Response[] = []
  for (const [path, headers] of paths) answers.push(await search(path, headers))
  expect(countStatuses(answers)).toEqual({ 200: 2, 429: 3 })
  expect((await search('/account/documents', cookie)).status).toBe(200)
})

describe('the limit on long texts', () => {
  const EXHAUSTED = withLimiter('LONG_TEXT_LIMIT', async () => ({ success: false }))
  const PAGE = { Accept: 'text/html', 'User-Agent': 'Gecko/1' }
  const text = (line: string, bytes: number) => `${line}\n`.repeat(Math.ceil(bytes / (line.length + 1)))

  it('is for pages, embeds and parts of more than 1 MiB, not for all of a raw text', async () => {
    const status = async (path: string, headers = {}) =>
      (await send(path, { headers }, { bindings: EXHAUSTED })).status
    const { id } = await create(text('long', 1024 * 1024 + 1))
    expect(await status(`/${id}`, PAGE)).toBe(429)
    expect(await status(`/${id}/embed`, PAGE)).toBe(429)
    expect(await status(`/r/${id}?lines=2`)).toBe(429)
    expect(await status(`/r/${id}`, { Range: 'bytes=-1' })).toBe(429)
    expect(await status(`/r/${id}`)).toBe(200)
    const short = await create(text('short', 1024 * 1024 - 10))
    expect(await status(`/${short.id}`, PAGE)).toBe(200)
    expect(await status(`/r/${short.id}?lines=2`)).toBe(200)
    expect(await status(`/r/${short.id}`, { Range: 'bytes=-1' })).toBe(206)
  })

  it('is for oEmbed and the code of an embed if they read the text', async () => {
    const counted: string[] = []
    const bindings = withLimiter('LONG_TEXT_LIMIT', async ({ key }) => {
      counted.push(key)
      return { success: false }
    })
    const ask = async (path: string, bound = bindings) => (await send(path, {}, { bindings: bound })).status
    const oEmbed = (id: string, query: string) =>
      `/oembed?url=${encodeURIComponent(`${ORIGIN}/${id}${query}`)}`
    const { key } = await account()
    const { id } = await create(text('long', 1024 * 1024 + 1), { language: 'python' }, { key })
    for (const query of ['?lines=2', '#L2', '?file=a.txt']) expect(await ask(oEmbed(id, query))).toBe(429)
    expect(await ask(`/${id}/embed/code?lines=2`)).toBe(429)
    const files = `-- a.txt --\n${text('long', 1024 * 1024 + 1)}`
    const archive = await create(files, { language: 'txtar' }, { key })
    expect(await ask(oEmbed(archive.id, '?file=a.txt'))).toBe(429)
    expect(await ask(`/${archive.id}/embed/code`)).toBe(429)
    expect(counted).toHaveLength(6)
    // Neither reads the text.
    expect(await ask(oEmbed(id, ''))).toBe(200)
    expect(await ask(`/${id}/embed/code`)).toBe(200)
    const short = await create(text('short', 1024 * 1024 - 10))
    expect(await ask(oEmbed(short.id, '?lines=2'))).toBe(200)
    expect(await ask(`/${short.id}/embed/code?lines=2`)).toBe(200)
    expect(counted).toHaveLength(6)
    // A page with code counts once, however often it needs the text.
    const once = withLimiter('LONG_TEXT_LIMIT', async () => ({ success: counted.push('once') === 7 }))
    expect(await ask(`/${archive.id}/embed/code?file=a.txt&lines=1`, once)).toBe(200)
  })

  it('is for the pages that edit a long text or an earlier version of it', async () => {
    const owner = await account()
    const cookie = await session(owner)
    const long = await create(text('one', 1024 * 1024 + 1), {}, { key: owner.key })
    const short = await create('two', {}, { key: owner.key })
    const open = async (path: string, bindings = EXHAUSTED) =>
      (await send(path, { headers: { ...PAGE, ...cookie } }, { bindings })).status
    expect(await open(`/${long.id}/edit`)).toBe(429)
    expect(await open(`/${long.id}/edit`, LIMITED)).toBe(200)
    expect(await open(`/${short.id}/edit`)).toBe(200)
    await call('PATCH', '/v1/document', { id: long.id, content: 'now short' }, { key: owner.key })
    expect(await open(`/${long.id}/edit`)).toBe(200)
    expect(await open(`/${long.id}/edit?version=1`)).toBe(429)
    expect(await open(`/${long.id}/edit?version=1`, LIMITED)).toBe(200)
  })

  it('is for comparisons of versions of more than 64 KiB', async () => {
    const owner = await account()
    const cookie = await session(owner)
    const { id } = await create(text('one', 40_000), {}, { key: owner.key })
    await call('PATCH', '/v1/document', { id, content: text('two', 40_000) }, { key: owner.key })
    const open = (bindings: Env) => send(`/${id}/history`, { headers: { ...PAGE, ...cookie } }, { bindings })
    expect((await open(EXHAUSTED)).status).toBe(429)
    expect((await open(LIMITED)).status).toBe(200)
  })
})

it('limits the downloads of many documents by account, and by address without one', async () => {
  const owner = await account()
  const cookie = await session(owner)
  const form = { method: 'POST', body: new URLSearchParams({ documents: '' }) }
  const download = (path: string, init: RequestInit = {}, address = newAddress()) =>
    send(
      path,
      { ...init, headers: { ...from(address), ...(init.body ? { Origin: ORIGIN } : cookie) } },
      { bindings: LIMITED },
    )
  await repeat(8, () => LIMITED.DOWNLOAD_LIMIT.limit({ key: `account ${owner.id}` }))
  const own: Response[] = []
  for (const path of [
    '/account/download',
    '/account/download/zip',
    '/account/download',
    '/account/download/zip',
  ])
    own.push(await download(path))
  expect(countStatuses(own)).toEqual({ 200: 2, 429: 2 })
  const address = newAddress()
  await repeat(9, () => LIMITED.DOWNLOAD_LIMIT.limit({ key: address }))
  const others: Response[] = []
  for (const path of ['/device/download', '/device/download/zip'])
    others.push(await download(path, form, address))
  expect(countStatuses(others)).toEqual({ 200: 1, 429: 1 })
})
