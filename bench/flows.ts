import { mkdtempDisposable, readdir, readFile } from 'node:fs/promises'
import { type Profiler, Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { parseOptions } from '../scripts/support/script.ts'
import { CommandError, ROOT } from '../scripts/support/wrangler.ts'
import { formatTable } from './load.ts'

const HELP = `Counts what an operation runs through: files and functions of src, and storage calls in their order.

Usage: npm run bench -- flows [options]

  --files TEXT  also list the files of the operations whose name contains TEXT
  --json        print one JSON object

Runs the Worker in this process, on SQLite and a map, and reads which functions ran once all modules are loaded. Takes seconds.
`

let calls: string[] = []

/** D1, as far as the Worker uses it. */
function openDatabase(sqlite: DatabaseSync) {
  const prepare = (sql: string, parameters: readonly SQLInputValue[] = []) => {
    const run = () => {
      // SQLite refuses values that a statement doesn't use, and D1 doesn't.
      const used = parameters.map((value, index) => [`?${index + 1}`, value] as const)
      const named = used.filter(([name]) => new RegExp(`\\${name}(?!\\d)`).test(sql))
      const statement = sqlite.prepare(sql)
      return named.length === 0 ? statement.all(...parameters) : statement.all(Object.fromEntries(named))
    }
    const all = async (call: string) => {
      calls.push(call)
      await null
      return { results: run(), meta: {} }
    }
    return {
      run,
      bind: (...values: SQLInputValue[]) => prepare(sql, values),
      all: () => all('all'),
      first: async () => (await all('first')).results[0] ?? null,
    }
  }
  const source = {
    prepare,
    batch: async (statements: readonly ReturnType<typeof prepare>[]) => {
      calls.push(`batch(${statements.length})`)
      await null
      sqlite.exec('BEGIN')
      try {
        const results = statements.map((statement) => ({ results: statement.run(), meta: {} }))
        sqlite.exec('COMMIT')
        return results
      } catch (error) {
        sqlite.exec('ROLLBACK')
        throw error
      }
    },
    getBookmark: () => null,
  }
  return { ...source, withSession: () => source }
}

/** KV, as far as the Worker uses it. */
function openContents() {
  const values = new Map<string, { value: Uint8Array<ArrayBuffer>; metadata: unknown }>()
  return {
    put: async (key: string, value: Uint8Array | string, options?: { metadata?: unknown }) => {
      calls.push('KV.put')
      values.set(key, { value: Uint8Array.from(Buffer.from(value)), metadata: options?.metadata })
    },
    get: async (key: string, options: { type?: string } = {}) => {
      calls.push('KV.get')
      const stored = values.get(key)
      if (!stored) return null
      return options.type === 'stream' ? new Blob([stored.value]).stream() : stored.value.slice().buffer
    },
    delete: async (key: string) => {
      calls.push('KV.delete')
      values.delete(key)
    },
    list: async () => {
      calls.push('KV.list')
      const keys = [...values].map(([name, { metadata }]) => ({ name, metadata }))
      return { keys, list_complete: true }
    },
  }
}

interface Worker {
  readonly fetch: (request: Request, env: object, context: object) => Response | Promise<Response>
  readonly scheduled: (controller: object, env: object) => Promise<void>
}

/** Bundles the Worker into one file, in which a comment before each module names its source. */
async function bundle(folder: string): Promise<{ worker: Worker; path: string; code: string }> {
  const path = join(folder, 'worker.mjs')
  await build({
    absWorkingDir: ROOT,
    entryPoints: ['src/index.ts'],
    outfile: path,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*', 'node:*'],
    loader: { '.wasm': 'empty' },
    jsx: 'automatic',
    jsxImportSource: 'hono/jsx',
    logLevel: 'error',
  })
  const module: { default: Worker } = await import(pathToFileURL(path).href)
  return { worker: module.default, path, code: await readFile(path, 'utf8') }
}

/** Counts the functions that ran in each file of src. */
function countFunctions(script: Profiler.ScriptCoverage | undefined, code: string): Map<string, number> {
  const starts = [...code.matchAll(/^\/\/ (\S+\.(?:tsx?|m?js))$/gm)].map(
    ({ index, 1: file = '' }) => [index, file] as const,
  )
  const counts = new Map<string, number>()
  for (const { functionName, ranges } of script?.functions ?? []) {
    const [range] = ranges
    // The whole file is a function, too.
    if (!range?.count || (functionName === '' && range.startOffset === 0)) continue
    const file = starts.findLast(([start]) => start <= range.startOffset)?.[1] ?? ''
    if (file.startsWith('src/')) counts.set(file, (counts.get(file) ?? 0) + 1)
  }
  return counts
}

interface Flow {
  readonly name: string
  readonly files: readonly string[]
  readonly functions: number
  readonly storage: readonly string[]
  readonly afterwards: readonly string[]
}

/** Returns a function that runs an operation and counts. */
async function startCounting(path: string, code: string) {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  return async (name: string, run: () => Promise<Answer>): Promise<Flow & { answer: Answer }> => {
    await session.post('Profiler.takePreciseCoverage')
    calls = []
    const answer = await run()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    const counts = countFunctions(
      result.find(({ url }) => url === pathToFileURL(path).href),
      code,
    )
    return {
      name,
      answer,
      files: [...counts.keys()].sort(),
      functions: [...counts.values()].reduce((sum, count) => sum + count, 0),
      storage: calls.slice(0, answer.callsBefore),
      afterwards: calls.slice(answer.callsBefore),
    }
  }
}

interface Answer {
  readonly status: number
  readonly body: string
  /** How many storage calls had been made when the answer was complete. */
  readonly callsBefore: number
}

const SITE = 'https://paste.example'
const BROWSER = { Accept: 'text/html', 'User-Agent': 'Mozilla/5.0' }

/** Returns a client that keeps cookies, and waits for the work after each answer. */
function createClient(worker: Worker, env: object) {
  const cookies = new Map<string, string>()
  return {
    forget: () => cookies.clear(),
    send: async (path: string, init: RequestInit = {}, signedIn = false): Promise<Answer> => {
      const pending: Promise<unknown>[] = []
      const headers = new Headers(init.headers)
      headers.set('CF-Connecting-IP', '203.0.113.5')
      // Programs and browsers send it, and it decides how a body is read.
      if (init.body) headers.set('Content-Length', String(Buffer.byteLength(String(init.body))))
      if (signedIn) headers.set('Cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
      const request = new Request(SITE + path, { redirect: 'manual', ...init, headers })
      const context = { waitUntil: (work: Promise<unknown>) => pending.push(work) }
      const response = await worker.fetch(request, env, context)
      const body = await response.text()
      const callsBefore = calls.length
      for (const cookie of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
        cookies.set(name, value)
      }
      await Promise.allSettled(pending)
      return { status: response.status, body, callsBefore }
    },
  }
}

/** Returns the variables and rate limits of `wrangler.toml`, and what stands in for the other bindings. */
async function createBindings(sqlite: DatabaseSync, mails: string[]): Promise<object> {
  const toml = await readFile(join(ROOT, 'wrangler.toml'), 'utf8')
  const variables = [...toml.matchAll(/^([A-Z_]+) = "(.*)"$/gm)].map(([, name = '', value = '']) => [
    name,
    value,
  ])
  const limits = [...toml.matchAll(/^name = "([A-Z_]+)"\s*\nnamespace_id/gm)]
  return {
    ...Object.fromEntries(variables),
    ...Object.fromEntries(limits.map(([, name]) => [name, { limit: async () => ({ success: true }) }])),
    SITE_URL: SITE,
    LOG_REQUESTS: 'none',
    AUTH_SECRET: 'a secret for counting, long enough for it',
    MAIL_FROM: 'Regent <regent@paste.example>',
    EMAIL: { send: async (mail: unknown) => mails.push(JSON.stringify(mail)) },
    DB: openDatabase(sqlite),
    CONTENTS: openContents(),
    ASSETS: { fetch: async () => new Response('') },
  }
}

const readData = (answer: Answer): Record<string, string> => JSON.parse(answer.body).data

/** Returns the token that proves the password of a document: see `deriveClaimToken`. */
async function deriveClaim(encodedHeader: string, password: string): Promise<string> {
  const { p2s, p2c } = JSON.parse(Buffer.from(encodedHeader, 'base64url').toString())
  const salt = Buffer.concat([Buffer.from('regent-claim\0'), Buffer.from(p2s, 'base64url')])
  const key = await crypto.subtle.importKey('raw', Buffer.from(password), 'PBKDF2', false, ['deriveBits'])
  const parameters = { name: 'PBKDF2', hash: 'SHA-512', salt, iterations: p2c }
  return Buffer.from(await crypto.subtle.deriveBits(parameters, key, 256)).toString('base64url')
}

/** Runs every operation, and returns what each ran through. */
async function countFlows(folder: string): Promise<Flow[]> {
  const { worker, path, code } = await bundle(folder)
  const sqlite = new DatabaseSync(':memory:')
  const migrations = (await readdir(join(ROOT, 'migrations'))).filter((file) => file.endsWith('.sql')).sort()
  for (const file of migrations) sqlite.exec(await readFile(join(ROOT, 'migrations', file), 'utf8'))
  const mails: string[] = []
  const env = await createBindings(sqlite, mails)
  const { forget, send } = createClient(worker, env)
  const post = (address: string, fields: Readonly<Record<string, string>>) =>
    send(
      address,
      { method: 'POST', headers: { ...BROWSER, Origin: SITE }, body: new URLSearchParams(fields) },
      true,
    )
  const json = (method: string, address: string, body?: object, headers = {}) =>
    send(address, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
  const openLink = () => {
    const [, link = ''] =
      /https:\/\/paste\.example(\/[^\s"\\<]*link[^\s"\\<]*)/.exec(mails.at(-1) ?? '') ?? []
    return send(link, { headers: BROWSER }, true)
  }
  const newForm = {
    language: 'auto',
    expires: 'week',
    visibility: 'unlisted',
    link: 'standard',
    encryption: 'none',
  }

  // What loads on demand is loaded before anything is counted.
  await json('POST', '/v1/document', { content: 'first' })
  await post('/sign-up', { email: 'first@paste.example', username: 'first' })
  await openLink()
  forget()

  const flows: Flow[] = []
  const count = await startCounting(path, code)
  const flow = async (name: string, run: () => Promise<Answer>): Promise<Answer> => {
    const { answer, ...counted } = await count(name, run)
    if (answer.status >= 400)
      throw new CommandError(`"${name}" answered ${answer.status}: ${answer.body.slice(0, 300)}`)
    flows.push(counted)
    return answer
  }
  await flow('ask for a sign-in link', () =>
    post('/sign-up', { email: 'ada@paste.example', username: 'ada' }),
  )
  await flow('sign in by link', openLink)
  const key = `imperial_${'a'.repeat(40)}`
  const keyHash = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(key))).toString('base64url')
  sqlite
    .prepare(`INSERT INTO api_keys (id, key_hash, user_id, name, created_at)
      SELECT 'abcdefghijkl', ?, id, 'counting', ? FROM users WHERE username = 'ada'`)
    .run(keyHash, Date.now())
  const keyed = { Authorization: key }
  await json('POST', '/v1/document', { content: 'first' }, keyed)
  const created = await flow('create by API, with a key', () =>
    json('POST', '/v1/document', { content: 'hello world' }, keyed),
  )
  const id = readData(created).id ?? ''
  await flow('create by API, anonymous', () => json('POST', '/v1/document', { content: 'hello' }))
  await flow('create by form', () => post('/', { ...newForm, content: 'by form' }))
  await send(`/${id}`, { headers: BROWSER })
  // An isolate remembers for a second what it has read. Writing makes it forget.
  const forgetReads = () => json('POST', '/v1/document', { content: 'other' })
  await forgetReads()
  // At this address, the page hasn't been rendered before.
  await flow('read a page', () => send(`/${id}?from=flows`, { headers: BROWSER }))
  await flow('read a page, signed in', () => send(`/${id}`, { headers: BROWSER }, true))
  await forgetReads()
  await flow('read raw text', () => send(`/r/${id}`, { headers: BROWSER }))
  await flow('read by API, with a key', () => json('GET', `/v1/document/${id}`, undefined, keyed))
  await flow('edit by API', () => json('PATCH', '/v1/document', { id, content: 'changed' }, keyed))
  const page = await send(`/${id}/edit`, { headers: BROWSER }, true)
  const hidden = [...page.body.matchAll(/<input[^>]*type="hidden"[^>]*>/g)].map(([tag]) => [
    /name="([^"]+)"/.exec(tag)?.[1] ?? '',
    (/value="([^"]*)"/.exec(tag)?.[1] ?? '').replaceAll('&quot;', '"'),
  ])
  const editForm = {
    ...Object.fromEntries(hidden),
    content: 'by form',
    language: 'plaintext',
    expires: 'keep',
    title: '',
  }
  await flow('edit by form', () => post(`/${id}/edit`, editForm))
  const secret = readData(
    await json(
      'POST',
      '/v1/document',
      { content: 'secret', settings: { encrypted: true, instant_delete: true } },
      keyed,
    ),
  )
  const { header = '' } = readData(await send(`/v1/document/${secret.id}/claim`))
  const token = await deriveClaim(header, secret.password ?? '')
  await flow('claim and burn', () => json('POST', `/v1/document/${secret.id}/claim`, { token }))
  await flow('delete by API', () => json('DELETE', `/v1/document/${id}`, undefined, keyed))
  await flow('run the scheduled jobs', async () => {
    await worker.scheduled({ cron: '*/5 * * * *', scheduledTime: Date.now() }, env)
    return { status: 200, body: '', callsBefore: calls.length }
  })
  return flows
}

export async function printFlows(): Promise<void> {
  const values = parseOptions(HELP, {
    files: { type: 'string' },
    json: { type: 'boolean', default: false },
  })
  await using folder = await mkdtempDisposable(join(tmpdir(), 'regent-flows-'))
  const print = console.log
  // The jobs log what they did.
  console.log = () => {}
  const flows = await countFlows(folder.path)
  console.log = print
  if (values.json) return console.log(JSON.stringify(flows))
  const rows = flows.map(({ name, files, functions, storage, afterwards }) => [
    name,
    String(files.length),
    String(functions),
    storage.join(' ') + (afterwards.length > 0 ? `; after the answer: ${afterwards.join(' ')}` : ''),
  ])
  console.log(formatTable(['operation', 'files', 'functions', 'storage calls'], rows))
  for (const { name, files } of flows) {
    if (values.files !== undefined && name.includes(values.files))
      console.log(`\n${name}:\n  ${files.join('\n  ')}`)
  }
}
