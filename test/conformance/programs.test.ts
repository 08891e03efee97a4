import { describe, expect } from 'vitest'
import type { Answer } from './support/answer.ts'
import type { Call } from './support/api.ts'
import { type ClauseApi, clause, shareDocument } from './support/clause.ts'
import { expectContent } from './support/expect.ts'

const TEXT = 'x=50%25+off & more\nä\n'

const CURL = { 'User-Agent': 'curl/8.5.0', Accept: '*/*' }
const FORM = 'application/x-www-form-urlencoded'
const BROWSER = {
  'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  Accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
}

const aDocument = shareDocument((api) => api.create(api.needCreator(), TEXT))

/** Shares text as curl does, with a key if there is one. `cleanUp` deletes the document. */
async function share(
  api: ClauseApi,
  { path = '/', ...call }: Call & { readonly path?: string; readonly method?: string },
): Promise<Answer> {
  const key = api.needCreator()
  const { method = 'POST', headers, body } = call
  const sent = { key, headers: { ...CURL, ...headers }, ...(body !== undefined && { body }) }
  const answer = await api.send(method, path, sent)
  if (answer.status < 300) api.deleteSharedLater(answer, key)
  return answer
}

/** Expects a link, which may be on another site than the API, and returns the id in it. */
function idIn(answer: Answer): string {
  expect(answer.status).toBe(201)
  const link = answer.text.trim()
  expect(link).toMatch(/^https?:\/\/./)
  expect(answer.header('Location')).toBe(link)
  return new URL(link).pathname.slice(1)
}

const expectStored = async (api: ClauseApi, answer: Answer, text: string) =>
  expectContent(await api.read(idIn(answer)), text)

const encodeUtf16 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(
    [...text].flatMap((character) => [character.charCodeAt(0) & 255, character.charCodeAt(0) >> 8]),
  )

async function compress(text: string, format: CompressionFormat): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream(format))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

