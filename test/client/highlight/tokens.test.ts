import { describe, expect, it } from 'vitest'
import { getTokensBetween } from '../../../src/client/highlight/tokens.ts'

/** Three tokens, of which two cover the same range in different styles. */
const TOKENS = new Uint32Array([2, 5, 0, 8, 12, 1, 8, 12, 2, 20, 21, 3])

const getStyles = (start: number, end: number) =>
  [...getTokensBetween(TOKENS, start, end)].map(({ style }) => style)

describe('getTokensBetween', () => {
  it.each([
    [0, 30, [0, 1, 2, 3]],
    [0, 2, []],
    [4, 9, [0, 1, 2]],
    [5, 8, []],
    [11, 20, [1, 2]],
    [12, 30, [3]],
    [21, 30, []],
  ])('from %i to %i yields the styles %j', (start, end, expected) => {
    expect(getStyles(start, end)).toEqual(expected)
  })

  it('yields nothing if there are no tokens', () => {
    expect([...getTokensBetween(new Uint32Array(), 0, 10)]).toEqual([])
  })
})
