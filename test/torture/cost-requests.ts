import { randomBytes } from 'node:crypto'
import { serializeSigned } from 'hono/utils/cookie'
import { type BenchDatabase, createAccount, type RunningWorker } from '../../scripts/support/runtime.ts'
import { MAX_DEVICE_DOCUMENTS } from '../../src/shared/document-ids.ts'
import { hashSecret } from '../../src/shared/hashing.ts'
import { deriveClaimToken, parseJweHeader } from '../../src/shared/jwe.ts'
import { MAX_FILES } from '../../src/shared/txtar.ts'

/** Sends a request to a service and returns its answer. */
export type Send = (url: string) => Promise<Response>

export interface CostRequest {
  readonly name: string
  /** The status that the answer must have. */
  readonly status: number
  /** How often it is measured. */
  readonly runs?: number
  /** Where another bound than a rate limit applies: how often an address can cause it in a minute. */
  readonly perMinute?: number
  /** Its reads of KV are those of excerpts, which an isolate bounds. */
  readonly excerpts?: boolean
  /** Creates what the request needs. Another process then answers the request, with nothing in memory. */
  readonly prepare: (world: World, run: number) => Send | Promise<Send>
}

const DAY_MS = 86_400_000
const MiB = 1024 * 1024

/** The account with many documents, one that may edit many, and one that has as many as a file of a download. */
const [MANY, READER, AUTHOR] = ['many', 'reader', 'author']
/** On loopback. */
const SESSION_COOKIE = 'regent.session_token'
const DOCUMENTS = 10_000
/** Public documents with their text in KV and with as many editors as there can be. They are the newest. */
const SHOWN_DOCUMENTS = 100
const EDITORS = 50
const EDITOR_NAMES = Array.from({ length: EDITORS }, (_, n) => `editor${n}`)
const OTHER_EDITOR_NAMES = EDITOR_NAMES.map((name) => `other-${name}`)
const DOWNLOADED_DOCUMENTS = 400
/** On a page of the site. */
const PAGE_DOCUMENTS = 25

const ADDRESS = { 'CF-Connecting-IP': '203.0.113.5' }
const PROGRAM = { ...ADDRESS, 'User-Agent': 'curl/8.14.1', Accept: '*/*' }
const BROWSER = {
  ...ADDRESS,
  'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/141.0',
  Accept: 'text/html',
}

const LINE = 'A line of text, quite ordinary.\n'
const SMALL = LINE.repeat(32)
/** As large as a document may be. A character that doesn't fit into a byte doubles the memory of the text. */
const LARGE = `${LINE.repeat((10 * MiB) / LINE.length).slice(0, -4)}😀`
const LARGE_LINES = LARGE.split('\n').length
const LAST_LINES = `${LARGE_LINES - 9}-${LARGE_LINES}`
/** As many files as a document may have, and together as large. */
const FILES = Array.from({ length: MAX_FILES }, (_, n) => ({
  name: `${n}.txt`,
  content: LARGE.slice(0, LARGE.length / MAX_FILES - 200),
}))
/** Each takes six bytes in JSON. */
const CONTROLS = '\x01'.repeat(10 * MiB)
const CODE = 'def total(numbers):\n    return sum(number for number in numbers if number)\n\n'.repeat(100)
const numbered = (word: string) =>
  Array.from({ length: 20_000 }, (_, n) => `${word} ${n} ${n % 7}\n`).join('')

type Headers = Readonly<Record<string, string>>
type Settings = Readonly<Record<string, unknown>>

const get =
  (path: string, headers: Headers = PROGRAM, method = 'GET'): Send =>
  (url) =>
    fetch(url + path, { method, headers: { ...ADDRESS, ...headers }, redirect: 'manual' })

