import { describe, expect, it } from 'vitest'
import { formatHighlightLimits } from '../../../../src/client/viewer/highlighting/highlighting.ts'

const text = { length: 1_000, longestLine: 80, lineAt: (offset: number) => offset / 10 }

describe('formatHighlightLimits', () => {
  it.each([
    ['everything is highlighted', text, 1_000, ''],
    ['parsing failed', text, 0, 'too deeply nested'],
    ['parsing stopped early', text, 500, 'text after line 50'],
    ['there are long lines', { ...text, longestLine: 10_001 }, 1_000, 'lines over 10,000 characters'],
    ['both', { ...text, longestLine: 10_001 }, 500, 'text after line 50, lines over 10,000 characters'],
  ])('if %s', (_, highlighted, end, expected) => {
    expect(formatHighlightLimits(highlighted, end)).toBe(expected)
  })
})
