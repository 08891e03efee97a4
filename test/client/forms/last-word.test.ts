import { describe, expect, it } from 'vitest'
import { splitLastWord } from '../../../src/client/forms/last-word.ts'

describe('splitLastWord', () => {
  it.each([
    ['', '', ''],
    ['gra', '', 'gra'],
    ['ada, gra', 'ada, ', 'gra'],
    ['ada gra', 'ada ', 'gra'],
    ['ada,gra', 'ada,', 'gra'],
    ['ada ', 'ada ', ''],
  ])('splits %j', (typed, before, word) => {
    expect(splitLastWord(typed)).toEqual({ before, word })
  })
})
