import { describe, expect, it } from 'vitest'
import { findHiddenCharacters, formatHiddenCharacters } from '../../src/shared/hidden-characters.ts'

describe('hidden characters', () => {
  it('do not include what shapes emoji, joined scripts and ideographs', () => {
    const text = '\uFEFF👨‍👩‍👧 ❤️ 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 می‌خواهم क्‍ष 葛\u{E0100}\t\f\r\n'
    expect(findHiddenCharacters(text)).toEqual({ bidirectional: null, invisible: null })
  })

  it.each(['a\uFEFF', 'a\u200Db', 'a\u{E0041}', 'a\u00ADb', 'x\u3164', 'y\uFE00', '\b', '😀\uFE0F\uFE0E'])(
    'include every invisible character: %j',
    (text) => {
      expect(findHiddenCharacters(text).invisible?.count).toBe(1)
    },
  )

  it('include a BEL, unless it ends a link of a terminal log', () => {
    const link = '\x1B]8;;https://example.com\x07a link\x1B]8;;\x07'
    expect(findHiddenCharacters(link).invisible).toBeNull()
    expect(findHiddenCharacters(`${link}\x07\n\x07`).invisible?.count).toBe(2)
  })

  it('are counted up to 1,000 of each kind', () => {
    expect(findHiddenCharacters('\u202E\u200B'.repeat(2_000))).toEqual({
      bidirectional: { count: 1_000, firstLine: 1 },
      invisible: { count: 1_000, firstLine: 1 },
    })
  })
})

describe('formatHiddenCharacters', () => {
  it('returns nothing if there are none', () => {
    expect(formatHiddenCharacters({ bidirectional: null, invisible: null })).toEqual([])
  })

  it('describes each kind and says where the first character is', () => {
    const found = { bidirectional: { count: 1, firstLine: 2 }, invisible: { count: 1_000, firstLine: 7 } }
    expect(formatHiddenCharacters(found)).toEqual([
      { amount: '1 bidirectional control character', where: 'line 2', line: 2 },
      { amount: '1000 or more invisible characters', where: 'first on line 7', line: 7 },
    ])
  })
})
