import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import type { Document } from '../../src/documents/document.ts'
import { AppError } from '../../src/errors.ts'
import { checkIfMatch, isFresh, rejectOtherMethods } from '../../src/http/answers.ts'

const DOCUMENT: Document = {
  id: 'bcdf2345',
  creator: null,
  editors: [],
  contentKey: 'content/x',
  contentBytes: 1,
  contentExpiresAt: 1,
  revision: 1,
  title: null,
  givenTitle: null,
  name: null,
  lastEditedBy: null,
  language: 'plaintext',
  languageChosen: false,
  languageDetected: false,
  imageEmbed: false,
  burnAfterReading: false,
  encrypted: false,
  public: false,
  keepRevisions: true,
  claim: null,
  proofHash: null,
  tokenHash: null,
  gistUrl: null,
  original: null,
  views: 0,
  version: 'a',
  createdAt: 0,
  updatedAt: 0,
  expiresAt: 1,
}

describe('a condition on the tag "json-a"', () => {
  it.each([
    ['"json-a"', true],
    ['W/"json-a"', true],
    ['"json-b", "json-a"', true],
    ['"json-b",W/"json-a" ', true],
    ['*', true],
    ['"json-b"', false],
    ['json-a', false],
    ['"json-A"', false],
    ['', false],
  ])('with the value %s matches: %s', (header, matches) => {
    expect(isFresh(header, DOCUMENT, 'json')).toBe(matches)
    const check = () => checkIfMatch(header)(DOCUMENT)
    if (matches) expect(check).not.toThrow()
    else expect(check).toThrow('The document has changed since you read it')
  })
})

describe('rejectOtherMethods', () => {
  const respond = () => new Response('found')
  const app = new Hono()
    .onError((error) => {
      if (!(error instanceof AppError)) throw error
      return new Response(null, { status: error.status, headers: error.headers })
    })
    .route(
      '/named',
      rejectOtherMethods(new Hono().get('/', respond).post('/', respond).delete('/:id', respond)),
    )
    .route('/', rejectOtherMethods(new Hono().put('/:id', respond)))

  it.each([
    ['PUT', '/named', 'GET, HEAD, POST'],
    ['OPTIONS', '/named', 'GET, HEAD, POST'],
    ['GET', '/named/x', 'DELETE'],
    ['HEAD', '/named/x', 'DELETE'],
    ['POST', '/other', 'PUT'],
  ])('answers %s %s with 405 and the methods of its routes', async (method, path, allow) => {
    const { status, headers } = await app.request(path, { method })
    expect({ status, allow: headers.get('Allow') }).toEqual({ status: 405, allow })
  })

  it.each([
    ['GET', '/named'],
    ['HEAD', '/named'],
    ['DELETE', '/named/x'],
    ['PUT', '/other'],
  ])('leaves %s %s to its route', async (method, path) => {
    expect((await app.request(path, { method })).status).toBe(200)
  })

  it('leaves paths without a route alone', async () => {
    expect((await app.request('/no/such/path', { method: 'PUT' })).status).toBe(404)
  })
})
