import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  findNameProblem,
  formatArchive,
  isFileLanguage,
  MAX_FILES,
  parseArchive,
  readFirstFile,
  type TextFile,
} from '../../src/shared/txtar.ts'

const RUNS = 2_000

const piece = fc.constantFrom(
  ...[
    '-- a --',
    '-- "a" sql --',
    '\\',
    '\\ No newline at end of file',
    '--  --',
    '-- ',
    ' --',
    '"',
    '\n',
    '\r\n',
  ],
  ...['\r', '\u2028', '', ' ', 'text', 'é', '\u{1F600}', '\0', '\uFEFF'],
)
const content = fc.oneof(
  fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'binary', maxLength: 40 }),
)
const name = fc
  .oneof(
    fc.constantFrom(
      'a',
      'main.py',
      'src/my file.ts',
      ' a ',
      '"a"',
      '"a',
      '" --',
      '-- a --',
      '--',
      'é',
      'a "b" c',
    ),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
  )
  .filter((text) => findNameProblem(text) === null)
const language = fc.option(fc.constantFrom('python', 'c++', 'c#', 'märkdown'), { nil: undefined })
const file: fc.Arbitrary<TextFile> = fc
  .record({ name, content, language })
  .map(({ language: chosen, ...rest }) => (chosen === undefined ? rest : { ...rest, language: chosen }))
const lists = fc.uniqueArray(file, { minLength: 1, maxLength: 8, selector: (each) => each.name })

describe('an archive of files', () => {
  it('returns every list of files as it was', () => {
    fc.assert(
      fc.property(lists, (files) => {
        expect(parseArchive(formatArchive(files))).toEqual(files)
      }),
      { numRuns: RUNS },
    )
  })

  it('returns every text that it made as it was', () => {
    fc.assert(
      fc.property(lists, (files) => {
        const text = formatArchive(files)
        expect(formatArchive(parseArchive(text) ?? [])).toBe(text)
      }),
      { numRuns: RUNS },
    )
  })

  it('holds an archive inside an archive', () => {
    const inner = formatArchive([
      { name: 'a', content: 'no line break' },
      { name: 'b', content: '-- c --\n' },
    ])
    const files = [
      { name: 'inner.txtar', content: inner },
      { name: 'b', content: '' },
    ]
    expect(parseArchive(formatArchive(files))).toEqual(files)
  })

  it('is plain txtar for ordinary files', () => {
    const files = [
      { name: 'main.py', content: 'print("hello")\n' },
      { name: 'my notes/empty.txt', content: '' },
      { name: 'config/app.toml', content: 'debug = true' },
    ]
    const text =
      '-- main.py --\nprint("hello")\n-- my notes/empty.txt --\n-- config/app.toml --\ndebug = true'
    expect(formatArchive(files)).toBe(text)
    expect(parseArchive(text)).toEqual(files)
  })

  it('says in readable text what plain txtar has no words for', () => {
    const files = [
      { name: 'LICENSE', content: 'No line break', language: 'markdown' },
      { name: ' "spaces" ', content: '-- name --\n\\-- name --\n\\ No newline at end of file\n' },
    ]
    expect(formatArchive(files)).toBe(
      [
        '-- "LICENSE" markdown --',
        'No line break',
        '\\ No newline at end of file',
        '-- " \\"spaces\\" " --',
        '\\-- name --',
        '\\\\-- name --',
        '\\\\ No newline at end of file',
        '',
      ].join('\n'),
    )
  })

  it.each([
    ['an empty text', ''],
    ['a text without a header', 'text\n'],
    ['a text before the first file', 'A comment.\n-- a --\n-- b --\n'],
    ['a name that is there twice', '-- a --\n-- a --\n'],
    ['a forbidden name', '-- ../a --\n'],
    ['an empty name', '-- a --\n--  --\n'],
    ['too many files', Array.from({ length: MAX_FILES + 1 }, (_, at) => `-- ${at} --\n`).join('')],
  ])('is not %s', (_, text) => {
    expect(parseArchive(text)).toBeNull()
  })

  it('reads headers whose line breaks have become those of Windows', () => {
    expect(parseArchive('-- a --\r\ntext\r\n-- b --\r\n')).toEqual([
      { name: 'a', content: 'text\r\n' },
      { name: 'b', content: '' },
    ])
  })

  it('reads a header that ends the text, and one with more spaces or a stray quotation mark', () => {
    expect(parseArchive('--  a  --\n-- "b --')).toEqual([
      { name: 'a', content: '' },
      { name: '"b', content: '' },
    ])
  })
})

describe('the name of a file', () => {
  it.each(['a', '.env', 'my file.txt', 'src/a b/é.ts', '..a', 'a..', ' a ', 'x'.repeat(200), '日本語.md'])(
    'may be %j',
    (valid) => {
      expect(findNameProblem(valid)).toBeNull()
    },
  )

  it.each([
    ['', /empty/],
    ['x'.repeat(201), /at most 200/],
    ['/etc/passwd', /relative/],
    ['a//b', /empty folder/],
    ['a/', /empty folder/],
    ['./a', /as a folder/],
    ['a/../b', /as a folder/],
    ['a\\b', /backslash/],
    ['a\nb', /line breaks/],
    ['a\u2028b', /line breaks/],
    ['a\u0085b', /control/],
    ['a\u202Eb', /direction/],
    ['a\u200Fb', /direction/],
    ['a\uD800', /surrogate/],
  ])('may not be %j', (invalid, reason) => {
    expect(findNameProblem(invalid)).toMatch(reason)
  })
})

describe('the language of a file', () => {
  it('is one word', () => {
    expect(['python', 'c++', 'c#', 'vb.net', 'objective-c'].every(isFileLanguage)).toBe(true)
    expect(['', 'a b', 'a\n', '"a"', 'a --'].some(isFileLanguage)).toBe(false)
  })
})

describe('the first file', () => {
  it('is read from the beginning of an archive, wherever it is cut off', () => {
    const files = [
      { name: 'a "b"', content: 'one\n-- x --\n', language: 'go' },
      { name: 'c', content: '2' },
    ]
    const archive = formatArchive(files)
    expect(readFirstFile(archive)).toEqual(files[0])
    expect(readFirstFile(archive.slice(0, archive.indexOf('ne\n')))).toEqual({ ...files[0], content: 'o' })
    expect(readFirstFile('-- a --')).toEqual({ name: 'a', content: '' })
    expect(readFirstFile('text\n-- a --\n')).toBeNull()
    expect(readFirstFile('')).toBeNull()
  })
})
