import { describe, expect, it } from 'vitest'
import { findLanguage, LANGUAGES } from '../../src/shared/languages.ts'

describe('the list of languages', () => {
  it('gives every name and alias one meaning', () => {
    const names = LANGUAGES.flatMap(({ name, aliases }) => [name, ...aliases])
    expect(new Set(names).size).toBe(names.length)
    for (const name of names) {
      expect(name).toBe(name.toLowerCase())
      expect(findLanguage(name.toUpperCase())).not.toBeNull()
    }
    expect(findLanguage('klingon')).toBeNull()
  })
})
