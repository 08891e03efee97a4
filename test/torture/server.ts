import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CommandError, parseOptions, ROOT } from '../../scripts/support/script.ts'
import { generateApiKey, generateKeyId } from '../../src/accounts/key-format.ts'
import { hashSecret } from '../../src/shared/hashing.ts'
import { type ServerProcess, startProcess } from '../server/support/process.ts'
import { Verdict } from './soak/model.ts'
import type { SoakAnswer, SoakTarget } from './soak/server.ts'
import { Client, createRandom } from './soak/traffic.ts'

const HELP = `Kills the server of one machine (npm start) with SIGKILL while 8 clients write, starts it again on the same
folder, and checks after each kill that both files are sound, that every row has its content, and that content without a row
is at most what was being written. Every answer is compared with what must be true: what was acknowledged is there, what was deleted or
burned never returns. At the end, cleanup must leave no content without a row.

Then keeps it busy with 16 clients, without kills, and prints errors, times and memory.

Usage: npm run torture -- server [options]

  --kills N      how often it's killed (default 100; 0: never)
  --minutes N    how long it's busy after that (default 10; 0: not at all)
  --seed N       repeat the choices of an earlier run
  --help         show this help
`

const WRITERS = 8
const CLIENTS = 16
const ACCOUNTS = 400
const MAX_WRITES_BETWEEN_KILLS = 40
const START_WITHIN_MS = 60_000
const REQUEST_TIMEOUT_MS = 20_000
const SAMPLE_EVERY_MS = 5_000
const MAX_SHOWN = 20
const MIB = 1024 * 1024

/** Limits would end the traffic. */
const ENVIRONMENT = {
  LOG_REQUESTS: 'none',
  METRICS_PORT: '0',
  ...Object.fromEntries(
    ['DOCUMENTS', 'BYTES', 'WRITES_PER_DAY'].flatMap((what) =>
      ['ACCOUNT', 'SERVER'].map((whose) => [`${whose}_MAX_${what}`, '0']),
    ),
  ),
}

/** The flags of Node that `npm start` has. */
async function readFlags(): Promise<string[]> {
  const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  return String(scripts.start)
    .split(' ')
    .filter((word) => word.startsWith('--'))
}

/** The server in a process of its own, which can be killed and started again on the same folder. */
class LocalServer implements SoakTarget {
  readonly #folder: string
  readonly #flags: readonly string[]
  #up: Promise<ServerProcess> = Promise.reject(new Error('not started'))
  #awaited: { readonly count: number; readonly resolve: () => void } | null = null
  epoch = 0
  readonly faultRate = 0
  readonly lastFaultyEpoch = -1
  acknowledged = 0
  writing = 0
  readonly startMs: number[] = []
  readonly requestMs: number[] = []

  constructor(folder: string, flags: readonly string[]) {
    this.#folder = folder
    this.#flags = flags
    this.#up.catch(() => {})
  }

  async start(): Promise<void> {
    this.#up = this.#launch()
    await this.#up
  }

  /** @returns how the process ended. */
  async stop(): Promise<number | string | null> {
    const { child, ended } = await this.#up
    child.kill('SIGTERM')
    return ended
  }

  /** Kills the process, and starts it again after some work on the folder. Requests wait for that. */
  async restart<T>(work: () => Promise<T>): Promise<T> {
    const { child, ended } = await this.#up
    const worked = (async () => {
      child.kill('SIGKILL')
      await ended
      return work()
    })()
    this.#up = worked.then(() => this.#launch())
    await this.#up
    return worked
  }

  async kill(): Promise<void> {
    await (await this.#up)[Symbol.asyncDispose]()
  }

  async #launch(): Promise<ServerProcess> {
    this.epoch += 1
    const startedAt = performance.now()
    const process = await startProcess(this.#folder, ENVIRONMENT, this.#flags)
    this.startMs.push(performance.now() - startedAt)
    return process
  }

  /** Resolves once so many more writes are acknowledged: others are under way at that moment. */
  waitForWrites(count: number): Promise<void> {
    const timeout = new CommandError(`No ${count} writes were acknowledged within a minute`)
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(timeout), START_WITHIN_MS)
      const done = () => {
        clearTimeout(timer)
        resolve()
      }
      this.#awaited = { count: this.acknowledged + count, resolve: done }
    })
  }

  async readMetrics(): Promise<ReadonlyMap<string, number>> {
    const { output } = await this.#up
    const url = /"metrics":"([^"]+)"/.exec(output())?.[1] ?? ''
    const lines = (await (await fetch(url)).text()).matchAll(/^(?!#)(\S+(?: [^}]*\})?\S*) (\S+)$/gm)
    return new Map([...lines].map(([, series = '', value]) => [series, Number(value)]))
  }

  async send(path: string, init: RequestInit = {}): Promise<SoakAnswer | null> {
    const isWrite = init.method !== undefined && init.method !== 'GET'
    const { url } = await this.#up
    const startedAt = performance.now()
    if (isWrite) this.writing += 1
    try {
      const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS)
      const { status, headers, ...response } = await readAnswer(`${url}${path}`, {
        redirect: 'manual',
        signal,
        ...init,
      })
      this.requestMs.push(performance.now() - startedAt)
      if (isWrite && status < 400) this.#acknowledge()
      return { status, headers, ...response }
    } catch {
      return null
    } finally {
      if (isWrite) this.writing -= 1
    }
  }

  #acknowledge(): void {
    this.acknowledged += 1
    if (this.#awaited === null || this.acknowledged < this.#awaited.count) return
    this.#awaited.resolve()
    this.#awaited = null
  }
}

