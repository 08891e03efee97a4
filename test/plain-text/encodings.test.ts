import { describe, expect, it } from 'vitest'
import { call, send } from '../support/client.ts'
import { CURL, created, curl, multipart } from './support.ts'

const utf16 = (text: string, littleEndian: boolean): Uint8Array => {
  const bytes = new Uint8Array(text.length * 2)
  const view = new DataView(bytes.buffer)
  for (let at = 0; at < text.length; at++) view.setUint16(at * 2, text.charCodeAt(at), littleEndian)
  return bytes
}

async function compress(text: string | Uint8Array, format: 'gzip' | 'deflate'): Promise<Uint8Array> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream(format))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

const post = (body: Uint8Array, headers: Record<string, string>) => curl('/', { body, headers })

const TEXT = 'héllo 😀\r\n'

describe('a body in a declared encoding', () => {
  it.each([
    ['utf-16le', utf16(TEXT, true)],
    ['UTF-16BE', utf16(TEXT, false)],
    ['"utf-16"', utf16(`\uFEFF${TEXT}`, true)],
    ['utf-8', new TextEncoder().encode(TEXT)],
    ['us-ascii', new TextEncoder().encode(TEXT)],
  ])('is stored as UTF-8: %s', async (charset, bytes) => {
    const answer = await post(bytes, { 'Content-Type': `text/plain; charset=${charset}` })
    expect((await created(answer)).content).toBe(TEXT)
  })

  it.each([
    ['iso-8859-1', [0xe9, 0x20, 0xfc], 'é ü'],
    ['windows-1251', [0xcf, 0xf0], 'Пр'],
    ['shift_jis', [0x93, 0xfa, 0x96, 0x7b], '日本'],
    ['gbk', [0xc4, 0xe3], '你'],
  ])('may be an old one: %s', async (charset, bytes, text) => {
    const answer = await post(Uint8Array.from(bytes), { 'Content-Type': `text/plain; charset=${charset}` })
    expect((await created(answer)).content).toBe(text)
  })

  it('is refused if nobody knows it, or if it isn’t in it', async () => {
    const unknown = await post(Uint8Array.from([65]), { 'Content-Type': 'text/plain; charset=klingon' })
    expect({ status: unknown.status, text: unknown.text }).toEqual({
      status: 415,
      text: 'Unsupported charset: klingon. Send UTF-8\n',
    })
    const wrong = await post(Uint8Array.from([0x81]), { 'Content-Type': 'text/plain; charset=utf-16le' })
    expect(wrong.status).toBe(400)
    expect(wrong.text).toContain("isn't valid utf-16le")
  })
})

describe('a body in an encoding that nobody declared', () => {
  it.each([true, false])('is converted from UTF-16 with a byte order mark', async (littleEndian) => {
    const bytes = utf16(`\uFEFF${TEXT}`, littleEndian)
    expect((await created(await post(bytes, {}))).content).toBe(TEXT)
    const form = multipart([['name="f"; filename="a.txt"', bytes]])
    expect((await created(await curl('/', form))).content).toBe(TEXT)
  })

  it('keeps the byte order mark of UTF-8', async () => {
    const bytes = new TextEncoder().encode(`\uFEFF${TEXT}`)
    expect((await created(await post(bytes, {}))).content).toBe(`\uFEFF${TEXT}`)
  })

  it('is refused if it has eight bits, with what to do', async () => {
    const { status, text } = await post(Uint8Array.from([0x68, 0xe9]), {})
    expect(status).toBe(400)
    expect(text).toContain('charset=iso-8859-1')
    expect(text).toContain('iconv')
  })
})

describe('a compressed body', () => {
  it.each([
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['x-gzip', 'gzip'],
    ['deflate', 'deflate'],
  ] as const)('is unpacked: %s', async (encoding, format) => {
    const answer = await post(await compress(TEXT, format), { 'Content-Encoding': encoding })
    expect((await created(answer)).content).toBe(TEXT)
  })

  it('may be JSON, and in another encoding', async () => {
    const body = await compress(utf16(JSON.stringify({ content: TEXT }), false), 'gzip')
    const headers = { 'Content-Type': 'application/json; charset=utf-16be', 'Content-Encoding': 'gzip' }
    const response = await send('/v1/document', { method: 'POST', body, headers })
    expect(await response.json()).toMatchObject({ data: { content: TEXT } })
  })

  it('ends at the limit of any other body', async () => {
    const bomb = await compress(new Uint8Array(64 * 1024 * 1024), 'gzip')
    expect(bomb.byteLength).toBeLessThan(100_000)
    expect((await post(bomb, { 'Content-Encoding': 'gzip' })).status).toBe(413)
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }
    const json = await send('/v1/document', { method: 'POST', body: bomb, headers })
    expect([400, 413]).toContain(json.status)
  })

  it('is refused if it isn’t what it says, or is compressed otherwise', async () => {
    const broken = await post(new TextEncoder().encode('text'), { 'Content-Encoding': 'gzip' })
    expect({ status: broken.status, text: broken.text }).toEqual({
      status: 400,
      text: "The body isn't valid gzip, which Content-Encoding says it is. Send it without that header\n",
    })
    const { status, text, headers } = await post(new TextEncoder().encode('text'), {
      'Content-Encoding': 'br',
    })
    expect({ status, text }).toEqual({
      status: 415,
      text: 'Unsupported Content-Encoding: send gzip, deflate or none\n',
    })
    expect(headers.get('Accept-Encoding')).toBe('gzip, deflate')
    const json = await call(
      'POST',
      '/v1/document',
      { content: 'x' },
      { headers: { 'Content-Encoding': 'br' } },
    )
    expect(json.status).toBe(415)
  })
})