const json =
  (method: string, path: string, body: object, headers: Headers = {}): Send =>
  (url) =>
    fetch(url + path, {
      method,
      headers: { ...PROGRAM, 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })

const form =
  (path: string, fields: Readonly<Record<string, string>> | string[][], headers: Headers = {}): Send =>
  (url) =>
    fetch(url + path, {
      method: 'POST',
      headers: { ...BROWSER, Origin: url, ...headers },
      body: new URLSearchParams(fields),
      redirect: 'manual',
    })

interface Created {
  readonly id: string
  readonly password?: string
  readonly token: string
  readonly etag: string
}

export interface World {
  readonly worker: RunningWorker
  readonly database: BenchDatabase
  /** The API keys of the account with many documents, and of another one. */
  readonly key: Headers
  readonly otherKey: Headers
  /** The first account has many documents, the second edits many, and the documents of the third have text in KV. */
  readonly session: Headers
  readonly readerSession: Headers
  readonly authorSession: Headers
  readonly create: (content: string, settings?: Settings, headers?: Headers) => Promise<Created>
  readonly edit: (id: string, content: string) => Promise<void>
}

async function createSession(database: BenchDatabase, account: string, secret: string): Promise<Headers> {
  const token = randomBytes(32).toString('base64url')
  await database
    .prepare(
      'INSERT INTO sessions (token_hash, id, user_id, created_at, expires_at) VALUES (?1, ?2, ?2, ?3, ?4)',
    )
    .bind(await hashSecret(token), account, Date.now(), Date.now() + DAY_MS)
    .run()
  const [cookie = ''] = (await serializeSigned(SESSION_COOKIE, token, secret)).split(';')
  return { Cookie: cookie }
}

/** Columns of documents without content in KV, in SQL that knows the number `i`. */
const ROW = {
  content_bytes: '1000 + i',
  content_until: '1',
  language: `iif(i % 3, 'plaintext', 'python')`,
  image_embed: '0',
  instant_delete: '0',
  encrypted: '0',
  version: `'v'`,
  updated_at: 'i',
  title: `'Notes about ' || i`,
  title_key: `'notes about ' || i`,
}

const insertDocuments = (
  database: BenchDatabase,
  count: number,
  columns: Readonly<Record<string, string>>,
) => {
  const all = { ...ROW, ...columns }
  return database
    .prepare(
      `INSERT INTO documents (${Object.keys(all).join(', ')})
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
        SELECT ${Object.values(all).join(', ')} FROM n`,
    )
    .run()
}

/** 10,000 documents. An account has most of them, and all of them are public. */
export async function createWorld(worker: RunningWorker, secret: string): Promise<World> {
  const { database, url } = worker
  const key = { Authorization: await createAccount(database, MANY) }
  const otherKey = { Authorization: await createAccount(database, 'other') }
  for (const name of [...EDITOR_NAMES, ...OTHER_EDITOR_NAMES]) await createAccount(database, name)
  await createAccount(database, READER)
  const authorKey = { Authorization: await createAccount(database, AUTHOR) }
  const now = Date.now()
  await insertDocuments(database, DOCUMENTS - SHOWN_DOCUMENTS, {
    id: `printf('w%07d', i)`,
    creator_id: `iif(i % 5, '${MANY}', 'editor' || (i % ${EDITORS}))`,
    content_key: `'content/w' || i`,
    public: '1',
    created_at: `${now - 2 * DAY_MS} + i`,
    expires_at: String(now + DAY_MS),
    has_editors: '1',
  })
  await database
    .prepare('INSERT INTO document_editors (document_id, position, user_id) SELECT id, 0, ?1 FROM documents')
    .bind(READER)
    .run()
  const create = async (content: string, settings?: Settings, headers: Headers = key): Promise<Created> => {
    const answer = await json('POST', '/v1/document', { content, settings }, headers)(url)
    const { data } = (await answer.json()) as { data?: { id: string; password?: string } }
    if (!data) throw new Error(`A document for the measurement was refused: ${answer.status}`)
    const token = answer.headers.get('X-Document-Token') ?? ''
    return { ...data, token, etag: answer.headers.get('ETag') ?? '' }
  }
  const edit = async (id: string, content: string) => {
    const { status } = await json('PATCH', '/v1/document', { id, content }, key)(url)
    if (status !== 200) throw new Error(`An edit for the measurement was refused: ${status}`)
  }
  for (let n = 0; n < DOWNLOADED_DOCUMENTS; n++)
    await create(`Title ${n}\n${SMALL}`, { public: n < PAGE_DOCUMENTS }, authorKey)
  for (let n = 0; n < SHOWN_DOCUMENTS; n++) {
    const { id } = await create(`Title ${n}\n${SMALL}`, { public: true, editors: EDITOR_NAMES })
    // They stay the newest of their account.
    await database
      .prepare('UPDATE documents SET created_at = ?2 WHERE id = ?1')
      .bind(id, now + DAY_MS + n)
      .run()
  }
  const openSession = (account: string) => createSession(database, account, secret)
  const [session, readerSession, authorSession] = [
    await openSession(MANY),
    await openSession(READER),
    await openSession(AUTHOR),
  ]
  return { worker, database, key, otherKey, session, readerSession, authorSession, create, edit }
}

/** A read of a new document, which no isolate has in memory. */
const read =
  (
    getPath: (created: Created) => string,
    headers: Headers = PROGRAM,
    content = SMALL,
  ): CostRequest['prepare'] =>
  async ({ create }) =>
    get(getPath(await create(content)), headers)

const ofMany =
  (path: string): CostRequest['prepare'] =>
  ({ session }) =>
    get(path, { ...BROWSER, ...session })

const byKey =
  (path: string): CostRequest['prepare'] =>
  ({ key }) =>
    get(path, { ...PROGRAM, ...key })

const createBy =
  (content: string, settings?: Settings): CostRequest['prepare'] =>
  ({ key }) =>
    json('POST', '/v1/document', { content, settings }, key)

const createAnonymous = (
  content: string,
  settings?: Settings,
  headers: Headers = {},
): CostRequest['prepare'] => {
  const send = json('POST', '/v1/document', { content, settings }, headers)
  return () => send
}

const change =
  (body: object, content = SMALL, settings?: Settings): CostRequest['prepare'] =>
  async ({ create, key }) => {
    const { id, password } = await create(content, settings)
    return json('PATCH', '/v1/document', { id, ...(password && { password }), ...body }, key)
  }

/** A document that has two versions. */
const withVersions =
  (getSend: (id: string, world: World) => Send, texts = [SMALL, `${SMALL}more`]): CostRequest['prepare'] =>
  async (world) => {
    const { id } = await world.create(texts[0] ?? '')
    for (const text of texts.slice(1)) await world.edit(id, text)
    return getSend(id, world)
  }

/** Blocks a domain once, so that a text with its name is refused by the transaction that would store it. */
const blockDomain = ({ database }: World) =>
  database
    .prepare(
      `INSERT OR IGNORE INTO blocks (kind, value, reason, created_by, created_at)
        VALUES ('domain', 'blocked.example', 'test', 'test', 0)`,
    )
    .run()

const BLOCKED = 'See https://blocked.example/'
const NEW_FORM = {
  language: 'auto',
  expires: 'week',
  visibility: 'unlisted',
  link: 'standard',
  encryption: 'none',
}

const requests = (...all: CostRequest[]) => all

/** Every kind of request, and the dearest that we know of its kind. The largest texts come last: they leave garbage. */
export const COST_REQUESTS: readonly CostRequest[] = requests(
  // Reads
  { name: 'read as JSON', status: 200, prepare: read(({ id }) => `/v1/document/${id}`) },
  {
    name: 'read as JSON, with a key',
    status: 200,
    prepare: async ({ create, otherKey }) => get(`/v1/document/${(await create(SMALL)).id}`, otherKey),
  },
  { name: 'read as text', status: 200, prepare: read(({ id }) => `/r/${id}`) },
  {
    name: 'read as text, by name',
    status: 200,
    prepare: async ({ create }, run) => {
      await create(SMALL, { name: `report-${run}` })
      return get(`/r/@${MANY}/report-${run}`)
    },
  },
  { name: 'page', status: 200, prepare: read(({ id }) => `/${id}`, BROWSER) },
  {
    name: 'page, signed in',
    status: 200,
    prepare: async ({ create, session }) => get(`/${(await create(SMALL)).id}`, { ...BROWSER, ...session }),
  },
  { name: 'page, only some lines', status: 200, prepare: read(({ id }) => `/${id}?lines=2-9`, BROWSER) },
  {
    name: '`HEAD`',
    status: 200,
    prepare: async ({ create }) => get(`/r/${(await create(SMALL)).id}`, PROGRAM, 'HEAD'),
  },
  {
    name: '`304 Not Modified`',
    status: 304,
    prepare: async ({ create }) => {
      const { id, etag } = await create(SMALL)
      return get(`/v1/document/${id}`, { 'If-None-Match': etag })
    },
  },
  { name: 'unknown id', status: 404, prepare: (_, run) => get(`/r/unknwn${run}x`) },
  {
    name: 'read with a made-up key',
    status: 200,
    prepare: read(({ id }) => `/v1/document/${id}`, { Authorization: `imperial_${'x'.repeat(40)}` }),
  },
  {
    name: 'read with the password',
    status: 200,
    prepare: async ({ create }) => {
      const { id } = await create(SMALL, { encrypted: true, password: 'correct horse' })
      return get(`/v1/document/${id}`, { 'X-Document-Password': 'correct horse' })
    },
  },
  {
    name: 'burn',
    status: 200,
    prepare: async ({ create }) => get(`/v1/document/${(await create(SMALL, { instant_delete: true })).id}`),
  },
  {
    name: 'claim and burn',
    status: 200,
    prepare: async ({ create, worker }) => {
      const { id, password = '' } = await create(SMALL, { encrypted: true, instant_delete: true })
      const { data } = (await (await get(`/v1/document/${id}/claim`)(worker.url)).json()) as {
        data: { header: string }
      }
      return json('POST', `/v1/document/${id}/claim`, {
        token: await deriveClaimToken(password, parseJweHeader(data.header)),
      })
    },
  },
  // Creates
  { name: 'create', status: 200, prepare: createAnonymous(SMALL) },
  { name: 'create, with a key', status: 200, prepare: createBy(SMALL) },
  {
    name: 'create, with an `Idempotency-Key`',
    status: 200,
    prepare: ({ key }, run) =>
      json('POST', '/v1/document', { content: SMALL }, { ...key, 'Idempotency-Key': `cost-${run}` }),
  },
  {
    name: 'create, as text',
    status: 201,
    prepare: () => (url) => fetch(url, { method: 'POST', headers: PROGRAM, body: SMALL }),
  },
  {
    name: 'create by the form, language detected',
    status: 200,
    prepare: () => form('/', { ...NEW_FORM, content: CODE }),
  },
  {
    name: 'create, 50 editors',
    status: 200,
    prepare: createBy(SMALL, { editors: EDITOR_NAMES }),
  },
  {
    name: 'create, encrypted with a generated password',
    status: 200,
    prepare: createBy(SMALL, { encrypted: true }),
  },
  {
    name: 'create, encrypted with a chosen password',
    status: 200,
    prepare: createBy(SMALL, { encrypted: true, password: 'correct horse' }),
  },
  {
    name: 'refused: a made-up key',
    status: 401,
    prepare: createAnonymous(SMALL, undefined, { Authorization: `imperial_${'x'.repeat(40)}` }),
  },
  {
    name: 'refused: settings without an account',
    status: 401,
    prepare: createAnonymous(SMALL, { image_embed: true }),
  },
  { name: 'refused: no text', status: 400, prepare: createAnonymous('') },
  { name: 'refused: an unknown editor', status: 400, prepare: createBy(SMALL, { editors: ['nobody'] }) },
  {
    name: 'refused by a block or a quota, the first time in a minute',
    status: 403,
    runs: 1,
    perMinute: 1,
    prepare: async (world) => {
      await blockDomain(world)
      return json('POST', '/v1/document', { content: BLOCKED }, world.otherKey)
    },
  },
  {
    name: 'refused by a block or a quota, again',
    status: 403,
    prepare: async (world) => {
      await blockDomain(world)
      return json('POST', '/v1/document', { content: BLOCKED }, world.otherKey)
    },
  },
  // Changes
  { name: 'edit', status: 200, prepare: change({ content: `${SMALL}edited` }) },
  {
    name: 'edit, with a document token',
    status: 200,
    prepare: async ({ create }) => {
      const { id, token } = await create(SMALL, undefined, {})
      return json('PATCH', '/v1/document', { id, content: 'edited' }, { 'X-Document-Token': token })
    },
  },
  { name: 'change a setting', status: 200, prepare: change({ settings: { image_embed: true } }) },
  {
    name: 'change the editors to 50 others',
    status: 200,
    prepare: change({ settings: { editors: OTHER_EDITOR_NAMES } }, SMALL, { editors: EDITOR_NAMES }),
  },
  {
    name: 'make the expiry later, the first time',
    status: 200,
    prepare: change({ settings: { expiration: 8 } }),
  },
  {
    name: 'make the expiry later, again',
    status: 200,
    prepare: async ({ create, key, worker }) => {
      const { id } = await create(SMALL)
      const expireAfter = (days: number) =>
        json('PATCH', '/v1/document', { id, settings: { expiration: days } }, key)
      await expireAfter(8)(worker.url)
      return expireAfter(9)
    },
  },
  {
    name: 'make the expiry later, with 50 versions',
    status: 200,
    runs: 1,
    prepare: async ({ create, edit, key }) => {
      const { id } = await create(SMALL)
      for (let n = 0; n < 50; n++) await edit(id, `${SMALL}${n}`)
      return json('PATCH', '/v1/document', { id, settings: { expiration: 2_000 } }, key)
    },
  },
  {
    name: 'edit, encrypted',
    status: 200,
    prepare: change({ content: 'edited' }, SMALL, { encrypted: true }),
  },
  {
    name: 'restore a version',
    status: 200,
    prepare: withVersions((id, { key }) => get(`/v1/document/${id}/revisions/1/restore`, key, 'POST')),
  },
  {
    name: 'delete',
    status: 204,
    prepare: async ({ create, key }) => get(`/v1/document/${(await create(SMALL)).id}`, key, 'DELETE'),
  },
  {
    name: 'delete, with one earlier version',
    status: 204,
    prepare: withVersions((id, { key }) => get(`/v1/document/${id}`, key, 'DELETE')),
  },
  {
    name: 'delete 100 from the list',
    status: 303,
    runs: 2,
    prepare: async ({ create, session }) => {
      const ids: string[] = []
      for (let n = 0; n < 100; n++) ids.push((await create('x')).id)
      return form(
        '/account/documents/delete',
        ids.map((id) => ['id', id]),
        session,
      )
    },
  },
  // Versions
  {
    name: 'list of versions',
    status: 200,
    prepare: withVersions((id, { key }) => get(`/v1/document/${id}/revisions`, key)),
  },
  {
    name: 'an earlier version',
    status: 200,
    prepare: withVersions((id, { key }) => get(`/v1/document/${id}/revisions/1`, key)),
  },
  {
    name: 'history page',
    status: 200,
    prepare: withVersions((id, { session }) => get(`/${id}/history`, { ...BROWSER, ...session })),
  },
  {
    name: 'comparison of two different texts of 20,000 lines',
    status: 200,
    prepare: withVersions(
      (id, { session }) => get(`/${id}/history/compare?from=1&to=2`, { ...BROWSER, ...session }),
      [numbered('first'), numbered('other')],
    ),
  },
  // Lists
  { name: 'explore', status: 200, excerpts: true, prepare: () => get('/explore', BROWSER) },
  {
    name: 'explore, a later page',
    status: 200,
    excerpts: true,
    prepare: async ({ worker }) => {
      const page = await (await get('/explore', BROWSER)(worker.url)).text()
      const [, cursor = ''] = /cursor=([\w-]+)/.exec(page) ?? []
      return get(`/explore?cursor=${cursor}`, BROWSER)
    },
  },
  {
    name: 'explore, search without a match',
    status: 200,
    prepare: () => get('/explore?search=nothing', BROWSER),
  },
  { name: 'feed of public documents', status: 200, prepare: () => get('/explore.atom', BROWSER) },
  {
    name: '`GET /v1/public?limit=100`, 50 editors each',
    status: 200,
    prepare: () => get('/v1/public?limit=100'),
  },
  { name: 'profile', status: 200, excerpts: true, prepare: () => get(`/@${AUTHOR}`, BROWSER) },
  {
    name: 'profile, search without a match',
    status: 200,
    prepare: () => get(`/@${MANY}?search=nothing`, BROWSER),
  },
  { name: 'sitemap', status: 200, prepare: () => get('/sitemap.xml') },
  { name: 'own documents', status: 200, excerpts: true, prepare: ofMany('/account/documents') },
  {
    name: 'own documents, search without a match',
    status: 200,
    prepare: ofMany('/account/documents?search=nothing'),
  },
  {
    name: 'own documents, by title',
    status: 200,
    excerpts: true,
    prepare: ofMany('/account/documents?sort=title'),
  },
  {
    name: 'shared documents, by title',
    status: 200,
    excerpts: true,
    prepare: ({ readerSession }) =>
      get('/account/documents?view=shared&sort=title', { ...BROWSER, ...readerSession }),
  },
  {
    name: 'own documents by API, 50 editors each',
    status: 200,
    prepare: byKey('/v1/users/@me/documents?limit=100'),
  },
  { name: 'recent documents by API, 50 editors each', status: 200, prepare: byKey('/v1/users/@me/recent') },
  { name: 'search for usernames', status: 200, prepare: byKey('/v1/users/search/editor') },
  // Other pages
  { name: 'home page', status: 200, prepare: () => get('/', BROWSER) },
  { name: 'API reference', status: 200, prepare: () => get('/docs', BROWSER) },
  {
    name: 'oEmbed',
    status: 200,
    prepare: async ({ create }) => {
      const { id } = await create(SMALL)
      return (url) => get(`/oembed?url=${encodeURIComponent(`${url}/${id}`)}`)(url)
    },
  },
  { name: 'embed', status: 200, prepare: read(({ id }) => `/${id}/embed`, BROWSER) },
  {
    name: 'preview picture',
    status: 200,
    prepare: async ({ create }) => get(`/${(await create(SMALL, { image_embed: true })).id}/preview.png`),
  },
  {
    name: 'report a document',
    status: 303,
    prepare: async ({ create }) =>
      form(`/${(await create(SMALL)).id}/report`, { reason: 'spam', comment: 'Look' }),
  },
  // Accounts
  {
    name: 'ask for a sign-in link',
    status: 200,
    prepare: (_, run) => form('/sign-up', { email: `new${run}@example.org`, username: `new${run}` }),
  },
  { name: 'account page', status: 200, prepare: ofMany('/account') },
  {
    name: 'create a key',
    status: 200,
    prepare: ({ session }, run) =>
      form('/account/keys', { name: `key ${run}`, scope: 'read', expires: 'never' }, session),
  },
  { name: 'page to download all own documents', status: 200, runs: 2, prepare: ofMany('/account/download') },
  {
    name: 'ZIP file of 400 own documents',
    status: 200,
    runs: 2,
    prepare: ({ authorSession }) => get('/account/download/zip', { ...BROWSER, ...authorSession }),
  },
  {
    name: 'ZIP file of 200 documents of a device',
    status: 200,
    runs: 2,
    prepare: async ({ create }) => {
      const held: string[] = []
      for (let n = 0; n < MAX_DEVICE_DOCUMENTS; n++) {
        const { id, token } = await create(SMALL, undefined, {})
        held.push(`${id}.${token}`)
      }
      return form('/device/download/zip', { documents: held.join(' '), part: '1' })
    },
  },
  // The largest texts
  { name: 'create, 10 MiB', status: 200, runs: 3, prepare: createAnonymous(LARGE) },
  { name: 'create, 10 MiB, encrypted', status: 200, runs: 3, prepare: createBy(LARGE, { encrypted: true }) },
  { name: 'refused: too much text', status: 413, runs: 2, prepare: createAnonymous(`${LARGE}x`) },
  {
    name: 'edit, 10 MiB',
    status: 200,
    runs: 2,
    prepare: change({ content: `${LARGE.slice(0, -2)}🎉` }, LARGE),
  },
  {
    name: 'read as JSON, 10 MiB',
    status: 200,
    runs: 3,
    prepare: read(({ id }) => `/v1/document/${id}`, PROGRAM, LARGE),
  },
  {
    name: 'read as text, 10 MiB',
    status: 200,
    runs: 3,
    prepare: read(({ id }) => `/r/${id}`, PROGRAM, LARGE),
  },
  { name: 'page, 10 MiB', status: 200, runs: 3, prepare: read(({ id }) => `/${id}`, BROWSER, LARGE) },
  {
    name: 'page, the last lines of 10 MiB',
    status: 200,
    runs: 3,
    prepare: read(({ id }) => `/${id}?lines=${LAST_LINES}`, BROWSER, LARGE),
  },
  {
    name: 'text, the last lines of 10 MiB',
    status: 200,
    runs: 3,
    prepare: read(({ id }) => `/r/${id}?lines=${LAST_LINES}`, PROGRAM, LARGE),
  },
  {
    name: 'oEmbed, the last lines of 10 MiB',
    status: 200,
    runs: 3,
    prepare: async ({ create }) => {
      const { id } = await create(LARGE)
      return (url) => get(`/oembed?url=${encodeURIComponent(`${url}/${id}?lines=${LAST_LINES}`)}`)(url)
    },
  },
  {
    name: 'embed, the last lines of 10 MiB',
    status: 200,
    runs: 3,
    prepare: read(({ id }) => `/${id}/embed?lines=${LAST_LINES}`, BROWSER, LARGE),
  },
  {
    name: 'code for embedding the last lines of 10 MiB',
    status: 200,
    runs: 3,
    prepare: read(({ id }) => `/${id}/embed/code?lines=${LAST_LINES}`, BROWSER, LARGE),
  },
  {
    name: 'page of 100 files, 10 MiB',
    status: 200,
    runs: 3,
    prepare: async ({ worker, key }) => {
      const answer = await json('POST', '/v1/document', { files: FILES }, key)(worker.url)
      const { data } = (await answer.json()) as { data: { id: string } }
      return get(`/${data.id}`, BROWSER)
    },
  },
  {
    name: 'read as haste does, 10 MiB of control characters',
    status: 200,
    runs: 3,
    prepare: read(({ id }) => `/documents/${id}`, PROGRAM, CONTROLS),
  },
  {
    name: 'page to edit 10 MiB',
    status: 200,
    runs: 3,
    prepare: async ({ create, session }) =>
      get(`/${(await create(LARGE)).id}/edit`, { ...BROWSER, ...session }),
  },
  {
    name: 'page to edit from an earlier version of 10 MiB',
    status: 200,
    runs: 2,
    prepare: withVersions(
      (id, { session }) => get(`/${id}/edit?version=1`, { ...BROWSER, ...session }),
      [LARGE, `${LARGE.slice(0, -2)}🎉`],
    ),
  },
  {
    name: 'an earlier version of 10 MiB',
    status: 200,
    runs: 2,
    prepare: withVersions(
      (id, { key }) => get(`/v1/document/${id}/revisions/1`, key),
      [LARGE, `${LARGE.slice(0, -2)}🎉`],
    ),
  },
  {
    name: 'the last lines of 10 MiB for an agent',
    status: 200,
    runs: 3,
    prepare: async ({ create }) => {
      const { id } = await create(LARGE)
      const params = { name: 'read', arguments: { document: id, lines: LAST_LINES } }
      const headers = { Accept: 'application/json, text/event-stream' }
      return json('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers)
    },
  },
  // The scheduled jobs
  {
    name: 'heartbeat, every minute',
    status: 200,
    perMinute: 1,
    prepare: () => get(`/cost/scheduled?cron=${encodeURIComponent('* * * * *')}`),
  },
  {
    name: 'scheduled jobs, 1,000 expired documents',
    status: 200,
    runs: 1,
    perMinute: 0.2,
    prepare: async ({ database }) => {
      await insertDocuments(database, 1_000, {
        id: `printf('x%07d', i)`,
        creator_id: `'${MANY}'`,
        content_key: `'content/x' || i`,
        public: '0',
        created_at: '1',
        expires_at: '2',
      })
      return get('/cost/scheduled?cron=jobs')
    },
  },
  {
    name: 'scheduled jobs, nothing to do',
    status: 200,
    perMinute: 0.2,
    prepare: () => get('/cost/scheduled?cron=jobs'),
  },
)
