import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  findHiddenCharacters,
  formatHiddenCharacters,
  listHiddenCharacters,
} from '../../src/shared/hidden-characters.ts'
import {
  type Chunk,
  countLineBreaks,
  detectLineBreaks,
  formatLineNumbers,
  getTextClasses,
  MAX_WHOLE_LINE_UNITS,
  planChunks,
  skipLines,
  splitChunk,
  splitText,
  toShownLines,
  withLineBreaks,
} from '../../src/shared/lines.ts'

/** What a browser lays out at once: twice the size of a chunk of average lines. */
const MAX_UNITS_AT_ONCE = 128 * 1024

const splitParts = (text: string) =>
  [...splitText(text, planChunks(text))].flatMap((chunk) => [...splitChunk(chunk.text)])
const splitSegments = (text: string) =>
  splitParts(text).flatMap((part) => ('segments' in part ? part.segments : []))

describe('the parts of a long text', () => {
  const unit = fc.constantFrom(
    'a',
    ' ',
    '\t',
    '\r',
    '😀',
    '👩‍👩‍👧',
    'e\u0301\u0302',
    '\u{1D165}',
    '\u{E0100}',
    'ש',
    '\x1B[31m',
  )
  const line = fc.tuple(fc.array(unit, { minLength: 1, maxLength: 5 }), fc.constantFrom(1, 3_000, 20_000))

  it('add up to the text, and never split a character', () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 8 }), (lines) => {
        const text = lines.map(([units, times]) => units.join('').repeat(times)).join('\n')
        const parts = splitParts(text)
        const pieces = parts.flatMap((part) => ('text' in part ? part.text : part.segments))
        expect(pieces.join('') === text).toBe(true)
        for (const piece of pieces) expect(piece.isWellFormed()).toBe(true)
        for (const part of parts) {
          if ('text' in part)
            expect(part.text.split('\n').every(({ length }) => length <= MAX_WHOLE_LINE_UNITS)).toBe(true)
          else expect(part.segments.every((text) => text.length <= 4_200 && !text.includes('\n'))).toBe(true)
        }
      }),
      { numRuns: 50 },
    )
  })

  it('end between words, and never inside a grapheme', () => {
    for (const word of splitSegments('word '.repeat(20_000))) expect(word).toMatch(/^word .* $/)
    for (const family of splitSegments('👩‍👩‍👧'.repeat(20_000))) expect(family).toMatch(/^(👩‍👩‍👧)+$/u)
    for (const letter of splitSegments('e\u0301\u0302'.repeat(30_000)))
      expect(letter).toMatch(/^(e\u0301\u0302)+$/)
  })

  it('are few boxes in few boxes, however long a line is', () => {
    const stretches = splitParts('word '.repeat(2_000_000)).flatMap((part) =>
      'segments' in part ? [part.segments.length] : [],
    )
    expect(stretches.length).toBeLessThan(100)
    expect(Math.max(...stretches)).toBe(32)
  })

  it('are whole lines if no line is long', () => {
    expect(splitSegments(`${'x'.repeat(MAX_WHOLE_LINE_UNITS - 1)}\n`.repeat(100)).length).toBe(0)
  })
})

const longLine = `${'x'.repeat(9_000)}\n`
/** 500 lines that take long. */
const escapes = `${'\x1B'.repeat(101)}\n`.repeat(10) + '\n'.repeat(490)

const MIXED: readonly (readonly [string, string])[] = [
  ['long lines before short ones', longLine.repeat(60) + '\n'.repeat(1_231)],
  ['long lines, the last without a line break', longLine.repeat(399) + 'x'.repeat(9_000)],
  ['long lines in turns with short ones', `${longLine.repeat(8)}${'\n'.repeat(492)}`.repeat(130)],
  ['lines in segments', `${'x'.repeat(65_537)}\n${'\n'.repeat(499)}`.repeat(150)],
  ['lines of escapes', `${'\x1B'.repeat(50_000)}\n`.repeat(200)],
  ['escapes in turns with empty lines', escapes.repeat(200)],
]

/** Texts with as many chunks, or as high ones, as somebody can make. */
const HOSTILE: typeof MIXED = [
  ...MIXED,
  [
    'a million lines, some long',
    `${longLine.repeat(8)}${'\n'.repeat(492)}`.repeat(120) + '\n'.repeat(940_000),
  ],
  ['escapes in some lines', escapes.repeat(1_499)],
  ['escapes in some of a million lines', escapes.repeat(390) + '\n'.repeat(805_000)],
  ['escapes in some of millions of lines', escapes.repeat(390) + '\n'.repeat(9_800_000)],
  ['escapes in millions of lines', '\x1B\x1B\x1B\n'.repeat(2_500_000)],
  ['empty lines', '\n'.repeat(10_000_000)],
]

