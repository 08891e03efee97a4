import { Context } from 'hono'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { AppEnv } from '../../src/env.ts'
import { unpackBody } from '../../src/http/unpack.ts'
import { isolateMemory, RequestMemory } from '../../src/platform/request-memory.ts'
import { account } from '../support/accounts.ts'
import { create, discardAnswers, ORIGIN, send } from '../support/client.ts'

const KiB = 1024
const MiB = 1024 * KiB

const PROGRAM = { 'User-Agent': 'curl/8.14.1' }
const BROWSER = { 'User-Agent': 'Mozilla/5.0 Gecko/20100101', Accept: 'text/html', Origin: ORIGIN }
const JSON_BODY = { 'Content-Type': 'application/json' }
const URLENCODED = { 'Content-Type': 'application/x-www-form-urlencoded' }
const MULTIPART = { 'Content-Type': 'multipart/form-data; boundary=x' }
const BOGUS_KEY = { Authorization: `imperial_${'A'.repeat(32)}` }

/** Returns the largest number of bytes that an array or buffer is created with from now on. */
function watchAllocations(): () => number {
  let largest = 0
  const note = (bytes: number) => {
    largest = Math.max(largest, bytes)
  }
  vi.stubGlobal(
    'Uint8Array',
    new Proxy(Uint8Array, {
      construct: (target, args, newTarget) => {
        if (typeof args[0] === 'number') note(args[0])
        return Reflect.construct(target, args, newTarget)
      },
    }),
  )
  vi.stubGlobal(
    'ArrayBuffer',
    new Proxy(ArrayBuffer, {
      construct: (target, args, newTarget) => {
        note(args[0])
        return Reflect.construct(target, args, newTarget)
      },
    }),
  )
  onTestFinished(() => {
    vi.unstubAllGlobals()
  })
  return () => largest
}

/** Sends the start of a body, and looks once the handler waits for more. */
async function stall(
  path: string,
  method: string,
  headers: Record<string, string>,
  { start, announcedBytes }: { start: string; announcedBytes: number },
) {
  let breakOff = () => {}
  let answering: Promise<Response> | undefined
  const waiting = new Promise<void>((resolve) => {
    let pulls = 0
    const body = new ReadableStream({
      type: 'bytes',
      pull(controller) {
        pulls += 1
        if (pulls === 1) {
          controller.enqueue(new TextEncoder().encode(start))
          return
        }
        resolve()
        return new Promise<void>((_, reject) => {
          breakOff = () => reject(new Error('the client hung up'))
        })
      },
    })
    const length = { 'Content-Length': String(announcedBytes) }
    answering = send(path, { method, headers: { ...headers, ...length }, body })
  })
  const answer = await Promise.race([waiting, answering])
  const reservedBytes = isolateMemory.getReservedBytes()
  const end = async () => {
    breakOff()
    await answering
    await discardAnswers()
  }
  // Also of a test that fails before.
  onTestFinished(end)
  return { status: answer?.status ?? null, reservedBytes, end }
}

