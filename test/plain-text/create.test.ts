import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { from, LIMITED, newAddress, repeat } from '../limits/support.ts'
import { account, session } from '../support/accounts.ts'
import { send, withVars } from '../support/client.ts'
import { expectFaults } from '../support/log.ts'
import { countDocuments, created, curl, FORM, getId, multipart } from './support.ts'

/** Holds what an upload could lose: a byte order mark, CRLF, NUL, an astral character, a line break at the end. */
const TEXT = '\ufeffä=1&b=%20+ one\r\ntwo\0 😀\n'

describe('a text that a program sends is kept byte for byte', () => {
  it.each([
    ['curl --data-binary @f', 'POST', '/', { body: TEXT, headers: { 'Content-Type': FORM } }],
    [
      'wget --post-file=f',
      'POST',
      '/',
      { body: TEXT, headers: { 'Content-Type': FORM, 'User-Agent': 'Wget/1.21.3' } },
    ],
    ['text/plain', 'POST', '/', { body: TEXT, headers: { 'Content-Type': 'text/plain' } }],
    ['octet-stream', 'POST', '/', { body: TEXT, headers: { 'Content-Type': 'application/octet-stream' } }],
    ['no type', 'POST', '/', { body: new TextEncoder().encode(TEXT) }],
    ['curl -T f', 'PUT', '/f', { body: new TextEncoder().encode(TEXT) }],
    ['curl -T -', 'PUT', '/', { body: new TextEncoder().encode(TEXT) }],
    ['curl -T - URL/-', 'PUT', '/-', { body: new TextEncoder().encode(TEXT) }],
    ["curl -F 'f=<-'", 'POST', '/', multipart([['name="f"', TEXT]])],
    ["curl -F 'f:1=<-'", 'POST', '/', multipart([['name="f:1"', TEXT]])],
    ["curl -F 'sprunge=<-'", 'POST', '/', multipart([['name="sprunge"', TEXT]])],
    ['any one field', 'POST', '/', multipart([['name="anything"', TEXT]])],
    ['curl -F file=@f', 'POST', '/', multipart([['name="file"; filename="f"', TEXT]])],
    ['curl -F content=@f', 'POST', '/', multipart([['name="content"; filename="f"', TEXT]])],
  ] as const)('%s', async (_, method, path, request) => {
    const answer = await curl(path, { method, ...request })
    expect(answer.headers.get('Content-Type')).toBe('text/plain; charset=utf-8')
    expect(answer.headers.get('Location')).toBe(answer.text.trim())
    expect(answer.headers.get('Cache-Control')).toBe('no-store')
    expect((await created(answer)).content).toBe(TEXT)
  })

  it('in chunks whose sum nobody announced', async () => {
    const chunks = ['one ', 'two ', 'three'].map((chunk) => new TextEncoder().encode(chunk))
    const body = new ReadableStream({
      pull(controller) {
        const chunk = chunks.shift()
        if (chunk) controller.enqueue(chunk)
        else controller.close()
      },
    })
    expect((await created(await curl('/', { method: 'PUT', body }))).content).toBe('one two three')
  })
})

describe('a URL-encoded body', () => {
  it.each([
    ['content=a%26b+c%0A', 'a&b c\n'],
    ['text=hello world', 'hello world'],
    ['f%3A1=%C3%A9', 'é'],
    ['lang=md&sprunge=1', '1'],
    ['f:1=two+lines\n50%25\toff', 'two lines\n50%\toff'],
    ['sprunge=1\n', '1\n'],
  ])('%s is a form', async (body, content) => {
    expect((await created(await curl('/', { body, headers: { 'Content-Type': FORM } }))).content).toBe(
      content,
    )
  })

  it.each([
    'x=1&y=2',
    'content=1\nother=2\n',
    'content=1\n',
    'f=1\n',
    'content=1&other stuff=2',
    'content=100%',
    'expires=2d',
    '# no form at all',
    '=',
  ])('%j is a text', async (body) => {
    expect((await created(await curl('/', { body, headers: { 'Content-Type': FORM } }))).content).toBe(body)
  })
})

