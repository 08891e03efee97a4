import { describe, expect, it } from 'vitest'
import { getDelay, parseVersion } from '../../src/client/together/newer-versions.ts'

const MINUTE = 60_000
const USUAL = { baseMs: 8_000, quietMs: 0, failures: 0, retryAfterMs: 0, random: 0 }

describe('the delay before a page asks again', () => {
  it('grows while nothing changes, and is never shorter than the page wants', () => {
    const delays = [0, 2, 3, 14, 15, 600].map((minutes) => getDelay({ ...USUAL, quietMs: minutes * MINUTE }))
    expect(delays).toEqual([8_000, 8_000, 20_000, 20_000, 60_000, 60_000])
  })

  it('doubles with each failure, up to ten minutes', () => {
    const delays = [1, 2, 3, 100].map((failures) => getDelay({ ...USUAL, failures }))
    expect(delays).toEqual([16_000, 32_000, 64_000, 10 * MINUTE])
  })

  it('is at least what the server asks for', () => {
    expect(getDelay({ ...USUAL, failures: 1, retryAfterMs: MINUTE })).toBe(MINUTE)
    expect(getDelay({ ...USUAL, failures: 1, retryAfterMs: 1_000 })).toBe(16_000)
  })

  it('differs between pages by up to a quarter, and never falls short', () => {
    expect(getDelay({ ...USUAL, random: 0.999 })).toBeCloseTo(10_000, -2)
    expect(getDelay({ ...USUAL, retryAfterMs: MINUTE, random: 1 })).toBe(75_000)
  })

  it('lets 60 readers behind one address read, too, in their first three minutes', () => {
    const perMinute = 60 * (MINUTE / getDelay(USUAL))
    expect(perMinute).toBeLessThan(500)
  })
})

describe('parseVersion', () => {
  it.each([
    ['"raw-bcdfghjk2345"', 'bcdfghjk2345'],
    ['W/"raw-bcdfghjk2345"', 'bcdfghjk2345'],
    ['"json-bcdfghjk2345-0123abc"', 'bcdfghjk2345'],
    [null, null],
    ['', null],
    ['"', null],
  ])('of %s is %s', (etag, version) => {
    expect(parseVersion(etag)).toBe(version)
  })
})
