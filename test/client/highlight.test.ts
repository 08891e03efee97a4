import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readCorpus } from '../../scripts/support/detection-corpus.ts'
import { hasTerminalControls, parseAnsi } from '../../src/client/highlight/ansi.ts'
import { getCodeTokens } from '../../src/client/highlight/code-tokens.ts'
import * as allGrammars from '../../src/client/highlight/grammars.ts'
import { type LanguageFile, loadLanguage } from '../../src/client/highlight/language-file.ts'
import { ANSI_STYLES, CODE_STYLES, getTokensBetween, TOKEN_SIZE } from '../../src/client/highlight/tokens.ts'
import { hasEscapeSequences } from '../../src/shared/escape-sequences.ts'
import { LANGUAGES } from '../../src/shared/languages.ts'
import { useLanguageFiles } from './language-files.ts'

useLanguageFiles()

const corpus = readCorpus()

const grammars: Readonly<Record<string, allGrammars.Grammar>> = allGrammars

/** The parser of the code editor. */
async function loadParser(language: string) {
  const support = await grammars[language]?.()
  if (!support) throw new Error(`no grammar for ${language}`)
  return support.language.parser
}

async function requireLanguage(language: string): Promise<LanguageFile> {
  const file = await loadLanguage(language)
  if (!file) throw new Error(`no file for ${language}`)
  return file
}

/** Returns the tokens of a text in the form `style(text)`. */
async function getStyled(language: string, text: string): Promise<string[]> {
  const { tokens } = (await requireLanguage(language)).getTokens(text)
  return [...getTokensBetween(tokens, 0, text.length)].map(
    ({ from, to, style }) => `${CODE_STYLES[style]}(${text.slice(from, to)})`,
  )
}

