import { describe, expect, it } from 'vitest'
import {
  findLanguage,
  findLanguageOfExtension,
  findLanguageOfFile,
  getFileExtension,
  LANGUAGES,
} from '../../src/shared/languages.ts'

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

describe('findLanguageOfFile', () => {
  it.each([
    ['main.rs', 'rust'],
    ['notes.md', 'markdown'],
    ['a.py', 'python'],
    ['index.test.ts', 'typescript'],
    ['App.TSX', 'tsx'],
    ['Dockerfile', 'dockerfile'],
    ['Dockerfile.dev', 'dockerfile'],
    ['api.dockerfile', 'dockerfile'],
    ['Makefile', 'makefile'],
    ['CMakeLists.txt', 'cmake'],
    ['.env', 'dotenv'],
    ['.env.production', 'dotenv'],
    ['nginx.conf', 'nginx'],
    ['/etc/nginx/nginx.conf', 'nginx'],
    ['my.conf', 'ini'],
    ['app.log', 'log'],
    ['app.log.1', 'log'],
    ['fix.patch', 'diff'],
    ['session.txtar', 'txtar'],
    ['C:\\work\\main.go', 'go'],
    ['infra/main.tf', 'hcl'],
    ['.gitignore', 'plaintext'],
    ['LICENSE', null],
    ['data.unknown', null],
    ['', null],
    ['constructor', null],
    ['a.constructor', null],
  ])('of %s is %s', (fileName, language) => {
    expect(findLanguageOfFile(fileName)).toBe(language)
  })

  it('returns a known language for every file extension that Regent gives files', () => {
    for (const { name } of LANGUAGES)
      expect(findLanguageOfFile(`document.${getFileExtension(name)}`)).toBe(name)
  })
})

describe('findLanguageOfExtension', () => {
  it.each([
    ['py', 'python'],
    ['PY', 'python'],
    ['python', 'python'],
    ['terraform', 'hcl'],
    ['log', 'log'],
    ['klingon', null],
  ])('of %s is %s', (extension, language) => {
    expect(findLanguageOfExtension(extension)).toBe(language)
    if (language) expect(findLanguage(language)).not.toBeNull()
  })
})
