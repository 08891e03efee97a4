import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import type { AppEnv } from '../../src/env.ts'
import { BodyChunks, ByteCollector, readForm } from '../../src/http/bodies.ts'
import { quoteNames, requireFewPairs, requireFewParts } from '../../src/http/content-form.ts'
import { RequestMemory } from '../../src/platform/request-memory.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const multipart = 'multipart/form-data; boundary=xyz'
const part = '--xyz\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'

describe('the bytes of a body', () => {
  it('take little more memory than there are of them', () => {
    const collector = new ByteCollector()
    collector.add(encode('fifteen bytes, '))
    expect(collector.bytesInMemory).toBe(4 * 1024)
    for (let count = 0; count < 1_000; count++) collector.add(new Uint8Array(1_000).fill(count))
    expect(collector.bytesInMemory - collector.size).toBeLessThan(64 * 1024)
    const bytes = collector.end()
    expect(bytes.byteLength).toBe(1_000_015)
    expect([bytes[14], bytes[15], bytes[1_015], bytes.at(-1)]).toEqual([0x20, 0, 1, 999 % 256])
    expect(collector.bytesInMemory).toBe(0)
  })
})

describe('a URL-encoded form', () => {
  it('may have 400 separators', () => {
    expect(() => requireFewPairs(encode('a=1&'.repeat(400)))).not.toThrow()
    expect(() => requireFewPairs(encode('a=1&'.repeat(401)))).toThrow('couldn’t be read')
  })
})

it('a URL-encoded form has a space for each plus before anything parses it', async () => {
  const app = new Hono<AppEnv>().post('/', async (c) => {
    c.set('memory', new RequestMemory(() => 'somebody'))
    const bytes = await readForm(c, 100)
    return c.json([new TextDecoder().decode(bytes), await c.req.parseBody()])
  })
  const read = async (type: string) =>
    (await app.request('/', { method: 'POST', body: 'a=1++%2B2', headers: { 'Content-Type': type } })).json()
  expect(await read('application/x-www-form-urlencoded')).toEqual(['a=1  %2B2', { a: '1  +2' }])
})

describe('a multipart form', () => {
  it('has short headers where its names are quoted', () => {
    const write = (names: number) =>
      encode(`--xyz\r\nContent-Disposition: form-data${'; name=a'.repeat(names)}\r\n\r\n1\r\n--xyz--`)
    expect(() => quoteNames(new Uint8Array(write(8_000)), multipart)).not.toThrow()
    expect(() => quoteNames(new Uint8Array(write(9_000)), multipart)).toThrow('couldn’t be read')
  })

  it('has parts with short headers', () => {
    const write = (slashes: number) =>
      encode(
        `${part}--xyz\r\nContent-Disposition: form-data; name="${'/'.repeat(slashes)}"\r\n\r\n1\r\n--xyz--`,
      )
    expect(() => requireFewParts(write(65_000), multipart)).not.toThrow()
    expect(() => requireFewParts(write(66_000), multipart)).toThrow('couldn’t be read')
  })

  it('may have 400 parts', () => {
    expect(() => requireFewParts(encode(`${part.repeat(400)}--xyz--`), multipart)).not.toThrow()
    expect(() => requireFewParts(encode(`${part.repeat(401)}--xyz--`), multipart)).toThrow('couldn’t be read')
    expect(() => requireFewParts(encode(`${part.replaceAll('\r', '').repeat(500)}`), multipart)).toThrow()
  })

  it.each(['multipart/form-data; boundary="xyz"', 'multipart/form-data;charset=utf-8;Boundary=xyz; a=b'])(
    'has its boundary in %s',
    (contentType) => {
      expect(() => requireFewParts(encode(part), contentType)).not.toThrow()
      expect(() => requireFewParts(encode(part.repeat(500)), contentType)).toThrow()
    },
  )

  it.each([
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=abc; boundary=xyz',
    'multipart/form-data; a="boundary=abc"; boundary=xyz',
  ])('needs one boundary: %s', (contentType) => {
    expect(() => requireFewParts(encode(part), contentType)).toThrow('couldn’t be read')
  })

  it('may have text with any number of lines that look like a boundary', () => {
    const text = `${part}${'--xy\n--\n-- xyz\n'.repeat(1000)}--xyz--`
    expect(() => requireFewParts(encode(text), multipart)).not.toThrow()
  })
})

const MIB = 1024 * 1024

/**
 * Reads a body whose chunks take some time each, by a clock that only the body moves. Returns how many bytes and
 * milliseconds passed before it ended, or was refused.
 */
async function upload({
  chunks,
  bytes,
  milliseconds,
}: {
  chunks: number
  bytes: number
  milliseconds: number
}) {
  let now = 0
  let sent = 0
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        now += milliseconds
        if (sent === chunks) return controller.close()
        sent += 1
        controller.enqueue(new Uint8Array(bytes))
      },
    },
    { highWaterMark: 0 },
  )
  // Node demands the half duplex, which the types of the Workers runtime don't know.
  const init = { method: 'POST', body, duplex: 'half' }
  const request = new Request('https://paste.example.org/', init)
  const memory = new RequestMemory(() => '192.0.2.1')
  const reader = new BodyChunks(request, { memory, clock: () => now })
  let size = 0
  try {
    for (let chunk = await reader.read(); chunk !== null; chunk = await reader.read())
      size += chunk.byteLength
  } catch (error) {
    return { problem: error instanceof Error ? error.message : error, size, seconds: now / 1000 }
  } finally {
    memory.release()
  }
  return { problem: null, size, seconds: now / 1000 }
}

describe('a slow upload', () => {
  it('is refused if it sends a byte now and then', async () => {
    const { problem, size, seconds } = await upload({ chunks: 100_000, bytes: 1, milliseconds: 1_000 })
    expect({ problem, size, seconds }).toEqual({
      problem: 'The upload was too slow',
      size: 31,
      seconds: 31,
    })
  })

  it('may bring 10 MiB over a slow phone connection', async () => {
    const seconds = 600
    const answer = await upload({
      chunks: 640,
      bytes: (10 * MIB) / 640,
      milliseconds: (seconds / 641) * 1000,
    })
    expect(answer.problem).toBeNull()
    expect(answer.size).toBe(10 * MIB)
  })

  it('may bring a short text as slowly as it wants for half a minute', async () => {
    expect((await upload({ chunks: 28, bytes: 10, milliseconds: 1_000 })).problem).toBeNull()
  })

  it('is refused once it falls behind, however fast it started', async () => {
    const fast = await upload({ chunks: 1_000, bytes: 1_000, milliseconds: 100 })
    expect(fast).toMatchObject({ problem: 'The upload was too slow' })
    // 10,000 bytes a second are too few, and half a minute is allowed besides.
    expect(fast.seconds).toBeGreaterThan(60)
    expect(fast.seconds).toBeLessThan(90)
  })
})
