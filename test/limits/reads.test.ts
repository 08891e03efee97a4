import { describe, expect, it, vi } from 'vitest'
import { account, session } from '../support/accounts.ts'
import { call, create, ORIGIN, read, send } from '../support/client.ts'
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
    vi.spyOn(console, 'error').mockReturnValue()
    const bindings = withLimiter('READ_LIMIT', () => new Promise<never>(() => {}))
    expect((await read(id, { bindings, headers: from(newAddress()) })).status).toBe(200)
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
    expect(html).toContain('<h1>Too many requests</h1>')
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