describe('a URL-encoded form that asks for more than its text, and is broken,', () => {
  it.each([
    ['content=50% off, my secret&burn&password=hunter2', "The field content isn't URL-encoded UTF-8"],
    ['content=%E4&burn', "The field content isn't URL-encoded UTF-8"],
    ['content=x&title=Gr%FC%DFe', "The field title isn't URL-encoded UTF-8"],
    ['content=tom & jerry&burn', "a & that isn't URL-encoded"],
    ['burn=1&content=a&b c', "a & that isn't URL-encoded"],
    ['content=x&password=a&password=a', 'The field password is in the form twice'],
    ['content=x&burn=no&burn=yes', 'The field burn is in the form twice'],
    ['content[]=x&burn=1', 'invalid name of a field'],
    ['Content=x&burn', 'no field content'],
    ['message=x&expires=1h', 'no field content'],
    ['message=50% off&encrypt', "The field message isn't URL-encoded UTF-8"],
    ['content=two\nlines&burn=1', "line breaks or other control characters that aren't URL-encoded"],
    ['f:1=a & b\n&password=secret', "a & that isn't URL-encoded"],
    [`content=x&burn${'&a=b'.repeat(200)}`, 'The form has more than 100 fields'],
  ])('is refused: %j', async (body, problem) => {
    const before = await countDocuments()
    const answer = await curl('/', { body, headers: { 'Content-Type': FORM } })
    expect(answer).toMatchObject({ status: 400, text: expect.stringContaining(problem) })
    expect(answer.text).toContain('--data-urlencode')
    expect(await countDocuments()).toBe(before)
  })

  it.each([
    'content=a&content=b',
    'x=1&format=json',
    'data=$(curl "https://example.org/?a=1&format=json&x=1")\n',
    'data=$(curl "https://example.org/?a=1&expires=1")\n',
    'password&',
    'if (a && burn) return\n',
  ])('doesn’t look like %j, which is a text', async (body) => {
    expect((await created(await curl('/', { body, headers: { 'Content-Type': FORM } }))).content).toBe(body)
  })
})

describe('a multipart form whose names have no quotes, as .NET writes it', () => {
  const text = 'form-data; name=x\r\n\r\nContent-Disposition: form-data; name=x\r\n'

  it('is read, and its text stays as it is', async () => {
    const form = multipart([
      ['name=title', 'notes.txt'],
      ['name=content', text],
    ])
    const { content, settings } = await created(await curl('/', form))
    expect({ content, title: settings.title }).toEqual({ content: text, title: 'notes.txt' })
  })

  it('may name a file', async () => {
    const form = multipart([["name=file; filename=main.py; filename*=utf-8''main.py", text]])
    const { content, settings } = await created(await curl('/', form))
    expect({ content, title: settings.title }).toEqual({ content: text, title: 'main.py' })
  })

  it.each(['', 'name=', 'name="content', '; name=content'])(
    'is refused if it is no form: %j',
    async (part) => {
      const answer = await curl('/', multipart([[part, text]]))
      expect(answer.status).toBe(400)
    },
  )
})

it('two fields of one name are refused, instead of half of what was sent', async () => {
  const before = await countDocuments()
  const answer = await curl(
    '/',
    multipart([
      ['name="f"', 'one'],
      ['name="f"', 'two'],
    ]),
  )
  expect(answer.status).toBe(400)
  expect(answer.text).toContain('The field "f" is in the form twice')
  const options = [
    ['name="f"', 'one'],
    ['name="burn"', 'yes'],
    ['name="burn"', 'no'],
  ] as const
  expect((await curl('/', multipart(options))).text).toContain('The field "burn" is in the form twice')
  expect((await curl('/?burn&burn=no', { body: 'x' })).text).toContain(
    'The option burn is in the address twice',
  )
  expect(await countDocuments()).toBe(before)
})

describe('the name and the type of a file', () => {
  it('give its title and language', async () => {
    expect((await created(await curl('/main.py', { method: 'PUT', body: 'x' }))).settings).toMatchObject({
      title: 'main.py',
      language: 'python',
    })
    const file = multipart([['name="file"; filename="dir/ä b.rs"', 'x']])
    expect((await created(await curl('/', file))).settings).toMatchObject({
      title: 'ä b.rs',
      language: 'rust',
    })
    const type = { 'Content-Type': 'application/ld+json' }
    const { settings } = await created(await curl('/', { body: 'x', headers: type }))
    expect(settings.language).toBe('json')
    expect(settings).not.toHaveProperty('title')
  })

  it('can be those of a page of the site', async () => {
    expect((await created(await curl('/about', { method: 'PUT', body: 'x' }))).settings.title).toBe('about')
  })

  it('are shortened if they are too long for a title', async () => {
    const { settings } = await created(await curl(`/${'n'.repeat(300)}`, { method: 'PUT', body: 'x' }))
    expect(settings.title).toMatch(/^n{100,200}$/)
  })

  it('give way to the text, which is detected without them', async () => {
    const { settings } = await created(await curl('/', { body: '#!/usr/bin/env python3\nprint(1)\n' }))
    expect(settings.language).toBe('python')
  })
})

