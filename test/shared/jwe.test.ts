import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  assertIterations,
  decryptJwe,
  deriveClaimHash,
  deriveClaimToken,
  encryptJwe,
  hashClaimToken,
  isClaimToken,
  parseJwe,
  provesPassword,
} from '../../src/shared/jwe.ts'
import { encrypt } from '../../src/shared/jwe-cipher.lazy.ts'
import { buildPasswordLink, parseFragmentPassword } from '../../src/shared/password-link.ts'

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

describe('decryptJwe', () => {
  it('decrypts with exactly the right password only', async () => {
    const password = 'pässwörd with spaces & more'
    const text = new TextEncoder().encode('attack at dawn 😀\r\n')
    const jwe = await encryptJwe(text, password, 1_000)
    expect(await decryptJwe(jwe, password)).toEqual(text)
    for (const wrong of ['', 'x', password.normalize('NFKD').replaceAll(/\p{M}/gu, ''), `${password} `]) {
      expect(await decryptJwe(jwe, wrong)).toBeNull()
    }
  })

  it('takes no longer for marks that would take minutes to normalise', async () => {
    const marks = '\u0301'.repeat(500_000) + '\u0334'.repeat(500_000)
    const text = new TextEncoder().encode('text')
    const jwe = await encryptJwe(text, marks, 1_000)
    expect(await decryptJwe(jwe, marks)).toEqual(text)
    expect(await decryptJwe(jwe, `é${marks}`)).toBeNull()
  })
})

/** As a keyboard composes it, as some systems decompose it, and half of each. */
const COMPOSED = 'pässwörd'
const DECOMPOSED = COMPOSED.normalize('NFD')
const MIXED = `pä${DECOMPOSED.slice(3)}`
const FORMS = [COMPOSED, DECOMPOSED, MIXED]

describe('a password with accents', () => {
  const text = new TextEncoder().encode('text')

  it.each(FORMS)('decrypts in every form what is encrypted with it in one: %j', async (password) => {
    const jwe = await encryptJwe(text, password, 1_000)
    for (const form of FORMS) expect(await decryptJwe(jwe, form)).toEqual(text)
  })

  it('decrypts what was encrypted with it as it is', async () => {
    for (const [chosen, typed] of [
      [DECOMPOSED, COMPOSED],
      [COMPOSED, DECOMPOSED],
      [MIXED, MIXED],
    ] as const) {
      expect(await decryptJwe(await encrypt(text, chosen, 1_000), typed)).toEqual(text)
    }
    expect(await decryptJwe(await encrypt(text, MIXED, 1_000), COMPOSED)).toBeNull()
  })

  it('proves itself in every form', async () => {
    const { header } = parseJwe(await encryptJwe(text, COMPOSED, 1_000))
    const hashes = new Set(await Promise.all(FORMS.map((form) => deriveClaimHash(form, header))))
    expect(hashes.size).toBe(1)
    const [hash = ''] = hashes
    expect(hash).toBe(await hashClaimToken(await deriveClaimToken(MIXED, header)))
    for (const form of FORMS) {
      const token = await deriveClaimToken(form, header)
      expect(isClaimToken(token)).toBe(true)
      expect(await provesPassword(token, hash)).toBe(true)
      expect(await provesPassword(token, null)).toBe(false)
    }
    const other = await deriveClaimToken('passwörd', header)
    expect(await provesPassword(other, hash)).toBe(false)
    expect(isClaimToken([other, other, other].join(' '))).toBe(false)
    expect(isClaimToken(`${hash} `)).toBe(false)
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

const ADDRESS = 'https://regent.example/abcdefgh'

describe('parseFragmentPassword', () => {
  it.each([
    ['#secret', 'secret'],
    ['#p%C3%A4%23ss', 'pä#ss'],
    ['#100%', '100%'],
    ['#L10x', 'L10x'],
    ['#mainly', 'mainly'],
  ])('reads the password in %s', (hash, password) => {
    expect(parseFragmentPassword(hash)).toBe(password)
  })

  it.each(['', '#', '#L3', '#L3-L14', '#L3-14', '#main'])('finds no password in %j', (hash) => {
    expect(parseFragmentPassword(hash)).toBeNull()
  })
})

describe('buildPasswordLink', () => {
  it('encodes everything except letters and digits', () => {
    expect(buildPasswordLink(ADDRESS, "a.b-c_d!~*'()")).toBe(`${ADDRESS}#a%2Eb%2Dc%5Fd%21%7E%2A%27%28%29`)
  })

  it.each(['L10', 'L10-L20', 'main'])(
    'encodes the password %s so that it is no link to a line',
    (password) => {
      const { hash } = new URL(buildPasswordLink(ADDRESS, password))
      expect(parseFragmentPassword(hash)).toBe(password)
    },
  )

  it('makes a link from which the password can be read', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (password) => {
        const link = buildPasswordLink(ADDRESS, password)
        expect(link.startsWith(`${ADDRESS}#`)).toBe(true)
        expect(parseFragmentPassword(new URL(link).hash)).toBe(password)
      }),
    )
  })

  it('replaces half a surrogate pair, as encryption does', () => {
    expect(parseFragmentPassword(new URL(buildPasswordLink(ADDRESS, 'a\uD800')).hash)).toBe('a\uFFFD')
  })
})
