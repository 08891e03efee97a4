import { describe, expect, it } from 'vitest'
import { findLastAtMost } from '../../../src/client/text/binary-search.ts'

describe('findLastAtMost', () => {
  it.each([
    [[], 5, -1],
    [[1, 3, 5], 0, -1],
    [[1, 3, 5], 1, 0],
    [[1, 3, 5], 4, 1],
    [[1, 3, 5], 9, 2],
    [[1, 3, 3, 3, 5], 3, 3],
  ])('of %j and %i returns %i', (numbers, limit, expected) => {
    expect(findLastAtMost(numbers, limit)).toBe(expected)
  })

  it('looks only at every nth number if there is a stride', () => {
    expect(findLastAtMost([1, 100, 3, 0, 5, 7], 4, 2)).toBe(1)
  })
})
