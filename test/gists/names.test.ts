import { describe, expect, it } from 'vitest'
import { descriptionOf, isDescriptionOf } from '../../src/gists/gist-description.ts'
import { fileNameOf, isFileOf } from '../../src/gists/gist-file-name.ts'
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
    expect(fileNameOf('abcd', language)).toBe(`abcd.${extension}`)
  })

  it('has a name of its own for every language that the site knows', () => {
    const names = LANGUAGES.map(({ name }) => fileNameOf('abcd', name))
    expect(new Set(names).size).toBe(LANGUAGES.length)
    for (const name of names) expect(isFileOf('abcd', name)).toBe(true)
    expect(isFileOf('abcd', 'abcde.txt')).toBe(false)
  })
})

describe('the description of a gist', () => {
  const id = 'bcdfghjk'

  it('is found by its marker, whatever its title and wherever the site is', () => {
    for (const title of [null, 'x', 'Regent document other', `Regent document ${id}`, '😀'.repeat(80)]) {
      for (const siteUrl of [null, 'https://paste.example']) {
        const description = descriptionOf({ id, title }, siteUrl)
        expect(isDescriptionOf(id, description)).toBe(true)
        expect(isDescriptionOf('bcdfghj', description)).toBe(false)
        expect(isDescriptionOf('other', description)).toBe(false)
        expect(description.includes('paste.example')).toBe(siteUrl !== null)
      }
    }
  })

  it('is at most 256 characters long', () => {
    const long = 'b'.repeat(36)
    for (const siteUrl of [`https://${'x'.repeat(50)}`, `https://${'x'.repeat(250)}`]) {
      expect([...descriptionOf({ id: long, title: '😀'.repeat(80) }, siteUrl)].length).toBeLessThanOrEqual(
        256,
      )
    }
  })
})
