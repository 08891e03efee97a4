import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { SqliteNamespace } from '../../server/contents.ts'
import { MemoryRateLimit } from '../../server/rate-limits.ts'
import { SqliteFile } from '../../server/sqlite.ts'
import { createAccount, createFolder, startTestServer } from './support/server.ts'

afterEach(() => {
  vi.useRealTimers()
})

/** Only the clock stands still. */
const setTime = (seconds: number) => vi.useFakeTimers({ toFake: ['Date'], now: seconds * 1_000 })

async function openContents() {
  const file = new SqliteFile(join(await createFolder(), 'contents.sqlite'), { autoVacuum: true })
  return { file, contents: new SqliteNamespace(file) }
}

describe('a value that has expired', () => {
  it('is neither read nor listed, and deleted by the next job', async () => {
    const { file, contents } = await openContents()
    setTime(1_000_000)
    await contents.put('a', 'x', { expirationTtl: 60 })
    await contents.put('b', 'x')
    setTime(1_000_059)
    expect(await contents.get('a')).toBe('x')
    expect(await contents.deleteExpired(10)).toBe(0)
    setTime(1_000_060)
    expect(await contents.get('a')).toBeNull()
    expect((await contents.list()).keys).toEqual([{ name: 'b' }])
    expect(await contents.deleteExpired(10)).toBe(1)
    expect(file.prepare('SELECT count(*) AS count FROM parts').get()).toEqual({ count: 1 })
    file.close()
  })
})

describe('a value that is deleted while it is streamed', () => {
  it('breaks off, instead of ending early', async () => {
    const { file, contents } = await openContents()
    await contents.put('long', new Uint8Array(600_000))
    const stream = (await contents.get('long', 'stream')) as ReadableStream<Uint8Array>
    const reader = stream.getReader()
    expect((await reader.read()).value?.byteLength).toBe(262_144)
    await contents.delete('long')
    await expect(reader.read()).rejects.toThrow(/deleted while it was read/)
    file.close()
  })

  it.each(['another', 'long'])(
    'never continues with the value that comes next, under the name "%s"',
    async (name) => {
      const { file, contents } = await openContents()
      await contents.put('long', new Uint8Array(600_000))
      const stream = (await contents.get('long', 'stream')) as ReadableStream<Uint8Array>
      const reader = stream.getReader()
      await reader.read()
      await contents.delete('long')
      await contents.put(name, new Uint8Array(600_000).fill(1))
      await expect(reader.read()).rejects.toThrow(/deleted while it was read/)
      file.close()
    },
  )

  it('is replaced, in a file that an earlier version made, by one of another name', async () => {
    const path = join(await createFolder(), 'contents.sqlite')
    const file = new SqliteFile(path, { autoVacuum: true })
    file.exec(`CREATE TABLE entries (
      id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, metadata TEXT, expires_at INTEGER
    ) STRICT`)
    const contents = new SqliteNamespace(file)
    await contents.put('long', new Uint8Array(600_000))
    const stream = (await contents.get('long', 'stream')) as ReadableStream<Uint8Array>
    await contents.delete('long')
    await contents.put('another', new Uint8Array(600_000).fill(1))
    const reader = stream.getReader()
    await reader.read()
    await expect(reader.read()).rejects.toThrow(/deleted while it was read/)
    file.close()
  })

  it('never brings its reader the text of another document', async () => {
    await using server = await startTestServer()
    const key = await createAccount(server.env, 'ada')
    const call = (method: string, path: string, body?: object) =>
      fetch(server.url + path, {
        method,
        headers: { Authorization: key, 'Content-Type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
    const create = async (content: string) => {
      const { data } = (await (await call('POST', '/v1/document', { content })).json()) as {
        data: { id: string }
      }
      return data.id
    }
    const id = await create('a'.repeat(10_000_000))
    const sent = get(`${server.url}/r/${id}`)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    await once(response, 'readable')
    expect((await call('DELETE', `/v1/document/${id}`)).status).toBe(204)
    await expect.poll(async () => (await server.env.CONTENTS.list()).keys).toEqual([])
    await create('b'.repeat(10_000_000))
    const characters = new Set<string>()
    const read = async () => {
      for await (const chunk of response)
        for (const byte of new Set<number>(chunk)) characters.add(String.fromCharCode(byte))
    }
    await expect(read()).rejects.toThrow('aborted')
    expect(characters).toEqual(new Set('a'))
  })
})

describe('a rate limit', () => {
  it('counts each caller in each period, also after the clock is set back', async () => {
    const limit = new MemoryRateLimit({ limit: 2, period: 10 })
    const call = async (key: string) => (await limit.limit({ key })).success
    setTime(1_000)
    expect([await call('a'), await call('a'), await call('a'), await call('b')]).toEqual([
      true,
      true,
      false,
      true,
    ])
    setTime(1_010)
    expect(await call('a')).toBe(true)
    setTime(500)
    expect([await call('a'), await call('a'), await call('a')]).toEqual([true, true, false])
  })
})

it('a write is on the disk before long, though each turn of the event loop brings another', async () => {
  const file = new SqliteFile(join(await createFolder(), 'busy.sqlite'))
  let isStored = false
  const first = file
    .write(() => {})
    .then(() => {
      isStored = true
    })
  const others: Promise<void>[] = []
  for (let turns = 0; turns < 200 && !isStored; turns++) {
    others.push(file.write(() => {}))
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(isStored).toBe(true)
  await Promise.all([first, ...others])
  file.close()
})