async function readAnswer(url: string, init: RequestInit): Promise<SoakAnswer> {
  const response = await fetch(url, init)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** Adds accounts beside a server, and returns their keys. */
async function createAccounts(folder: string): Promise<string[]> {
  using db = new DatabaseSync(join(folder, 'regent.sqlite'), { timeout: 10_000 })
  const keys = Array.from({ length: ACCOUNTS }, generateApiKey)
  const hashes = await Promise.all(keys.map(hashSecret))
  db.exec('BEGIN IMMEDIATE')
  for (const [index, hash] of hashes.entries()) {
    const name = `soak${index}`
    db.prepare(
      'INSERT INTO users (id, username, email, confirmed, created_at) VALUES (?1, ?1, ?2, 1, 0)',
    ).run(name, `${name}@example.org`)
    db.prepare("INSERT INTO api_keys (key_hash, id, user_id, name, created_at) VALUES (?, ?, ?, '', 0)").run(
      hash,
      generateKeyId(),
      name,
    )
  }
  db.exec('COMMIT')
  return keys
}

const REFERENCED = `SELECT content_key FROM documents UNION SELECT content_key FROM revisions
  UNION SELECT content_key FROM removed_documents`
/** Content expires by itself, and cleanup deletes the rows. */
const NEEDED = `SELECT content_key FROM documents WHERE expires_at > unixepoch() * 1000
  UNION SELECT r.content_key FROM revisions r JOIN documents d ON d.id = r.document_id
    WHERE d.expires_at > unixepoch() * 1000`
const PENDING = 'SELECT content_key FROM detached_contents'
const STORED =
  "SELECT name FROM kv.entries WHERE name LIKE 'content/%' AND (expires_at IS NULL OR expires_at > unixepoch())"

/** Checks the files as a kill has left them, in a copy: the server itself has to repair the original. */
async function inspect(folder: string) {
  const copy = await mkdtemp(join(tmpdir(), 'regent-inspected-'))
  try {
    await cp(folder, copy, { recursive: true })
    using db = new DatabaseSync(join(copy, 'regent.sqlite'))
    db.prepare('ATTACH ?1 AS kv').run(join(copy, 'contents.sqlite'))
    const count = (sql: string) => Number(db.prepare(`SELECT count(*) AS count FROM (${sql})`).get()?.count)
    const faults = [
      ...db.prepare('PRAGMA integrity_check').all(),
      ...db.prepare('PRAGMA kv.integrity_check').all(),
    ].filter(({ integrity_check: found }) => found !== 'ok')
    const broken = [
      ...db.prepare('PRAGMA foreign_key_check').all(),
      ...db.prepare('PRAGMA kv.foreign_key_check').all(),
    ]
    return {
      damage: [...faults, ...broken].map((found) => JSON.stringify(found)),
      documents: count('SELECT 1 FROM documents'),
      missing: count(`SELECT * FROM (${NEEDED}) EXCEPT ${STORED}`),
      orphaned: count(`${STORED} EXCEPT SELECT * FROM (${REFERENCED} UNION ${PENDING})`),
      pending: count(PENDING),
    }
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}

const createClients = (
  count: number,
  options: Omit<ConstructorParameters<typeof Client>[0], 'random'>,
  seed: number,
) =>
  Array.from(
    { length: count },
    (_, index) => new Client({ ...options, random: createRandom(seed + index + 1) }),
  )

interface Run {
  readonly server: LocalServer
  readonly verdict: Verdict
  readonly folder: string
  readonly keys: string[]
  readonly seed: number
}

async function killWhileWriting(
  { server, verdict, folder, keys, seed }: Run,
  kills: number,
): Promise<string> {
  const random = createRandom(seed)
  const clients = createClients(WRITERS, { server, verdict, keys }, seed)
  let isOver = false
  const work = Promise.all(
    clients.map(async (client) => {
      while (!isOver) await client.act()
    }),
  )
  let interrupted = 0
  let orphaned = 0
  for (let kill = 1; kill <= kills; kill += 1) {
    const writes = 1 + Math.floor(random() * MAX_WRITES_BETWEEN_KILLS)
    // A client fails if an answer makes no sense at all.
    await Promise.race([server.waitForWrites(writes), work])
    const { writing } = server
    const found = await server.restart(() => inspect(folder))
    interrupted += writing
    for (const damage of found.damage) verdict.violate(`kill ${kill}: ${damage}`)
    if (found.missing > 0) verdict.violate(`kill ${kill}: ${found.missing} rows without content`)
    // A content is written before its row.
    if (found.orphaned > orphaned + writing)
      verdict.violate(`kill ${kill}: ${found.orphaned - orphaned} contents without a row, ${writing} writes`)
    orphaned = found.orphaned
    if (kill % 10 === 0) process.stdout.write(`${kill} kills: ${JSON.stringify(found)}\n`)
  }
  isOver = true
  await work
  await Promise.all(clients.map((client) => client.checkAll()))
  return `${kills} kills with ${interrupted} writes under way, ${server.acknowledged} acknowledged`
}

/** Cleans up what the kills have left, and checks that nothing dangles then. */
async function checkCleanup({ verdict, folder }: Run): Promise<void> {
  const before = await inspect(folder)
  const child = spawn(process.execPath, [join(import.meta.dirname, 'server-cleanup.ts'), folder], {
    stdio: 'inherit',
  })
  const [code] = await once(child, 'exit')
  const after = await inspect(folder)
  if (code !== 0 || after.missing > 0 || after.orphaned > 0 || after.damage.length > 0)
    verdict.violate(`after cleanup (${code}): ${JSON.stringify(after)}`)
  process.stdout.write(`Before cleanup: ${JSON.stringify(before)}\nAfter cleanup: ${JSON.stringify(after)}\n`)
}

function formatTimes(times: readonly number[]): string {
  const sorted = times.toSorted((one, other) => one - other)
  const at = (share: number) => `${Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0)} ms`
  return `median ${at(0.5)}, 99 % ${at(0.99)}, longest ${at(1)}`
}

async function soak({ server, verdict, keys, seed }: Run, minutes: number): Promise<string> {
  const clients = createClients(CLIENTS, { server, verdict, keys }, seed + WRITERS)
  const endsAt = Date.now() + minutes * 60_000
  const memory: number[] = []
  const sample = async () => {
    const metrics = await server.readMetrics()
    memory.push(metrics.get('regent_resident_memory_bytes') ?? 0)
  }
  await sample()
  const timer = setInterval(sample, SAMPLE_EVERY_MS)
  server.requestMs.length = 0
  await Promise.all(
    clients.map(async (client) => {
      while (Date.now() < endsAt) await client.act()
    }),
  )
  clearInterval(timer)
  const times = formatTimes(server.requestMs)
  const requests = server.requestMs.length
  await Promise.all(clients.map((client) => client.checkAll()))
  await sample()
  const metrics = await server.readMetrics()
  const failed = [...metrics].filter(([series]) => /^regent_requests_total\{.*status="5/.test(series))
  const mib = memory.map((bytes) => Math.round(bytes / MIB))
  const failures = failed.reduce((sum, [, count]) => sum + count, 0)
  if (failures > 0) verdict.violate(`${failures} answers of 5xx while nothing failed`)
  return [
    `${minutes} minutes: ${requests} requests (${Math.round(requests / (minutes * 60))} a second), ${failures} answers of 5xx, ${times}`,
    `Memory (MiB): ${mib.at(0)} at the start, ${Math.max(...mib)} at most, ${mib.at(-1)} at the end; a quarter each: ${[0.25, 0.5, 0.75].map((share) => mib[Math.floor(share * mib.length)]).join(', ')}`,
  ].join('\n')
}

/** Runs the command. */
export async function server(): Promise<void> {
  const values = parseOptions(HELP, {
    kills: { type: 'string', default: '100' },
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
  })
  const [kills, minutes, seed] = [Number(values.kills), Number(values.minutes), Number(values.seed)]
  if (!(kills >= 0 && minutes >= 0) || !Number.isInteger(seed))
    throw new CommandError('--kills, --minutes and --seed need numbers')
  process.stdout.write(`Seed ${seed}\n`)
  const folder = await mkdtemp(join(tmpdir(), 'regent-torture-'))
  const local = new LocalServer(folder, await readFlags())
  const verdict = new Verdict()
  try {
    await local.start()
    const run: Run = { server: local, verdict, folder, keys: await createAccounts(folder), seed }
    const summaries = [
      ...(kills > 0 ? [await killWhileWriting(run, kills)] : []),
      ...(minutes > 0 ? [await soak(run, minutes)] : []),
    ]
    const code = await local.stop()
    if (code !== 0) verdict.violate(`SIGTERM: the server ended with ${code}`)
    await checkCleanup(run)
    const counts = [...verdict.counts].map(([what, count]) => `${what}: ${count}`).join(', ')
    process.stdout.write(
      `${summaries.join('\n')}\n${local.startMs.length} starts: ${formatTimes(local.startMs)}\n${counts}\n${verdict.violations.length} violations\n`,
    )
  } finally {
    await local.kill().catch(() => {})
    await rm(folder, { recursive: true, force: true })
  }
  if (verdict.violations.length === 0) return
  const shown = verdict.violations.slice(0, MAX_SHOWN).join('\n\n')
  throw new CommandError(`${verdict.violations.length} violations with seed ${seed}. The first:\n\n${shown}`)
}
