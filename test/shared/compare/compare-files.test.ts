import { describe, expect, it } from 'vitest'
import { compareFiles, summarizeFiles } from '../../../src/shared/compare/compare-files.ts'
import { WorkLimit } from '../../../src/shared/compare/diff-tokens.ts'
import { formatArchive } from '../../../src/shared/txtar.ts'

const toArchive = (files: Readonly<Record<string, string>>) =>
  formatArchive(Object.entries(files).map(([name, content]) => ({ name, content })))

type Version = string | { text: string; language: string; languageChosen?: boolean }

const toVersion = (version: Version) => ({
  languageChosen: true,
  ...(typeof version === 'string' ? { text: version, language: 'txtar' } : version),
})

/** A version without a language is an archive. */
const toVersions = (old: Version, current: Version, title: string | null = null) => ({
  old: toVersion(old),
  current: toVersion(current),
  title,
})

const compare = (...versions: Parameters<typeof toVersions>) => compareFiles(toVersions(...versions))
const summarize = (...versions: Parameters<typeof toVersions>) =>
  summarizeFiles(toVersions(...versions), new WorkLimit(100_000))

const NO_LINES = { removed: 0, added: 0 }

describe('comparing several files', () => {
  const old = toArchive({
    'a.py': 'one\ntwo\n',
    'b.txt': 'same\n',
    'c.go': 'package c\n',
    gone: 'x\n',
    empty: '',
  })
  const current = toArchive({
    new: 'y\n',
    'a.py': 'one\n2\n',
    'b.txt': 'same\n',
    'd.go': 'package c\n',
    e: '',
  })

  it('names those that were changed, added, renamed or deleted', () => {
    expect(summarize(old, current)).toEqual({
      files: ['new', 'a.py', 'c.go → d.go', 'e', 'gone', 'empty'],
      counts: { removed: 2, added: 2 },
    })
    const changes = compare(old, current) ?? []
    expect(changes.map(({ what }) => what)).toEqual([
      'added',
      null,
      'renamed from c.go',
      'added',
      'deleted',
      'deleted',
    ])
    expect(changes.map(({ oldLanguage, language }) => `${oldLanguage} ${language}`).slice(1, 3)).toEqual([
      'python python',
      'go go',
    ])
    expect(
      changes.map(({ result }) => (typeof result === 'object' && result ? result.added : result)),
    ).toEqual([1, 1, null, null, 0, null])
  })

  it('knows another order from another text, and a chosen language from the text', () => {
    const both = toArchive({ a: '1', b: '2' })
    expect(compare(both, toArchive({ b: '2', a: '1' }))).toEqual([])
    expect(summarize(both, toArchive({ b: '2', a: '1' }))).toEqual({ files: [], counts: NO_LINES })
    expect(summarize(both, toArchive({ c: '2', a: '1' }))).toEqual({ files: ['b → c'], counts: NO_LINES })
    const chosen = formatArchive([{ name: 'a', content: '1', language: 'go' }])
    expect(compare(toArchive({ a: '1' }), chosen)).toEqual([
      {
        name: 'a',
        label: 'a',
        what: 'another language',
        oldLanguage: 'plaintext',
        language: 'go',
        result: null,
      },
    ])
  })

  it('finds a file with another name by a similar text', () => {
    const go = 'package main\n\nfunc main() {\n}\n'
    const [before, after] = [
      toArchive({ 'a.go': go, x: 'y' }),
      toArchive({ 'b.go': `${go}// end\n`, z: '1' }),
    ]
    expect(compare(before, after)).toMatchObject([
      { name: 'b.go', what: 'renamed from a.go', result: { added: 1, removed: 0 } },
      { name: 'z', what: 'added' },
      { name: 'x', what: 'deleted' },
    ])
    expect(summarize(before, after)?.files).toEqual(['a.go → b.go', 'z', 'x'])
  })

  it('leaves texts without files to the comparison of texts', () => {
    const text = { text: current, language: 'plaintext' }
    expect(compare(text, { text: 'text', language: 'python' })).toBeNull()
    expect(compare(old, `preamble\n${current}`)).toBeNull()
    expect(summarize(old, `preamble\n${current}`)).toBeNull()
    // Nobody chose a language, and the names are those of files.
    const found = toArchive({ 'a.py': '1', 'b.py': '2' })
    const version = { text: found, language: 'plaintext', languageChosen: false }
    expect(compare(version, toArchive({ 'a.py': '1' }))).toMatchObject([{ name: 'b.py', what: 'deleted' }])
  })

  const SCRIPT = 'import sys\n\nfor line in sys.stdin:\n    print(line.strip())\n'
  const FILES = { 'README.md': '# Strip\n\nA filter.\n', 'strip.py': SCRIPT, empty: '' }

  it.each([
    ['of the same text', { text: SCRIPT, language: 'python' }, 'Strip lines', 0],
    ['of the same name', { text: 'x = 1\n', language: 'python' }, 'strip.py', 1],
    ['that is most similar', { text: `${SCRIPT}# end\n`, language: 'python' }, null, 1],
  ])('takes the only text of a version for the file %s', (_which, text, title, lines) => {
    const archive = toArchive(FILES)
    const name = 'strip.py'
    const changed = lines === 0 ? [] : [{ name, what: null, oldLanguage: 'python', language: 'python' }]
    const others = (what: string) => [
      { name: 'README.md', what },
      { name: 'empty', what },
    ]
    const together = compare(archive, text, title)
    expect(together).toMatchObject([...changed, ...others('deleted')])
    const [readme, empty] = others('added')
    expect(compare(text, archive, title)).toMatchObject([readme, ...changed, empty])
    const { files, counts } = summarize(archive, text, title) ?? {}
    expect(files).toEqual([...changed, ...others('')].map((change) => change.name))
    if (lines === 0) expect(counts).toEqual({ removed: 3, added: 0 })
  })

  it('takes a text that is unlike all files for one of its own', () => {
    const text = { text: 'SELECT 1;\n', language: 'sql' }
    expect(compare(text, toArchive({ 'strip.py': SCRIPT }), 'Report')).toMatchObject([
      { name: 'strip.py', what: 'added' },
      { name: 'Report', what: 'deleted', oldLanguage: 'sql' },
    ])
    expect(compare(toArchive({ 'strip.py': SCRIPT }), text)).toMatchObject([
      { name: 'Untitled', what: 'added', language: 'sql' },
      { name: 'strip.py', what: 'deleted' },
    ])
    expect(compare({ text: '', language: 'plaintext' }, toArchive({ a: 'x' }))).toMatchObject([
      { name: 'a', what: 'added' },
    ])
  })

  it('says that one file has the text that was there', () => {
    const text = { text: SCRIPT, language: 'python' }
    expect(compare(text, toArchive({ 'strip.py': SCRIPT }))).toMatchObject([
      { name: 'strip.py', what: null, result: 'same' },
    ])
  })

  it('reads no more lines of all files than of one text', () => {
    const make = (last: string) =>
      formatArchive(['a', 'b', 'c'].map((name) => ({ name, content: `${'\n'.repeat(40_000)}${last}` })))
    expect(compare(make('x'), make('y'))?.map(({ result }) => typeof result)).toEqual([
      'object',
      'object',
      'string',
    ])
  })

  it('still compares the others if one has too many lines', () => {
    const make = (last: string) =>
      formatArchive([
        { name: 'a', content: `${'\n'.repeat(100_001)}${last}` },
        { name: 'b', content: last },
      ])
    expect(compare(make('x'), make('y'))?.map(({ result }) => typeof result)).toEqual(['string', 'object'])
  })

  it('takes no more lines for a hundred files than for one text', () => {
    const make = (line: string) =>
      formatArchive(
        Array.from({ length: 100 }, (_, index) => ({
          name: `f${index}`,
          content: Array.from({ length: 400 }, (_, at) => `${line} ${index} ${at}\n`).join(''),
        })),
      )
    const shown = (compare(make('old'), make('new')) ?? []).flatMap(({ result }) =>
      typeof result === 'object' && result ? result.blocks : [],
    )
    const lines = shown.reduce(
      (sum, block) => sum + (block.kind === 'changed' ? block.removed.length + block.added.length : 0),
      0,
    )
    expect(lines).toBeGreaterThan(500)
    expect(lines).toBeLessThan(6_000)
  })
})
