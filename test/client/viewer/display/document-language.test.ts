import { beforeEach, describe, expect, it } from 'vitest'
import {
  findLanguageChoice,
  storeLanguageChoice,
} from '../../../../src/client/viewer/display/document-language.ts'
import { stubStorage } from '../../support/storage.ts'

beforeEach(() => {
  stubStorage('localStorage')
})

describe('the reader’s choices of languages', () => {
  it('are kept for each document until they are taken back', () => {
    storeLanguageChoice('one', 'python')
    storeLanguageChoice('two', 'go')
    storeLanguageChoice('one', 'rust')
    expect(findLanguageChoice('one')).toBe('rust')
    expect(findLanguageChoice('two')).toBe('go')
    storeLanguageChoice('one', null)
    expect(findLanguageChoice('one')).toBeNull()
  })

  it('are kept for the latest 200 documents', () => {
    for (let index = 0; index <= 200; index++) storeLanguageChoice(`id${index}`, 'go')
    expect(findLanguageChoice('id0')).toBeNull()
    expect(findLanguageChoice('id200')).toBe('go')
  })

  it.each(['', '{', '[1, ["one"]]', '{"one": "go"}'])(
    'are none if storage contains something else: %j',
    (value) => {
      localStorage.setItem('languages', value)
      expect(findLanguageChoice('one')).toBeNull()
    },
  )
})
