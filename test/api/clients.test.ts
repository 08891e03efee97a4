import { describe, expect, it } from 'vitest'
import page from '../../docs/compatibility.md?raw'
import { account } from '../support/accounts.ts'
import { create, createAnonymous, ORIGIN, send, withVars } from '../support/client.ts'

// Requests as clients send them, by their source or as a server recorded them. docs/compatibility.md shows the table, and
// its recipes lead to these requests.

interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

interface Expected {
  /** As the table says it. */
  readonly words: string
  /** Whether the client does what its user wants. */
  readonly works: boolean
  readonly check: (reply: Reply) => Promise<void> | void
}

interface Sent {
  readonly method: string
  /** May have placeholders, as the headers and the body may. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array<ArrayBuffer>
}

interface Exchange {
  readonly client: string
  /** What its user does. */
  readonly command: string
  readonly sent: Sent
  readonly answer: Expected
  /** With LEGACY_CLIENTS, if it's another. */
  readonly legacyAnswer?: Expected
}

const TEXT = 'first & 50%25+off\nsecond = é\n'

const json = (method: string, path: string, body: unknown, headers: Record<string, string> = {}): Sent => ({
  method,
  path,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

const get = (path: string, headers: Record<string, string> = {}): Sent => ({ method: 'GET', path, headers })

const KEY = { Authorization: '{key}' }

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

const refused = (status: number): Expected => ({
  words: String(status),
  works: false,
  check: (reply) => expect(reply.status).toBe(status),
})

/** @param members of the document that the client reads. */
const aDocument = (members: object = {}, words = '200, the document', works = true): Expected => ({
  words,
  works,
  check: ({ status, text }) =>
    expect({ status, ...JSON.parse(text) }).toMatchObject({ status: 200, success: true, data: members }),
})

const aText = (expected: string): Expected => ({
  words: '200, the text',
  works: true,
  check: ({ status, text, headers }) => {
    expect({ status, text }).toEqual({ status: 200, text: expected })
    expect(headers.get('Content-Type')).toMatch(/^text\/plain/)
  },
})

async function expectStored(id: string, text: string): Promise<void> {
  expect(await (await send(`/r/${id}`)).text()).toBe(text)
}

/** In the body, and in `Location`. */
const aLink = (text = TEXT): Expected => ({
  words: '201, the link',
  works: true,
  check: async (reply) => {
    const [, id = ''] = /^https:\/\/paste\.example\/(\w{8})\n$/.exec(reply.text) ?? []
    expect({ status: reply.status, location: reply.headers.get('Location') }).toEqual({
      status: 201,
      location: `${ORIGIN}/${id}`,
    })
    await expectStored(id, text)
  },
})

const aHasteKey = (): Expected => ({
  words: '200, the key',
  works: true,
  check: async ({ status, text }) => {
    expect(status).toBe(200)
    const { key } = JSON.parse(text) as { key: string }
    await expectStored(key, TEXT)
    // The links that haste clients print.
    for (const path of [`/${key}`, `/${key}.txt`, `/share/${key}`])
      expect((await send(path, { redirect: 'follow' })).status).toBeLessThan(400)
  },
})

const DELETED: Expected = {
  words: '204',
  works: true,
  check: ({ status, text }) => expect({ status, text }).toEqual({ status: 204, text: '' }),
}

const DELETED_WITH_BODY: Expected = {
  words: '200, `{}`',
  works: true,
  check: ({ status, text }) =>
    expect({ status, ...JSON.parse(text) }).toEqual({ status: 200, success: true, data: {} }),
}

const noUse = (expected: Expected): Expected => ({ ...expected, works: false })

/** ShareX takes this from the recipe. */
interface Uploader {
  readonly RequestMethod: string
  readonly RequestURL: string
  readonly FileFormName: string
  readonly URL: string
  readonly DeletionURL: string
}

const SERVER = 'https://paste.example.org'

const uploader: Uploader = JSON.parse(/```json\n(\{[^`]*"FileFormName"[^`]*\})\n```/.exec(page)?.[1] ?? '{}')

const fillTemplate = (template: string, headers: Readonly<Record<string, string>>): string =>
  template.replace(/\{header:([\w-]+)\}/g, (_, name: string) => headers[name] ?? '')

const multipart = (
  disposition: string,
  type: string,
  headers: Record<string, string>,
): Pick<Sent, 'headers' | 'body'> => ({
  headers: { 'Content-Type': 'multipart/form-data; boundary=line', ...headers },
  body: `--line\r\nContent-Disposition: form-data; ${disposition}\r\n${type}\r\n${TEXT}\r\n--line--\r\n`,
})

const utf16 = (text: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Uint16Array.from(`\uFEFF${text}`, (character) => character.charCodeAt(0)).buffer)

/** Encodes a form as `encodeURIComponent` or Emacs does, with `%20` for a space. */
const encodeForm = (fields: Readonly<Record<string, string>>): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')

/** What wgetpaste does to a text, which leaves its line breaks. */
const escapeForWgetpaste = (text: string): string =>
  text
    .replaceAll('%', '%25')
    .replaceAll('&', '%26')
    .replaceAll('+', '%2b')
    .replaceAll(';', '%3b')
    .replaceAll(' ', '+')

const VS_CODE = {
  language: 'python',
  long_urls: false,
  short_urls: false,
  image_embed: false,
  expiration: null,
  encrypted: false,
}

const JETBRAINS = { ...VS_CODE, language: 'plaintext', create_gist: false }

const PYTHON = {
  expiration: 5,
  shortUrls: false,
  longUrls: false,
  imageEmbed: false,
  instantDelete: false,
  encrypted: false,
  public: false,
  createGist: false,
}

const DISCORD = {
  language: 'json',
  expiration: 0,
  image_embeds: false,
  instant_delete: false,
  encrypted: false,
  password: '',
  public: false,
  long_urls: false,
  short_urls: false,
  create_gist: false,
}

const SHARP = {
  language: null,
  image_embed: null,
  instant_delete: null,
  encrypted: null,
  password: null,
  public: null,
  editors: null,
}

const POWERSHELL = {
  'User-Agent': 'Mozilla/5.0 (Windows NT 10.0; Microsoft Windows 10.0.22631; en-US) PowerShell/7.4.6',
}
const OLD_POWERSHELL = {
  'User-Agent': 'Mozilla/5.0 (Windows NT; Windows NT 10.0; en-US) WindowsPowerShell/5.1.19041.4894',
}
const SHORTCUTS = {
  'User-Agent': 'BackgroundShortcutRunner/2607.1 CFNetwork/1498.700.2 Darwin/23.6.0',
  Accept: '*/*',
  'Accept-Language': 'en-US,en;q=0.9',
}
const GO = { 'User-Agent': 'Go-http-client/1.1', 'Accept-Encoding': 'gzip' }
const BROWSER = {
  'User-Agent':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
}

const OLD_CLIENTS: readonly Exchange[] = [
  {
    client: 'imperial.js 3',
    command: '`createDocument(text)` without a key',
    sent: json('POST', '/v1/document', { content: TEXT, settings: { encrypted: false } }),
    answer: aDocument({ content: TEXT, creator: null }),
  },
  {
    client: 'imperial.js 3',
    command: '`createDocument(text, { expiration: 5 })` without a key',
    sent: json('POST', '/v1/document', { content: TEXT, settings: { encrypted: false, expiration: 5 } }),
    answer: refused(401),
    legacyAnswer: aDocument({ content: TEXT }),
  },
  {
    client: 'imperial.js 3',
    command: '`createDocument(text, { password })`',
    sent: json(
      'POST',
      '/v1/document',
      { content: TEXT, settings: { password: 'opensesame', instant_delete: false, encrypted: true } },
      KEY,
    ),
    answer: aDocument({ content: TEXT, settings: { encrypted: true } }),
    legacyAnswer: aDocument({ password: 'opensesame' }, '200, also the password'),
  },
  {
    client: 'imperial.js 3',
    command: '`getDocument(id, password)`',
    sent: get('/v1/document/{secret}?password=opensesame', KEY),
    answer: aDocument({ content: TEXT }),
  },
  {
    client: 'imperial.js 3',
    command: '`editDocument(id, text)`',
    sent: json('PATCH', '/v1/document', { id: '{id}', content: 'new', settings: {} }, KEY),
    answer: aDocument({ content: 'new' }),
  },
  {
    client: 'imperial.js 3',
    command: '`deleteDocument(id)`, which needs a body in the answer',
    sent: { method: 'DELETE', path: '/v1/document/{id}', headers: KEY },
    answer: noUse(DELETED),
    legacyAnswer: DELETED_WITH_BODY,
  },
  {
    client: 'imperial.js 3',
    command: '`getSelf()`',
    sent: get('/v1/user/@me', KEY),
    answer: aDocument({ username: expect.any(String) }, '200, the account'),
  },
  {
    client: 'imperial.js 3',
    command: '`getUser(username)`',
    sent: get('/v1/users/{username}', KEY),
    answer: aDocument({ username: expect.any(String) }, '200, the account'),
  },
  {
    client: 'imperial.js 3',
    command: '`getRecentDocuments()`',
    sent: get('/v1/user/@me/recentDocuments', KEY),
    answer: aDocument({ 0: { id: expect.any(String) } }, '200, the documents'),
  },
  {
    client: 'imperial.js before 3.0.1',
    command: '`verify()`, which puts the key into the address',
    sent: get('/v1/checkApiToken/{key}', KEY),
    answer: refused(404),
  },
  {
    client: 'imperial.py rewrite',
    command: '`create(text)` without a key',
    sent: json('POST', '/v1/document', { content: TEXT, settings: PYTHON }),
    answer: refused(401),
    legacyAnswer: aDocument({ content: TEXT }),
  },
  {
    client: 'imperial.py rewrite',
    command: '`create(text, instant_delete=True)`',
    sent: json('POST', '/v1/document', { content: TEXT, settings: { ...PYTHON, instantDelete: true } }, KEY),
    answer: aDocument({ settings: { instant_delete: true } }),
  },
  {
    client: 'imperial.py rewrite',
    command: '`document.edit(text)`',
    sent: json(
      'PATCH',
      '/v1/document/',
      { id: '{id}', content: 'y', settings: { expiration: 5, instantDelete: false } },
      KEY,
    ),
    answer: aDocument({ content: 'y', settings: { instant_delete: false } }),
  },
  {
    client: 'imperial.py rewrite',
    command: '`document.delete()`',
    sent: json('DELETE', '/v1/document/{id}', {}, KEY),
    answer: noUse(DELETED),
    legacyAnswer: DELETED_WITH_BODY,
  },
  {
    client: 'imperial.py rewrite',
    command: '`me.recent()`, which needs `content`',
    sent: get('/v1/users/@me/recent', KEY),
    answer: aDocument({ 0: expect.not.objectContaining({ content: TEXT }) }, '200, without content', false),
    legacyAnswer: aDocument({ 0: { content: expect.any(String) } }, '200, with content'),
  },
  {
    client: 'VS Code extension',
    command: 'Share the selection',
    sent: json('POST', '/v1/document', { content: TEXT, settings: VS_CODE }, KEY),
    answer: aDocument({
      settings: { language: 'python' },
      timestamps: { expiration: expect.stringMatching(/^9999-/) },
    }),
  },
  {
    client: 'VS Code extension',
    command: 'Share the selection without a key',
    sent: json('POST', '/v1/document', { content: TEXT, settings: VS_CODE }, { Authorization: '' }),
    answer: refused(401),
    legacyAnswer: aDocument({ settings: { language: 'python' } }),
  },
  {
    client: 'VS Code extension',
    command: 'Encrypt with a generated password',
    sent: json(
      'POST',
      '/v1/document',
      { content: TEXT, settings: { ...VS_CODE, encrypted: true, password: '' } },
      KEY,
    ),
    answer: aDocument({ password: expect.stringMatching(/^\w{24}$/) }, '200, also the password'),
  },
  {
    client: 'VS Code extension',
    command: 'Encrypt with a password that you type',
    sent: json(
      'POST',
      '/v1/document',
      { content: TEXT, settings: { ...VS_CODE, encrypted: true, password: 'opensesame' } },
      KEY,
    ),
    answer: aDocument(
      expect.not.objectContaining({ password: expect.anything() }),
      '200, without the password',
      false,
    ),
    legacyAnswer: aDocument({ password: 'opensesame' }, '200, also the password'),
  },
  {
    client: 'JetBrains plugin',
    command: 'Upload',
    sent: json('POST', '/v1/documents', { content: TEXT, settings: JETBRAINS }, KEY),
    answer: aDocument({ settings: { language: 'plaintext' } }),
  },
  {
    client: 'JetBrains plugin',
    command: 'Upload without a key',
    sent: json('POST', '/v1/documents', { content: TEXT, settings: JETBRAINS }, { Authorization: '' }),
    answer: refused(401),
    legacyAnswer: aDocument({ content: TEXT }),
  },
  {
    client: 'Discord bot',
    command: '`/create`',
    sent: json('POST', '/v1/documents', { content: TEXT, settings: DISCORD }, { Authorization: 'null' }),
    answer: refused(401),
    legacyAnswer: aDocument({
      settings: { language: 'json', public: false },
      timestamps: { expiration: expect.not.stringMatching(/^9999-/) },
    }),
  },
  {
    client: 'Discord bot',
    command: '`/create` with encryption',
    sent: json(
      'POST',
      '/v1/documents',
      { content: TEXT, settings: { ...DISCORD, encrypted: true } },
      { Authorization: 'null' },
    ),
    answer: refused(401),
    legacyAnswer: refused(401),
  },
  {
    client: 'Discord bot',
    command: '`/create` with burn after reading',
    sent: json(
      'POST',
      '/v1/documents',
      { content: TEXT, settings: { ...DISCORD, instant_delete: true } },
      { Authorization: 'null' },
    ),
    answer: refused(401),
    legacyAnswer: refused(401),
  },
  {
    client: 'Discord bot',
    command: '`/get`',
    sent: get('/v1/documents/{id}?password=', { Authorization: 'null' }),
    answer: aDocument({ content: TEXT }),
  },
  {
    client: 'ImperialSharp',
    command: '`CreateDocument(text)` without a key',
    sent: json('POST', '/v1/document', { content: TEXT, settings: null }),
    answer: aDocument({ content: TEXT }),
  },
  {
    client: 'ImperialSharp',
    command: '`CreateDocument(text, settings)` without a key',
    sent: json('POST', '/v1/document', { content: TEXT, settings: { ...SHARP, language: 'json' } }),
    answer: refused(401),
    legacyAnswer: aDocument({ settings: { language: 'json' } }),
  },
  {
    client: 'ImperialSharp',
    command: '`EditDocument(id, settings)`',
    sent: json(
      'PATCH',
      '/v1/document',
      { id: '{id}', content: null, settings: { ...SHARP, image_embed: true } },
      KEY,
    ),
    answer: aDocument({ content: TEXT, settings: { image_embed: true } }),
  },
  {
    client: 'ImperialSharp',
    command: '`GetDocument(id)` of a document with editors, for which it expects objects',
    sent: get('/v1/document/{shared}', KEY),
    answer: aDocument({ settings: { editors: [expect.any(String)] } }, '200, editors as usernames', false),
  },
  {
    client: 'aggregator',
    command: 'Push to a document',
    sent: json(
      'PATCH',
      '/v1/document',
      { id: '{id}', content: 'new' },
      { ...KEY, Accept: 'application/json' },
    ),
    answer: aDocument({ content: 'new' }),
  },
  {
    client: 'aggregator',
    command: 'Read what it pushed',
    sent: get('/r/{id}', { 'User-Agent': 'Python-urllib/3.12' }),
    answer: aText(TEXT),
  },
  {
    client: 'Program in Go',
    command: 'Push to a document with `net/http`',
    sent: json('PATCH', '/v1/document', { id: '{id}', content: 'new' }, { ...KEY, ...GO }),
    answer: aDocument({ content: 'new' }),
  },
  {
    client: 'v2rayN',
    command: 'Update a subscription from `/r/ID`',
    sent: get('/r/{id}', { 'User-Agent': 'v2rayN/7.15.6', Authorization: 'Basic dXNlcjpwYXNz' }),
    answer: aText(TEXT),
  },
]

const RECIPES: readonly Exchange[] = [
  {
    client: 'ShareX',
    command: 'Upload text',
    sent: {
      method: uploader.RequestMethod,
      path: uploader.RequestURL?.slice(SERVER.length),
      ...multipart(`name="${uploader.FileFormName}"; filename="notes.txt"`, 'Content-Type: text/plain\r\n', {
        'User-Agent': 'ShareX/16.1.0',
      }),
    },
    answer: aLink(),
  },
  {
    client: 'ShareX',
    command: 'Open the deletion link',
    sent: get(
      fillTemplate(uploader.DeletionURL ?? '', {
        Location: '/{anonymous}',
        'X-Document-Token': '{token}',
      }),
      BROWSER,
    ),
    answer: {
      words: '303, the page with its "Delete" button',
      works: true,
      check: async ({ status, headers }) => {
        expect(status).toBe(303)
        const cookie = headers.get('Set-Cookie')?.split(';')[0] ?? ''
        const opened = await send(headers.get('Location') ?? '', { headers: { ...BROWSER, Cookie: cookie } })
        expect(await opened.text()).toMatch(/action="\/\w{8}\/delete"/)
      },
    },
  },
  {
    client: 'iOS Shortcuts',
    command: 'Get contents of URL, JSON',
    sent: json('POST', '/v1/document', { content: TEXT }, SHORTCUTS),
    answer: aDocument({ content: TEXT, links: { formatted: expect.stringMatching(/^https:/) } }),
  },
  {
    client: 'iOS Shortcuts',
    command: 'Get contents of URL, form',
    sent: { method: 'POST', path: '/', ...multipart('name="content"', '', SHORTCUTS) },
    answer: aLink(),
  },
  {
    client: 'C#',
    command: '`HttpClient` with `FormUrlEncodedContent`',
    // .NET says neither who it is nor what it accepts.
    sent: { method: 'POST', path: '/', headers: FORM, body: encodeForm({ content: TEXT }) },
    answer: aLink(),
  },
  {
    client: 'GitHub Actions',
    command: 'A step with curl',
    sent: {
      method: 'PUT',
      path: '/build.log?expires=7d',
      headers: { 'User-Agent': 'curl/8.5.0', Accept: '*/*' },
      body: TEXT,
    },
    answer: aLink(),
  },
  {
    client: 'PowerShell 7',
    command: '`Invoke-RestMethod -Body`',
    sent: {
      method: 'POST',
      path: '/',
      headers: { ...POWERSHELL, 'Content-Type': 'text/plain; charset=utf-8' },
      body: TEXT,
    },
    answer: aLink(),
  },
  {
    client: 'PowerShell 5.1',
    command: '`Invoke-RestMethod -InFile` with a file in UTF-16',
    sent: {
      method: 'POST',
      path: '/',
      headers: { ...OLD_POWERSHELL, 'Content-Type': 'text/plain' },
      body: utf16(TEXT),
    },
    answer: aLink(),
  },
  {
    client: 'PowerShell 7',
    command: '`Invoke-RestMethod` of a link',
    sent: get('/{id}', POWERSHELL),
    answer: aText(TEXT),
  },
  {
    client: 'Java',
    command: '`HttpClient`, a file',
    sent: {
      method: 'POST',
      path: '/',
      headers: {
        'User-Agent': 'Java-http-client/17.0.15',
        Connection: 'Upgrade, HTTP2-Settings',
        Upgrade: 'h2c',
        'HTTP2-Settings': 'AAEAAEAAAAIAAAAAAAMAAAAAAAQBAAAAAAUAAEAAAAYABgAA',
      },
      body: TEXT,
    },
    answer: aLink(),
  },
  {
    client: 'Emacs webpaste',
    command: '`webpaste-paste-buffer`',
    sent: {
      method: 'POST',
      path: '/',
      headers: {
        ...FORM,
        'User-Agent': 'URL/Emacs Emacs/28.2 (TTY; x86_64-pc-linux-gnu)',
        Accept: '*/*',
        'MIME-Version': '1.0',
        Extension: 'Security/Digest Security/SSL',
      },
      body: encodeForm({ language: 'python', content: TEXT }),
    },
    answer: aLink(),
  },
  {
    client: 'wgetpaste',
    command: '`wgetpaste -s regent notes.txt`',
    sent: {
      method: 'POST',
      path: '/',
      headers: { ...FORM, 'User-Agent': 'Wget/1.21.3', Accept: '*/*', 'Accept-Encoding': 'identity' },
      body: `f:1=${escapeForWgetpaste(TEXT)}`,
    },
    answer: aLink(),
  },
  {
    client: 'pastebinit',
    command: '`pastebinit -i notes.txt`',
    sent: {
      method: 'POST',
      path: '/',
      headers: { ...FORM, 'User-Agent': 'Pastebinit v1.6.2', 'Accept-Encoding': 'identity' },
      body: encodeForm({ content: TEXT, title: '', language: 'text' }),
    },
    answer: aLink(),
  },
  {
    client: 'haste gem',
    command: '`haste notes.txt`',
    sent: {
      method: 'POST',
      path: '/documents',
      headers: { ...FORM, 'User-Agent': 'Faraday v1.10.3', Accept: '*/*' },
      body: TEXT,
    },
    answer: aHasteKey(),
  },
  {
    client: 'hastebin-gen (npm)',
    command: '`hastebin(text, { url })`',
    sent: {
      method: 'POST',
      path: '/documents',
      headers: {
        'Content-Type': 'text/plain',
        Accept: '*/*',
        'User-Agent': 'node-fetch/1.0 (+https://github.com/bitinn/node-fetch)',
      },
      body: TEXT,
    },
    answer: aHasteKey(),
  },
  {
    client: 'hastebin (npm)',
    command: '`createPaste(text, { server })`',
    sent: {
      method: 'POST',
      path: '/documents',
      headers: {
        'Content-Type': 'text/plain',
        Accept: 'application/json',
        'User-Agent': 'got/5.6.0 (https://github.com/sindresorhus/got)',
      },
      body: TEXT,
    },
    answer: aHasteKey(),
  },
]

const EXCHANGES = [...OLD_CLIENTS, ...RECIPES]

/** Returns what stands for the placeholders of a request: only the documents that it names are created. */
async function createScene(text: string): Promise<ReadonlyMap<string, string>> {
  const { key, username } = await account()
  const scene = new Map([
    ['key', key],
    ['username', username],
  ])
  // The newest document of the account.
  scene.set('id', (await create(TEXT, {}, { key })).id)
  if (text.includes('{secret}')) {
    const settings = { encrypted: true, password: 'opensesame' }
    scene.set('secret', (await create(TEXT, settings, { key })).id)
  }
  if (text.includes('{shared}')) {
    const editor = await account()
    scene.set('shared', (await create(TEXT, { editors: [editor.username] }, { key })).id)
  }
  if (text.includes('{anonymous}')) {
    const { id, token } = await createAnonymous(TEXT)
    scene.set('anonymous', id).set('token', token)
  }
  return scene
}

async function exchange({ method, path, headers, body }: Sent, bindings: Env): Promise<Reply> {
  const scene = await createScene(`${path} ${typeof body === 'string' ? body : ''}`)
  const fill = (text: string): string =>
    text.replace(/\{(\w+)\}/g, (whole, name: string) => scene.get(name) ?? whole)
  const response = await send(
    fill(path),
    {
      method,
      redirect: 'manual',
      headers: Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name, fill(value)])),
      ...(body !== undefined && { body: typeof body === 'string' ? fill(body) : body }),
    },
    { bindings },
  )
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const names = EXCHANGES.map((entry) => [entry.client, entry.command, entry] as const)

describe('by default', () => {
  it.each(names)('%s: %s', async (_client, _command, { sent, answer }) => {
    await answer.check(await exchange(sent, withVars({})))
  })
})

describe('with LEGACY_CLIENTS', () => {
  it.each(names)('%s: %s', async (_client, _command, { sent, answer, legacyAnswer }) => {
    await (legacyAnswer ?? answer).check(await exchange(sent, withVars({ LEGACY_CLIENTS: 'on' })))
  })
})

function describeVerdict({ answer, legacyAnswer = answer }: Exchange): string {
  if (answer.works) return 'works'
  return legacyAnswer.works ? 'needs `LEGACY_CLIENTS`' : 'doesn’t work'
}

describe('docs/compatibility.md', () => {
  it('shows these exchanges', () => {
    const rows = EXCHANGES.map((entry) => {
      const { client, command, answer, legacyAnswer } = entry
      const cells = [client, command, answer.words, legacyAnswer?.words ?? 'the same', describeVerdict(entry)]
      return `| ${cells.join(' | ')} |`
    })
    const shown = page.slice(page.indexOf('| Client | Command |')).split('\n\n', 1)[0]?.split('\n').slice(2)
    expect(shown).toEqual(rows)
  })
})
