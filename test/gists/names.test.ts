import { describe, expect, it } from 'vitest'
import { formatGistDescription, isGistDescription } from '../../src/gists/gist-description.ts'
import { getGistFileName, isDocumentFile } from '../../src/gists/gist-file-name.ts'
import { LANGUAGES } from '../../src/shared/languages.ts'

describe('the file of a gist', () => {
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
  ])('of %s ends with .%s', (language, extension) => {
    expect(getGistFileName('abcd', language)).toBe(`abcd.${extension}`)
  })

  it('has a name of its own for every language that the site knows', () => {
    const names = LANGUAGES.map(({ name }) => getGistFileName('abcd', name))
    expect(new Set(names).size).toBe(LANGUAGES.length)
    for (const name of names) expect(isDocumentFile('abcd', name)).toBe(true)
    expect(isDocumentFile('abcd', 'abcde.txt')).toBe(false)
  })
})

describe('the description of a gist', () => {
  const id = 'bcdfghjk'

  it('is found by its marker, whatever its title and wherever the site is', () => {
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

  it('is at most 256 characters long', () => {
    const long = 'b'.repeat(36)
    for (const siteUrl of [`https://${'x'.repeat(50)}`, `https://${'x'.repeat(250)}`]) {
      expect(
        [...formatGistDescription({ id: long, title: '😀'.repeat(80) }, siteUrl)].length,
      ).toBeLessThanOrEqual(256)
    }
  })
})
