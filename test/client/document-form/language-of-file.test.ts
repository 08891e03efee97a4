import { describe, expect, it } from 'vitest'
import { findLanguageOfFile } from '../../../src/client/document-form/language-of-file.ts'

describe('findLanguageOfFile', () => {
  it.each([
    ['main.rs', 'rust'],
    ['notes.md', 'markdown'],
    ['a.py', 'python'],
    ['index.test.ts', 'typescript'],
    ['Dockerfile', 'dockerfile'],
    ['LICENSE', null],
    ['data.unknown', null],
  ])('of %s is %s', (fileName, language) => {
    expect(findLanguageOfFile(fileName)).toBe(language)
  })
})
