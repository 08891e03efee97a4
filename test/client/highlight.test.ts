import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasAnsiStyles, parseAnsi } from '../../src/client/highlight/ansi.ts'
import { findGrammar, getCodeTokens, loadParser } from '../../src/client/highlight/code-tokens.ts'
import { ANSI_STYLES, CODE_STYLES, getTokensBetween, TOKEN_SIZE } from '../../src/client/highlight/tokens.ts'
import { LANGUAGES } from '../../src/shared/languages.ts'

/** Returns the tokens of a text in the form `style(text)`. */
async function getStyled(language: string, text: string): Promise<string[]> {
  const parser = await loadParser(language)
  if (!parser) throw new Error(`no parser for ${language}`)
  const { tokens } = getCodeTokens(parser, text)
  return [...getTokensBetween(tokens, 0, text.length)].map(
    ({ from, to, style }) => `${CODE_STYLES[style]}(${text.slice(from, to)})`,
  )
}

describe('code tokens', () => {
  it.each([
    [
      'ts',
      'const a = 1 // b',
      ['tok-keyword(const)', 'tok-definition(a)', 'tok-number(1)', 'tok-comment(// b)'],
    ],
    ['python', '"x"', ['tok-string("x")']],
    ['tsx', 'const a: string = <b>c</b>', ['tok-type(string)', 'tok-tag(b)']],
    ['graphql', 'query { a }', ['tok-keyword(query)']],
    ['terraform', 'a = true # b', ['tok-keyword(true)', 'tok-comment(# b)']],
    ['dotenv', '# a', ['tok-comment(# a)']],
    ['diff', '+a\n-b\n', ['tok-inserted(+a)', 'tok-deleted(-b)']],
  ])('of %s are %j', async (language, text, expected) => {
    expect(await getStyled(language, text)).toEqual(expect.arrayContaining(expected))
  })

  it('of Markdown come from pieces of long paragraphs, since none can be parsed in slices', async () => {
    const parser = await loadParser('markdown')
    const text = 'a *b* [c\nd](https://e.example) '.repeat(2_000)
    const paragraphs: string[] = []
    parser?.parse(text).iterate({
      enter: ({ name, from, to }) => {
        if (name === 'Paragraph') paragraphs.push(text.slice(from, to))
      },
    })
    expect(Math.max(...paragraphs.map(({ length }) => length))).toBeLessThan(5_100)
    expect(paragraphs.join('\n')).toBe(text)
    const styled = await getStyled('markdown', text)
    expect(styled.filter((token) => token === 'tok-emphasis(b)').length).toBeGreaterThan(1_950)
  })

  it('reach the end of the text', async () => {
    const parser = await loadParser('json')
    expect(parser && getCodeTokens(parser, '[1, 2]').end).toBe(6)
  })
})

describe('loadParser', () => {
  it.each(['svelte', 'elixir', 'markdown', 'TypeScript'])('finds a parser for %s', async (language) => {
    expect(await loadParser(language)).not.toBeNull()
  })

  it.each(['plaintext', 'no-such-language', '"><script>'])('returns null for %s', async (language) => {
    expect(await loadParser(language)).toBeNull()
  })
})

describe('findGrammar', () => {
  it('finds a grammar for every language but those that no grammar colours', () => {
    const plain = LANGUAGES.filter(({ name }) => findGrammar(name) === null).map(({ name }) => name)
    expect(plain).toEqual(['plaintext', 'batch', 'csv', 'log', 'nix', 'tsv'])
  })

  it.each([
    ['tsx', 'TSX'],
    ['jsx', 'JSX'],
    ['ts', 'TypeScript'],
    ['c', 'C'],
    ['cpp', 'C++'],
    ['sql', 'SQL'],
    ['html', 'HTML'],
    ['d', 'D'],
    ['hcl', 'HCL'],
  ])('of %s is %s', (language, name) => {
    expect(findGrammar(language)?.name).toBe(name)
  })
})

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

/** Returns the styled ranges in the form `style(text)`. */
function getAnsiStyled(text: string): string[] {
  const { plainText, tokens } = parseAnsi(text)
  return Array.from({ length: tokens.length / TOKEN_SIZE }, (_, index) => {
    const [from, to, style = -1] = tokens.subarray(index * TOKEN_SIZE, (index + 1) * TOKEN_SIZE)
    return `${ANSI_STYLES[style]}(${plainText.slice(from, to)})`
  })
}

describe('parseAnsi', () => {
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
  ])('styles %j', (text, expected) => {
    expect(getAnsiStyled(text)).toEqual(expected)
  })

  it('removes sequences that move the cursor, set the window title or make links', () => {
    const text = 'a\x1B[2Jb\x1B]8;;https://x.example\x1B\\c\x1B]8;;\x07d\x1B]0;title\x07e\x1B[?25lf\x1BMg'
    expect(parseAnsi(text).plainText).toBe('abcdefg')
  })

  it('keeps incomplete sequences', () => {
    const text = '\x1B \x1B[\n[31m \x1B]no end\n'
    expect(parseAnsi(text).plainText).toBe(text)
  })

  it('keeps the number of lines, and only makes valid tokens', () => {
    const part = fc.oneof(
      fc.string(),
      fc.constantFrom('\x1B[', '\x1B]', '31m', '\n', '38;5', ';', '\x07', '\x1B[999999m'),
    )
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const text = parts.join('')
        const { plainText, tokens } = parseAnsi(text)
        expect(plainText.split('\n').length).toBe(text.split('\n').length)
        if (!text.includes('\x1B')) expect(plainText).toBe(text)
        for (let at = 0; at < tokens.length; at += TOKEN_SIZE) {
          const [from = -1, to = -1, style = -1] = tokens.subarray(at, at + TOKEN_SIZE)
          expect(from < to && to <= plainText.length && ANSI_STYLES[style] !== undefined).toBe(true)
        }
      }),
    )
  })
})

describe('hasAnsiStyles', () => {
  it.each([
    ['\x1B[31mred', true],
    ['\x1B[m', true],
    ['[31m', false],
    ['\x1B[2J', false],
  ])('of %j is %s', (text, expected) => {
    expect(hasAnsiStyles(text)).toBe(expected)
  })
})
