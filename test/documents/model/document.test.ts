import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  generateId,
  generatePassword,
  ID_LENGTHS,
  looksGenerated,
  parseExpiration,
} from '../../../src/documents/document.ts'
import { AppError } from '../../../src/errors.ts'
import { ALPHABET, isDocumentId } from '../../../src/shared/document-ids.ts'
import { NEVER } from '../../../src/shared/expiry.ts'

describe('a generated id', () => {
  it('has only digits and letters that spell no word and are not misread', () => {
    expect(ALPHABET).not.toMatch(/[01aeiouAEIOUlL]/)
    expect(new Set(ALPHABET).size).toBe(48)
    for (const length of ['short', 'standard', 'long'] as const) {
      const ids = Array.from({ length: 200 }, () => generateId(length))
      for (const id of ids) {
        expect(id).toHaveLength(ID_LENGTHS[length])
        expect(isDocumentId(id)).toBe(true)
      }
      expect(new Set(ids).size).toBeGreaterThan(190)
    }
  })

  it('never collides with a route of the site', () => {
    for (const route of [
      'v1',
      'r',
      'icons',
      'assets',
      'account',
      'explore',
      'sign-in',
      'favicon.ico',
      'robots.txt',
    ]) {
      expect([...route].every((letter) => ALPHABET.includes(letter)) && isDocumentId(route)).toBe(false)
    }
  })
})

describe('a generated password', () => {
  it('is told from a chosen one by its form', () => {
    expect(looksGenerated(generatePassword())).toBe(true)
    expect(Math.log2(ALPHABET.length) * generatePassword().length).toBeGreaterThan(128)
    expect(looksGenerated('correct horse battery sta')).toBe(false)
  })
})

const MINUTE_MS = 60_000
const NOW = Date.UTC(2026, 10, 20, 12)

describe('an expiry', () => {
  it('must be at least a minute and at most ten years ahead, to the millisecond', () => {
    const at = (instant: number) => parseExpiration(new Date(instant).toISOString(), NOW)
    const latest = Date.UTC(2036, 10, 20, 12)
    expect(at(NOW + MINUTE_MS)).toBe(NOW + MINUTE_MS)
    expect(() => at(NOW + MINUTE_MS - 1)).toThrow(AppError)
    expect(at(latest)).toBe(latest)
    expect(() => at(latest + 1)).toThrow(AppError)
    expect(parseExpiration(1 / 1440, NOW)).toBe(NOW + MINUTE_MS)
    expect(parseExpiration(null, NOW)).toBe(NEVER)
    expect(parseExpiration(0, NOW)).toBe(NEVER)
    expect(parseExpiration(-0, NOW)).toBe(NEVER)
    expect(() => parseExpiration('0', NOW)).toThrow(AppError)
    expect(new Date(NEVER).toISOString()).toBe('9999-12-31T23:59:59.999Z')
  })

  it.each(['+00', '+0200', '-05:30', 'Z'])('is parsed with the offset %s', (offset) => {
    const expected = { '+00': 12, '+0200': 10, '-05:30': 17.5, Z: 12 }[offset] ?? 0
    const instant = parseExpiration(`2027-06-01T12:00:00,25${offset}`, NOW)
    expect(instant).toBe(Date.UTC(2027, 5, 1) + expected * 3_600_000 + 250)
  })

  it('is parsed exactly from every date-time with an offset', () => {
    const soon = fc.integer({ min: NOW + MINUTE_MS, max: NOW + 3_000 * 86_400_000 })
    fc.assert(
      fc.property(soon, fc.integer({ min: -14 * 60, max: 14 * 60 }), (instant, offset) => {
        const sign = offset < 0 ? '-' : '+'
        const two = (number: number) => String(Math.trunc(Math.abs(number))).padStart(2, '0')
        const local = new Date(instant + offset * MINUTE_MS).toISOString().slice(0, -1)
        expect(parseExpiration(`${local}${sign}${two(offset / 60)}:${two(offset % 60)}`, NOW)).toBe(instant)
      }),
    )
  })

  it('that is anything else is refused with an issue at settings.expiration', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.double(), fc.date({ noInvalidDate: true }).map(String)),
        (input) => {
          try {
            const instant = parseExpiration(input, NOW)
            expect(instant).toBeGreaterThanOrEqual(NOW + MINUTE_MS)
            expect(Number.isInteger(instant)).toBe(true)
          } catch (error) {
            expect(error).toMatchObject({
              code: 'bad_request',
              issues: [{ path: ['settings', 'expiration'] }],
            })
          }
        },
      ),
    )
  })
})