describe('haste', () => {
  it.each([
    ['content=50%25+off', 'application/x-www-form-urlencoded'],
    ['data=5', 'application/x-www-form-urlencoded'],
    ['{"a": 1}', 'application/json'],
    ['--x\r\nnot a form', 'multipart/form-data; boundary=x'],
    ['text', ''],
  ])('stores the body %j of the type %s as it is, and answers it', async (body, type) => {
    const headers: Record<string, string> = { ...CURL, ...(type !== '' && { 'Content-Type': type }) }
    const made = await send('/documents', { method: 'POST', body, headers })
    const { key } = await made.json<{ key: string }>()
    const response = await send(`/documents/${key}`, { headers: CURL })
    expect(response.headers.get('Content-Type')).toBe('application/json')
    expect(await response.json()).toEqual({ key, data: body })
    const shared = await send(`/share/${key}`, { headers: CURL, redirect: 'manual' })
    expect({ status: shared.status, location: shared.headers.get('Location') }).toEqual({
      status: 301,
      location: `/${key}`,
    })
  })

  it.each(['name="data"', 'name="data"; filename="notes.txt"'])(
    'stores the field of a form: %s',
    async (disposition) => {
      const { body, headers } = multipart([
        ['name="other"', 'x'],
        [disposition, 'hellö\r\n'],
      ])
      const made = await curl('/documents', { body, headers })
      expect(made.status).toBe(200)
      // A client that cuts off the first and the last characters gets the key.
      const key = made.text.slice('{"key":"'.length, -2)
      expect(await curl(`/documents/${key}`)).toMatchObject({
        text: JSON.stringify({ key, data: 'hellö\r\n' }),
      })
      for (const path of [`/raw/${key}.js`, `/raw/${key}`, `/r/${key}.tar.gz`])
        expect(await curl(path)).toMatchObject({ status: 200, text: 'hellö\r\n' })
    },
  )

  it('stores a form without that field as it is, and refuses bytes that are no text', async () => {
    const other = multipart([['name="other"', 'x']])
    const made = await curl('/documents', other)
    const key = made.text.slice('{"key":"'.length, -2)
    expect((await curl(`/raw/${key}`)).text).toBe(new TextDecoder().decode(other.body))
    for (const disposition of ['name="data"', 'name="data"; filename="x"'])
      expect(
        (await curl('/documents', multipart([[disposition, new Uint8Array([0xff, 0xfe, 0xfd])]]))).status,
      ).toBe(400)
  })

  it('takes a name and password for no key', async () => {
    const headers = { Authorization: 'Basic dXNlcjpwYXNz' }
    const made = await curl('/documents', { body: 'x', headers })
    expect(made.status).toBe(200)
    expect((await curl('/', { body: 'x', headers })).status).toBe(401)
  })

  it('says what is missing in JSON, and deletes nothing by reading', async () => {
    const missing = await send('/documents/abcd2345', { headers: CURL })
    expect({ status: missing.status, body: await missing.json() }).toEqual({
      status: 404,
      body: { message: expect.any(String) },
    })
    const made = await send('/documents?burn', { method: 'POST', body: 'once', headers: CURL })
    const { key } = await made.json<{ key: string }>()
    expect((await send(`/documents/${key}`, { headers: CURL })).status).toBe(400)
    expect(await (await send(`/${key}`, { method: 'POST', headers: CURL })).text()).toBe('once')
  })
})

describe('a form', () => {
  it.each(['content=x&private=1', 'private=1&content=x&expiry=2d'])(
    'with an unknown field beside the text is refused by name: %s',
    async (body) => {
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
      const { status, text } = await curl('/', { body, headers })
      expect(status).toBe(400)
      expect(text).toContain('private')
      const form = multipart(
        [...new URLSearchParams(body)].map(([name, value]) => [`name="${name}"`, value] as const),
      )
      const answer = await curl('/', form)
      expect(answer.status).toBe(400)
      expect(answer.text).toContain('private')
    },
  )

  it('isn’t a file that has an equals sign', async () => {
    const body = 'private=1&expiry=2d'
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    expect((await created(await curl('/', { body, headers }))).content).toBe(body)
  })
})
