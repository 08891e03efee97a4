import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatAsMarkdown, orderFiles, parseFileFragment, toSlugs } from '../../src/shared/files.ts'
import { findArchiveProblem, formatArchive } from '../../src/shared/txtar.ts'

describe('the files of a document', () => {
  it('are in their order, but README.md or index.md is first', () => {
    const order = (...names: string[]) => orderFiles(names.map((name) => ({ name }))).map(({ name }) => name)
    expect(order('main.py', 'docs/README.md', 'readme.md', 'index.md')).toEqual([
      'readme.md',
      'main.py',
      'docs/README.md',
      'index.md',
    ])
    expect(order('b', 'a')).toEqual(['b', 'a'])
  })

  it('have parts of addresses that are all different', () => {
    expect(
      toSlugs(['main.py', 'src/main.py', 'Main.py', 'main-py', 'Makefile', 'L3', '…', 'größe.md']),
    ).toEqual([
      'main-py',
      'src-main-py',
      'main-py-2',
      'main-py-3',
      'file-makefile',
      'file-l3',
      'file-unnamed',
      'größe-md',
    ])
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 20 }), (names) => {
        const slugs = toSlugs(names)
        expect(new Set(slugs).size).toBe(names.length)
        for (const slug of slugs) {
          expect(slug).toMatch(/^[\p{L}\p{M}\p{N}-]+$/u)
          // With lines, it means the same file.
          expect(parseFileFragment(`${slug}-L3-L9`)).toEqual({ slug, lines: 'L3-L9' })
        }
      }),
    )
  })

  it('are copied as Markdown, in blocks that no file ends', () => {
    const files = [
      { name: 'a.md', content: '```js\n1\n```', language: 'markdown' },
      { name: '`b`', content: '' },
    ]
    expect(formatAsMarkdown(files)).toBe(
      '`a.md`\n\n````markdown\n```js\n1\n```\n````\n\n`` `b` ``\n\n```\n```\n',
    )
  })

  it('are copied however many backticks they have', () => {
    const content = '`id` '.repeat(200_000)
    expect(formatAsMarkdown([{ name: 'dump.sql', content }])).toContain(content)
  })

  it('are missing from a text for a reason', () => {
    const archive = formatArchive([{ name: 'a', content: 'x\n' }])
    expect(findArchiveProblem(archive)).toBeNull()
    expect(findArchiveProblem(`preamble\n${archive}`)).toMatch(/^It doesn’t start with the name of a file/)
    expect(findArchiveProblem('')).toMatch(/^It doesn’t start/)
    expect(findArchiveProblem(archive + archive)).toBe('Two files have the name “a”.')
    expect(findArchiveProblem('-- /etc --\n')).toBe(
      'The name “/etc” isn’t allowed. Must be a relative path, without / at its start.',
    )
    expect(findArchiveProblem('-- a\u202Eb --\n')).toContain('“a\uFFFDb” isn’t allowed')
    expect(findArchiveProblem(Array.from({ length: 101 }, (_, index) => `-- ${index} --\n`).join(''))).toBe(
      'It has more than 100 files.',
    )
  })
})