describe('the file of a language', () => {
  it.each([
    [
      'typescript',
      'const a = 1 // b',
      ['tok-keyword(const)', 'tok-definition(a)', 'tok-number(1)', 'tok-comment(// b)'],
    ],
    ['python', '"x"', ['tok-string("x")']],
    ['tsx', 'const a: string = <b>c</b>', ['tok-type(string)', 'tok-tag(b)']],
    ['graphql', 'query { a }', ['tok-keyword(query)']],
    ['hcl', 'a = true # b', ['tok-keyword(true)', 'tok-comment(# b)']],
    ['dotenv', '# a', ['tok-comment(# a)']],
    ['diff', '+a\n-b\n', ['tok-inserted(+a)', 'tok-deleted(-b)']],
  ])('colours %s: %j', async (language, text, expected) => {
    expect(await getStyled(language, text)).toEqual(expect.arrayContaining(expected))
  })

  it.each(Object.keys(grammars))('colours %s as the code editor does', async (language) => {
    const { getTokens } = await requireLanguage(language)
    const parser = await loadParser(language)
    const texts = corpus.filter((snippet) => snippet.language === language).map(({ text }) => text)
    for (const text of texts.length > 0 ? texts : corpus.map(({ text }) => text).slice(0, 20))
      expect(getTokens(text)).toEqual(getCodeTokens(parser, text))
  })

  it('colours long paragraphs of Markdown in pieces, since none can be parsed in slices', async () => {
    const text = 'a *b* [c\nd](https://e.example) '.repeat(2_000)
    const paragraphs: string[] = []
    const tree = (await loadParser('markdown')).parse(text)
    tree.iterate({
      enter: ({ name, from, to }) => {
        if (name === 'Paragraph') paragraphs.push(text.slice(from, to))
      },
    })
    expect(Math.max(...paragraphs.map(({ length }) => length))).toBeLessThan(5_100)
    expect(paragraphs.join('\n')).toBe(text)
    const styled = await getStyled('markdown', text)
    expect(styled.filter((token) => token === 'tok-emphasis(b)').length).toBeGreaterThan(1_950)
  })

  it('reaches the end of the text, unless it takes too long', async () => {
    const { getTokens } = await requireLanguage('json')
    expect(getTokens('[1, 2]').end).toBe(6)
    expect(getTokens('[1, 2]'.repeat(50_000), 0).end).toBeLessThan(300_000)
  })

  it('is there for every language, and has a grammar but for those that no grammar colours', async () => {
    const names = LANGUAGES.map(({ name }) => name).filter((name) => name !== 'plaintext')
    const files = await Promise.all(names.map(loadLanguage))
    expect(names.filter((_, index) => files[index] === null)).toEqual([
      'batch',
      'csv',
      'log',
      'mermaid',
      'nix',
      'tsv',
      'txtar',
    ])
    expect(names.filter((name) => name in grammars).length).toBe(Object.keys(grammars).length)
  })

  it.each(['plaintext', 'no-such-language', '../x', '"><script>'])('is missing for %s', async (language) => {
    expect(await loadLanguage(language)).toBeNull()
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
    [
      '\x1B[38:2::255:0:0ma\x1B[38:2:0:0:255mb\x1B[48:5:2mc',
      ['ansi-bright-red(a)', 'ansi-bright-blue(b)', 'ansi-bright-blue(c)', 'ansi-on-green(c)'],
    ],
    ['\x1B[4:3ma\x1B[4:0mb', ['ansi-underline(a)']],
    ['\x1B[58;2;255;4;9ma\x1B[58:2::1:4:9;31mb\x1B[59;58;5;4mc', ['ansi-red(b)', 'ansi-red(c)']],
    ['\x1B[1mbold', ['ansi-bold(bold)']],
    ['N\bNA\bA _\bu_\bvw\b_', ['ansi-bold(NA)', 'ansi-underline(uvw)']],
    ['漢\b漢', ['ansi-bold(漢)']],
  ])('styles %j', (text, expected) => {
    expect(getAnsiStyled(text)).toEqual(expected)
  })

  it('removes sequences that move the cursor, set the window title or make links', () => {
    const text = 'a\x1B[2Jb\x1B]8;;https://x.example\x1B\\c\x1B]8;;\x07d\x1B]0;title\x07e\x1B[?25lfg'
    expect(parseAnsi(text).plainText).toBe('abcdefg')
  })

  it.each([
    ['the character set that tput sgr0 selects', '\x1B(Ba\x1B)0b\x1B%Gc', 'abc'],
    ['erased lines', 'a\x1B[2K\rb', 'b'],
    ['window titles, ended by BEL or ST', '\x1B]0;x\x07a\x1B]2;y\x1B\\b\x9D0;z\x9Cc', 'abc'],
    [
      'device control strings, program commands and privacy messages',
      '\x1BP1$r0m\x1B\\a\x1B_G1;x\x1B\\b\x1B^y\x1B\\c\x1BXz\x1B\\d',
      'abcd',
    ],
    ['private modes', '\x1B[?2004ha\x1B[?25l\x1B[>4;1mb\x1B[?1049h', 'ab'],
    ['the keypad and a stop of tabs', 'a\x1B=b\x1B>c\x1BHd', 'abcd'],
    ['control sequences of one byte', '\x9B31ma\x9B0m\x9B2Jb', 'ab'],
    ['the palette of Linux', '\x1B]P0123456a\x1B]Rb', 'ab'],
    ['bells, NUL and shifts', 'a\x07\0\x0E\x0F\x7Fb', 'ab'],
    ['what grep and ls write', '\x1B[01;31m\x1B[Kerror\x1B[m\x1B[K: x', 'error: x'],
  ])('swallows %s', (_, text, expected) => {
    expect(parseAnsi(text).plainText).toBe(expected)
  })

  it.each([
    ['a progress bar', ' 10%\r 50%\r100%\n', '100%\n'],
    ['a shorter state over a longer one', 'Downloading\rDone\n', 'Doneloading\n'],
    ['a line that is erased first', 'Downloading\r\x1B[KDone\n', 'Done\n'],
    ['a line that is erased whole', 'Downloading\x1B[2K\x1B[1GDone\n', 'Done\n'],
    ['a line that is erased up to the cursor', 'abc\x1B[2D\x1B[1Kd', ' dc'],
    ['a bar that is drawn over itself', '[    ]\r[##  ]\r[####]\r\n', '[####]\r\n'],
    ['a spinner that goes back', 'Wait |\b/\b-\b\\ done', 'Wait \\ done'],
    ['bold of man pages', 'N\bNA\bAM\bME\bE and _\bu', 'NAME and u'],
    ['columns', 'ab\x1B[10Gc\x1B[2Cd\x1B[3De', 'ab       ce d'],
    ['deleted, erased and inserted characters', 'abcdef\r\x1B[2P\x1B[1X\x1B[2@', '   def'],
    ['characters outside of the BMP, with marks', '😀e\u0301x\ra', 'a e\u0301x'],
    ['columns after wide characters', '日本\x1B[10Gx\n👍\x1B[4Gy', '日本     x\n👍 y'],
    ['half of a wide character', '日本\rab', 'ab本'],
    ['columns of tabs', 'ab\tc\rd', 'db      c'],
    ['bars that are redrawn', 'a 1%\nb 1%\n\x1B[2A\x1B[Ka 2%\n\x1B[Kb 2%\nend\n', 'a 2%\nb 2%\nend\n'],
    ['the beginning of a line above', 'a\nbc\x1B[Fd\x1B[Ee', 'd\nec'],
    ['what is erased below', '1\n2\n3\n\x1B[3A\x1B[Jx\n', 'x\n'],
    ['what goes down again', 'abc\n\n\x1B[2Bx\x1B[2Ay\x1BMz', 'ayz\n\nx'],
    ['what is written where the cursor was saved', 'ab\x1B7cd\x1B8x\n\x1B[sef\x1B[uy', 'abxd\nyf'],
    ['a line that a program shows at the bottom', 'a\x1B7\x1B[24;1Hprogress\x1B8b\nc', 'ab\nc'],
    ['a screen that is cleared and written again', '$ x\n\x1B[2J\x1B[H1\n2\n\x1B[H\x1B[2J3\n', '$ x\n3\n'],
    ['a terminal that is reset', 'a\n\x1Bcold\nold\x1Bcnew', 'a\nnew'],
    ['a place that is returned to often', '\x1B7\x1B8\x1B[K10%\x1B8\x1B[K20%\x1B8\x1B[K30%', '30%'],
    ['what is erased at another place', '1\n2\n3\x1B[2A\x1B7\x1B[24;1H\x1B[J\x1B8x\n', '1x\n2\n3'],
    [
      'lines drawn over several lines',
      '\x1B(0lqqk\nx  x\nx\x1B(B quick\n1%\r2% x\n',
      '┌──┐\n│  │\n│ quick\n2% x\n',
    ],
    ['a mark beyond the end', 'ab\x1B[3;5H\uFEFFx\n\x1B[4G\u200Ey', 'ab\n\n\n    \uFEFFx\n   \u200Ey'],
    ['places on the screen', '\x1B[H\x1B[Jab\n\x1B[2;3Hc\x1B[1;2Hd\x1B[3de', 'ad\n  c\n  e'],
    ['a program that took the screen', '$ vi\n\x1B[?1049h\x1B[H~\n~\n\x1B[?1049l$ ls\n', '$ vi\n$ ls\n'],
    [
      'a screen that saves its own place',
      'a\nb\n$ vi\n\x1B7\x1B[?1049h\x1B[H~\n~\x1B7\x1B[?1049l\x1B8$ ls\n',
      'a\nb\n$ vi\n$ ls\n',
    ],
    ['letters after a reset', '\x1B(0lqk\x1Bcabc\n', '┌─┐\nabc\n'],
    ['a program that has the screen', '$ top\n\x1B[?1049h\x1B[Hload\n', '$ top\nload\n'],
    ['repeated characters', '[=\x1B[3b>]', '[====>]'],
    ['lines drawn with letters', '\x1B(0lqqk\x1B(B x\n\x1B(0mqj\x1B(Bq', '┌──┐ x\n└─┘q'],
    ['several lines', '1%\r2%\nx\r\n3%\r4%', '2%\nx\r\n4%'],
    ['a line that ends twice', 'a\r\r\nb', 'a\r\nb'],
  ])('shows the last state of %s', (_, text, expected) => {
    expect(parseAnsi(text).plainText).toBe(expected)
  })

  it('colours what a line ends as', () => {
    expect(getAnsiStyled('\x1B[31mold\r\x1B[32mne\x1B[0mw\n')).toEqual(['ansi-green(ne)'])
    expect(getAnsiStyled('\x1B[31mred\r\x1B[0mb')).toEqual(['ansi-red(ed)'])
  })

  it('keeps line breaks, and incomplete sequences', () => {
    const text = '\x1B \x1B[\r\n[31m \x1B]no end\n'
    expect(parseAnsi(text).plainText).toBe(text)
  })

  it.each(['\x1B[999999999Cb', '\x1B[999C\x1B[9999Gb\n', `${'a'.repeat(99)}\r\x1B[999@\n`])(
    'doesn’t let %j make a text much longer',
    (part) => {
      const text = part.repeat(5_000)
      expect(parseAnsi(text).plainText.length).toBeLessThan(3 * text.length)
    },
  )

  // It would take longer than a test may, if each sequence took as long as the line.
  it.each([
    ['moved', 300_000, '\x1B[P\x1B[1K\x1B[@'.repeat(30_000)],
    ['erased', 1_000, '\x1B[999X'.repeat(1_000_000)],
  ])('reads a long line that is %s again and again', (_, characters, sequences) => {
    const { plainText } = parseAnsi(`${'a'.repeat(characters)}\r${sequences}\nend`)
    expect(plainText.endsWith('\nend')).toBe(true)
  })

  it('keeps the number of lines, and only makes valid tokens', () => {
    const part = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '\x1B[',
        '\x1B]',
        '31m',
        '\n',
        '38;5',
        ';',
        '\x07',
        '\x1B[999999m',
        '\r',
        '\b',
        '\x1B[3D',
        '😀',
      ),
    )
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const text = parts.join('')
        const { plainText, tokens } = parseAnsi(text, { keepsLines: true })
        expect(plainText.split('\n').length).toBe(text.split('\n').length)
        if (!hasTerminalControls(text)) expect(plainText).toBe(text)
        for (let at = 0; at < tokens.length; at += TOKEN_SIZE) {
          const [from = -1, to = -1, style = -1] = tokens.subarray(at, at + TOKEN_SIZE)
          expect(from < to && to <= plainText.length && ANSI_STYLES[style] !== undefined).toBe(true)
          expect(from).toBeGreaterThanOrEqual(tokens[at - TOKEN_SIZE] ?? 0)
        }
      }),
    )
  })
})

