import { expect, it } from 'vitest'
import { getSizeInMemory, LruCache } from '../../src/platform/lru-cache.ts'
import { BoundedMap } from '../../src/shared/bounded-map.ts'

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

it('a bounded map forgets the entry that was set longest ago', () => {
  const map = new BoundedMap<string, number>(2)
  map.set('a', 1).set('b', 2).set('a', 3).set('c', 4)
  expect([...map]).toEqual([
    ['a', 3],
    ['c', 4],
  ])
})
