import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  deleteDraft,
  findDraft,
  findDraftKey,
  getDraftKey,
  getParkedDraftKey,
  storeDraft,
} from '../../src/client/editor/drafts.ts'
import { postDocument } from '../../src/client/editor/save-form.ts'
import { denyStorage, stubStorage } from './support/browser.ts'

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

const stubFetch = (data: unknown, status = 200) => {
  const fetchMock = vi.fn<typeof fetch>().mockResolvedValue(Response.json(data, { status }))
  vi.stubGlobal('fetch', fetchMock)
  return fetchMock
}

describe('postDocument', () => {
  it("sends the site's form and asks for JSON", async () => {
    const fetchMock = stubFetch({ data: { id: 'abcdefgh' } })
    const fields = new FormData()
    fields.set('expires', 'day')
    expect(await postDocument(fields)).toEqual({ id: 'abcdefgh' })
    const [path, init] = fetchMock.mock.calls[0] ?? []
    expect(path).toBe('/')
    expect(init).toMatchObject({ method: 'POST', body: fields, headers: { Accept: 'application/json' } })
  })

  it('names the editor that the site rejects', async () => {
    const errors = [{ path: ['settings', 'editors', 1], message: 'No such account' }]
    stubFetch({ error: { code: 'bad_request', message: 'Invalid', errors } }, 400)
    const fields = new FormData()
    fields.set('editors', 'ada, nobody')
    await expect(postDocument(fields)).rejects.toThrow('nobody')
  })

  it('is about the field that the site rejects', async () => {
    const errors = [{ path: ['expires'], message: 'Too late' }]
    stubFetch({ error: { code: 'bad_request', message: 'Invalid', errors } }, 400)
    await expect(postDocument(new FormData())).rejects.toMatchObject({ field: 'expires' })
  })
})
