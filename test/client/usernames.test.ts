import { describe, expect, it, vi } from 'vitest'

// The script looks for its fields at once.
vi.stubGlobal('document', { querySelectorAll: () => [] })
const { splitLastWord } = await import('../../src/client/forms/usernames.ts')

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
