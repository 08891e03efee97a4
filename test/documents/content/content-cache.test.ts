import { expect, it } from 'vitest'
import { ContentCache } from '../../../src/documents/content-store.ts'

it('the content cache stays within its size and evicts the least recently used entry', () => {
  const cache = new ContentCache(100, 50)
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
