import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleOther, bundleService, type RunningWorker, startWorker } from '../scripts/support/runtime.ts'
import { parseOptions } from '../scripts/support/script.ts'
import { CommandError } from '../scripts/support/wrangler.ts'
import {
  formatSpread,
  formatTable,
  getRatios,
  type Load,
  measureInRounds,
  measureLoad,
  median,
  quantile,
  type SendRequest,
} from './load.ts'
import { FLOORS, newDocument, OPERATIONS, seed } from './targets.ts'

const HELP = `Compares the service with Workers that only make the same storage calls, and with one that knows only KV.

Usage: npm run bench -- [options]

  --rounds N     how often each is measured (default 15)
  --requests N   requests in a round (default 400)
  --only TEXT    only rows whose name contains TEXT, and what they are compared with

Prints a table in Markdown: the median of all rounds, and in brackets the middle half of them. Takes about four minutes.
`

/** Each in a process of its own, on a copy of the same storage. With READ_FROM=primary, every read takes a query. */
const WORKERS = ['service', 'primary', 'floors'] as const
type WorkerName = (typeof WORKERS)[number]

interface Row {
  readonly name: string
  readonly worker: WorkerName
  readonly send: (typeof OPERATIONS | typeof FLOORS)[keyof (typeof OPERATIONS | typeof FLOORS)]
  /** The row that it's compared with, and the largest ratio that is good enough. */
  readonly floor?: string
  readonly goal?: number
}

const floor = (name: keyof typeof FLOORS): Row => ({
  name: `floor: ${name}`,
  worker: 'floors',
  send: FLOORS[name],
})
/** The service's own statements, and how much they add to the least. */
const ownCalls = (name: 'row' | 'create' | 'create with a key' | 'edit'): Row => ({
  name: `own calls: ${name}`,
  worker: 'floors',
  send: FLOORS[`own ${name}`],
  floor: `floor: ${name}`,
})
const peer = (name: 'KV only, raw' | 'KV only, create'): Row => ({
  name,
  worker: 'floors',
  send: FLOORS[name],
})

/** How much more than its storage calls an operation may take. */
const OWN_GOAL = 1.25

const ROWS: readonly Row[] = [
  floor('hello'),
  peer('KV only, raw'),
  {
    name: 'raw, read within a second',
    worker: 'service',
    send: OPERATIONS['raw, hot'],
    floor: 'KV only, raw',
    goal: 0.7,
  },
  {
    name: 'JSON, read within a second',
    worker: 'service',
    send: OPERATIONS['JSON, hot'],
    floor: 'KV only, raw',
    goal: 0.7,
  },
  {
    name: 'page, read within a second',
    worker: 'service',
    send: OPERATIONS['page, hot'],
    floor: 'KV only, raw',
  },
  floor('row'),
  ownCalls('row'),
  ...Object.entries({
    raw: OPERATIONS['raw, hot'],
    JSON: OPERATIONS['JSON, hot'],
    'not modified': OPERATIONS['not modified'],
    page: OPERATIONS['page, hot'],
  }).map(([name, send]): Row => ({ name, worker: 'primary', send, floor: 'own calls: row', goal: OWN_GOAL })),
  floor('row and content'),
  {
    name: 'JSON, content in KV',
    worker: 'primary',
    send: OPERATIONS['JSON, cold'],
    floor: 'floor: row and content',
    goal: OWN_GOAL,
  },
  peer('KV only, create'),
  ...(['create', 'create with a key', 'edit'] as const).flatMap((name): Row[] => [
    floor(name),
    ownCalls(name),
    { name, worker: 'service', send: OPERATIONS[name], floor: `own calls: ${name}`, goal: OWN_GOAL },
  ]),
]

function selectRows(only: string | undefined): Row[] {
  const chosen = ROWS.filter(({ name }) => name.includes(only ?? ''))
  if (chosen.length === 0) throw new CommandError(`No row's name contains "${only}".`)
  const compared = ROWS.filter((row) => chosen.some((one) => one.floor === row.name))
  const names = new Set([...chosen, ...compared].flatMap(({ name, floor }) => [name, floor]))
  return ROWS.filter(({ name }) => names.has(name))
}

async function startWorkers(folder: string) {
  const service = await bundleService()
  const seeding = await startWorker(service, join(folder, 'seed'))
  const seeded = await seed(seeding)
  await seeding.stop()
  const workers = new Map<WorkerName, RunningWorker>()
  for (const name of WORKERS) {
    await cp(join(folder, 'seed'), join(folder, name), { recursive: true })
    const modules = name === 'floors' ? await bundleOther('bench/workers/floors.ts') : service
    const vars: Record<string, string> = name === 'primary' ? { READ_FROM: 'primary' } : {}
    workers.set(name, await startWorker(modules, join(folder, name), vars))
  }
  const peer = `${workers.get('floors')?.url}/kv-only`
  for (const { id } of seeded.hot) await fetch(`${peer}/${id}`, { method: 'PUT', body: newDocument.content })
  return { workers, seeded }
}

/** Says whether the goal is met only if the middle half of all rounds is on one side of it. */
function judge(ratios: readonly number[], goal: number | undefined): string {
  if (goal === undefined) return ''
  const verdict =
    quantile(ratios, 0.75) <= goal ? 'met' : quantile(ratios, 0.25) > goal ? 'not met' : 'unclear'
  return `≤ ${goal.toFixed(2)}: ${verdict}`
}

function formatRow(row: Row, loads: readonly Load[], floorLoads: readonly Load[] | undefined): string[] {
  const getCpu = (all: readonly Load[]) => all.map(({ cpuMicroseconds }) => cpuMicroseconds)
  const ratios = floorLoads && getRatios(getCpu(loads), getCpu(floorLoads))
  return [
    row.name,
    formatSpread(getCpu(loads)),
    row.floor ?? '',
    ratios ? formatSpread(ratios, 2) : '',
    ratios ? judge(ratios, row.goal) : '',
    median(loads.map(({ p50Ms }) => p50Ms)).toFixed(1),
    median(loads.map(({ p99Ms }) => p99Ms)).toFixed(1),
  ]
}

async function compare(rows: readonly Row[], rounds: number, requests: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'regent-bench-'))
  const { workers, seeded } = await startWorkers(folder)
  const prepared = rows.map(({ worker: name, send }): [RunningWorker, SendRequest] => {
    const worker = workers.get(name)
    if (!worker) throw new Error(`${name} isn't started`)
    return [worker, send(worker.url, seeded)]
  })
  try {
    const measured = await measureInRounds(prepared, rounds, async ([worker, send], round) => {
      // Without a recent one, every read asks the primary, too.
      if (worker === workers.get('service')) await worker.runScheduled('* * * * *')
      return measureLoad(worker, send, { requests, from: round * requests })
    })
    const cells = rows.map((row, index) =>
      formatRow(row, measured[index] ?? [], measured[rows.findIndex(({ name }) => name === row.floor)]),
    )
    return formatTable(['', 'CPU µs', 'compared with', 'ratio', 'goal', 'p50 ms', 'p99 ms'], cells)
  } finally {
    for (const worker of workers.values()) await worker.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

export async function compareServices(): Promise<void> {
  const values = parseOptions(HELP, {
    rounds: { type: 'string', default: '15' },
    requests: { type: 'string', default: '400' },
    only: { type: 'string' },
  })
  const [rounds, requests] = [Number(values.rounds), Number(values.requests)]
  if (!(rounds >= 1 && requests >= 1)) throw new CommandError('--rounds and --requests must be at least 1.')
  process.stdout.write(await compare(selectRows(values.only), rounds, requests))
}
