import { describe, expect, it } from 'vitest'
import {
  formatGistDescription,
  getGistFileName,
  isDocumentFile,
  isGistDescription,
} from '../../src/gists/publish-gist.lazy.ts'
import { LANGUAGES } from '../../src/shared/languages.ts'

describe('getGistFileName', () => {
  it.each([
    ['plaintext', 'txt'],
    ['typescript', 'ts'],
    ['ts', 'ts'],
    ['python', 'py'],
    ['c++', 'cpp'],
    ['dockerfile', 'dockerfile'],
    ['klingon', 'txt'],
    ['../../etc/passwd', 'txt'],
    ['constructor', 'txt'],
  ])('names a file in %s with the extension .%s', (language, extension) => {
    expect(getGistFileName('abcd', language)).toBe(`abcd.${extension}`)
  })

  it('gives every known language its own file name', () => {
    const names = LANGUAGES.map(({ name }) => getGistFileName('abcd', name))
    expect(new Set(names).size).toBe(LANGUAGES.length)
    for (const name of names) expect(isDocumentFile('abcd', name)).toBe(true)
    expect(isDocumentFile('abcd', 'abcde.txt')).toBe(false)
  })
})

describe('formatGistDescription', () => {
  const id = 'bcdfghjk'

  it('can be recognized by its marker, with any title and site URL', () => {
    for (const title of [null, 'x', 'Regent document other', `Regent document ${id}`, '😀'.repeat(80)]) {
      for (const siteUrl of [null, 'https://paste.example']) {
        const description = formatGistDescription({ id, title }, siteUrl)
        expect(isGistDescription(id, description)).toBe(true)
        expect(isGistDescription('bcdfghj', description)).toBe(false)
        expect(isGistDescription('other', description)).toBe(false)
        expect(description.includes('paste.example')).toBe(siteUrl !== null)
      }
    }
  })

  it('returns at most 256 characters', () => {
    const long = 'b'.repeat(36)
    for (const siteUrl of [`https://${'x'.repeat(50)}`, `https://${'x'.repeat(250)}`]) {
      expect(
        [...formatGistDescription({ id: long, title: '😀'.repeat(80) }, siteUrl)].length,
      ).toBeLessThanOrEqual(256)
    }
  })
})
