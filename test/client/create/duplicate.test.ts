import { afterEach, describe, expect, it, vi } from 'vitest'
import { takeDuplicate } from '../../../src/client/share/shared-document.ts'
import { denyStorage, stubStorage } from '../support/storage.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('takeDuplicate', () => {
  it('returns a duplicate once', () => {
    const entries = stubStorage('sessionStorage')
    entries.set('duplicate', JSON.stringify({ id: 'abcd2345', text: 'x', language: 'rust' }))
    expect(takeDuplicate()).toEqual({ id: 'abcd2345', text: 'x', language: 'rust' })
    expect(takeDuplicate()).toBeNull()
  })

  it.each(['no JSON', 'null', '{"language":"rust"}'])('ignores %s', (stored) => {
    stubStorage('sessionStorage').set('duplicate', stored)
    expect(takeDuplicate()).toBeNull()
  })

  it('returns null where the browser denies access', () => {
    denyStorage('sessionStorage')
    expect(takeDuplicate()).toBeNull()
  })
})
