import { describe, expect, it } from 'vitest'
import { formatLinkedLines, parseLinkedLines } from '../../../../src/client/viewer/lines/line-links.ts'

describe('parseLinkedLines', () => {
  it.each([
    ['L10', 10, 10],
    ['10', 10, 10],
    [' l10 ', 10, 10],
    ['L10-L20', 10, 20],
    ['L10-20', 10, 20],
    ['10 – 20', 10, 20],
    ['20-10', 10, 20],
    ['0', 1, 1],
    ['0-3', 1, 3],
  ])('parses %j', (text, first, last) => {
    expect(parseLinkedLines(text)).toEqual({ first, last })
  })

  it.each(['', 'L', 'x', '-1', '1.5', 'L10-', 'L1-L2-L3', '1234567890', 'main', 'L10x'])(
    'returns null for %j',
    (text) => {
      expect(parseLinkedLines(text)).toBeNull()
    },
  )
})

describe('formatLinkedLines', () => {
  it.each([
    [{ first: 10, last: 10 }, '#L10'],
    [{ first: 10, last: 20 }, '#L10-L20'],
  ])('formats %j as %s, which can be parsed again', (range, fragment) => {
    expect(formatLinkedLines(range)).toBe(fragment)
    expect(parseLinkedLines(fragment.slice(1))).toEqual(range)
  })
})
