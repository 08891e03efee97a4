import { describe, expect, it } from 'vitest'
import {
  FONT_SIZES,
  formatDisplayCookie,
  getDisplayClasses,
  parseDisplayCookie,
} from '../../src/shared/display.ts'

describe('the display cookie', () => {
  it('keeps every choice', () => {
    for (const wrapped of [true, false]) {
      for (const fontSize of FONT_SIZES) {
        const display = { wrapped, fontSize }
        expect(parseDisplayCookie(`a=b; display=${formatDisplayCookie(display)}; c=d`)).toEqual(display)
      }
    }
  })

  it.each(['', 'display=', 'display=99', 'display=wrapped', 'my-display=wrap', 'display="><script>'])(
    'means the defaults without a valid value: %j',
    (cookies) => {
      expect(parseDisplayCookie(cookies)).toEqual({ wrapped: false, fontSize: 14 })
    },
  )

  it('has no classes for the defaults', () => {
    expect(getDisplayClasses({ wrapped: false, fontSize: 14 })).toEqual([])
    expect(getDisplayClasses({ wrapped: true, fontSize: 18 })).toEqual(['wrapped', 'size-18'])
  })
})
