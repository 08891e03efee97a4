import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { getLineBreak, hasUniformLineBreaks, toLf } from '../../../src/client/code-editor/line-breaks.ts'

describe('getLineBreak', () => {
  it.each([
    ['', '\n'],
    ['one line', '\n'],
    ['a\nb\n', '\n'],
    ['a\r\nb\r\n', '\r\n'],
    ['\r\n\r\na', '\r\n'],
    ['a\r\nb\nc', '\n'],
    ['\na\r\nb', '\n'],
    ['a\r\nb\rc', '\n'],
    ['a\rb', '\n'],
  ])('of %j is %j', (text, lineBreak) => {
    expect(getLineBreak(text)).toBe(lineBreak)
  })
})

const lines = fc.array(fc.constantFrom('', 'a', '😀'), { minLength: 1, maxLength: 6 })

describe('hasUniformLineBreaks', () => {
  it('is true for texts joined with LF or with CRLF', () => {
    fc.assert(
      fc.property(lines, fc.constantFrom('\n', '\r\n'), (parts, lineBreak) => {
        expect(hasUniformLineBreaks(parts.join(lineBreak))).toBe(true)
      }),
    )
  })

  it('is false as soon as a lone CR or a second kind is among them', () => {
    for (const text of ['a\rb', 'a\r\nb\n', 'a\nb\r\n', '\r', 'a\r\n\r'])
      expect(hasUniformLineBreaks(text)).toBe(false)
  })

  it('is true exactly when joining the lines again gives the same text', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '\r', '\n'), maxLength: 12 })
    fc.assert(
      fc.property(text, (candidate) => {
        const joined = toLf(candidate).replaceAll('\n', getLineBreak(candidate))
        expect(joined === candidate).toBe(hasUniformLineBreaks(candidate))
      }),
      { numRuns: 2_000 },
    )
  })
})