describe('Text without JSON', () => {
  clause('programs.share', 'PUT and POST of a text get a 201 with its whole address', async (api) => {
    await expectStored(api, await share(api, { method: 'PUT', path: '/notes.txt', body: TEXT }), TEXT)
    await expectStored(api, await share(api, { body: TEXT, headers: { 'Content-Type': 'text/plain' } }), TEXT)
  })

  clause(
    'programs.text',
    'Programs that are no browser get the text at the address of a page',
    async (api) => {
      const { id } = await aDocument(api)
      for (const agent of [
        'curl/8.5.0',
        'ModmailBot/1.0',
        'Mozilla/5.0 (Windows NT 10.0; Microsoft Windows 10.0.22631; en-US) PowerShell/7.4.6',
        'python-requests/2.32.3',
        'v2rayN/7.15.6',
      ]) {
        const answer = await api.send('GET', `/${id}`, { headers: { 'User-Agent': agent, Accept: '*/*' } })
        expect({ agent, status: answer.status, text: answer.text }).toEqual({
          agent,
          status: 200,
          text: TEXT,
        })
      }
    },
  )

  clause('programs.markdown', 'So does whoever accepts text/markdown', async (api) => {
    const { id } = await aDocument(api)
    const headers = { ...BROWSER, Accept: 'text/markdown, text/html;q=0.9, */*;q=0.8' }
    const answer = await api.send('GET', `/${id}`, { headers })
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 200, text: TEXT })
  })

  clause('programs.markdown-pages', 'Pages about the server are Markdown for it, too', async (api) => {
    const headers = { ...BROWSER, Accept: 'text/markdown, text/html;q=0.9, */*;q=0.8' }
    for (const path of ['/', '/about', '/docs', '/abuse']) {
      const answer = await api.send('GET', path, { headers })
      expect(answer.header('Content-Type')).toMatch(/^text\/markdown/)
      expect(answer.text).toMatch(/^# /)
    }
  })

  clause(
    'programs.guide',
    '/skill.md and /llms.txt say how to use the server, in at most 60 lines',
    async (api) => {
      for (const path of ['/skill.md', '/llms.txt']) {
        const answer = await api.send('GET', path, { headers: CURL })
        expect(answer.status).toBe(200)
        expect(answer.header('Content-Type')).toMatch(/^text\/(?:plain|markdown)/)
        expect(answer.text.trimEnd().split('\n').length).toBeLessThanOrEqual(60)
      }
    },
  )

  clause('programs.mcp', '/mcp has tools for agents, and refuses batches', async (api) => {
    const { id } = await aDocument(api)
    const post = (message: object) =>
      api.send('POST', '/mcp', {
        headers: { ...CURL, 'Content-Type': 'application/json' },
        body: JSON.stringify(message),
      })
    const message = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params })
    const initialize = await post(
      message('initialize', {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'conformance', version: '1' },
      }),
    )
    expect(JSON.parse(initialize.text).result).toMatchObject({
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
    })
    const read = await post(message('tools/call', { name: 'read', arguments: { document: id } }))
    expect(JSON.parse(read.text).result.content[0].text).toContain(`\n${TEXT}`)
    expect((await post([message('ping', {})])).status).toBe(400)
  })

  clause('programs.page', 'Browsers and link previews get a page there', async (api) => {
    const { id } = await aDocument(api)
    for (const headers of [BROWSER, { 'User-Agent': 'Slackbot-LinkExpanding 1.0', Accept: '*/*' }]) {
      const answer = await api.send('GET', `/${id}`, { headers })
      expect(answer.header('Content-Type')).toMatch(/^text\/html/)
    }
  })

  clause('programs.update', 'PUT to the address of a document replaces its text', async (api) => {
    const key = api.needAccount()
    const document = await api.create(key, 'first')
    const before = (await api.read(document.id)).document
    const answer = await api.send('PUT', `/${document.id}`, { key, headers: CURL, body: TEXT })
    expect(answer.status).toBe(200)
    expect(answer.text.trim()).toMatch(new RegExp(`/${document.id}$`))
    const after = await api.read(document.id)
    expectContent(after, TEXT)
    expect(after.document.timestamps.expiration).toBe(before.timestamps.expiration)
    expect(after.document.settings).toEqual(before.settings)
    const stale = { ...CURL, 'If-Match': '"other"' }
    expect((await api.send('PUT', `/${document.id}`, { key, headers: stale, body: 'x' })).status).toBe(412)
    const absent = { ...CURL, 'If-None-Match': '*' }
    expect((await api.send('PUT', `/${document.id}`, { key, headers: absent, body: 'x' })).status).toBe(412)
    const current = { ...CURL, 'If-Match': answer.header('ETag') }
    expect((await api.send('PUT', `/${document.id}`, { key, headers: current, body: 'x' })).status).toBe(200)
  })

  clause(
    'programs.name',
    'PUT to a name of one’s own creates a document, and then replaces its text. No other account can',
    async (api) => {
      const key = api.need('key')
      const { creator } = await api.create(key, 'x')
      const path = `/@${creator?.username}/conformance-${Date.now()}`
      const put = (sentKey: string, body: string, headers = {}) =>
        api.send('PUT', path, {
          ...(sentKey !== '' && { key: sentKey }),
          headers: { ...CURL, ...headers },
          body,
        })
      expect((await put('', 'x')).status).toBe(401)
      const made = await put(key, 'first')
      expect(made.status).toBe(201)
      expect(new URL(made.text.trim()).pathname).toBe(path)
      const replaced = await put(key, TEXT)
      expect(replaced.status).toBe(200)
      expect((await put(key, 'x', { 'If-Match': '"other"' })).status).toBe(412)
      expect((await put(key, 'x', { 'If-None-Match': '*' })).status).toBe(412)
      for (const address of [path, `/r${path}`]) {
        const answer = await api.send('GET', address, { headers: CURL })
        expect({ status: answer.status, text: answer.text }).toEqual({ status: 200, text: TEXT })
        expect(answer.header('ETag')).toBe(replaced.header('ETag'))
      }
      expect((await api.send('DELETE', path, { key, headers: CURL })).status).toBe(204)
      expect((await api.send('GET', path, { headers: CURL })).status).toBe(404)
    },
  )

  clause(
    'programs.update-token',
    'So it does with the token of a document. Without either, it gets a 401 and makes nothing',
    async (api) => {
      api.needAnonymousDocuments()
      const { id, token } = await api.createAnonymous('first')
      expect((await api.send('PUT', `/${id}`, { headers: CURL, body: 'x' })).status).toBe(401)
      expectContent(await api.read(id), 'first')
      const headers = { ...CURL, 'X-Document-Token': token }
      expect((await api.send('PUT', `/${id}`, { headers, body: TEXT })).status).toBe(200)
      expectContent(await api.read(id), TEXT)
      expect((await api.send('DELETE', `/${id}`, { headers })).status).toBe(204)
      expect((await api.send('PUT', `/${id}`, { headers, body: TEXT })).status).toBe(404)
      expect((await api.send('DELETE', `/${id}`, { headers })).status).toBe(404)
    },
  )

  clause('programs.token', '?token prints the token of a document on the second line', async (api) => {
    api.needAnonymousDocuments()
    const answer = await api.send('PUT', '/?token', { headers: CURL, body: TEXT })
    const token = answer.header('X-Document-Token')
    expect(token).not.toBe('')
    expect(answer.text).toBe(`${answer.header('Location')}\n${token}\n`)
    const id = new URL(answer.header('Location')).pathname
    const headers = { ...CURL, 'X-Document-Token': token }
    expect((await api.send('DELETE', id, { headers })).status).toBe(204)
  })

  clause('programs.bot', 'What a program with "bot" in its name posts is answered in text', async (api) => {
    const headers = { 'User-Agent': 'ModmailBot/1.0', 'Content-Type': 'text/plain' }
    await expectStored(api, await share(api, { body: TEXT, headers }), TEXT)
  })
})

