import { describe, expect, it } from 'vitest'
import { formatHiddenCharacters } from '../../src/shared/hidden-characters.ts'

describe('formatHiddenCharacters', () => {
  it('returns nothing if there are none', () => {
    expect(formatHiddenCharacters({ bidirectional: null, invisible: null })).toEqual([])
  })

  it('describes each kind and says where the first character is', () => {
    const found = { bidirectional: { count: 1, firstLine: 2 }, invisible: { count: 1_000, firstLine: 7 } }
    expect(formatHiddenCharacters(found)).toEqual([
      { amount: '1 bidirectional control character', where: 'line 2', line: 2 },
      { amount: '1000 or more invisible characters', where: 'first on line 7', line: 7 },
    ])
  })
})
