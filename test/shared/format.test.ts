import { describe, expect, it } from 'vitest'
import {
  FONT_SIZES,
  formatDisplayCookie,
  getDisplayClasses,
  isWrapped,
  PLAIN_TEXT,
  parseDisplayCookie,
} from '../../src/shared/display.ts'
import { parseDuration } from '../../src/shared/expiry.ts'
import { formatAge, formatDateTime, formatSize } from '../../src/shared/format.ts'

const NOW = Date.UTC(2026, 4, 3, 9, 5)
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

describe('formatAge', () => {
  it.each([
    [0, 'just now'],
    [-59_999, 'just now'],
    [-MINUTE_MS, '1 minute ago'],
    [-59 * MINUTE_MS, '59 minutes ago'],
    [-60 * MINUTE_MS, '1 hour ago'],
    [-2 * DAY_MS, '2 days ago'],
    [-3 * DAY_MS + 1, '2 days ago'],
    [-60 * DAY_MS, '1 month ago'],
    [-800 * DAY_MS, '2 years ago'],
    [1, 'in less than a minute'],
    [MINUTE_MS - 1, 'in less than a minute'],
    [89 * MINUTE_MS, 'in 1 hour'],
    [91 * MINUTE_MS, 'in 2 hours'],
    [60 * MINUTE_MS - 1, 'in 1 hour'],
    [DAY_MS - 1, 'in 1 day'],
    [7 * DAY_MS, 'in 7 days'],
    [7 * DAY_MS - 1, 'in 7 days'],
    [16 * DAY_MS, 'in 16 days'],
    [30 * DAY_MS - 1, 'in 30 days'],
    [365 * DAY_MS, 'in 1 year'],
  ])('formats %i ms from now as "%s"', (ms, expected) => {
    expect(formatAge(NOW + ms, NOW)).toBe(expected)
  })
})

describe('formatDateTime', () => {
  it('writes the month as a word, the time in UTC', () => {
    expect(formatDateTime(NOW)).toBe('3 May 2026, 09:05 UTC')
  })
})

describe('formatSize', () => {
  it.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [1_023, '1023 bytes'],
    [1_024, '1.0 KiB'],
    [1_536, '1.5 KiB'],
    [10 * 1024 * 1024, '10.0 MiB'],
    [5 * 1024 ** 3, '5120.0 MiB'],
  ])('formats %i bytes as %s', (bytes, expected) => {
    expect(formatSize(bytes)).toBe(expected)
  })
})

describe('the display cookie', () => {
  it('keeps every choice', () => {
    for (const wrapped of [true, false, null]) {
      for (const fontSize of FONT_SIZES) {
        const display = { wrapped, fontSize }
        expect(parseDisplayCookie(`a=b; display=${formatDisplayCookie(display)}; c=d`)).toEqual(display)
      }
    }
  })

  it.each(['', 'display=', 'display=99', 'display=wrapped', 'my-display=wrap', 'display="><script>'])(
    'means the defaults without a valid value: %j',
    (cookies) => {
      expect(parseDisplayCookie(cookies)).toEqual({ wrapped: null, fontSize: 14 })
    },
  )

  it('has no classes for the defaults', () => {
    expect(getDisplayClasses({ wrapped: false, fontSize: 14 })).toEqual([])
    expect(getDisplayClasses({ wrapped: true, fontSize: 18 })).toEqual(['wrapped', 'size-18'])
  })
})

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

describe('a text without a choice of the reader', () => {
  const wide = { wrapped: null, isNarrow: false }
  const narrow = { wrapped: null, isNarrow: true }

  it.each([
    [wide, PLAIN_TEXT, 200, true],
    [wide, PLAIN_TEXT, 80, false],
    [wide, 'python', 200, false],
    [narrow, 'python', 60, true],
    [narrow, PLAIN_TEXT, 40, false],
  ])('%o in %s, %i columns: wraps %o', (display, language, longestLine, expected) => {
    expect(isWrapped(display, { language, longestLine })).toBe(expected)
  })

  it('is as the reader wants it after a choice', () => {
    for (const wrapped of [true, false]) {
      expect(isWrapped({ wrapped, isNarrow: true }, { language: 'python', longestLine: 1 })).toBe(wrapped)
    }
  })
})
