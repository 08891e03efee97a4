import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serializeSigned } from 'hono/utils/cookie'
import {
  type BenchDatabase,
  bundleService,
  createAccount,
  startWorker,
} from '../../scripts/support/runtime.ts'
import { parseOptions } from '../../scripts/support/script.ts'
import { CommandError, ROOT } from '../../scripts/support/wrangler.ts'
import { hashSecret } from '../../src/shared/hashing.ts'
import { type FuzzResult, fuzz, type Violation } from '../fuzz/run.ts'
import { createWorld, type FuzzAnswer, type FuzzRequest } from '../fuzz/world.ts'

const DAY_MS = 86_400_000

/** What `sessionCookieName` in src/http/cookies.ts returns for a loopback address. */
const SESSION_COOKIE = 'regent.session_token'

/** Creates an account with an API key and a session, straight in the database. */
async function createFuzzAccount(database: BenchDatabase, authSecret: string) {
  const username = `fuzz-${randomBytes(6).toString('hex')}`
  const key = await createAccount(database, username)
  const token = randomBytes(32).toString('base64url')
  await database
    .prepare(
      'INSERT INTO sessions (token_hash, id, user_id, created_at, expires_at) VALUES (?1, ?2, ?2, ?3, ?4)',
    )
    .bind(await hashSecret(token), username, Date.now(), Date.now() + DAY_MS)
    .run()
  const cookie = await serializeSigned(SESSION_COOKIE, token, authSecret, { path: '/' })
  return { username, key, cookie: cookie.slice(0, cookie.indexOf(';')) }
}

/** Records the migrations as applied, as wrangler does: a database made from schema.sql has no such table. */
async function recordMigrations(database: BenchDatabase): Promise<void> {
  const names = (await readdir(join(ROOT, 'migrations'))).filter((name) => name.endsWith('.sql')).sort()
  await database.batch([
    database.prepare('CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY, name TEXT UNIQUE)'),
    ...names.map((name) =>
      database.prepare('INSERT OR IGNORE INTO d1_migrations (name) VALUES (?1)').bind(name),
    ),
  ])
}

const HELP = `Sends random and hostile requests to every route of a built service, and checks every answer: never a
server error, always the documented shape and the security headers, no secret repeated.

Usage: npm run torture -- fuzz [options]

  --requests N         send N requests (default 100000)
  --seed N             repeat the requests of an earlier run
  --help               show this help
`

/** Requests use up their documents and accounts, so there are new ones after this many. */
const REQUESTS_PER_WORLD = 2_000
const CONCURRENCY = 16
const MAX_SHOWN = 20
const TIMEOUT_MS = 30_000

const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY })

/** Sends a request with its address as it is: `fetch` would normalise it. Returns null if Node can't send it. */
function sendOnce(
  base: string,
  { method, target, headers, body }: FuzzRequest,
  agent: Agent | false,
): Promise<FuzzAnswer | null> {
  const { hostname, port } = new URL(base)
  return new Promise((resolve, reject) => {
    try {
      const length = body === null ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
      const options = { agent, hostname, port, method, path: target, headers: { ...headers, ...length } }
      const sent = request({ ...options, timeout: TIMEOUT_MS }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const received = Object.entries(response.headersDistinct).flatMap(([name, values]) =>
            (values ?? []).map((value): [string, string] => [name, value]),
          )
          const text = Buffer.concat(chunks).toString('utf8')
          resolve({ status: response.statusCode ?? 0, headers: new Headers(received), text })
        })
      })
      sent.on('error', reject)
      sent.on('timeout', () => sent.destroy(new Error('no answer in time')))
      sent.end(body ?? undefined)
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      resolve(null)
    }
  })
}

const isReset = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['ECONNRESET', 'EPIPE'].includes(String(error.code))

/**
 * Sends a request, and once more over a new connection if the server has closed the old one. It does that after it has
 * refused a request without reading its body.
 */
async function sendRaw(base: string, request: FuzzRequest): Promise<FuzzAnswer | null> {
  try {
    return await sendOnce(base, request, agent)
  } catch (error) {
    if (!isReset(error)) throw error
    return sendOnce(base, request, false)
  }
}

function formatViolation({ request, status, problems }: Violation): string {
  const { method, target, headers, body } = request
  return `${problems.join(', ')} (${status})\n  ${method} ${target}\n  ${JSON.stringify(headers)}\n  ${JSON.stringify(body?.slice(0, 2_000))}\n`
}

function readOptions() {
  const values = parseOptions(HELP, {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
  })
  const [requests, seed] = [Number(values.requests), Number(values.seed)]
  if (!Number.isSafeInteger(requests) || requests < 1) throw new CommandError('--requests needs a number')
  if (!Number.isInteger(seed)) throw new CommandError('--seed needs a number')
  return { requests, seed }
}

export async function fuzzService(): Promise<void> {
  const { requests, seed } = readOptions()
  process.stdout.write(`Seed ${seed}\n`)
  const folder = await mkdtemp(join(tmpdir(), 'regent-fuzz-'))
  const authSecret = 'a secret of the fuzzer, long enough for it'
  const worker = await startWorker(await bundleService(), folder, {
    AUTH_SECRET: authSecret,
    RATE_LIMITS: 'off',
    LOG_REQUESTS: 'none',
  })
  await recordMigrations(worker.database)
  const send = (sent: FuzzRequest) => sendRaw(worker.url, sent)
  const addAccount = () => createFuzzAccount(worker.database, authSecret)
  const api = JSON.parse(await readFile(join(ROOT, 'dist/client/assets/openapi.json'), 'utf8'))
  const statuses = new Map<number, number>()
  const violations: Violation[] = []
  const started = performance.now()
  const add = (result: FuzzResult) => {
    for (const [status, count] of result.statuses) statuses.set(status, (statuses.get(status) ?? 0) + count)
    violations.push(...result.violations)
  }
  try {
    for (let sent = 0; sent < requests; sent += REQUESTS_PER_WORLD) {
      const world = await createWorld({ origin: worker.url, send, addAccount })
      const count = Math.min(REQUESTS_PER_WORLD, requests - sent)
      add(await fuzz({ api, world, send, requests: count, seed: seed + sent, concurrency: CONCURRENCY }))
      process.stdout.write(`${sent + count} requests, ${violations.length} violations\n`)
    }
  } finally {
    agent.destroy()
    await worker.stop()
    await rm(folder, { recursive: true, force: true })
  }
  const seconds = Math.round((performance.now() - started) / 1000)
  const counts = [...statuses].sort(([one], [other]) => one - other).map(([status, n]) => `${status}: ${n}`)
  process.stdout.write(`${requests} requests in ${seconds} s. Answers: ${counts.join(', ')}\n`)
  if (violations.length > 0) {
    const shown = violations.slice(0, MAX_SHOWN).map(formatViolation).join('\n')
    throw new CommandError(
      `${violations.length} violations with seed ${seed}. The first of them:\n\n${shown}`,
    )
  }
}
