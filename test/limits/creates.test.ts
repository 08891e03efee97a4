import { describe, expect, it } from 'vitest'
import { account, session } from '../support/accounts.ts'
import { call, ORIGIN, send } from '../support/client.ts'
import { countStatuses, from, LIMITED, newAddress, REALLY_LIMITED, repeat } from './support.ts'

const create = (address: string, options: { key?: string; bindings?: Env } = {}) =>
  call('POST', '/v1/document', { content: 'x' }, { bindings: LIMITED, headers: from(address), ...options })

describe('the limit on anonymous creates', () => {
  it('lets 20 of 600 creates a minute pass', async () => {
    const address = newAddress()
    const answers = await repeat(600, () => create(address))
    expect(countStatuses(answers)).toEqual({ 200: 20, 429: 580 })
  })

  it('holds with the limiter of the platform', async () => {
    const answers = await repeat(45, () => create('2001:db8::1', { bindings: REALLY_LIMITED }))
    // Its count starts again every minute, which may happen meanwhile.
    expect(countStatuses(answers)[200]).toSatisfy((passed: number) => passed >= 20 && passed <= 40)
    expect(countStatuses(answers)[429]).toBeGreaterThan(0)
  })

  it('takes no address from clients of npm run dev, who could forge it', async () => {
    const bindings = { ...LIMITED, LOCAL_SERVER: 'on' }
    const answers = await repeat(25, () => create(newAddress(), { bindings }))
    expect(countStatuses(answers)).toEqual({ 200: 20, 429: 5 })
  })

  it('says how long to wait, and which limit it is', async () => {
    const address = newAddress()
    const answers = await repeat(21, () => create(address))
    const refused = answers.find(({ status }) => status === 429)
    expect(refused?.body.error).toEqual({
      code: 'rate_limited',
      message: 'Rate limit exceeded, retry in 60 seconds',
    })
    expect(Object.fromEntries(refused?.headers ?? [])).toMatchObject({
      'retry-after': '60',
      ratelimit: '"creates";r=0;t=60',
      'ratelimit-policy': '"creates";q=20;w=60',
      'cache-control': 'no-store',
    })
  })

  it('holds for every front end together', async () => {
    const address = newAddress()
    await repeat(20, () => create(address))
    const attempts: [path: string, init: RequestInit][] = [
      ['/v1/documents', { method: 'POST', body: '{"content":"x"}' }],
      ['/', { method: 'POST', body: 'x' }],
      ['/', { method: 'PUT', body: 'x' }],
      ['/notes.txt', { method: 'PUT', body: 'x' }],
      ['/documents', { method: 'POST', body: 'x' }],
      ['/', { method: 'POST', body: new URLSearchParams({ content: 'x' }), headers: { Origin: ORIGIN } }],
    ]
    const statuses = await Promise.all(
      attempts.map(async ([path, init]) => {
        const headers = { ...from(address), ...init.headers }
        return (await send(path, { ...init, headers }, { bindings: LIMITED })).status
      }),
    )
    expect(statuses).toEqual(attempts.map(() => 429))
  })

  it('counts an IPv6 client by its /64', async () => {
    const network = '2001:db8:1:1'
    const answers = await repeat(30, (index) => create(`${network}::${index.toString(16)}`))
    expect(countStatuses(answers)).toEqual({ 200: 20, 429: 10 })
  })

  it('refuses a create before its body is read', async () => {
    const address = newAddress()
    await repeat(20, () => create(address))
    let pulled = 0
    const body = new ReadableStream(
      {
        pull: (controller) => {
          pulled += 1
          controller.enqueue(new Uint8Array(1024))
        },
      },
      { highWaterMark: 0 },
    )
    const headers = { ...from(address), 'Content-Type': 'application/json' }
    const { status } = await send('/v1/document', { method: 'POST', body, headers }, { bindings: LIMITED })
    expect({ status, pulled }).toEqual({ status: 429, pulled: 0 })
  })

  it('does not hold for accounts, which have their own limit', async () => {
    const [first, second] = [await account(), await account()]
    const address = newAddress()
    const answers = await repeat(70, () => create(address, { key: first.key }))
    expect(countStatuses(answers)).toEqual({ 200: 60, 429: 10 })
    // Neither another account nor somebody without one at the same address is affected.
    expect((await create(address, { key: second.key })).status).toBe(200)
    expect((await create(address)).status).toBe(200)
  })

  it('counts an account together, whatever address it uses', async () => {
    const { key } = await account()
    const answers = await repeat(70, () => create(newAddress(), { key }))
    expect(countStatuses(answers)).toEqual({ 200: 60, 429: 10 })
  })

  it('holds with a session that isn’t valid', async () => {
    const address = newAddress()
    const { Cookie } = await session(await account())
    const headers = { ...from(address), Cookie: `${Cookie}x`, Origin: ORIGIN }
    const answers = await repeat(30, () =>
      call('POST', '/v1/document', { content: 'x' }, { bindings: LIMITED, headers }),
    )
    expect(countStatuses(answers)).toEqual({ 200: 20, 429: 10 })
  })
})

describe('without limits', () => {
  it.each([
    ['by RATE_LIMITS', { ...LIMITED, RATE_LIMITS: 'off' }],
    ['by removing the binding', { ...LIMITED, CREATE_LIMIT: undefined }],
  ])('switched off %s, every create passes', async (_, bindings) => {
    const address = newAddress()
    const answers = await repeat(30, () => create(address, { bindings: bindings as Env }))
    expect(countStatuses(answers)).toEqual({ 200: 30 })
  })
})