describe('the start of a body', () => {
  it.each([
    ['text', 'PUT', '/notes.txt', PROGRAM, 'fifteen bytes, '],
    ['JSON', 'POST', '/v1/document', JSON_BODY, '{"content":"15 '],
  ])('isn’t waited for with a bogus key: %s', async (_, method, path, headers, start) => {
    const bogus = { ...headers, ...BOGUS_KEY }
    const { status, end } = await stall(path, method, bogus, { start, announcedBytes: 10 * MiB })
    expect(status).toBe(401)
    await end()
  })

  it.each([
    ['text', 'PUT', '/notes.txt', PROGRAM, 'fifteen bytes, '],
    ['a form of a program', 'POST', '/', { ...PROGRAM, ...URLENCODED }, 'content=fifteen'],
    ['a multipart form of a program', 'POST', '/', { ...PROGRAM, ...MULTIPART }, '--x\r\nContent-Di'],
    ['a text for Haste', 'POST', '/documents', PROGRAM, 'fifteen bytes, '],
    ['JSON', 'POST', '/v1/document', JSON_BODY, '{"content":"15 '],
    ['an edit with a bogus key', 'PATCH', '/v1/document', { ...JSON_BODY, ...BOGUS_KEY }, '{"content":"15 '],
    ['a form of the site', 'POST', '/', { ...BROWSER, ...URLENCODED }, 'content=fifteen'],
    ['a multipart form of the site', 'POST', '/', { ...BROWSER, ...MULTIPART }, '--x\r\nContent-Di'],
    ['what somebody shares', 'POST', '/share', { ...BROWSER, ...MULTIPART }, '--x\r\nContent-Di'],
  ])('takes no more memory than its first buffers, whatever its length will be: %s', async (...request) => {
    const [, method, path, headers, start] = request
    const getLargest = watchAllocations()
    const { status, reservedBytes, end } = await stall(path, method, headers, {
      start,
      announcedBytes: 10 * MiB,
    })
    expect(status).toBeNull()
    expect(getLargest()).toBeLessThanOrEqual(4 * KiB)
    expect(reservedBytes).toBeGreaterThan(0)
    expect(reservedBytes).toBeLessThan(32 * KiB)
    await end()
    expect(isolateMemory.getReservedBytes()).toBe(0)
  })

  it.each([
    ['a claim', '/v1/document/abcd/claim', JSON_BODY, '{"token":"fifte'],
    ['a sign-in', '/sign-in', { ...BROWSER, ...URLENCODED }, 'email=fifteen@e'],
    ['a password', '/r/ID', { ...BROWSER, ...URLENCODED }, 'password=fiftee'],
    ['a password of a page', '/ID', { ...BROWSER, ...URLENCODED }, 'password=fiftee'],
    ['a password of a program', '/ID', { ...PROGRAM, ...URLENCODED }, 'password=fiftee'],
    ['a device', '/device', { ...BROWSER, ...URLENCODED }, 'ids=fifteenfift'],
  ])('counts in small bodies as well: %s', async (_, path, headers, start) => {
    const { id } = await create('text')
    const { status, reservedBytes, end } = await stall(path.replace('ID', id), 'POST', headers, {
      start,
      announcedBytes: 10_000,
    })
    expect([status, reservedBytes > 0 && reservedBytes < 32 * KiB]).toEqual([null, true])
    await end()
    expect(isolateMemory.getReservedBytes()).toBe(0)
  })

  it('counts with a valid key, and leaves uploads from elsewhere their room', async () => {
    const { key } = await account()
    const stalled = await Promise.all(
      Array.from({ length: 4 }, () =>
        stall(
          '/v1/document',
          'POST',
          { ...JSON_BODY, Authorization: key, 'CF-Connecting-IP': '192.0.2.1' },
          {
            start: `{"content":"${'x'.repeat(600 * KiB)}`,
            announcedBytes: 10 * MiB,
          },
        ),
      ),
    )
    expect(isolateMemory.getReservedBytes()).toBeLessThan(8 * MiB)
    const answer = await send('/v1/document', {
      method: 'POST',
      headers: { ...JSON_BODY, Authorization: key, 'CF-Connecting-IP': '192.0.2.2' },
      body: JSON.stringify({ content: 'x'.repeat(10 * MiB) }),
    })
    expect(answer.status).toBe(200)
    await answer.body?.cancel()
    await Promise.all(stalled.map(({ end }) => end()))
    expect(isolateMemory.getReservedBytes()).toBe(0)
  })
})

describe('a compressed body', () => {
  it('is unpacked only as far as somebody reads it', async () => {
    const content = new Uint8Array(2 * MiB)
    for (let at = 0; at < content.length; at += 64 * KiB)
      crypto.getRandomValues(content.subarray(at, at + 64 * KiB))
    const packed = new Blob([content]).stream().pipeThrough(new CompressionStream('gzip'))
    const bytes = await new Response(packed).bytes()
    expect(bytes.length).toBeGreaterThan(MiB)
    let pulled = 0
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          controller.enqueue(bytes.slice(pulled, pulled + 4 * KiB))
          pulled += 4 * KiB
          if (pulled >= bytes.length) controller.close()
        },
      },
      { highWaterMark: 0 },
    )
    const headers = { 'Content-Encoding': 'gzip' }
    const c = new Context<AppEnv>(new Request(ORIGIN, { method: 'POST', headers, body }))
    c.set('memory', new RequestMemory(() => '192.0.2.1'))
    unpackBody(c)
    const reader = c.req.raw.body?.getReader()
    await reader?.read()
    for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setTimeout(resolve))
    expect(pulled).toBeLessThan(256 * KiB)
    await reader?.cancel()
  })
})
