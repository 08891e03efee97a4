import { describe, expect, it } from 'vitest'
import { formatLimit, requireContent } from '../../../src/client/document-form/content-limits.ts'

const MIB = 1024 * 1024

describe('formatLimit', () => {
  it.each([
    [10 * MIB, '10 MiB'],
    [1.5 * MIB, '1.5 MiB'],
    // Rounded down: a promise of more would be wrong.
    [1.99 * MIB, '1.9 MiB'],
    [65_536, '65,536 bytes'],
  ])('formats %i as %s', (bytes, formatted) => {
    expect(formatLimit(bytes)).toBe(formatted)
  })
})

describe('requireContent', () => {
  it('returns a text that fits', async () => {
    expect(await requireContent('é', 2)).toBe('é')
  })

  it.each([
    ['', /Write something/],
    ['\uD83D', /invalid character/],
    ['éé', /limit is 3 bytes/],
    ['xxxx', /limit is 3 bytes/],
  ])('refuses %j', async (text, message) => {
    await expect(requireContent(text, 3)).rejects.toMatchObject({
      message: expect.stringMatching(message),
      field: 'content',
    })
  })
})
