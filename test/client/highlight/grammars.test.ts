import { describe, expect, it } from 'vitest'
import { findGrammar } from '../../../src/client/highlight/grammars.ts'
import { LANGUAGES } from '../../../src/shared/languages.ts'

describe('findGrammar', () => {
  it('finds a grammar for every language but those that no grammar colours', () => {
    const plain = LANGUAGES.filter(({ name }) => findGrammar(name) === null).map(({ name }) => name)
    expect(plain).toEqual(['plaintext', 'batch', 'csv', 'log', 'nix', 'tsv'])
  })

  it.each([
    ['tsx', 'TSX'],
    ['jsx', 'JSX'],
    ['ts', 'TypeScript'],
    ['c', 'C'],
    ['cpp', 'C++'],
    ['sql', 'SQL'],
    ['html', 'HTML'],
    ['d', 'D'],
    ['hcl', 'HCL'],
  ])('of %s is %s', (language, name) => {
    expect(findGrammar(language)?.name).toBe(name)
  })
})
