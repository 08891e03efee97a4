import { describe, expect, it } from 'vitest'
import { findHiddenCharacters } from '../../src/shared/hidden-characters.ts'

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
