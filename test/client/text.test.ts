import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findLastAtMost, TextIndex } from '../../src/client/text/displayed-text.ts'
import { listLineStarts } from '../../src/client/viewer/highlighting/highlighting.ts'

const createIndex = (...segments: string[]) => new TextIndex(segments.map((data) => ({ data })))

describe('the number of lines', () => {
  it.each([
    ['', 1],
    ['a', 1],
    ['a\n', 1],
    ['a\nb', 2],
    ['a\nb\n', 2],
    ['\n\n', 2],
  ])('of %j is %i', (text, lines) => {
    expect(createIndex(text).lines).toBe(lines)
  })

  it('of no segments is 1', () => {
    expect(createIndex().lines).toBe(1)
  })
})

describe('a text in several segments', () => {
  const index = createIndex('one\ntw', 'o\n', '\nfour')

  it('knows where each line starts, and ends after the last one', () => {
    expect([0, 1, 2, 3, 4, 5].map((line) => index.lineStart(line))).toEqual([0, 0, 4, 8, 9, 13])
  })

  it('knows the line of each offset', () => {
    expect([0, 3, 4, 7, 8, 9, 12, 99].map((offset) => index.lineAt(offset))).toEqual([1, 1, 2, 2, 3, 4, 4, 4])
  })

  it('knows its length and its longest line', () => {
    expect([index.length, index.longestLine]).toEqual([13, 4])
  })

  it('counts the line breaks before each segment', () => {
    expect([0, 1, 2].map((segment) => index.breaks[segment])).toEqual([0, 1, 2])
  })

  it('locates an offset between two segments in the second, or in the first if it is an end', () => {
    expect(index.locate(6, false)).toEqual({ segment: 1, offset: 0 })
    expect(index.locate(6, true)).toEqual({ segment: 0, offset: 6 })
  })
})

describe('any text', () => {
  const segments = fc.array(fc.stringMatching(/^[ab\n]{1,9}$/), { minLength: 1 })

  it('has lines that start where they start one by one', () => {
    fc.assert(
      fc.property(segments, fc.nat(), fc.nat(), (parts, one, other) => {
        const index = createIndex(...parts)
        const [first = 1, last = 1] = [one, other]
          .map((line) => 1 + (line % index.lines))
          .sort((a, b) => a - b)
        const lines = Array.from({ length: last - first + 2 }, (_, at) => first + at)
        expect(listLineStarts(index, first, last)).toEqual(lines.map((line) => index.lineStart(line)))
      }),
    )
  })

  it('has the same lines and slices as the joined text', () => {
    fc.assert(
      fc.property(segments, fc.nat(40), fc.nat(40), (parts, one, other) => {
        const text = parts.join('')
        const index = createIndex(...parts)
        const lines = text.replace(/\n$/, '').split('\n')
        expect(index.lines).toBe(lines.length)
        expect(index.longestLine).toBe(Math.max(...text.split('\n').map((line) => line.length)))
        for (const number of lines.keys()) {
          const start = index.lineStart(number + 1)
          expect(text.slice(start).startsWith(lines[number] ?? '')).toBe(true)
          expect(start === 0 || text[start - 1] === '\n').toBe(true)
          if (start < text.length) expect(index.lineAt(start)).toBe(number + 1)
        }
        const [from, to] = [Math.min(one, other), Math.max(one, other)]
        expect(index.slice(from, to)).toBe(text.slice(from, to))
      }),
    )
  })
})

describe('findLastAtMost', () => {
  it.each([
    [[], 5, -1],
    [[1, 3, 5], 0, -1],
    [[1, 3, 5], 1, 0],
    [[1, 3, 5], 4, 1],
    [[1, 3, 5], 9, 2],
    [[1, 3, 3, 3, 5], 3, 3],
  ])('of %j and %i returns %i', (numbers, limit, expected) => {
    expect(findLastAtMost(numbers, limit)).toBe(expected)
  })

  it('looks only at every nth number if there is a stride', () => {
    expect(findLastAtMost([1, 100, 3, 0, 5, 7], 4, 2)).toBe(1)
  })
})
