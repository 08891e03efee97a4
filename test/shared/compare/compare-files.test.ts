import { describe, expect, it } from 'vitest'
import { compareFiles, listChangedFiles } from '../../../src/shared/compare/compare-files.ts'
import { formatArchive } from '../../../src/shared/txtar.ts'

const toArchive = (files: Readonly<Record<string, string>>) =>
  formatArchive(Object.entries(files).map(([name, content]) => ({ name, content })))

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
    expect(listChangedFiles(old, current)).toEqual(['new', 'a.py', 'd.go', 'e', 'gone', 'empty'])
    const changes = compareFiles(old, current) ?? []
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
    expect(compareFiles(toArchive({ a: '1', b: '2' }), toArchive({ b: '2', a: '1' }))).toEqual([])
    const chosen = formatArchive([{ name: 'a', content: '1', language: 'go' }])
    expect(compareFiles(toArchive({ a: '1' }), chosen)).toEqual([
      { name: 'a', what: 'another language', oldLanguage: 'plaintext', language: 'go', result: null },
    ])
  })

  it('leaves texts without files to the comparison of texts', () => {
    expect(compareFiles('text', current)).toBeNull()
    expect(compareFiles(old, `preamble\n${current}`)).toBeNull()
    expect(listChangedFiles(old, 'text')).toBeNull()
  })

  it('takes no more lines for a hundred files than for one text', () => {
    const make = (line: string) =>
      formatArchive(
        Array.from({ length: 100 }, (_, index) => ({
          name: `f${index}`,
          content: Array.from({ length: 400 }, (_, at) => `${line} ${index} ${at}\n`).join(''),
        })),
      )
    const shown = (compareFiles(make('old'), make('new')) ?? []).flatMap(({ result }) =>
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
