import { describe, expect, it } from 'vitest'
import { getReplacedParts } from '../../../src/client/markdown/replaced-parts.ts'

const parts = (text: string) => [...text].map((html) => ({ html }))

describe('the parts of a preview that a change replaces', () => {
  it.each([
    ['nothing', 'abc', 'abc', 3, 3, ''],
    ['a part in the middle', 'abc', 'axc', 1, 2, 'x'],
    ['a part that is added between equal ones', 'aab', 'aaab', 2, 2, 'a'],
    ['a part that is removed', 'abc', 'ac', 1, 2, ''],
    ['everything', 'abc', 'xy', 0, 3, 'xy'],
    ['a first text', '', 'ab', 0, 0, 'ab'],
  ])('are %s', (_, before, after, start, end, added) => {
    expect(getReplacedParts(parts(before), parts(after))).toEqual({ start, end, added: parts(added) })
  })
})
