import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type ApiDocument,
  claimDocument,
  createBurnReader,
  createEncryptedBurnReader,
  createEncryptedReader,
  fetchClaimHeader,
} from '../../../src/client/decrypt/decrypted-document.ts'
import { JWE_TASKS } from '../../../src/client/encryption/jwe-worker.ts'
import { stubJweWorker } from '../support/browser.ts'

const respondWith = (respond: () => Promise<Response>) => {
  const request = vi.fn<typeof fetch>(respond)
  vi.stubGlobal('fetch', request)
  return request
}

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('a request that fails', () => {
  it.each([
    [404, 'gone'],
    [429, 'rate-limited'],
    [400, 'refused'],
    [500, 'server-error'],
    [503, 'server-error'],
  ])('with status %i is reported as %s', async (status, failure) => {
    respondWith(async () => new Response('{}', { status }))
    await expect(createBurnReader('abcd')('')).rejects.toMatchObject({ cause: failure })
  })

  it('without an answer is reported as unanswered', async () => {
    respondWith(() => Promise.reject(new TypeError('Failed to fetch')))
    await expect(createBurnReader('abcd')('')).rejects.toMatchObject({ cause: 'unanswered' })
  })

  it('in the middle of the answer is reported as interrupted', async () => {
    respondWith(async () => new Response('{"data": {"id"'))
    await expect(createBurnReader('abcd')('')).rejects.toMatchObject({ cause: 'interrupted' })
  })
})

describe('a claim', () => {
  it('fetches the header without sending anything', async () => {
    const request = respondWith(async () => Response.json({ data: { header: 'abc' } }))
    expect(await fetchClaimHeader('abcd')).toBe('abc')
    expect(request.mock.calls).toEqual([['/v1/document/abcd/claim', { cache: 'no-store' }]])
  })

  it('posts the token and returns the document', async () => {
    const document = { id: 'abcd', content: 'x' }
    const request = respondWith(async () => Response.json({ data: document }))
    expect(await claimDocument('abcd', 'token')).toEqual(document)
    expect(request.mock.calls[0]?.[1]).toMatchObject({ method: 'POST', body: '{"token":"token"}' })
  })

  it('returns null if the token is wrong', async () => {
    respondWith(async () => new Response('{}', { status: 400 }))
    expect(await claimDocument('abcd', 'token')).toBeNull()
  })

  it('throws if the document is gone', async () => {
    respondWith(async () => new Response('{}', { status: 404 }))
    await expect(claimDocument('abcd', 'token')).rejects.toMatchObject({ cause: 'gone' })
  })
})

const { jwe } = await JWE_TASKS.encrypt({ text: 'hello', password: 'right', generated: true })

const toDocument = (content: string): ApiDocument => ({
  id: 'abcd',
  content,
  creator: null,
  timestamps: { creation: '2026-05-03T09:05:00.000Z' },
  settings: { language: 'plaintext' },
})

/** Answers requests by `METHOD path`. Returns the list of requests made. */
function answerRequests(answers: Readonly<Record<string, () => Response>>): string[] {
  const requests: string[] = []
  vi.stubGlobal('fetch', async (path: string, { method = 'GET' }: RequestInit) => {
    requests.push(`${method} ${path}`)
    const answer = answers[`${method} ${path}`]
    if (!answer) throw new TypeError('Failed to fetch')
    return answer()
  })
  return requests
}

const succeed = (data: object) => () => Response.json({ data })
const failWith = (status: number) => () => new Response('{}', { status })

const DOCUMENT = 'GET /v1/document/abcd'
const HEADER = 'GET /v1/document/abcd/claim'
const CLAIM = 'POST /v1/document/abcd/claim'

const header = jwe.slice(0, jwe.indexOf('.'))

beforeEach(() => stubJweWorker())

describe('the reader of an encrypted document', () => {
  it('decrypts, and fetches the JWE once for several attempts', async () => {
    const requests = answerRequests({ [DOCUMENT]: succeed(toDocument(jwe)) })
    const read = createEncryptedReader('abcd')
    expect(await read('wrong')).toBeNull()
    expect(await read('right')).toMatchObject({ text: 'hello', decrypted: true })
    expect(requests).toEqual([DOCUMENT])
  })

  it('fetches again after a failure', async () => {
    answerRequests({})
    const read = createEncryptedReader('abcd')
    await expect(read('right')).rejects.toThrow('couldn’t be reached')
    answerRequests({ [DOCUMENT]: succeed(toDocument(jwe)) })
    expect(await read('right')).toMatchObject({ text: 'hello' })
  })
})

describe('the reader that burns an unencrypted document', () => {
  it('returns its text', async () => {
    answerRequests({ [DOCUMENT]: succeed(toDocument('hello')) })
    expect(await createBurnReader('abcd')('')).toMatchObject({ text: 'hello', decrypted: true })
  })

  it.each([
    ['no answer arrives', {}, 'may already be deleted'],
    ['the answer is interrupted', { [DOCUMENT]: () => new Response('{"da') }, 'has been deleted and can'],
    ['it is gone', { [DOCUMENT]: failWith(404) }, 'Somebody has read it'],
    ['the server fails', { [DOCUMENT]: failWith(503) }, 'whether the document still exists'],
  ])('says what happened to the document if %s', async (_, answers, message) => {
    answerRequests(answers)
    await expect(createBurnReader('abcd')('')).rejects.toThrow(message)
  })
})

describe('the reader that burns an encrypted document', () => {
  it('claims it and decrypts it', async () => {
    const requests = answerRequests({
      [HEADER]: succeed({ header }),
      [CLAIM]: succeed(toDocument(jwe)),
    })
    const result = await createEncryptedBurnReader('abcd')('right')
    expect(result).toMatchObject({ text: 'hello', decrypted: true })
    expect(requests).toEqual([HEADER, CLAIM])
  })

  it('returns null if the service refuses the claim', async () => {
    answerRequests({ [HEADER]: succeed({ header }), [CLAIM]: failWith(400) })
    expect(await createEncryptedBurnReader('abcd')('wrong')).toBeNull()
  })

  it('returns the JWE if it was encrypted with another password than the one claimed', async () => {
    answerRequests({ [HEADER]: succeed({ header }), [CLAIM]: succeed(toDocument(jwe)) })
    const result = await createEncryptedBurnReader('abcd')('other')
    expect(result).toMatchObject({ text: jwe, decrypted: false })
  })

  it('says that nothing was deleted if fetching the header fails', async () => {
    answerRequests({ [HEADER]: failWith(503) })
    await expect(createEncryptedBurnReader('abcd')('right')).rejects.toThrow('nothing was deleted')
  })
})