describe('Encodings', () => {
  clause('encodings.charset', 'A charset that Content-Type names is decoded', async (api) => {
    const headers = { 'Content-Type': 'text/plain; charset=utf-16le' }
    await expectStored(api, await share(api, { body: encodeUtf16(TEXT), headers }), TEXT)
  })

  clause('encodings.json-charset', 'So is that of JSON', async (api) => {
    const key = api.needCreator()
    const body = encodeUtf16(JSON.stringify({ content: TEXT }))
    const headers = { 'Content-Type': 'application/json; charset=utf-16le' }
    const answer = await api.send('POST', '/v1/document', { key, body, headers })
    api.deleteLater(answer, key)
    expectContent(answer, TEXT)
  })

  clause('encodings.compressed', 'Content-Encoding gzip and deflate are unpacked', async (api) => {
    for (const format of ['gzip', 'deflate'] as const) {
      const headers = { 'Content-Type': 'text/plain', 'Content-Encoding': format }
      await expectStored(api, await share(api, { body: await compress(TEXT, format), headers }), TEXT)
    }
  })

  clause('encodings.unknown', 'Other charsets and encodings get a 415 that names them', async (api) => {
    const charset = await share(api, {
      body: TEXT,
      headers: { 'Content-Type': 'text/plain; charset=klingon' },
    })
    expect({ status: charset.status, text: charset.text }).toEqual({
      status: 415,
      text: expect.stringContaining('klingon'),
    })
    const headers = { 'Content-Type': 'text/plain', 'Content-Encoding': 'br' }
    const encoding = await share(api, { body: TEXT, headers })
    expect({ status: encoding.status, text: encoding.text }).toEqual({
      status: 415,
      text: expect.stringContaining('Content-Encoding'),
    })
  })
})

describe('Forms', () => {
  clause('forms.aliases', 'lang, lexer, syntax and format mean language', async (api) => {
    for (const name of ['language', 'lang', 'lexer', 'syntax', 'format']) {
      const answer = await share(api, {
        body: `content=a%26b&${name}=css`,
        headers: { 'Content-Type': FORM },
      })
      const { document } = await api.read(idIn(answer))
      expect({ name, content: document.content, language: document.settings.language }).toEqual({
        name,
        content: 'a&b',
        language: 'css',
      })
    }
  })

  clause('forms.unknown', 'An unknown field beside the text gets a 400 that names it', async (api) => {
    const answer = await share(api, { body: 'content=a&brun=1', headers: { 'Content-Type': FORM } })
    expect({ status: answer.status, text: answer.text }).toEqual({
      status: 400,
      text: expect.stringContaining('brun'),
    })
  })
})

describe('haste', () => {
  clause('haste.create', 'POST /documents stores every body as it is, whatever its type', async (api) => {
    for (const type of [FORM, 'application/json', 'text/plain']) {
      const answer = await share(api, {
        path: '/documents',
        body: 'data=5%25',
        headers: { 'Content-Type': type },
      })
      expect(answer.status).toBe(200)
      const { key } = JSON.parse(answer.text) as { key: string }
      expectContent(await api.read(key), 'data=5%25')
    }
  })

  clause('haste.form', 'Of a multipart form, it stores the field data', async (api) => {
    const body = `--line\r\nContent-Disposition: form-data; name="data"\r\n\r\n${TEXT}\r\n--line--\r\n`
    const headers = { 'Content-Type': 'multipart/form-data; boundary=line' }
    const answer = await share(api, { path: '/documents', body, headers })
    expect(answer.status).toBe(200)
    const key = answer.text.slice('{"key":"'.length, -2)
    expectContent(await api.read(key), TEXT)
    expect((await api.send('GET', `/raw/${key}.js`, { headers: CURL })).text).toBe(TEXT)
  })

  clause('haste.basic', 'Basic credentials count as none there', async (api) => {
    api.needAnonymousDocuments()
    const headers = { ...CURL, Authorization: 'Basic dXNlcjpwYXNz' }
    const answer = await api.send('POST', '/documents', { headers, body: TEXT })
    expect(answer.status).toBe(200)
    const { key } = JSON.parse(answer.text) as { key: string }
    const token = { 'X-Document-Token': answer.header('X-Document-Token') }
    expect((await api.send('DELETE', `/${key}`, { headers: { ...CURL, ...token } })).status).toBe(204)
  })

  clause('haste.read', 'GET /documents/<id> gets {key, data}, and /raw/<id> the text', async (api) => {
    const { id } = await aDocument(api)
    const answer = await api.send('GET', `/documents/${id}`, { headers: CURL })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ key: id, data: TEXT })
    expect((await api.send('GET', `/raw/${id}`, { headers: CURL })).text).toBe(TEXT)
  })

  clause('haste.share', '/share/<id> leads to the document', async (api) => {
    const { id } = await aDocument(api)
    const answer = await api.send('GET', `/share/${id}`, { headers: BROWSER })
    expect(answer.status).toBeGreaterThanOrEqual(301)
    expect(answer.header('Location')).toMatch(new RegExp(`/${id}$`))
  })
})
