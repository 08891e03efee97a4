import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type BenchDatabase,
  bundleService,
  createAccount,
  type RunningWorker,
  startWorker,
  type WorkerModule,
} from '../scripts/support/runtime.ts'
import { parseOptions } from '../scripts/support/script.ts'
import {
  formatSpread,
  formatTable,
  getRatios,
  measureInRounds,
  measureLoad,
  type SendRequest,
} from './load.ts'
import { newDocument } from './targets.ts'

const HELP = `Measures how the cost of an operation grows with the number of documents.

Usage: npm run bench -- scaling [options]

  --sizes LIST    numbers of documents in D1 (default 1000,100000,1000000)
  --expired N     expired documents for cleanup to delete, at the largest size (default 100000)

Each figure in the table is the CPU time per operation of the whole runtime process, in microseconds: the median of the rounds, in
brackets the middle half of them, and then the same for the ratio to the smallest size. Takes about three minutes.
`

const ROUNDS = 12
const REQUESTS_PER_ROUND = 400
const ROWS_PER_STATEMENT = 50_000

/** Inserts rows that look like documents. Their ids are as random as real ones. */
async function insertDocuments(
  database: BenchDatabase,
  from: number,
  to: number,
  expiresAt: number,
): Promise<void> {
  for (let start = from; start < to; start += ROWS_PER_STATEMENT) {
    await database
      .prepare(
        `WITH RECURSIVE n (i) AS (SELECT ?1 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?2)
          INSERT INTO documents (id, creator_id, content_key, content_bytes, content_until, language,
            image_embed, instant_delete, encrypted, public, version, created_at, updated_at, expires_at)
          SELECT substr(hex(randomblob(4)) || i, 1, 16), iif(i % 10 = 0, 'bench', NULL),
            'content/' || hex(randomblob(12)), 1024, 1, 'plaintext', 0, 0, 0, 0, hex(randomblob(6)),
            ?3 + i, ?3, ?4 + i FROM n`,
      )
      .bind(start, Math.min(to, start + ROWS_PER_STATEMENT), Date.now(), expiresAt)
      .run()
  }
}

const OPERATION_NAMES = ['create', 'read', 'list', 'edit', 'delete'] as const

type Operations = Record<(typeof OPERATION_NAMES)[number], SendRequest>

interface Setup {
  readonly size: number
  readonly worker: RunningWorker
  readonly operations: Operations
}

function createOperations(worker: RunningWorker, key: string): Operations {
  const headers = { 'Content-Type': 'application/json', Authorization: key }
  const send = (method: string, path: string, body?: object) =>
    fetch(`${worker.url}/v1/document${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
  const ids: string[] = []
  return {
    create: async () => {
      const response = await send('POST', '', newDocument)
      const { data } = (await response.clone().json()) as { data: { id: string } }
      ids.push(data.id)
      return response
    },
    read: (n) => send('GET', `/${ids[n % ids.length]}`),
    // A page of 20 documents. The account has a tenth of all documents.
    list: () => fetch(`${worker.url}/v1/users/@me/documents`, { headers }),
    edit: (n) => send('PATCH', '', { id: ids[n % ids.length], content: `version ${n}` }),
    delete: () => send('DELETE', `/${ids.pop()}`),
  }
}

const measureOperation = (setups: readonly Setup[], name: keyof Operations): Promise<number[][]> =>
  measureInRounds(setups, ROUNDS, async ({ worker, operations }, round) => {
    const options = { requests: REQUESTS_PER_ROUND, from: round * REQUESTS_PER_ROUND }
    return (await measureLoad(worker, operations[name], options)).cpuMicroseconds
  })

/** Returns the cells of an operation: its times, and their ratios to the smallest database. */
const toCells = (name: string, measured: readonly number[][]): string[] => [
  name,
  ...measured.map((microseconds, index) =>
    index === 0
      ? formatSpread(microseconds)
      : `${formatSpread(microseconds)}, × ${formatSpread(getRatios(microseconds, measured[0] ?? []), 2)}`,
  ),
]

async function startSetup(modules: readonly WorkerModule[], folder: string, size: number): Promise<Setup> {
  const worker = await startWorker(modules, join(folder, String(size)))
  const key = await createAccount(worker.database)
  await insertDocuments(worker.database, 0, size, Date.now() + 30 * 86_400_000)
  return { size, worker, operations: createOperations(worker, key) }
}

const getDatabaseBytes = async ({ worker }: Setup): Promise<number> =>
  Number((await worker.database.prepare('SELECT 1').run()).meta.size_after)

/** Returns what one more document takes in D1 with its index entries, in bytes. */
async function measureRow(smallest: Setup, largest: Setup): Promise<number> {
  const bytes = (await getDatabaseBytes(largest)) - (await getDatabaseBytes(smallest))
  return Math.round(bytes / (largest.size - smallest.size))
}

async function measureCleanup(worker: RunningWorker, expired: number): Promise<string> {
  const count = async () =>
    Number(await worker.database.prepare('SELECT count(*) AS n FROM documents').first<number>('n'))
  const before = await count()
  const started = Date.now()
  const cpu = await worker.cpuSeconds()
  await worker.runScheduled()
  const seconds = (Date.now() - started) / 1000
  const deleted = before - (await count())
  const cpuMicroseconds = (((await worker.cpuSeconds()) - cpu) / deleted) * 1e6
  return `cleanup deleted ${deleted} of ${expired} expired documents in ${seconds.toFixed(1)} s: ${Math.round(deleted / seconds)} per second, ${cpuMicroseconds.toFixed(0)} µs of CPU time each`
}

export async function measureScaling(): Promise<void> {
  const values = parseOptions(HELP, {
    sizes: { type: 'string', default: '1000,100000,1000000' },
    expired: { type: 'string', default: '100000' },
  })
  const folder = await mkdtemp(join(tmpdir(), 'regent-scaling-'))
  const modules = await bundleService()
  const setups: Setup[] = []
  try {
    for (const size of values.sizes.split(',').map(Number))
      setups.push(await startSetup(modules, folder, size))
    const [smallest] = setups
    const largest = setups.at(-1)
    if (smallest && largest && smallest !== largest)
      process.stdout.write(`a document takes ${await measureRow(smallest, largest)} bytes in D1\n`)
    const rows: string[][] = []
    for (const name of OPERATION_NAMES) rows.push(toCells(name, await measureOperation(setups, name)))
    const head = ['', ...setups.map(({ size }) => `${size.toLocaleString('en')} documents`)]
    process.stdout.write(formatTable(head, rows))
    const expired = Number(values.expired)
    if (largest && expired > 0) {
      const { worker, size } = largest
      await insertDocuments(worker.database, size, size + expired, Date.now() - 86_400_000)
      process.stdout.write(`${await measureCleanup(worker, expired)}\n`)
    }
  } finally {
    for (const { worker } of setups) await worker.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
