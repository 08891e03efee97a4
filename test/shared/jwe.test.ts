import { describe, expect, it } from 'vitest'
import { assertIterations, deriveClaimToken, encryptJwe, parseJwe } from '../../src/shared/jwe.ts'

describe('the number of PBKDF2 iterations', () => {
  it.each([999, 100_001, 1_000.5, Number.NaN, -1])(
    'can’t be %d, which production refuses and a local run accepts',
    async (count) => {
      expect(() => assertIterations(count)).toThrow(RangeError)
      await expect(encryptJwe(new Uint8Array(1), 'x', count)).rejects.toThrow(RangeError)
      const header = { encoded: '', salt: new Uint8Array(16), iterations: count }
      await expect(deriveClaimToken('x', header)).rejects.toThrow(RangeError)
    },
  )

  it('can be 1,000 to 100,000', async () => {
    for (const count of [1_000, 100_000]) {
      expect(parseJwe(await encryptJwe(new Uint8Array(1), 'x', count)).header.iterations).toBe(count)
    }
  })
})

describe('a claim token', () => {
  it('is derived as documented, with PBKDF2-HMAC-SHA-512 and a salt of its own', async () => {
    const salt = Uint8Array.from({ length: 16 }, (_, n) => n)
    // From Python: base64url(hashlib.pbkdf2_hmac('sha512', b'password', b'regent-claim\0' + bytes(range(16)), 1000, 32))
    expect(await deriveClaimToken('password', { encoded: '', salt, iterations: 1_000 })).toBe(
      'nI57qOcHEK6FZP8ymG1oixhlykiNEjEw44Wi-e9HK7w',
    )
  })
})
