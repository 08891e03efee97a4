import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeFiles } from '../../../src/shared/compare/merge-files.ts'
import { formatArchive, type TextFile } from '../../../src/shared/txtar.ts'

type Files = Readonly<Record<string, string>>

const BASE: Files = { 'a.py': 'a\n', 'b.py': 'b\n', 'c.txt': 'c\n' }

const toFiles = (files: Files): TextFile[] =>
  Object.entries(files).map(([name, content]) => ({ name, content }))
const toArchive = (files: Files) => formatArchive(toFiles(files))

/** Returns the name of each file, and the texts that are to be merged: base, mine and theirs. */
function merge(theirs: Files | string, mine: Files, saved: Files = {}, base: Files | string = BASE) {
  const toSaved = (files: Files | string) => {
    const isArchive = typeof files !== 'string'
    return { text: isArchive ? toArchive(files) : files, isArchive }
  }
  const old = typeof base === 'string' ? {} : base
  const open = toFiles(mine).map((file) => ({ ...file, saved: saved[file.name] ?? old[file.name] ?? null }))
  const texts = { base: toSaved(base), theirs: toSaved(theirs), name: 'notes.md' }
  return mergeFiles(texts, open).map((merged) => [
    merged.name,
    merged.base?.content,
    merged.file === merged.theirs ? undefined : merged.file.content,
    merged.theirs?.content,
  ])
}

const A = ['a.py', 'a\n', 'a\n', 'a\n']
const B = ['b.py', 'b\n', 'b\n', 'b\n']
const C = ['c.txt', 'c\n', 'c\n', 'c\n']

