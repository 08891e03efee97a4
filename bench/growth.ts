import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runScript } from '../scripts/wrangler.ts'
import { addAccount } from './account.ts'
import { median } from './measure.ts'
import { newDocument } from './targets.ts'
import { bundleService, type RunningWorker, type Sql, startWorker } from './worker.ts'

const HELP = `Measures how the cost of an operation grows with the documents that are there.

Usage: npm run bench:growth -- [options]

  --sizes LIST    documents in D1 (1000,100000,1000000)
  --expired N     documents that cleanup finds expired, at the largest size (100000)

CPU is that of the whole runtime process, in microseconds an operation: the median of the rounds.
`

const ROUNDS = 5
const OPERATIONS_A_ROUND = 600
const AT_ONCE = 16
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

type Operation = (n: number) => Promise<Response>

/** Microseconds of CPU an operation takes, in each round. */
async function measureOperation(worker: RunningWorker, operation: Operation): Promise<number[]> {
  const rounds: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const before = await worker.cpuSeconds()
    let next = 0
    const work = async () => {
      for (let n = next++; n < OPERATIONS_A_ROUND; n = next++) {
        const response = await operation(round * OPERATIONS_A_ROUND + n)
        if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
        await response.arrayBuffer()
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    // The first round warms up.
    if (round > 0) rounds.push((((await worker.cpuSeconds()) - before) / OPERATIONS_A_ROUND) * 1e6)
  }
  return rounds
}

async function measureAll(worker: RunningWorker, key: string): Promise<Record<string, number>> {
  const headers = { 'Content-Type': 'application/json', Authorization: key }
  const send = (method: string, path: string, body?: object) =>
    fetch(`${worker.url}/v1/document${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
  const ids: string[] = []
  const create: Operation = async () => {
    const response = await send('POST', '', newDocument)
    const { data } = (await response.clone().json()) as { data: { id: string } }
    ids.push(data.id)
    return response
  }
  const id = (n: number) => ids[n % ids.length] ?? ''
  const operations: Record<string, Operation> = {
    create,
    read: (n) => send('GET', `/${id(n)}`),
    edit: (n) => send('PATCH', '', { id: id(n), content: `version ${n}` }),
    delete: (n) => send('DELETE', `/${id(n)}`),
  }
  const costs: Record<string, number> = {}
  for (const [name, operation] of Object.entries(operations)) {
    costs[name] = median(await measureOperation(worker, operation))
  }
  return costs
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
  const worker = await startWorker(await bundleService(), folder)
  try {
    const key = await addAccount(worker.database)
    let filled = 0
    let first: Record<string, number> | null = null
    for (const size of values.sizes.split(',').map(Number)) {
      await fill(worker.database, filled, size, Date.now() + 30 * 86_400_000)
      filled = size
      const costs = await measureAll(worker, key)
      first ??= costs
      const cells = Object.entries(costs).map(
        ([name, cost]) => `${name} ${cost.toFixed(0)} µs (${(cost / (first?.[name] ?? cost)).toFixed(2)})`,
      )
      process.stdout.write(`${size} documents: ${cells.join(', ')}\n`)
    }
    const expired = Number(values.expired)
    await fill(worker.database, filled, filled + expired, Date.now() - 86_400_000)
    process.stdout.write(`${await measureCleanup(worker, expired)}\n`)
  } finally {
    await worker.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

await runScript(main)