describe('the chunks of a long text', () => {
  it.each<readonly [string, string]>([
    ['few long lines before many short ones', `${'x'.repeat(9_000)}\n`.repeat(100) + '\n'.repeat(100_000)],
    [
      'one long line among short ones',
      `${'short\n'.repeat(50_000)}${'x'.repeat(1_000_000)}\n${'y\n'.repeat(50_000)}`,
    ],
    [
      'a million short lines before long ones',
      `${'\n'.repeat(1_000_001)}${`${'x'.repeat(9_000)}\n`.repeat(600)}`,
    ],
    ['lines as long as each other', `${'x'.repeat(50)}\n`.repeat(200_000)],
    ...HOSTILE,
  ])('are small enough for a browser to lay out at once: %s', (_, text) => {
    const chunks = [...splitText(text, planChunks(text))]
    expect(chunks.map((chunk) => chunk.text).join('') === text).toBe(true)
    for (const chunk of chunks) {
      const whole = [...splitChunk(chunk.text)].reduce(
        (sum, part) => sum + ('text' in part ? part.text.length : 0),
        0,
      )
      expect(whole).toBeLessThanOrEqual(MAX_UNITS_AT_ONCE)
    }
  })

  it('have as many lines as the styles say, except the last', () => {
    const text = `${'x'.repeat(9_000)}\n`.repeat(60) + '\n'.repeat(1_231)
    const sizes = [...splitText(text, planChunks(text))].map(({ text, className }) => [
      className,
      countLineBreaks(text),
    ])
    expect(sizes).toEqual([
      ...Array.from({ length: 30 }, () => ['chunk chunk-2', 2]),
      ...Array.from({ length: 4 }, () => ['chunk chunk-10', 10]),
      ...Array.from({ length: 8 }, () => ['chunk chunk-50', 50]),
      ['chunk', 500],
      ['chunk last', 291],
    ])
  })

  it.each([
    ['lines are empty', '\n'.repeat(4_000_000), 1_600],
    ['lines are short', 'a\n'.repeat(1_000_000), 2_000],
    ['some lines are long', `${'x'.repeat(2_000)}\n`.repeat(200) + '\n'.repeat(100_000), 300],
    ['some lines are longer', `${'x'.repeat(9_000)}\n`.repeat(100) + '\n'.repeat(1_000_000), 2_300],
    ['some lines have escapes', '\x1B[1ma\n'.repeat(100_000) + '\x1B'.repeat(1_000_000), 400],
    ['all have escapes', '\x1B\x1B\x1B\n'.repeat(2_500_000), 6_000],
    ['many have escapes', escapes.repeat(390), 3_900],
    ['more have escapes', escapes.repeat(1_499), 1_499],
    ['some are in segments', `${'x'.repeat(65_537)}\n${'\n'.repeat(499)}`.repeat(150), 150],
  ])('are few, since more would take a browser longer than their text: %s', (_, text, most) => {
    expect([...splitText(text, planChunks(text))].length).toBeLessThanOrEqual(most)
  })

  it.each(MIXED)('are those of its line numbers: %s', (_, text) => {
    const plan = planChunks(text)
    const chunks = [...splitText(text, plan)]
    const numbers = [...formatLineNumbers(text, plan)]
    const measure = (chunk: Chunk) => [
      chunk.className,
      countLineBreaks(chunk.text) + (chunk.text.endsWith('\n') ? 0 : 1),
    ]
    expect(numbers.map(measure)).toEqual(chunks.map(measure))
    const all = Array.from({ length: plan.lineCount }, (_, index) => index + 1).join('\n')
    expect(numbers.map((chunk) => chunk.text).join('') === all).toBe(true)
  })

  it.each(HOSTILE)('are no higher together than a browser can lay out: %s', (_, text) => {
    const styles = readFileSync('src/client/styles/long-text.css', 'utf8')
    const plan = planChunks(text)
    const chunks = [...splitText(text, plan)]
    const [tall = ''] = getTextClasses(plan)
    const own = (className: string) => className.split(' ')[1] ?? ''
    for (const property of ['chunk', 'wrapped-chunk']) {
      const readHeight = (selector: string) =>
        new RegExp(`^\\.${selector} \\{[^}]*--${property}: (\\d+)lh`, 'm').exec(styles)?.[1]
      const estimate = (name: string) => Number(readHeight(name) ?? readHeight(tall) ?? 500)
      const heights = new Map(
        [...new Set(chunks.map(({ className }) => own(className)))].map((name) => [name, estimate(name)]),
      )
      const sum = chunks.reduce(
        (sum, { className, text }) =>
          sum + (own(className) === 'last' ? countLineBreaks(text) : (heights.get(own(className)) ?? 0)),
        0,
      )
      // Lines of the largest font are 28 pixels high.
      expect(sum * 28).toBeLessThan(2 ** 25)
    }
  })

  it('have few lines, even if the whole text is short', () => {
    expect([...splitText('\n'.repeat(2_000), planChunks('\n'.repeat(2_000)))].length).toBe(1)
    expect([...splitText('\n'.repeat(10_000), planChunks('\n'.repeat(10_000)))].length).toBe(20)
  })
})