describe('what a program sends is refused, and nothing is stored', () => {
  const NOT_UTF8 =
    "That isn't text in UTF-8. If it's text, say its encoding, as in Content-Type: text/plain; charset=iso-8859-1, or convert it: iconv -f ISO-8859-1 -t UTF-8"
  const bytes = (...values: number[]) => new Uint8Array(values)
  const small = withVars({ MAX_CONTENT_BYTES: '100' })
  const long = 'x'.repeat(101)

  it.each([
    [
      'no body',
      { method: 'POST' },
      400,
      "There's no text in the request. Send it as the body: curl -T FILE URL",
    ],
    [
      'an empty body',
      { body: '' },
      400,
      "There's no text in the request. Send it as the body: curl -T FILE URL",
    ],
    [
      'the Latin-1 of Windows PowerShell',
      {
        body: bytes(0x61, 0xe9),
        headers: {
          'User-Agent': 'Mozilla/5.0 (Windows NT; Windows NT 10.0; en-US) WindowsPowerShell/5.1.19041.4894',
        },
      },
      400,
      "That isn't text in UTF-8. Add -ContentType 'text/plain; charset=utf-8' to your command, or send bytes: -Body ([Text.Encoding]::UTF8.GetBytes($text))",
    ],
    ['bytes that are no UTF-8', { body: bytes(0x61, 0xff) }, 400, NOT_UTF8],
    ['a field that is no UTF-8', multipart([['name="f"', bytes(0xff)]]), 400, NOT_UTF8],
    [
      'a field it does not know beside a file',
      multipart([
        ['name="expire"', '1d'],
        ['name="b"; filename="b"', '2'],
      ]),
      400,
      'Send one text, or files, in a request, not the fields expire and a file',
    ],
    [
      'a form without a text',
      multipart([['name="expires"', '1d']]),
      400,
      "There's no text in the form. Send it as a file or in the field content",
    ],
    [
      'a form that is cut off',
      { ...multipart([['name="f"', 'x']]), body: bytes(0x2d, 0x2d) },
      400,
      'The form couldn’t be read. Check its fields and its Content-Type',
    ],
    [
      'a text over the limit',
      { body: long, headers: { 'Content-Type': 'text/plain' } },
      413,
      'Content is too large. Shorten it, or split it',
    ],
    [
      'a text over the limit that looks like a form',
      { body: `x=${long}`, headers: { 'Content-Type': FORM } },
      413,
      'Content is too large. Shorten it, or split it',
    ],
    [
      'a field over the limit',
      { body: `content=${long}`, headers: { 'Content-Type': FORM } },
      413,
      'Content is too large. Shorten it, or split it',
    ],
    [
      'a file over the limit',
      multipart([['name="f"; filename="f"', long]]),
      413,
      'Content is too large. Shorten it, or split it',
    ],
  ] as const)('%s', async (_, request, status, line) => {
    const before = await countDocuments()
    const answer = await curl('/', { method: 'POST', ...request, bindings: small })
    expect({ status: answer.status, text: answer.text }).toEqual({ status, text: `${line}\n` })
    expect(answer.headers.get('Content-Type')).toMatch(/^text\/plain/)
    expect(answer.headers.get('Cache-Control')).toBe('no-store')
    expect(await countDocuments()).toBe(before)
  })

  it('an upload that breaks off', async () => {
    const before = await countDocuments()
    let sent = false
    const body = new ReadableStream({
      pull(controller) {
        if (sent) return controller.error(new Error('the client hung up'))
        sent = true
        controller.enqueue(new TextEncoder().encode('half of it'))
      },
    })
    const answer = await curl('/', { method: 'PUT', body })
    expect(answer).toMatchObject({ status: 400, text: 'The upload was interrupted. Send it again\n' })
    expect(await countDocuments()).toBe(before)
    const { keys } = await env.CONTENTS.list()
    expect(keys).toHaveLength(before)
  })

  it('takes as many bytes as the limit, however they are encoded', async () => {
    const text = '&'.repeat(100)
    const form = { body: `content=${encodeURIComponent(text)}`, headers: { 'Content-Type': FORM } }
    for (const request of [{ body: text }, form, multipart([['name="f"; filename="f"', text]])])
      expect((await created(await curl('/', { ...request, bindings: small }))).content).toBe(text)
  })
})

