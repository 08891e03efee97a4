import { describe, expect, it } from 'vitest'
import {
  formatLimit,
  readTextFile,
  requireContent,
} from '../../../src/client/document-form/content-limits.ts'

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

const MAX_BYTES = 1_000

const read = (content: BlobPart) => readTextFile(new File([content], 'a.bin'), MAX_BYTES)

describe('readTextFile', () => {
  it.each(['', 'plain', '\uFEFFwith a byte order mark', 'a\r\nb\rc\n', 'emoji 😀'])(
    'returns %j as it is',
    async (text) => {
      expect(await read(text)).toBe(text)
    },
  )

  it('returns a file of exactly the limit', async () => {
    expect(await read('x'.repeat(MAX_BYTES))).toHaveLength(MAX_BYTES)
  })

  it.each([
    ['larger than the limit', 'x'.repeat(MAX_BYTES + 1), /larger than 1,000 bytes/],
    ['not valid UTF-8', new Uint8Array([0xff, 0xfe, 0x00]), /isn’t a text file/],
    ['with a NUL byte', 'a\0b', /isn’t a text file/],
  ])('refuses a file %s', async (_, content, message) => {
    await expect(read(content)).rejects.toMatchObject({
      message: expect.stringMatching(message),
      field: 'content',
    })
  })

  it('refuses a file that cannot be read', async () => {
    const file = new File(['x'], 'gone.txt')
    file.arrayBuffer = () => Promise.reject(new DOMException('gone', 'NotFoundError'))
    await expect(readTextFile(file, MAX_BYTES)).rejects.toThrow(/“gone.txt”: your browser couldn’t read it/)
  })
})
