import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { takeSample } from '../../../src/shared/detection/formats.ts'

describe('takeSample', () => {
  it.each([
    ['one long line', 'x'.repeat(1_000_000)],
    ['many lines', 'x\n'.repeat(500_000)],
    ['many blank lines', '\r\n'.repeat(500_000)],
  ])('bounds the characters, lines and characters per line of %s', (_, text) => {
    const sample = takeSample(text)
    expect(sample.isWhole).toBe(false)
    expect(sample.start.length).toBeLessThanOrEqual(8_192)
    expect(sample.text.length).toBeLessThanOrEqual(8_192)
    expect(sample.lines.length).toBeLessThanOrEqual(160)
    for (const line of sample.lines) expect(line.length).toBeLessThanOrEqual(160)
  })

  it('treats all line breaks alike', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 20 }), { maxLength: 20 }), (parts) => {
        const lines = parts.map((part) => part.replace(/[\r\n]/g, ''))
        expect(takeSample(lines.join('\r\n')).text).toBe(takeSample(lines.join('\n')).text)
      }),
    )
  })

  it('drops a byte order mark', () => {
    expect(takeSample('\ufeffa').text).toBe('a')
  })
})