describe('who creates a document', () => {
  it('is an account with an API key, whose documents have no token', async () => {
    const { key, username } = await account()
    for (const Authorization of [key, `Bearer ${key}`]) {
      const answer = await curl('/', { body: 'x', headers: { Authorization } })
      expect(answer.headers.has('X-Document-Token')).toBe(false)
      expect((await created(answer)).creator).toMatchObject({ username })
    }
    expect(await curl('/', { body: 'x', headers: { Authorization: 'imperial_wrong' } })).toMatchObject({
      status: 401,
      text: "Unauthorized. Send a valid API key: -H 'Authorization: imperial_...'\n",
    })
  })

  it('is missing without a key, even with a session cookie', async () => {
    const user = await account()
    const { Cookie } = await session(user)
    const answer = await curl('/', { body: 'x', headers: { Cookie } })
    expect(answer.headers.get('X-Document-Token')).toMatch(/^regent_doc_\w{36}$/)
    expect((await created(answer)).creator).toBe(null)
  })

  it('needs an account where anonymous documents are refused', async () => {
    const bindings = withVars({ ANONYMOUS_DOCUMENTS: 'refuse' })
    const { status, text } = await curl('/', { body: 'x', bindings })
    expect(status).toBe(401)
    expect(text).toBe(
      'On this server, only people with an account can create documents. Send an API key in the header Authorization\n',
    )
    const { key } = await account()
    getId(await curl('/', { body: 'x', headers: { Authorization: key }, bindings }))
    expect((await curl('/', { bindings })).text).toContain('only people with an account')
  })

  it.each([
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { Origin: 'https://paste.example' },
  ])('is never a page in a browser: %j', async (headers) => {
    const before = await countDocuments()
    const user = await account()
    const { Cookie } = await session(user)
    const sent = { Accept: '*/*', 'User-Agent': 'Mozilla/5.0', Cookie, ...headers }
    for (const [method, path] of [
      ['POST', '/documents'],
      ['PUT', '/'],
      ['PUT', '/x'],
      ['DELETE', '/xxxxxxxx'],
    ])
      expect([404, 405]).toContain(
        (await send(path ?? '', { method: method ?? '', body: 'x', headers: sent })).status,
      )
    await send('/', { method: 'POST', body: 'x', headers: { ...sent, 'Content-Type': 'text/plain' } })
    expect(await countDocuments()).toBe(before)
  })
})

describe('POST /documents, as haste clients send it', () => {
  it('answers errors from before its handler as JSON, too', async () => {
    const address = newAddress()
    const post = (bindings: Env) => curl('/documents', { body: 'x', headers: from(address), bindings })
    await repeat(20, () => post(LIMITED))
    const limited = await post(LIMITED)
    expect(limited).toMatchObject({
      status: 429,
      text: '{"message":"Rate limit exceeded, retry in 60 seconds"}',
    })
    expect(Object.fromEntries(limited.headers)).toMatchObject({
      'content-type': 'application/json',
      'retry-after': '60',
      'ratelimit-policy': '"creates";q=20;w=60',
    })
    const unauthorized = await curl('/documents', { body: 'x', headers: { Authorization: 'imperial_wrong' } })
    expect(unauthorized).toMatchObject({ status: 401, text: '{"message":"Unauthorized"}' })
    expectFaults('request failed')
    const misconfigured = await post(withVars({ MAX_CONTENT_BYTES: 'many' }))
    expect(misconfigured).toMatchObject({ status: 500, text: '{"message":"Internal server error"}' })
  })

  it('answers errors as JSON', async () => {
    const { status, text, headers } = await curl('/documents', { method: 'POST' })
    expect({ status, text }).toEqual({ status: 400, text: '{"message":"There\'s no text in the request"}' })
    expect(headers.get('Content-Type')).toBe('application/json')
  })
})
