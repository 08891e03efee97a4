import { describe, expect, it } from 'vitest'
import { parseDuration } from '../../src/shared/expiry.ts'

describe('a duration', () => {
  it.each([
    ['36h', 1.5],
    ['2d', 2],
    ['4w', 28],
    ['1.5d', 1.5],
    ['never', null],
  ])('%s is %s days', (typed, days) => {
    expect(parseDuration(typed)).toBe(days)
  })

  it('counts minutes', () => {
    expect(parseDuration('30m')).toBeCloseTo(30 / 1_440, 12)
  })

  it.each(['', '2', 'd', '2 d', '-1d', '1e3d', '2D', '2M', '2y', '1.d', '.5d', 'Never', 'toString'])(
    'refuses "%s"',
    (typed) => {
      expect(parseDuration(typed)).toBeUndefined()
    },
  )

  it.each(['0d', '0m', '0.0w'])('refuses "%s", which must not become never', (typed) => {
    expect(parseDuration(typed)).toBeUndefined()
  })
})
