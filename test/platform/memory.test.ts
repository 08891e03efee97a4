import { describe, expect, it, vi } from 'vitest'
import { AppError } from '../../src/errors.ts'
import { getSizeInMemory, IsolateMemory, LruCache, RequestMemory } from '../../src/platform/memory.ts'
import { BoundedMap } from '../../src/shared/bounded-map.ts'

const MiB = 1024 * 1024
const create = (maxWaitMs = 100) =>
  new IsolateMemory({ transferBytes: 32 * MiB, totalBytes: 96 * MiB, maxWaitMs })

const refusal = expect.objectContaining({ status: 503, headers: { 'Retry-After': '5' } })

describe('the memory of an isolate', () => {
  it('is reserved at once while there is enough', async () => {
    const memory = create()
    const first = await memory.receive(10 * MiB)
    const second = await memory.process(60 * MiB)
    expect(memory.getReservedBytes()).toBe(70 * MiB)
    first.release()
    second.release()
    expect(memory.getReservedBytes()).toBe(0)
  })

  it('is refused with Retry-After if there is not enough for too long', async () => {
    const memory = create()
    await memory.process(60 * MiB)
    await expect(memory.process(60 * MiB)).rejects.toEqual(refusal)
    await memory.receive(30 * MiB)
    await expect(memory.receive(10 * MiB)).rejects.toEqual(refusal)
  })

  it('goes to a request that waits for it', async () => {
    const memory = create(10_000)
    const first = await memory.process(60 * MiB)
    const second = memory.process(60 * MiB)
    first.release()
    await expect(second).resolves.toBeDefined()
    expect(memory.getReservedBytes()).toBe(60 * MiB)
  })

  it('is enough for a request that is alone, however large', async () => {
    const memory = create()
    await expect(memory.receive(500 * MiB)).resolves.toBeDefined()
    const other = create()
    await expect(other.process(500 * MiB)).resolves.toBeDefined()
  })

  it('is free again if a request ends without a word', async () => {
    const memory = create()
    const renewed = await memory.process(20 * MiB)
    await memory.process(60 * MiB)
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 40_000)
    renewed.renew()
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 40_000)
    expect(memory.getReservedBytes()).toBe(20 * MiB)
  })

  it('never makes requests wait for each other in a circle', async () => {
    const memory = create(10_000)
    const upload = async () => {
      const request = new RequestMemory(memory)
      const arriving = request.receive(10 * MiB)
      for (let chunk = 0; chunk < 10; chunk++) await arriving.count(new Uint8Array(MiB))
      await arriving.finish()
      request.release()
    }
    await Promise.all(Array.from({ length: 8 }, upload))
    expect(memory.getReservedBytes()).toBe(0)
  })
})

describe('the memory of a request', () => {
  it('is not counted for content of up to 512 KiB', async () => {
    const memory = create()
    const request = new RequestMemory(memory)
    await request.reserve(512 * 1024, { encrypted: true })
    const arriving = request.receive(10 * MiB)
    await arriving.count(new Uint8Array(512 * 1024))
    expect(memory.getReservedBytes()).toBe(0)
    await arriving.count(new Uint8Array(1))
    expect(memory.getReservedBytes()).toBe(10 * MiB)
    arriving.release()
    expect(memory.getReservedBytes()).toBe(0)
  })

  it('grows without waiting, and is free after the request', async () => {
    const memory = create()
    const request = new RequestMemory(memory)
    await request.reserve(10 * MiB, { encrypted: true })
    await request.reserve(10 * MiB, { encrypted: true })
    expect(memory.getReservedBytes()).toBe(120 * MiB)
    request.release()
    expect(memory.getReservedBytes()).toBe(0)
    await request.reserve(10 * MiB, { encrypted: false })
    expect(memory.getReservedBytes()).toBe(0)
  })

  it('is free if it comes only after the end of the request', async () => {
    const memory = create(10_000)
    const other = await memory.process(90 * MiB)
    const request = new RequestMemory(memory)
    const reserving = request.reserve(10 * MiB, { encrypted: false })
    request.release()
    other.release()
    await reserving
    expect(memory.getReservedBytes()).toBe(0)
  })

  it('is an AppError if there is none', async () => {
    const memory = create()
    await memory.process(90 * MiB)
    await expect(new RequestMemory(memory).reserve(10 * MiB, { encrypted: false })).rejects.toThrow(AppError)
  })
})
it('an LRU cache stays within its size, and forgets what was used longest ago', () => {
  const cache = new LruCache({ maxBytes: 100, maxEntryBytes: 50, getBytes: getSizeInMemory })
  cache.set('a', 'x'.repeat(20))
  cache.set('b', 'x'.repeat(20))
  expect(cache.get('a')).toHaveLength(20)
  cache.set('c', 'x'.repeat(20))
  expect(cache.get('b')).toBeUndefined()
  expect(cache.get('a')).toBeDefined()
  expect(cache.bytes).toBe(80)
  cache.set('too large', 'x'.repeat(26))
  expect(cache.get('too large')).toBeUndefined()
  cache.set('a', 'y')
  expect(cache.bytes).toBe(42)
  cache.delete('c')
  cache.clear()
  expect(cache.bytes).toBe(0)
})

describe('a bounded map', () => {
  it('forgets the entry that was set longest ago', () => {
    const map = new BoundedMap<string, number>(2)
    map.set('a', 1).set('b', 2).set('a', 3).set('c', 4)
    expect([...map]).toEqual([
      ['a', 3],
      ['c', 4],
    ])
  })
})
