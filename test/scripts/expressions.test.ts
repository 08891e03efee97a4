import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findPatterns, findSlowness, parsePatterns } from '../torture/expressions.ts'

const slowness = (pattern: RegExp) =>
  findSlowness({ at: 'a.ts:1', source: pattern.source, flags: pattern.flags })

describe('the check of regular expressions', () => {
  it.each([/\s+$/, /^(a|a)+$/, /^\d*\w*$/, /=+$/])('refuses %s', (pattern) => {
    expect(slowness(pattern)).toContain('can take more than linear time')
  })

  it.each([/(?<!\s)\s+$/, /^\w+$/, /a{1,100}b/])('accepts %s', (pattern) => {
    expect(slowness(pattern)).toBeNull()
  })

  it('finds literals in TypeScript and JSX', () => {
    const text = "const a: RegExp = /a+/gu\nconst b = <b>{'/x/'.replace(/b/, '')}</b>"
    expect(parsePatterns('a.tsx', text).literals).toEqual([
      { line: 1, source: 'a+', flags: 'gu' },
      { line: 2, source: 'b', flags: '' },
    ])
  })

  it('finds what a module puts together, and reports what only a function can', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'regent-'))
    const file = join(folder, 'a.mjs')
    const text = "const part = 'x+'\nnew RegExp(part + '$')\nexport const f = (word) => new RegExp(word)\n"
    await writeFile(file, text)
    expect(await findPatterns('a.mjs', file)).toEqual({
      known: [{ at: 'a.mjs:2', source: 'x+$', flags: '' }],
      unknown: ['a.mjs:3'],
    })
    await rm(folder, { recursive: true })
  })
})
