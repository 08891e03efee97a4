import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isColoured, readColours } from '../../src/client/highlight/ansi.ts'
import { ANSI_NAMES, TOKEN_SIZE } from '../../src/client/highlight/tokens.ts'

/** What is coloured, as words: `name(text)`. */
function coloured(text: string): string[] {
  const shown = readColours(text)
  return Array.from({ length: shown.tokens.length / TOKEN_SIZE }, (_, index) => {
    const [from, to, name = -1] = shown.tokens.subarray(index * TOKEN_SIZE, (index + 1) * TOKEN_SIZE)
    return `${ANSI_NAMES[name]}(${shown.text.slice(from, to)})`
  })
}

describe('the colours of a terminal', () => {
  it.each([
    ['\x1B[31mred\x1B[0m plain', ['ansi-red(red)']],
    ['\x1B[mplain', []],
    ['\x1B[1;32mbold', ['ansi-bright-green(bold)']],
    ['\x1B[97;44ma\x1B[39mb\x1B[49mc', ['ansi-bright-white(a)', 'ansi-on-blue(a)', 'ansi-on-blue(b)']],
    ['\x1B[7;31ma\x1B[27mb', ['ansi-bright-white(a)', 'ansi-on-red(a)', 'ansi-red(b)']],
    ['\x1B[4ma\x1B[24;9mb', ['ansi-underline(a)', 'ansi-strike(b)']],
    [
      '\x1B[38;5;9ma\x1B[38;5;21mb\x1B[38;5;244mc',
      ['ansi-bright-red(a)', 'ansi-bright-blue(b)', 'ansi-bright-black(c)'],
    ],
    [
      '\x1B[38;2;255;0;0ma\x1B[48:2:0:90:0mb',
      ['ansi-bright-red(a)', 'ansi-bright-red(b)', 'ansi-on-green(b)'],
    ],
    ['\x1B[31ma\nb', ['ansi-red(a\nb)']],
  ])('of %j are these', (text, expected) => {
    expect(coloured(text)).toEqual(expected)
  })

  it('go with all that moves a cursor, names a window or makes a link, and with nothing else', () => {
    expect(
      readColours('a\x1B[2Jb\x1B]8;;https://x.example\x1B\\c\x1B]8;;\x07d\x1B]0;title\x07e\x1B[?25lf\x1BMg')
        .text,
    ).toBe('abcdefg')
    expect(readColours('\x1B \x1B[\n[31m \x1B]no end\n').text).toBe('\x1B \x1B[\n[31m \x1B]no end\n')
    expect(isColoured('[31m')).toBe(false)
  })

  it('leave all other text as it is, line for line', () => {
    const part = fc.oneof(
      fc.string(),
      fc.constantFrom('\x1B[', '\x1B]', '31m', '\n', '38;5', ';', '\x07', '\x1B[999999m'),
    )
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const text = parts.join('')
        const shown = readColours(text)
        expect(shown.text.split('\n').length).toBe(text.split('\n').length)
        if (!text.includes('\x1B')) expect(shown.text).toBe(text)
        for (let at = 0; at < shown.tokens.length; at += TOKEN_SIZE) {
          const [from = -1, to = -1, name = -1] = shown.tokens.subarray(at, at + TOKEN_SIZE)
          expect(from < to && to <= shown.text.length && ANSI_NAMES[name] !== undefined).toBe(true)
        }
      }),
    )
  })
})