describe('the line breaks of a text', () => {
  it.each([
    ['a\nb', 'lf'],
    ['a', 'lf'],
    ['a\r\nb\r\n', 'crlf'],
    ['a\rb\rc', 'cr'],
    ['year,share\r2024,5 %\r2025,6 %', 'cr'],
    ['Chapter 1\rIt rained.\rChapter 2\rIt rained.', 'cr'],
    ['a\rb\n', 'mixed'],
    ['a\r\nb\n', 'mixed'],
    [' 10%\r 55%\r100%', 'mixed'],
    ['get 1 of 9 [#    ]\rget 5 of 9 [###  ]\rget 9 of 9 [#####]\r', 'mixed'],
    ['\x1B[2Ka\rb', 'mixed'],
    ['|\b/\r-', 'mixed'],
  ])('%j are %s', (text, expected) => {
    expect(detectLineBreaks(text)).toBe(expected)
  })

  it('are as many on a page as in the text, and come back', () => {
    const text = 'a\rb\r\rc'
    expect(planChunks(toShownLines(text)).lineCount).toBe(4)
    expect(withLineBreaks(toShownLines(text), detectLineBreaks(text))).toBe(text)
    expect(toShownLines('a\rb\n')).toBe('a\rb\n')
  })
})

describe('hidden characters', () => {
  it('do not include what shapes emoji, joined scripts and ideographs', () => {
    const text = '\uFEFF👨‍👩‍👧 ❤️ 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 می‌خواهم क्‍ष 葛\u{E0100}\t\f\r\n'
    expect(findHiddenCharacters(text)).toEqual({ bidirectional: null, invisible: null })
  })

  it.each([
    ['Braille pictures', '⠀⠀⢀⣀⣀⠀\n⠀⠀⠀⠀\n'],
    ['Khmer, Thai, Lao and Burmese', 'ភាសា\u200Bខ្មែរ ภาษา\u200Bไทย\u200B ພາສາ\u200Bລາວ မြန်မာ\u200Bစာ'],
    ['chats of WhatsApp', '\u200E[05.03.24, 11:20:14] Anna: \u200Eimage omitted\n'],
    [
      'names and numbers in their own direction',
      '\u2068Anna\u2069 added \u202A+49\u00A0170 123\u202C\nto \u2066a b\u2069.',
    ],
    [
      'messages below a name',
      '[28/11/2026, 10:00:00] \u2068~Anna 🌸\u2069: <see> https://x.org?a=b\r\nHi \u2068Bob\u2069!',
    ],
    ['mentions', 'Hi @\u2068Anna Smith\u2069 {see} and @\u2068Bob & co\u2069!'],
    ['names after a mark', 'Team: \u200E\u2068Anna\u2069 added \u2068Bob\u2069'],
    ['numbers with hyphens that don’t break', 'Call \u202A+1\u00A0(415)\u00A0555\u20110100\u202C now'],
    ['names with emoji', '\u2068Anna 🇩🇪\u2069, \u2068Bob 👍🏽\u2069 and \u2068🌸 J.R. Smith\u2069'],
    [
      'words of translated programs',
      '\u2068Anna\u2069’s phone: “\u2068Report\u2069”, \u2068Firefox\u2069… \u20685\u2069%',
    ],
    ['Hebrew and Arabic', 'שלום (C++)\u200F ו-Java\u200F.\nمرحبا\u061C 123'],
    ['words that may be divided', 'Donau\u00ADdampf\u00ADschiff'],
    ['Mongolian', 'ᠮᠣᠩᠭᠣᠯ\u180E\u180Bᠠ ᠠ\u180B'],
    ['Korean that isn’t composed', '\u1112\u1160\u115F\u1161'],
    ['manual pages', 'N\bNA\bA _\bu u\b_'],
  ])('do not include what belongs to %s', (_, text) => {
    expect(findHiddenCharacters(text)).toEqual({ bidirectional: null, invisible: null })
    expect(listHiddenCharacters(text)).toEqual([])
  })

  it.each(['ab\u200Ecd', 'x\u200Fy', 'x\u061C', 'א\n\u200F\nא', '\u202E', 'a\u2067'])(
    'include what changes a direction out of its place: %j',
    (text) => {
      expect(findHiddenCharacters(text).bidirectional?.count).toBe(1)
    },
  )

  it.each([
    'a\u2066b\u2069c',
    '\u2068x\u2069 א',
    '\u2066\u2069',
    '\u2066x\n\u2069',
    '\u202Ax\u2069',
    '\u2067x\u2069',
    'if (role === "\u2066admin\u2069")',
    'https://\u2066example\u2069.com',
    'at \u2066example.com\u2069',
    'bob@\u2068example\u2069.com',
    'rm -rf \u2066/tmp\u2069',
    'rm -rf \u2066tmp\u2069',
    'rm \u2066tmp\u2069',
    'let x = \u2066y\u2069',
    '\u2066x\u2069 = 1',
    'call(a, \u2066b\u2069, c)',
    '  return \u2066admin\u2069',
    'user: \u2066admin\u2069',
    'a \u2066if (b)\u2069;',
    '(\u2066b\u2069).c',
  ])('include pairs that may change a direction: %j', (text) => {
    expect(findHiddenCharacters(text).bidirectional?.count).toBe(2)
  })

  it('include pairs beside an override, as in trojan source', () => {
    expect(
      findHiddenCharacters('/* \u202E } \u2066if (admin)\u2069 \u2066 begin */').bidirectional?.count,
    ).toBe(4)
  })

  it.each(['a\u2800b', 'pass\u200Bword', 'ad\u00ADm\u00AD', 'a\b b', 'a\u180Bb', 'a\u1160b'])(
    'include what is in another script: %j',
    (text) => {
      expect(findHiddenCharacters(text).invisible?.count).toBeGreaterThan(0)
    },
  )

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

  it('that reorder are listed however many harmless ones come before them', () => {
    const marks = '\u200E'.repeat(2_000)
    expect(listHiddenCharacters(`${marks}\u202E`).at(-1)).toMatchObject({ from: 2_000, reorders: true })
  })

  it('are listed in the order of the text, with their codes', () => {
    expect(listHiddenCharacters('a\u200B\u202E👩‍👧\u200F\u{E0041}')).toEqual([
      { from: 1, to: 2, code: 'U+200B', reorders: false },
      { from: 2, to: 3, code: 'U+202E', reorders: true },
      { from: 8, to: 9, code: 'U+200F', reorders: false },
      { from: 9, to: 11, code: 'U+E0041', reorders: false },
    ])
  })

  it('include the marks that one expression would find by looking around each of them', () => {
    const letter = String.raw`[\u0590-\u061B\u061D-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]`
    const slow = new RegExp(
      [
        String.raw`\u200E(?<=[\p{L}\p{N}_]\u200E)(?=[\p{L}\p{N}_])(?<!${letter}\u200E)(?!${letter})`,
        String.raw`[\u061C\u200F](?<!${letter}[^\n]{0,200}?)(?![^\n]{0,200}?${letter})`,
      ].join('|'),
      'gu',
    )
    const character = fc.constantFrom(...'\u061C\u200F\u200Eאب\u{10800}\n\ra_😀\uD800\uDC00')
    const stretch = fc
      .tuple(fc.constantFrom(...'x😀\u061C\u200F\uD83D'), fc.integer({ min: 196, max: 203 }))
      .map(([repeated, count]) => repeated.repeat(count))
    fc.assert(
      fc.property(fc.array(fc.oneof(character, character, stretch), { maxLength: 9 }), (parts) => {
        const text = parts.join('')
        const marks = listHiddenCharacters(text).filter(({ code }) => /^U\+(?:061C|200[EF])$/.test(code))
        const expected = [...text.matchAll(slow)].map(({ index }) => index)
        expect(marks.map(({ from }) => from)).toEqual(expected.slice(0, 1_000))
      }),
      { numRuns: 400 },
    )
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

describe('lines', () => {
  it.each([
    ['\n\n\n', 3],
    ['a\nb', 1],
    ['', 0],
  ])('are counted by their breaks: %j', (text, count) => expect(countLineBreaks(text)).toBe(count))

  it('are skipped up to the end of the text', () => {
    expect([0, 1, 2, 3, 9].map((lines) => skipLines('a\n\nbc', 0, lines))).toEqual([0, 2, 3, 5, 5])
    expect(skipLines('a\nb\nc', 2, 1)).toBe(4)
  })

  it('that CR ends are shown as lines, also millions, and of any characters', () => {
    expect(toShownLines('ä\r😀\r'.repeat(100_000)) === 'ä\n😀\n'.repeat(100_000)).toBe(true)
  })
})
