import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runScript } from '../scripts/wrangler.ts'
import { addAccount } from './account.ts'
import { median } from './measure.ts'
import { newDocument } from './targets.ts'
import { type Operation, takeTurn } from './turns.ts'
import { bundleService, type RunningWorker, type Sql, startWorker } from './worker.ts'

const HELP = `Measures how the cost of an operation grows with the documents that are there.

Usage: npm run bench:growth -- [options]

  --sizes LIST    documents in D1 (1000,100000,1000000)
  --expired N     documents that cleanup finds expired, at the largest size (100000)

CPU is that of the whole runtime process, in microseconds an operation: the median of the turns. The ratio
is the median of the ratios to the smallest size, of turns that follow each other.
`

const ROUNDS = 12
const OPERATIONS_A_TURN = 400
const ROWS_AT_ONCE = 50_000

/** Fills D1 with rows that look like documents: their ids are as random as real ones. */
async function fill(database: Sql, from: number, to: number, expiresAt: number): Promise<void> {
  for (let start = from; start < to; start += ROWS_AT_ONCE) {
    await database
      .prepare(
        `WITH RECURSIVE n (i) AS (SELECT ?1 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?2)
          INSERT INTO documents (id, creator_id, content_key, content_bytes, content_until, language,
            image_embed, instant_delete, encrypted, public, version, created_at, updated_at, expires_at)
          SELECT substr(hex(randomblob(4)) || i, 1, 16), iif(i % 10 = 0, 'bench', NULL),
            'content/' || hex(randomblob(12)), 1024, 1, 'plaintext', 0, 0, 0, 0, hex(randomblob(6)),
            ?3 + i, ?3, ?4 + i FROM n`,
      )
      .bind(start, Math.min(to, start + ROWS_AT_ONCE), Date.now(), expiresAt)
      .run()
  }
}

const OPERATION_NAMES = ['create', 'read', 'list', 'edit', 'delete'] as const

type Operations = Record<(typeof OPERATION_NAMES)[number], Operation>

interface Place {
  readonly size: number
  readonly worker: RunningWorker
  readonly operations: Operations
}

function operationsOf(worker: RunningWorker, key: string): Operations {
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
    // A page of 20 of an account with a tenth of all documents.
    list: () => fetch(`${worker.url}/v1/users/@me/documents`, { headers }),
    edit: (n) => send('PATCH', '', { id: ids[n % ids.length], content: `version ${n}` }),
    delete: () => send('DELETE', `/${ids.pop()}`),
  }
}

/** Lets the places take turns, so that what else the machine does meets all of them alike. */
async function measureOperation(places: readonly Place[], name: keyof Operations): Promise<number[][]> {
  const turns: number[][] = places.map(() => [])
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [index, { worker, operations }] of places.entries()) {
      const microseconds = await takeTurn(worker, operations[name], { round, operations: OPERATIONS_A_TURN })
      // The first round warms up.
      if (round > 0) turns[index]?.push(microseconds)
    }
  }
  return turns
}

function toLine(name: string, places: readonly Place[], turns: readonly number[][]): string {
  const cells = places.map(({ size }, index) => {
    const own = turns[index] ?? []
    const ratio = median(own.map((microseconds, round) => microseconds / (turns[0]?.[round] ?? Number.NaN)))
    return `${size}: ${median(own).toFixed(0)} µs (${ratio.toFixed(2)})`
  })
  return `${name.padEnd(8)}${cells.join('   ')}\n`
}

async function openPlace(script: string, folder: string, size: number): Promise<Place> {
  const worker = await startWorker(script, join(folder, String(size)))
  const key = await addAccount(worker.database)
  await fill(worker.database, 0, size, Date.now() + 30 * 86_400_000)
  return { size, worker, operations: operationsOf(worker, key) }
}

async function measureCleanup(worker: RunningWorker, expired: number): Promise<string> {
  const count = async () =>
    Number(await worker.database.prepare('SELECT count(*) AS n FROM documents').first<number>('n'))
  const before = await count()
  const started = Date.now()
  const cpu = await worker.cpuSeconds()
  await worker.runScheduled()
  const seconds = (Date.now() - started) / 1000
  const removed = before - (await count())
  const cpuMicroseconds = (((await worker.cpuSeconds()) - cpu) / removed) * 1e6
  return `cleanup of ${expired}: ${removed} removed in ${seconds.toFixed(1)} s, ${Math.round(removed / seconds)} a second, ${cpuMicroseconds.toFixed(0)} µs of CPU each`
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      sizes: { type: 'string', default: '1000,100000,1000000' },
      expired: { type: 'string', default: '100000' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(HELP)
    return
  }
  const folder = await mkdtemp(join(tmpdir(), 'regent-growth-'))
  const script = await bundleService()
  const places: Place[] = []
  try {
    for (const size of values.sizes.split(',').map(Number)) places.push(await openPlace(script, folder, size))
    for (const name of OPERATION_NAMES) {
      process.stdout.write(toLine(name, places, await measureOperation(places, name)))
    }
    const largest = places.at(-1)
    const expired = Number(values.expired)
    if (largest && expired > 0) {
      const { worker, size } = largest
      await fill(worker.database, size, size + expired, Date.now() - 86_400_000)
      process.stdout.write(`${await measureCleanup(worker, expired)}\n`)
    }
  } finally {
    for (const { worker } of places) await worker.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

await runScript(main)
