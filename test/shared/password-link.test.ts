import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildPasswordLink, parseFragmentPassword } from '../../src/shared/password-link.ts'

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
