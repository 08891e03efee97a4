import { describe, expect, it } from 'vitest'
import { getProseRatio, takeSample } from '../../../src/shared/detection/formats.ts'
import { FEATURES, scoreLanguages } from '../../../src/shared/detection/score.ts'
import { findLanguage } from '../../../src/shared/languages.ts'

describe('the signs of languages', () => {
  it('belong to known languages, and count every match on every line', () => {
    for (const [language, features] of FEATURES) {
      expect(findLanguage(language)?.name).toBe(language)
      for (const [, pattern] of features) expect(pattern.flags).toMatch(/^gi?m$/)
    }
  })
})

describe('scoreLanguages', () => {
  it('gives a repeated sign fewer points each time', () => {
    const points = (text: string) =>
      scoreLanguages(text).find(({ language }) => language === 'ruby')?.points ?? 0
    const [one, two, ten] = [points('end\n'), points('end\n'.repeat(2)), points('end\n'.repeat(10))]
    expect(two).toBeGreaterThan(one)
    expect(two).toBeLessThan(2 * one)
    expect(ten).toBeLessThan(2 * one)
  })

  it('prefers a language over the one it extends only with signs of its own', () => {
    const [first] = scoreLanguages('const a = 1\nlet b = () => {\n}\n')
    expect(first?.language).toBe('javascript')
    const [typed] = scoreLanguages('const a = 1\nlet b = (c: string) => {\n}\ninterface D {\n}\n')
    expect(typed?.language).toBe('typescript')
  })
})

describe('getProseRatio', () => {
  it.each([
    [1, 'The quick brown fox jumps over the lazy dog.\n'],
    [1, 'Der schnelle braune Fuchs springt über den faulen Hund.\n'],
    [1, '吾輩は猫である。\n'],
    [0, 'for (let i = 0; i < n; i++) {\n'],
    [0, 'select a from b where c = 1\n'],
    [0, 'FROM alpine\n'],
    [0, ''],
  ])('is %d for %j', (ratio, text) => {
    expect(getProseRatio(takeSample(text).lines)).toBe(ratio)
  })
})
