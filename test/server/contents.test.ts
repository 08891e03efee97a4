import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { SqliteNamespace } from '../../server/contents.ts'
import { MemoryRateLimit } from '../../server/rate-limits.ts'
import { SqliteFile } from '../../server/sqlite.ts'
import { createFolder } from './support/server.ts'

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
