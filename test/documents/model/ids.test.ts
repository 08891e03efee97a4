import { describe, expect, it } from 'vitest'
import {
  ALPHABET,
  generateId,
  generatePassword,
  ID_LENGTHS,
  isDocumentId,
  looksGenerated,
} from '../../../src/documents/document.ts'

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