describe('a text whose lines are written over', () => {
  it('keeps what is above the screen', () => {
    const text = `${'line\n'.repeat(1_000)}\x1B[999Ax`
    const { plainText } = parseAnsi(text)
    expect(plainText.split('\n')).toHaveLength(1_001)
    expect(plainText.startsWith('line\n'.repeat(801))).toBe(true)
    expect(plainText).toContain('\nxine\n')
  })

  const countTo = (end: number, name: string) =>
    Array.from({ length: end }, (_, index) => `${name} ${index + 1}\n`).join('')

  it.each([
    ['after a saved place', 'start\n\x1B7\x1B[H\x1B[2Jone\ntwo\nthree\n', 'start\none\ntwo\nthree\n'],
    ['on the screen of an old xterm', '$ vi\n\x1B7\x1B[?47h\x1B[H~ one\n~ two', '$ vi\n~ one\n~ two'],
    ['before a terminal is reset', `${countTo(250, 'old')}\x1Bcnew`, `${countTo(250, 'old')}new`],
    [
      'before a screen is cleared',
      `${countTo(150, 'old')}\x1B[H\x1B[2J\x1B[3Jnew`,
      `${countTo(150, 'old')}new`,
    ],
    [
      'on a screen that is still open',
      `$ less\n\x1B[?1049h${countTo(250, 'row')}`,
      `$ less\n${countTo(250, 'row')}`,
    ],
    [
      'before and after a program had the screen',
      `$ less\n\x1B[?1049h${countTo(250, 'row')}\x1B[?1049l$ ls\n`,
      '$ less\n$ ls\n',
    ],
  ])('keeps what was printed %s', (_, text, expected) => {
    expect(parseAnsi(text).plainText).toBe(expected)
  })

  it('keeps what follows a question for the size', () => {
    const { plainText } = parseAnsi('old\n\x1B[s\x1B[999;999H\x1B[6nnew\nlast\n')
    expect(plainText.replaceAll(/ +/g, '')).toBe('old\nnew\nlast\n')
  })

  it.each([
    ['a\n\x1B7b\x1B8c\n', true],
    ['\x1B[Ha\nb\n', true],
    ['a\n\x1B[Ab\x1B[B\n', true],
    ['a\n\x1B[Hb\n\x1B[Hc\n', false],
    ['a\nb\n\x1B[2Ac\nd\n', false],
    ['a\n\x1B[A\x1B[3;1Hb', false],
  ])('tells whether its lines are those of the source: %j', (text, expected) => {
    expect(parseAnsi(text).hasSourceLines).toBe(expected)
  })

  it('gets one more line at most, where a screen starts in a line, and only makes valid tokens', () => {
    const part = fc.oneof(
      fc.string(),
      fc.constantFrom(
        ...['\x1B[A', '\x1B[3B', '\x1B[J', '\x1B[2F', '\x1B[31m', '\n', '\r', '漢', '\b', '\t'],
        ...['\x1B7', '\x1B8', '\x1Bc', '\x1B[2J', '\x1B[?1049l', '\x1B(0', '\x1B[2b'],
      ),
    )
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const text = parts.join('')
        const { plainText, tokens } = parseAnsi(text)
        expect(plainText.split('\n').length).toBeLessThanOrEqual(text.split('\n').length + 1)
        for (let at = 0; at < tokens.length; at += TOKEN_SIZE)
          expect((tokens[at] ?? 0) < (tokens[at + 1] ?? 0) && (tokens[at + 1] ?? 0) <= plainText.length).toBe(
            true,
          )
      }),
    )
  })
})

describe('escape sequences', () => {
  it.each([
    ['\x1B[31mred', true],
    ['\x1B[m', true],
    ['a\x1B(B', true],
    ['\x1B]0;title\x07', true],
    ['\x1B[2K', true],
    ['[31m', false],
    ['\x1B\n', false],
    ['a\rb', false],
    ['N\bN', true],
    ['\b\n', false],
  ])('are in %j: %j', (text, expected) => {
    expect(hasEscapeSequences(text)).toBe(expected)
  })
})

describe('terminal controls', () => {
  it.each([
    ['a\rb\n', true],
    ['a\bb', true],
    ['\x1B[2K', true],
    ['a\r\nb\r\n', false],
    ['a\tb\f', false],
  ])('are in %j: %j', (text, expected) => {
    expect(hasTerminalControls(text)).toBe(expected)
  })
})
