import { describe, expect, it } from 'vitest'
import { getTargetIds } from '../../../src/client/markdown/fragments.ts'

describe('the ids that a fragment may mean', () => {
  it.each([
    ['#install', ['user-content-install']],
    ['#Install', ['user-content-Install', 'user-content-install']],
    ['#user-content-install', ['user-content-install']],
    ['#%C3%BCber', ['user-content-über']],
    ['#100%', ['user-content-100%']],
    ['#', []],
    ['', []],
  ])('of %s', (hash, ids) => {
    expect(getTargetIds(hash)).toEqual(ids)
  })
})
