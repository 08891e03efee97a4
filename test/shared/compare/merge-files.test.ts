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
  const toText = (files: Files | string) => (typeof files === 'string' ? files : toArchive(files))
  const old = typeof base === 'string' ? {} : base
  const open = toFiles(mine).map((file) => ({ ...file, saved: saved[file.name] ?? old[file.name] ?? null }))
  return mergeFiles({ base: toText(base), theirs: toText(theirs) }, open).map((merged) => [
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

  it('takes a text that is no archive for one file', () => {
    const mine = { 'file-1': 'one', 'file-2': 'two' }
    const added = ['file-2', undefined, 'two', undefined]
    expect(merge('theirs', mine, {}, 'one')).toEqual([['file-1', 'one', 'one', 'theirs'], added])
    expect(merge('theirs', mine, {}, '')).toEqual([['file-1', undefined, 'one', 'theirs'], added])
    expect(merge('b\n', { ...BASE, 'b.py': 'mine' })).toEqual([['b.py', 'b\n', 'mine', 'b\n']])
  })

  it('leaves their files if nothing else would be left', () => {
    expect(merge({ 'a.py': 'a\n' }, { 'b.py': 'b\n', 'c.txt': 'c\n' })).toEqual([
      ['a.py', undefined, undefined, 'a\n'],
    ])
  })
})
