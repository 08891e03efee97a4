import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  deleteDraft,
  findDraft,
  findDraftKey,
  getDraftKey,
  getParkedDraftKey,
  storeDraft,
} from '../../../src/client/create/drafts.ts'
import { denyStorage, stubStorage } from '../support/storage.ts'

let entries: Map<string, string>

beforeEach(() => {
  entries = stubStorage('localStorage')
})

afterEach(() => {
  vi.unstubAllGlobals()
})

const DRAFT = { text: 'a draft', fields: { expires: 'week' }, unchangedCopy: false }

describe('a stored draft', () => {
  it('is found until it is deleted', () => {
    expect(storeDraft('key', DRAFT)).toBe(true)
    expect(findDraft('key')).toEqual(DRAFT)
    deleteDraft('key')
    expect(findDraft('key')).toBeNull()
  })

  it.each(['no JSON', 'null', '"text"', '{"text":1,"fields":{}}', '{"text":"x"}'])(
    'is ignored if it is %s',
    (stored) => {
      entries.set('key', stored)
      expect(findDraft('key')).toBeNull()
    },
  )

  it('keeps the settings that an earlier release stored under other names', () => {
    const fields = { expires: 'day', once: 'yes', image: 'yes', gist: 'yes' }
    entries.set('key', JSON.stringify({ text: 'an older draft', fields, handed: true }))
    expect(findDraft('key')).toEqual({
      text: 'an older draft',
      fields: { expires: 'day', instant_delete: 'yes', image_embed: 'yes', create_gist: 'yes' },
      unchangedCopy: true,
    })
  })

  it('is refused if it is longer than two million characters', () => {
    expect(storeDraft('key', { text: 'x'.repeat(2_000_001), fields: {} })).toBe(false)
    expect(entries.size).toBe(0)
  })

  it('is reported as not stored where the browser denies access, without an error', () => {
    denyStorage('localStorage')
    expect(storeDraft('key', DRAFT)).toBe(false)
    expect(findDraft('key')).toBeNull()
    expect(() => deleteDraft('key')).not.toThrow()
  })
})

describe('the draft to restore', () => {
  const own = getDraftKey('ada')
  const signedOut = getDraftKey(null)

  it('belongs to one account', () => {
    storeDraft(own, DRAFT)
    expect(findDraftKey('ada')).toBe(own)
    expect(findDraftKey('grace')).toBeNull()
    expect(findDraftKey(null)).toBeNull()
  })

  it('is the own one first, then the parked one, then those from before signing in', () => {
    const order = [own, getParkedDraftKey(own), signedOut, getParkedDraftKey(signedOut)]
    for (const key of order) storeDraft(key, DRAFT)
    for (const key of order) {
      expect(findDraftKey('ada')).toBe(key)
      deleteDraft(key)
    }
    expect(findDraftKey('ada')).toBeNull()
  })

  it('is never an empty one', () => {
    storeDraft(own, { text: '', fields: {} })
    storeDraft(signedOut, DRAFT)
    expect(findDraftKey('ada')).toBe(signedOut)
  })
})
