import { describe, expect, it } from 'vitest'
import type { Document } from '../../src/documents/document.ts'
import { checkIfMatch, isFresh } from '../../src/http/answers.ts'

const DOCUMENT: Document = {
  id: 'bcdf2345',
  creator: null,
  editors: [],
  contentKey: 'content/x',
  contentBytes: 1,
  contentExpiresAt: 1,
  revision: 1,
  title: null,
  givenTitle: null,
  lastEditedBy: null,
  language: 'plaintext',
  languageChosen: false,
  imageEmbed: false,
  burnAfterReading: false,
  encrypted: false,
  public: false,
  keepRevisions: true,
  claim: null,
  proofHash: null,
  tokenHash: null,
  gistUrl: null,
  original: null,
  views: 0,
  version: 'a',
  createdAt: 0,
  updatedAt: 0,
  expiresAt: 1,
}

describe('a condition on the tag "json-a"', () => {
  it.each([
    ['"json-a"', true],
    ['W/"json-a"', true],
    ['"json-b", "json-a"', true],
    ['"json-b",W/"json-a" ', true],
    ['*', true],
    ['"json-b"', false],
    ['json-a', false],
    ['"json-A"', false],
    ['', false],
  ])('with the value %s matches: %s', (header, matches) => {
    expect(isFresh(header, DOCUMENT, 'json')).toBe(matches)
    const check = () => checkIfMatch(header)(DOCUMENT)
    if (matches) expect(check).not.toThrow()
    else expect(check).toThrow('The document has changed since you read it')
  })
})