describe('merging several files', () => {
  it('gives a file that they renamed its new name and my text', () => {
    const theirs = { 'a.py': 'a\n', 'renamed.py': 'b\n', 'c.txt': 'c\n' }
    expect(merge(theirs, { ...BASE, 'b.py': 'b\nmine\n' })).toEqual([
      A,
      ['renamed.py', 'b\n', 'b\nmine\n', 'b\n'],
      C,
    ])
  })

  it('keeps the name that I chose, and takes their text, also if I changed mine', () => {
    const theirs = { ...BASE, 'b.py': 'b\ntheirs\n' }
    const renamed = (content: string) => ({ 'a.py': 'a\n', 'mine.py': content, 'c.txt': 'c\n' })
    expect(merge(theirs, renamed('b\n'))).toEqual([A, ['mine.py', 'b\n', 'b\n', 'b\ntheirs\n'], C])
    expect(merge(theirs, renamed('mine\nb\n'), { 'mine.py': 'b\n' })).toEqual([
      A,
      ['mine.py', 'b\n', 'mine\nb\n', 'b\ntheirs\n'],
      C,
    ])
    const both = { 'a.py': 'a\n', 'their.py': 'b\n', 'c.txt': 'c\n' }
    expect(merge(both, renamed('b\n'))).toEqual([A, ['mine.py', 'b\n', 'b\n', 'b\n'], C])
  })

  it('finds a file that they renamed and changed', () => {
    const [script, theirs, mine] = [
      'import sys\nexit(1)\n',
      'import sys\nexit(2)\n',
      'import sys\nexit(1)\n# 3\n',
    ]
    expect(merge({ 'b.py': theirs }, { 'a.py': mine }, {}, { 'a.py': script })).toEqual([
      ['b.py', script, mine, theirs],
    ])
  })

  it('takes no new file of mine for one that I removed, however similar it is', () => {
    const settings = 'host = example\nport = 80\nuser = ada\n'
    const theirs = `${settings}timeout = 30\n`
    const mine = settings.replace('80', '443')
    expect(merge({ ...BASE, dev: theirs }, { ...BASE, prod: mine }, {}, { ...BASE, dev: settings })).toEqual([
      A,
      B,
      C,
      ['dev', settings, undefined, theirs],
      ['prod', undefined, mine, undefined],
    ])
  })

  it('leaves out what one side removed, unless the other changed or renamed it', () => {
    const removed = { 'a.py': 'a\n', 'c.txt': 'c\n' }
    expect(merge(removed, BASE)).toEqual([A, C])
    expect(merge(BASE, removed)).toEqual([A, C])
    const changed = { ...BASE, 'b.py': 'b\nmore\n' }
    expect(merge(removed, changed)).toEqual([A, ['b.py', 'b\n', 'b\nmore\n', undefined], C])
    expect(merge(changed, removed)).toEqual([A, ['b.py', 'b\n', undefined, 'b\nmore\n'], C])
    const renamed = { 'a.py': 'a\n', 'd.py': 'b\n', 'c.txt': 'c\n' }
    expect(merge(removed, renamed)).toEqual([A, ['d.py', 'b\n', 'b\n', undefined], C])
    expect(merge(renamed, removed)).toEqual([A, ['d.py', 'b\n', undefined, 'b\n'], C])
  })

  it('adds what is new, where it is, and merges what both added', () => {
    const theirs = { 'new.md': 'theirs', ...BASE }
    expect(merge(theirs, BASE)).toEqual([['new.md', undefined, undefined, 'theirs'], A, B, C])
    expect(merge(theirs, { ...BASE, 'new.md': 'mine' })).toEqual([
      A,
      B,
      C,
      ['new.md', undefined, 'mine', 'theirs'],
    ])
  })

  it('gives no two files one name', () => {
    const theirs = { 'a.py': 'a\n', 'x.py': 'b\n', 'c.txt': 'c\n' }
    expect(merge(theirs, { ...BASE, 'x.py': 'new' })).toEqual([
      A,
      ['x-2.py', 'b\n', 'b\n', 'b\n'],
      C,
      ['x.py', undefined, 'new', undefined],
    ])
  })

  it('takes their order, unless I chose another', () => {
    const reordered = { 'c.txt': 'c\n', 'renamed.py': 'b\n', 'a.py': 'a\n' }
    expect(merge(reordered, { ...BASE, new: '' })).toEqual([
      C,
      ['renamed.py', ...B.slice(1)],
      A,
      ['new', undefined, '', undefined],
    ])
    expect(merge(reordered, { 'b.py': 'b\n', 'a.py': 'a\n', 'c.txt': 'c\n' })).toEqual([
      ['renamed.py', ...B.slice(1)],
      A,
      C,
    ])
  })

  it('takes one text for the file that it was, or becomes', () => {
    const mine = { 'file-1': 'one', 'file-2': 'two' }
    const added = ['file-2', undefined, 'two', undefined]
    expect(merge('theirs', mine, {}, 'one')).toEqual([['file-1', 'one', 'one', 'theirs'], added])
    expect(merge('theirs', mine, {}, '')).toEqual([['file-1', undefined, 'one', 'theirs'], added])
    expect(merge('b\n', { ...BASE, 'b.py': 'mine' })).toEqual([['b.py', 'b\n', 'mine', 'b\n']])
    const script = 'import sys\n\nprint(sys.argv)\n'
    const files = { 'a.py': 'a\n', 'b.py': script }
    const [theirs, edited] = [`${script}# theirs\n`, `# mine\n${script}`]
    expect(merge(theirs, { ...files, 'b.py': edited }, {}, files)).toEqual([['b.py', script, edited, theirs]])
    // It was one of two, or it is one of two now.
    expect(merge({ ...files, 'b.py': theirs }, { 'b.py': edited }, {}, files)).toEqual([
      ['b.py', script, edited, theirs],
    ])
    expect(merge({ ...files, 'b.py': theirs }, { 'b.py': edited }, { 'b.py': script }, script)).toEqual([
      ['a.py', undefined, undefined, 'a\n'],
      ['b.py', script, edited, theirs],
    ])
  })

  it('adds a text that is unlike all files, and reads no files in a text that is none', () => {
    expect(merge('Quite another text.', { ...BASE, 'a.py': 'mine' })).toEqual([
      ['notes.md', undefined, undefined, 'Quite another text.'],
      ['a.py', 'a\n', 'mine', undefined],
    ])
    const sql = '-- one.sql --\nSELECT 1;\n'
    expect(merge(sql, { 'q.sql': 'mine' }, { 'q.sql': 'old' }, 'old')).toEqual([
      ['q.sql', 'old', 'mine', sql],
    ])
  })

  it('takes all of theirs if I changed nothing, and keeps all of mine if they changed nothing', () => {
    const files = fc.uniqueArray(
      fc.record({ name: fc.constantFrom('a', 'b.md', 'c/d', 'notes.md'), content: fc.string() }),
      { minLength: 1, selector: ({ name }) => name },
    )
    const saved = fc.oneof(
      files.map((all) => ({ text: formatArchive(all), isArchive: true, all })),
      fc
        .string({ minLength: 1 })
        .map((text) => ({ text, isArchive: false, all: [{ name: null, content: text }] })),
    )
    const name = 'text'
    fc.assert(
      fc.property(saved, saved, (base, changed) => {
        const toMine = (all: readonly { name: string | null; content: string }[], old: string | null) =>
          all.map((file) => ({ ...file, name: file.name ?? name, saved: old ?? file.content }))
        const texts = (merged: ReturnType<typeof mergeFiles>) =>
          merged.map(({ file, base: before, theirs }) =>
            theirs && (!before || before.content === file.content) ? theirs.content : file.content,
          )
        const contents = changed.all.map(({ content }) => content)
        expect(texts(mergeFiles({ base, theirs: changed, name }, toMine(base.all, null)))).toEqual(contents)
        const mine = toMine(changed.all, null)
        expect(texts(mergeFiles({ base, theirs: base, name }, mine))).toEqual(contents)
      }),
    )
  })

  it('leaves their files if nothing else would be left', () => {
    expect(merge({ 'a.py': 'a\n' }, { 'b.py': 'b\n', 'c.txt': 'c\n' })).toEqual([
      ['a.py', undefined, undefined, 'a\n'],
    ])
  })
})
