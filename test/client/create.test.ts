import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  deleteDraft,
  findDraft,
  findDraftKey,
  findFreeDraftKey,
  getDraftKey,
  listParkedDraftKeys,
  readFormValues,
  storeDraft,
} from '../../src/client/editor/drafts.ts'
import { createDocumentSender } from '../../src/client/editor/save-form.ts'
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

describe('the fields of a draft', () => {
  it('have no text, no password and no token of Turnstile', () => {
    const kept = { title: 'notes', expires: 'week' }
    const fields = { ...kept, content: 'text', password: 'p', 'cf-turnstile-response': 'token' }
    vi.stubGlobal(
      'FormData',
      class {
        [Symbol.iterator] = () => Object.entries(fields)[Symbol.iterator]()
      },
    )
    expect(readFormValues({} as HTMLFormElement)).toEqual(kept)
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
    const order = [own, signedOut].flatMap((key) => [key, ...listParkedDraftKeys(key)])
    for (const key of order) storeDraft(key, DRAFT)
    for (const key of order) {
      expect(findDraftKey('ada')).toBe(key)
      deleteDraft(key)
    }
    expect(findDraftKey('ada')).toBeNull()
  })

  it('has a key of its own, as long as there is one', () => {
    const texts = ['1', '2', '3', '4', '5', '6']
    for (const text of texts) storeDraft(findFreeDraftKey(own, text) ?? '', { ...DRAFT, text })
    expect([own, ...listParkedDraftKeys(own)].map((key) => findDraft(key)?.text)).toEqual(texts)
    expect(findFreeDraftKey(own, '7')).toBeUndefined()
  })

  it('replaces the same text, or an unchanged copy', () => {
    storeDraft(own, DRAFT)
    expect(findFreeDraftKey(own, DRAFT.text)).toBe(own)
    expect(findFreeDraftKey(own, 'another')).not.toBe(own)
    storeDraft(own, { ...DRAFT, unchangedCopy: true })
    expect(findFreeDraftKey(own, 'another')).toBe(own)
  })

  it('is never an empty one', () => {
    storeDraft(own, { text: '', fields: {} })
    storeDraft(signedOut, DRAFT)
    expect(findDraftKey('ada')).toBe(signedOut)
  })
})

const CREATED = { id: 'abcdefgh', token: 'regent_doc_x' }

/** A server that knows requests by their key, and whose answers the test gives. Returns the requests. */
function stubServer(...answers: (Response | Error)[]) {
  const requests: { key: string; body: FormData }[] = []
  vi.stubGlobal('fetch', async (path: string, { method, headers, body }: RequestInit) => {
    expect([path, method, new Headers(headers).get('Accept')]).toEqual(['/', 'POST', 'application/json'])
    requests.push({ key: new Headers(headers).get('Idempotency-Key') ?? '', body: body as FormData })
    const answer = answers.shift() ?? Response.json({ data: CREATED })
    if (answer instanceof Error) throw answer
    return answer
  })
  return requests
}

const refuse = (status: number, error: object) => Response.json({ error }, { status })
const lost = () => new TypeError('Failed to fetch')

describe('a form that creates a document', () => {
  let prepared = 0
  const share = (send: ReturnType<typeof createDocumentSender>, text: string, fields = {}) => {
    const form = new FormData()
    for (const [name, value] of Object.entries({ content: text, ...fields })) form.set(name, String(value))
    const prepare = async (sent: FormData) => {
      sent.set('content', `encrypted ${++prepared}`)
      return sent
    }
    return send({ text, form, password: null, prepare }, () => {})
  }

  it.each([
    ['no answer', [lost()]],
    ['half an answer', [new Response('{"data":{"id":"abc')]],
    ['a fault, then a limit', [refuse(503, { code: 'unavailable' }), refuse(429, { code: 'rate_limited' })]],
  ])('is the same request again after %s', async (_, answers) => {
    const requests = stubServer(...answers)
    const send = createDocumentSender()
    for (const __ of answers)
      await expect(share(send, 'text', { 'cf-turnstile-response': 'a' })).rejects.toThrow()
    expect(await share(send, 'text', { 'cf-turnstile-response': 'b' })).toEqual(CREATED)
    expect(new Set(requests.map(({ key }) => key)).size).toBe(1)
    expect(new Set(requests.map(({ body }) => body.get('content'))).size).toBe(1)
    // Cloudflare's check of a person works once.
    expect(requests.at(-1)?.body.get('cf-turnstile-response')).toBe('b')
  })

  it('is another request once it was answered, with another text, with other settings, and if the document is gone', async () => {
    const requests = stubServer(
      Response.json({ data: CREATED }),
      lost(),
      lost(),
      lost(),
      refuse(409, { code: 'conflict', message: 'gone' }),
    )
    const send = createDocumentSender()
    await share(send, 'text')
    await expect(share(send, 'text')).rejects.toThrow()
    await expect(share(send, 'other')).rejects.toThrow()
    await expect(share(send, 'other', { expires: 'day' })).rejects.toThrow()
    await expect(share(send, 'other', { expires: 'day' })).rejects.toThrow('gone')
    await share(send, 'other', { expires: 'day' })
    const keys = requests.map(({ key }) => key)
    expect(keys[3]).toBe(keys[4])
    expect(new Set(keys).size).toBe(5)
    for (const key of keys) expect(key).toMatch(/^[\w-]{21}$/)
  })

  it('names the editor that the site rejects', async () => {
    const errors = [{ path: ['settings', 'editors', 1], message: 'No such account' }]
    stubServer(refuse(400, { code: 'bad_request', message: 'Invalid', errors }))
    await expect(share(createDocumentSender(), 'x', { editors: 'ada, nobody' })).rejects.toThrow('nobody')
  })

  it('is about the field that the site rejects', async () => {
    const errors = [{ path: ['expires'], message: 'Too late' }]
    stubServer(refuse(400, { code: 'bad_request', message: 'Invalid', errors }))
    await expect(share(createDocumentSender(), 'x')).rejects.toMatchObject({ field: 'expires' })
  })
})
