import { expect, it } from 'vitest'
import { BoundedMap } from '../../src/shared/bounded-map.ts'

it('forgets the entry that was set longest ago', () => {
  const map = new BoundedMap<string, number>(2)
  map.set('a', 1).set('b', 2).set('a', 3).set('c', 4)
  expect([...map]).toEqual([
    ['a', 3],
    ['c', 4],
  ])
})
