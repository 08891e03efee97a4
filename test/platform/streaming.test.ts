import { describe, expect, it } from 'vitest'
import { escapeInBytes } from '../../src/platform/streaming.ts'
import { toReference, VERBATIM_TEXT_CHARACTERS } from '../../src/shared/escape.ts'

describe('escaping in bytes', () => {
  const escapeLong = escapeInBytes(VERBATIM_TEXT_CHARACTERS)

  it.each(['', '<', '&<>\r\0"\'', '<&>'.repeat(50_000), 'plain', '\uFEFF漢<😀>\x7f\x80é&'])(
    'does what a replacement does: case %#',
    (text) => {
      expect(escapeLong(text) === text.replace(VERBATIM_TEXT_CHARACTERS, toReference)).toBe(true)
    },
  )
})
