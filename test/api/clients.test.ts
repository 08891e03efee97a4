import { describe, expect, it } from 'vitest'
import page from '../../docs/compatibility.md?raw'
import { account } from '../support/accounts.ts'
import { createAnonymous, create as createDocument, ORIGIN, send, withVars } from '../support/client.ts'

// Requests as clients send them, written by hand: by their source or manual, by what a local server received, or by a report of
// what they sent. None is a recording. docs/compatibility.md shows the table, and its recipes lead to these requests.

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

type Exchange = readonly [
  client: string,
  /** What its user does. */
  command: string,
  sent: Sent,
  answer: Expected,
  /** With LEGACY_CLIENTS, if it's another. */
  legacyAnswer?: Expected,
]

const TEXT = 'first & 50%25+off\nsecond = é\n'

const json = (method: string, path: string, body: unknown, headers: Record<string, string> = {}): Sent => ({
  method,
  path,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

const create = (settings: object, headers = {}, path = '/v1/document'): Sent =>
  json('POST', path, { content: TEXT, settings }, headers)

const post = (path: string, headers: Record<string, string>, body: Sent['body'] = TEXT): Sent => ({
  method: 'POST',
  path,
  headers,
  body,
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
    for (const path of [`/${key}`, `/${key}.txt`, `/share/${key}`, `/raw/${key}`, `/raw/${key}.txt`])
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

/** It always sends all settings, also for a document without any. */
const SHARP_DEFAULTS = {
  language: 'auto',
  image_embed: false,
  instant_delete: false,
  encrypted: false,
  password: null,
  public: false,
  editors: [],
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
  [
    'imperial.js 3',
    '`document.create(text)` without a key',
    create({ encrypted: false }),
    aDocument({ content: TEXT, creator: null }),
  ],
  [
    'imperial.js 3',
    '`document.create(text, { expiration: 5 })` without a key',
    create({ encrypted: false, expiration: 5 }),
    refused(401),
    aDocument({ content: TEXT }),
  ],
  [
    'imperial.js 3',
    '`document.create(text, { password })`',
    create({ password: 'opensesame', instant_delete: false, encrypted: true }, KEY),
    aDocument({ content: TEXT, settings: { encrypted: true } }),
    aDocument({ password: 'opensesame' }, '200, also the password'),
  ],
  [
    'imperial.js 3',
    '`document.get(id, password)`',
    get('/v1/document/{secret}?password=opensesame', KEY),
    aDocument({ content: TEXT }),
  ],
  [
    'imperial.js 3',
    '`document.edit(id, text)`',
    json('PATCH', '/v1/document', { id: '{id}', content: 'new', settings: {} }, KEY),
    aDocument({ content: 'new' }),
  ],
  [
    'imperial.js 3',
    '`document.delete(id)`, which needs a body in the answer',
    { method: 'DELETE', path: '/v1/document/{id}', headers: KEY },
    noUse(DELETED),
    DELETED_WITH_BODY,
  ],
  [
    'imperial.js 3',
    '`me.get()`',
    get('/v1/user/@me', KEY),
    aDocument({ username: expect.any(String) }, '200, the account'),
  ],
  [
    'imperial.js 3',
    '`users.get(username)`',
    get('/v1/users/{username}', KEY),
    aDocument({ username: expect.any(String) }, '200, the account'),
  ],
  [
    'imperial.js 3',
    '`me.recent()`, which throws without `content`',
    get('/v1/users/@me/recent', KEY),
    aDocument({ 0: expect.not.objectContaining({ content: TEXT }) }, '200, without content', false),
    aDocument({ 0: { content: expect.any(String) } }, '200, with content'),
  ],
  [
    'imperial.js before 3.0.1',
    '`verify()`, which puts the key into the address',
    get('/v1/checkApiToken/{key}', KEY),
    refused(404),
  ],
  [
    'imperial.py rewrite',
    '`create(text)` without a key',
    create(PYTHON),
    refused(401),
    aDocument({ content: TEXT }),
  ],
  [
    'imperial.py rewrite',
    '`create(text, instant_delete=True)`',
    create({ ...PYTHON, instantDelete: true }, KEY),
    aDocument({ settings: { instant_delete: true } }),
  ],
  [
    'imperial.py rewrite',
    '`document.edit(text)`',
    json(
      'PATCH',
      '/v1/document/',
      { id: '{id}', content: 'y', settings: { expiration: 5, instantDelete: false } },
      KEY,
    ),
    aDocument({ content: 'y', settings: { instant_delete: false } }),
  ],
  [
    'imperial.py rewrite',
    '`document.delete()`',
    json('DELETE', '/v1/document/{id}', {}, KEY),
    noUse(DELETED),
    DELETED_WITH_BODY,
  ],
  [
    'imperial.py rewrite',
    '`me.recent()`, which needs `content`',
    get('/v1/users/@me/recent', KEY),
    aDocument({ 0: expect.not.objectContaining({ content: TEXT }) }, '200, without content', false),
    aDocument({ 0: { content: expect.any(String) } }, '200, with content'),
  ],
  [
    'imperial.py rewrite',
    '`users.get(username)`, which raises an exception',
    get('/v1/users/{username}', KEY),
    aDocument({ username: expect.any(String) }, '200, the account', false),
  ],
  [
    'VS Code extension',
    'Share the selection',
    create(VS_CODE, KEY),
    aDocument({
      settings: { language: 'python' },
      timestamps: { expiration: expect.stringMatching(/^9999-/) },
    }),
  ],
  [
    'VS Code extension',
    'Share the selection without a key',
    create(VS_CODE, { Authorization: '' }),
    refused(401),
    aDocument({ settings: { language: 'python' } }),
  ],
  [
    'VS Code extension',
    'Encrypt with a generated password',
    create({ ...VS_CODE, encrypted: true, password: '' }, KEY),
    aDocument({ password: expect.stringMatching(/^\w{24}$/) }, '200, also the password'),
  ],
  [
    'VS Code extension',
    'Encrypt with a password that you type',
    create({ ...VS_CODE, encrypted: true, password: 'opensesame' }, KEY),
    aDocument(
      expect.not.objectContaining({ password: expect.anything() }),
      '200, without the password',
      false,
    ),
    aDocument({ password: 'opensesame' }, '200, also the password'),
  ],
  [
    'JetBrains plugin',
    'Upload',
    create(JETBRAINS, KEY, '/v1/documents'),
    aDocument({ settings: { language: 'plaintext' } }),
  ],
  [
    'JetBrains plugin',
    'Upload without a key',
    create(JETBRAINS, { Authorization: '' }, '/v1/documents'),
    refused(401),
    aDocument({ content: TEXT }),
  ],
  [
    'JetBrains plugin',
    'Upload and make a gist, from an account without GitHub',
    create({ ...JETBRAINS, create_gist: true }, KEY, '/v1/documents'),
    aDocument({ content: TEXT, gist_url: null }, '200, the document without a gist'),
  ],
  [
    'Discord bot',
    '`/create`',
    create(DISCORD, { Authorization: 'null' }, '/v1/documents'),
    refused(401),
    aDocument({
      settings: { language: 'json', public: false },
      timestamps: { expiration: expect.not.stringMatching(/^9999-/) },
    }),
  ],
  [
    'Discord bot',
    '`/create` with encryption',
    create({ ...DISCORD, encrypted: true }, { Authorization: 'null' }, '/v1/documents'),
    refused(401),
    refused(401),
  ],
  [
    'Discord bot',
    '`/create` with burn after reading',
    create({ ...DISCORD, instant_delete: true }, { Authorization: 'null' }, '/v1/documents'),
    refused(401),
    refused(401),
  ],
  [
    'Discord bot',
    '`/get`',
    get('/v1/documents/{id}?password=undefined', { Authorization: 'null' }),
    aDocument({ content: TEXT }),
  ],
  [
    'Discord bot',
    '`/get` of an encrypted document without a password, which shows "Invalid password"',
    get('/v1/documents/{secret}?password=undefined', { Authorization: 'null' }),
    refused(400),
  ],
  [
    'ImperialSharp',
    '`CreateDocument(text)` without a key, which sends every setting',
    create(SHARP_DEFAULTS),
    refused(401),
    aDocument({ content: TEXT }),
  ],
  [
    'ImperialSharp',
    '`CreateDocument(text, settings)` without a key',
    create({ ...SHARP_DEFAULTS, language: 'json' }),
    refused(401),
    aDocument({ settings: { language: 'json' } }),
  ],
  [
    'ImperialSharp',
    '`EditDocument(id, settings)`',
    json(
      'PATCH',
      '/v1/document',
      { id: '{id}', content: null, settings: { ...SHARP, image_embed: true } },
      KEY,
    ),
    aDocument({ content: TEXT, settings: { image_embed: true } }),
  ],
  [
    'ImperialSharp',
    '`GetDocument(id)` of a document with editors, for which it expects objects',
    get('/v1/document/{shared}', KEY),
    aDocument({ settings: { editors: [expect.any(String)] } }, '200, editors as usernames', false),
  ],
  [
    'aggregator',
    'Push to a document',
    json('PATCH', '/v1/document', { id: '{id}', content: 'new' }, { ...KEY, Accept: 'application/json' }),
    aDocument({ content: 'new' }),
  ],
  ['aggregator', 'Read what it pushed', get('/r/{id}', { 'User-Agent': 'Python-urllib/3.12' }), aText(TEXT)],
  [
    'Program in Go',
    'Push to a document with `net/http`',
    json('PATCH', '/v1/document', { id: '{id}', content: 'new' }, { ...KEY, ...GO }),
    aDocument({ content: 'new' }),
  ],
  [
    'v2rayN',
    'Update a subscription from `/r/ID`',
    get('/r/{id}', { 'User-Agent': 'v2rayN/7.15.6', Authorization: 'Basic dXNlcjpwYXNz' }),
    aText(TEXT),
  ],
]

const RECIPES: readonly Exchange[] = [
  [
    'ShareX',
    'Upload text',
    {
      method: uploader.RequestMethod,
      path: uploader.RequestURL?.slice(SERVER.length),
      ...multipart(`name="${uploader.FileFormName}"; filename="notes.txt"`, 'Content-Type: text/plain\r\n', {
        'User-Agent': 'ShareX/16.1.0',
      }),
    },
    aLink(),
  ],
  [
    'ShareX',
    'Open the deletion link',
    get(
      fillTemplate(uploader.DeletionURL ?? '', {
        Location: '/{anonymous}',
        'X-Document-Token': '{token}',
      }),
      BROWSER,
    ),
    {
      words: '303, the page with its "Delete" button',
      works: true,
      check: async ({ status, headers }) => {
        expect(status).toBe(303)
        const cookie = headers.get('Set-Cookie')?.split(';')[0] ?? ''
        const opened = await send(headers.get('Location') ?? '', { headers: { ...BROWSER, Cookie: cookie } })
        expect(await opened.text()).toMatch(/action="\/\w{8}\/delete"/)
      },
    },
  ],
  [
    'iOS Shortcuts',
    'Get contents of URL, JSON',
    json('POST', '/v1/document', { content: TEXT }, SHORTCUTS),
    aDocument({ content: TEXT, links: { formatted: expect.stringMatching(/^https:/) } }),
  ],
  [
    'iOS Shortcuts',
    'Get contents of URL, form',
    { method: 'POST', path: '/', ...multipart('name="content"', '', SHORTCUTS) },
    aLink(),
  ],
  [
    'C#',
    '`HttpClient` with `FormUrlEncodedContent`',
    // .NET says neither who it is nor what it accepts.
    post('/', FORM, encodeForm({ content: TEXT })),
    aLink(),
  ],
  [
    'C#',
    '`HttpClient` with `MultipartFormDataContent`',
    {
      method: 'POST',
      path: '/',
      ...multipart('name=content; filename=notes.txt', 'Content-Type: text/plain; charset=utf-8\r\n', {
        'Content-Type': 'multipart/form-data; boundary="line"',
      }),
    },
    aLink(),
  ],
  [
    'GitHub Actions',
    'A step with curl',
    {
      method: 'PUT',
      path: '/build.log?expires=7d',
      headers: { 'User-Agent': 'curl/8.5.0', Accept: '*/*' },
      body: TEXT,
    },
    aLink(),
  ],
  [
    'PowerShell 7',
    '`Invoke-RestMethod -Body`',
    post('/', { ...POWERSHELL, 'Content-Type': 'text/plain; charset=utf-8' }),
    aLink(),
  ],
  [
    'PowerShell 5.1',
    '`Invoke-RestMethod -InFile` with a file in UTF-16',
    post('/', { ...OLD_POWERSHELL, 'Content-Type': 'text/plain' }, utf16(TEXT)),
    aLink(),
  ],
  ['PowerShell 7', '`Invoke-RestMethod` of a link', get('/{id}', POWERSHELL), aText(TEXT)],
  [
    'Java',
    '`HttpClient`, a file',
    post('/', {
      'User-Agent': 'Java-http-client/17.0.15',
      Connection: 'Upgrade, HTTP2-Settings',
      Upgrade: 'h2c',
      'HTTP2-Settings': 'AAEAAEAAAAIAAAAAAAMAAAAAAAQBAAAAAAUAAEAAAAYABgAA',
    }),
    aLink(),
  ],
  [
    'Emacs webpaste',
    '`webpaste-paste-buffer`',
    post(
      '/',
      {
        ...FORM,
        'User-Agent': 'URL/Emacs Emacs/28.2 (TTY; x86_64-pc-linux-gnu)',
        Accept: '*/*',
        'MIME-Version': '1.0',
        Extension: 'Security/Digest Security/SSL',
      },
      encodeForm({ language: 'python', content: TEXT }),
    ),
    aLink(),
  ],
  [
    'wgetpaste',
    '`wgetpaste -s regent notes.txt`',
    post(
      '/',
      { ...FORM, 'User-Agent': 'Wget/1.21.3', Accept: '*/*', 'Accept-Encoding': 'identity' },
      `f:1=${escapeForWgetpaste(TEXT)}`,
    ),
    aLink(),
  ],
  [
    'pastebinit',
    '`pastebinit -i notes.txt`',
    post(
      '/',
      { ...FORM, 'User-Agent': 'Pastebinit v1.6.2', 'Accept-Encoding': 'identity' },
      encodeForm({ content: TEXT, title: '', language: 'text' }),
    ),
    aLink(),
  ],
  [
    'curl',
    '`curl -F data=@- URL/documents`',
    {
      method: 'POST',
      path: '/documents',
      ...multipart('name="data"; filename="-"', '', { 'User-Agent': 'curl/8.5.0', Accept: '*/*' }),
    },
    aHasteKey(),
  ],
  [
    'curl',
    "`curl -F 'data=<-' URL/documents`, behind a proxy with a name and password",
    {
      method: 'POST',
      path: '/documents',
      ...multipart('name="data"', '', {
        'User-Agent': 'curl/8.5.0',
        Accept: '*/*',
        Authorization: 'Basic dXNlcjpwYXNz',
      }),
    },
    aHasteKey(),
  ],
  [
    'haste gem',
    '`haste notes.txt`',
    post('/documents', { ...FORM, 'User-Agent': 'Faraday v1.10.3', Accept: '*/*' }),
    aHasteKey(),
  ],
  [
    'hastebin-gen (npm)',
    '`hastebin(text, { url })`',
    post('/documents', {
      'Content-Type': 'text/plain',
      Accept: '*/*',
      'User-Agent': 'node-fetch/1.0 (+https://github.com/bitinn/node-fetch)',
    }),
    aHasteKey(),
  ],
  [
    'hastebin (npm)',
    '`createPaste(text, { server })`',
    post('/documents', {
      'Content-Type': 'text/plain',
      Accept: 'application/json',
      'User-Agent': 'got/5.6.0 (https://github.com/sindresorhus/got)',
    }),
    aHasteKey(),
  ],
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
  scene.set('id', (await createDocument(TEXT, {}, { key })).id)
  if (text.includes('{secret}')) {
    const settings = { encrypted: true, password: 'opensesame' }
    scene.set('secret', (await createDocument(TEXT, settings, { key })).id)
  }
  if (text.includes('{shared}')) {
    const editor = await account()
    scene.set('shared', (await createDocument(TEXT, { editors: [editor.username] }, { key })).id)
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

const cases = EXCHANGES.map(([client, command, sent, answer, legacyAnswer = answer]) => ({
  name: `${client}: ${command}`,
  sent,
  answer,
  legacyAnswer,
}))

describe('by default', () => {
  it.each(cases)('$name', async ({ sent, answer }) => {
    await answer.check(await exchange(sent, withVars({})))
  })
})

describe('with LEGACY_CLIENTS', () => {
  it.each(cases)('$name', async ({ sent, legacyAnswer }) => {
    await legacyAnswer.check(await exchange(sent, withVars({ LEGACY_CLIENTS: 'on' })))
  })
})

function describeVerdict(answer: Expected, legacyAnswer: Expected): string {
  if (answer.works) return 'works'
  return legacyAnswer.works ? 'needs `LEGACY_CLIENTS`' : 'doesn’t work'
}

describe('docs/compatibility.md', () => {
  it('shows these exchanges', () => {
    const rows = EXCHANGES.map(([client, command, , answer, legacyAnswer]) => {
      const verdict = describeVerdict(answer, legacyAnswer ?? answer)
      const cells = [client, command, answer.words, legacyAnswer?.words ?? 'the same', verdict]
      return `| ${cells.join(' | ')} |`
    })
    const shown = page.slice(page.indexOf('| Client | Command |')).split('\n\n', 1)[0]?.split('\n').slice(2)
    expect(shown).toEqual(rows)
  })
})
