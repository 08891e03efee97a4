import { exports } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { isolateMemory } from '../../../src/platform/memory.ts'
import { account } from '../../support/accounts.ts'
import { create, ORIGIN, send } from '../../support/client.ts'

const MiB = 1024 * 1024

/** Sends a request to the Worker, in a request context of its own. */
const post = (body: unknown, key: string) =>
  exports.default.fetch(
    new Request(`${ORIGIN}/v1/document`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: key },
      body: JSON.stringify(body),
    }),
  )

const seldom = { timeout: 10_000, interval: 10 }

describe('large requests side by side', () => {
  it('take turns, also with encryption, and leave nothing reserved', async () => {
    const { key } = await account()
    const content = `${'x'.repeat(2 * MiB)}😀`
    let most = 0
    const reserve = isolateMemory.process.bind(isolateMemory)
    vi.spyOn(isolateMemory, 'process').mockImplementation(async (bytes) => {
      const reserved = await reserve(bytes)
      most = Math.max(most, isolateMemory.getReservedBytes())
      return reserved
    })
    const answers = await Promise.all(
      [true, false, true, true, false, true].map(async (encrypted) => {
        const answer = await post({ content, settings: { encrypted } }, key)
        const { data } = await answer.json<{ data: { content: string } }>()
        return [answer.status, data.content === content]
      }),
    )
    expect(answers).toEqual(Array.from({ length: 6 }, () => [200, true]))
    expect(most).toBeGreaterThan(2 * 6 * MiB)
    expect(most).toBeLessThan(128 * MiB)
    await vi.waitFor(() => expect(isolateMemory.getReservedBytes()).toBe(0), seldom)
  })

  it('are refused with Retry-After if the others need too long', async () => {
    const { key } = await account()
    const body = { content: 'x'.repeat(MiB), settings: { encrypted: true } }
    const others = isolateMemory.send(96 * MiB)
    // Every look at the clock takes half a second.
    let looks = 0
    const start = Date.now()
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => start + 500 * looks++)
    const refused = await post(body, key)
    clock.mockRestore()
    others.release()
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '5'])
    expect(await refused.json()).toMatchObject({ success: false, error: { code: 'unavailable' } })
    const accepted = await post(body, key)
    expect(accepted.status).toBe(200)
    await accepted.text()
  })
})

describe('a large document that a client reads slowly', () => {
  it('is reserved until it has been read, or the client hangs up', async () => {
    const { id } = await create('x'.repeat(MiB))
    await vi.waitFor(() => expect(isolateMemory.getReservedBytes()).toBe(0), seldom)
    const reader = (await send(`/${id}`)).body?.getReader()
    await reader?.read()
    expect(isolateMemory.getReservedBytes()).toBe(MiB)
    await reader?.cancel()
    expect(isolateMemory.getReservedBytes()).toBe(0)
  })
})
