import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  foldTraces,
  getShownText,
  getShownTokens,
  ShownLines,
  showAll,
} from '../../../src/client/logs/shown-lines.ts'

describe('the shown lines', () => {
  const shown = new ShownLines(new Uint32Array([2, 4, 9, 12]))

  it('keep the numbers that they have in the document', () => {
    expect(shown.count).toBe(5)
    expect([1, 2, 3, 4, 5].map((position) => shown.numberAt(position))).toEqual([3, 4, 10, 11, 12])
  })

  it.each([
    [3, 3, { first: 1, last: 1 }],
    [1, 20, { first: 1, last: 5 }],
    [4, 10, { first: 2, last: 3 }],
    [5, 9, null],
    [13, 20, null],
  ])('are found by numbers: %i to %i', (first, last, positions) => {
    expect(shown.findPositions({ first, last })).toEqual(positions)
  })

  it('may be none', () => {
    expect(new ShownLines(showAll(0)).findPositions({ first: 1, last: 9 })).toBeNull()
  })

  it('are found by the number of each of them', () => {
    const lengths = fc.array(fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 })))
    fc.assert(
      fc.property(lengths, (pairs) => {
        const runs: number[] = []
        for (const [gap, length] of pairs)
          runs.push((runs.at(-1) ?? 0) + gap, (runs.at(-1) ?? 0) + gap + length)
        const lines = new ShownLines(new Uint32Array(runs))
        for (let position = 1; position <= lines.count; position++) {
          const number = lines.numberAt(position)
          expect(lines.findPositions({ first: number, last: number })).toEqual({
            first: position,
            last: position,
          })
        }
      }),
    )
  })
})

describe('folded stack traces', () => {
  const traces = new Uint32Array([1, 2, 5, 7, 8, 10])

  it.each<[string, number[], number[], number[]]>([
    ['leave all lines if none is folded', [0, 12], [], [0, 12]],
    ['leave their headers', [0, 12], [0, 1], [0, 2, 5, 8, 10, 12]],
    ['at the end leave what comes before', [0, 10], [1], [0, 8]],
    ['stay unfolded if their header isn’t shown', [3, 4, 7, 12], [0, 1], [3, 4, 7, 8, 10, 12]],
    ['that are partly shown leave nothing after the header', [1, 4], [0], [1, 2]],
  ])('%s', (_, runs, folded, expected) => {
    expect([...foldTraces(new Uint32Array(runs), traces, new Set(folded))]).toEqual(expected)
  })
})

describe('the text of the shown lines', () => {
  const text = 'a1\nb2\nc3\nd4'
  const lineStarts = new Uint32Array([0, 3, 6, 9, 11])
  const tokens = new Uint32Array([0, 1, 7, 4, 7, 8, 9, 10, 9])

  it('is joined from their lines, and so are the tokens', () => {
    const runs = new Uint32Array([1, 2, 3, 4])
    expect(getShownText(text, lineStarts, runs)).toBe('b2\nd4')
    // A colour of terminal output may go on over several lines.
    expect([...getShownTokens(tokens, lineStarts, runs)]).toEqual([1, 3, 8, 3, 4, 9])
  })

  it('is the text itself if all lines are shown', () => {
    expect(getShownText(text, lineStarts, showAll(4))).toBe(text)
    expect(getShownTokens(tokens, lineStarts, showAll(4))).toBe(tokens)
  })
})
