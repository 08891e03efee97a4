import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeTexts } from '../../../src/client/edit/comparison.ts'

const BASE = 'one\ntwo\nthree\nfour\nfive\nsix\nseven'

/** Few distinct lines, so that they repeat and move. */
const text = fc
  .array(fc.constantFrom('', 'a', 'b', 'c', '😀', '\r'), { maxLength: 12 })
  .map((lines) => lines.join('\n'))

describe('mergeTexts', () => {
  it.each([
    [
      'far from each other',
      'ONE\ntwo\nthree\nfour\nfive\nsix\nseven',
      'one\ntwo\nthree\nfour\nfive\nsix\nSEVEN',
      {
        text: 'ONE\ntwo\nthree\nfour\nfive\nsix\nSEVEN',
        theirs: 1,
        conflicts: 0,
      },
    ],
    [
      'of the same line',
      BASE.replace('four', 'mine'),
      BASE.replace('four', 'theirs'),
      {
        text: BASE.replace('four', 'mine'),
        theirs: 0,
        conflicts: 1,
      },
    ],
    [
      'to the same',
      BASE.replace('four', 'same'),
      BASE.replace('four', 'same'),
      {
        text: BASE.replace('four', 'same'),
        theirs: 0,
        conflicts: 0,
      },
    ],
    [
      'that add lines at both ends',
      `zero\n${BASE}`,
      `${BASE}\neight`,
      {
        text: `zero\n${BASE}\neight`,
        theirs: 1,
        conflicts: 0,
      },
    ],
    [
      'that delete lines at both ends',
      BASE.replace('one\n', ''),
      BASE.replace('\nseven', ''),
      {
        text: 'two\nthree\nfour\nfive\nsix',
        theirs: 1,
        conflicts: 0,
      },
    ],
    [
      'of which one deletes everything',
      '',
      BASE.replace('four', 'theirs'),
      { text: '', theirs: 0, conflicts: 1 },
    ],
  ])('merges two changes %s', (_, mine, theirs, merged) => {
    expect(mergeTexts(BASE, mine, theirs)).toEqual(merged)
  })

  it('returns the only change unchanged, whichever side it is on', () => {
    fc.assert(
      fc.property(text, text, (base, changed) => {
        expect(mergeTexts(base, changed, base).text).toBe(changed)
        expect(mergeTexts(base, base, changed).text).toBe(changed)
        expect(mergeTexts(base, changed, changed).text).toBe(changed)
      }),
      { numRuns: 2_000 },
    )
  })

  it('keeps every added line, unless both sides conflict', () => {
    fc.assert(
      fc.property(text, fc.nat(11), fc.nat(11), (base, one, other) => {
        const lines = base.split('\n')
        const withLine = (at: number, line: string) =>
          lines.toSpliced(Math.min(at, lines.length), 0, line).join('\n')
        const { text: merged, conflicts } = mergeTexts(base, withLine(one, 'mine'), withLine(other, 'theirs'))
        expect(merged.split('\n')).toContain('mine')
        expect(merged.split('\n').includes('theirs')).toBe(conflicts === 0)
      }),
      { numRuns: 2_000 },
    )
  })
})
