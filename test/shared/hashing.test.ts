import { expect, it } from 'vitest'
import { decodeHex, encodeHex } from '../../src/shared/hashing.ts'

it('returns each byte as two digits, and back', () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte)
  expect(encodeHex(bytes)).toBe(Buffer.from(bytes).toString('hex'))
  expect(decodeHex(encodeHex(bytes).toUpperCase())).toEqual(bytes)
  expect(encodeHex(new Uint8Array())).toBe('')
  expect(decodeHex('')).toEqual(new Uint8Array())
})
