import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { account } from '../../support/accounts.ts'
import { type Answer, call, read, send, withVars } from '../../support/client.ts'

const small = withVars({ MAX_CONTENT_BYTES: '8' })

async function post(body: BodyInit, contentType: string | null, bindings: Env = env): Promise<Answer> {
  const headers = new Headers(contentType === null ? {} : { 'Content-Type': contentType })
  const request = { method: 'POST', headers, body }
  const response = await send('/v1/document', request, { bindings })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

describe('the media type', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'Application/JSON ; x="y"',
  ])('may be %s', async (contentType) => {
    expect((await post('{"content":"x"}', contentType)).status).toBe(200)
  })

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'application/json5', ''])(
    'may not be %s',
    async (contentType) => {
      const answer = await post('{"content":"x"}', contentType)
      expect(answer.status).toBe(415)
      expect(answer.body.error).toEqual({ code: 'unsupported_media_type', message: 'Unsupported media type' })
    },
  )

  it('is checked on edit as well', async () => {
    const { key } = await account()
    const answer = await call('PATCH', '/v1/document', '{"id":"xxxx"}', {
      key,
      headers: { 'Content-Type': 'text/plain' },
    })
    expect(answer.status).toBe(415)
  })
})

describe('an unreadable body', () => {
  it.each([
    ['nothing', ''],
    ['half an object', '{"content": "x"'],
    ['a bare word', 'hello'],
    ['bytes that are not UTF-8', new Uint8Array([0x22, 0xff, 0xfe, 0x22])],
    ['half a character', new Uint8Array([...new TextEncoder().encode('{"content":"'), 0xf0, 0x9f])],
  ])('returns one issue at the root: %s', async (_, body) => {
    const answer = await post(body, 'application/json')
    expect(answer.status).toBe(400)
    expect(answer.body.error).toMatchObject({
      code: 'bad_request',
      message: 'Invalid request body',
      errors: [{ path: [] }],
    })
  })
})

describe('a long document', () => {
  it('comes back byte for byte, including characters that JSON escapes', async () => {
    const text = '\u0001"\\\r\n\u2028😀漢/\ufeff'.repeat(40_000)
    const created = await post(JSON.stringify({ content: text }), 'application/json')
    expect(created.body.data.content === text).toBe(true)
    const { body, headers } = await read(created.body.data.id)
    expect(body.data.content === text).toBe(true)
    expect({ ...body.data, content: '' }).toEqual({ ...created.body.data, content: '', views: 1 })
    expect(headers.get('Content-Type')).toBe('application/json')
  })
})

describe('the size of the content', () => {
  it.each([
    ['ASCII', 'x'.repeat(8), 'x'.repeat(9)],
    ['two bytes a character', 'é'.repeat(4), 'é'.repeat(5)],
    ['astral characters', '😀'.repeat(2), '😀'.repeat(3)],
    ['control characters that JSON writes in six bytes', '\0'.repeat(8), '\0'.repeat(9)],
  ])('is counted in bytes of UTF-8: %s', async (_, largest, tooLarge) => {
    const answer = await post(JSON.stringify({ content: largest }), 'application/json', small)
    expect(answer.status).toBe(200)
    expect((await read(answer.body.data.id)).body.data.content).toBe(largest)
    const refused = await post(JSON.stringify({ content: tooLarge }), 'application/json', small)
    expect(refused.status).toBe(413)
    expect(refused.body.error).toEqual({ code: 'content_too_large', message: 'Content is too large' })
  })

  it('is limited by the declared length of the body, or while a body of unknown length arrives', async () => {
    const body = `{"content":"x","padding":"${'p'.repeat(70_000)}"}`
    expect((await post(body, 'application/json', small)).status).toBe(413)
    const stream = new Blob([body]).stream()
    expect((await post(stream, 'application/json', small)).status).toBe(413)
    const accepted = new Blob(['{"content":"x"}']).stream()
    expect((await post(accepted, 'application/json', small)).status).toBe(200)
  })

  it('is checked before anything else in the body', async () => {
    const body = JSON.stringify({ content: 'x'.repeat(9), settings: { language: 5 } })
    expect((await post(body, 'application/json', small)).status).toBe(413)
    const encrypted = JSON.stringify({
      content: 'x'.repeat(9),
      settings: { client_encrypted: true, language: 5 },
    })
    expect((await post(encrypted, 'application/json', small)).status).toBe(400)
  })

  it('may be 10 MiB and not one byte more', async () => {
    const content = 'a'.repeat(10 * 1024 * 1024)
    const answer = await call('POST', '/v1/document', { content })
    expect(answer.status).toBe(200)
    expect((await read(answer.body.data.id)).body.data.content === content).toBe(true)
    expect((await (await send(`/r/${answer.body.data.id}`)).text()) === content).toBe(true)
    expect((await call('POST', '/v1/document', { content: `${content}a` })).status).toBe(413)
  })

  it('may be 10 MiB with encryption as well', async () => {
    const { key } = await account()
    const content = '😀'.repeat((10 * 1024 * 1024) / 4)
    const answer = await call('POST', '/v1/document', { content, settings: { encrypted: true } }, { key })
    expect(answer.status).toBe(200)
    const { id, password } = answer.body.data
    expect((await read(`${id}?password=${password}`)).body.data.content === content).toBe(true)
  })
})
