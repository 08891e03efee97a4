import { mkdtemp, mkdtempDisposable, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  bundleService,
  type RunningWorker,
  readModules,
  startWorker,
  type WorkerModule,
} from '../scripts/support/runtime.ts'
import { parseOptions } from '../scripts/support/script.ts'
import { CommandError } from '../scripts/support/wrangler.ts'
import {
  formatSpread,
  formatTable,
  getRatios,
  measureInRounds,
  measureLoad,
  type SendRequest,
} from './load.ts'
import { FLOORS, HEAVY_OPERATIONS, OPERATIONS, seed } from './targets.ts'

const HELP = `Measures the CPU time of the service itself: D1 and KV answer from memory, in the same isolate.

Usage: npm run bench -- own [options]

  --against DIR   compare with another build, such as dist/worker of an earlier commit
  --rounds N      how often each is measured (default 15)
  --requests N    requests in a round (default 500)
  --only TEXT     only operations whose name contains TEXT
  --heavy         instead, operations that take milliseconds: the first one in an isolate, and the median of later ones

Each read asks the database, and each page is rendered. Figures are microseconds per request, without those of a request that does nothing: the median of all rounds, and in
brackets the middle half of them. They include a few for the storage in memory. Takes about a minute.
`

interface Build {
  readonly name: string
  readonly modules: readonly WorkerModule[]
}

const STORAGE = new URL('workers/remembered-storage.js', import.meta.url)

async function startBuild(
  { modules, name }: Build,
  folder: string,
  secrets: Readonly<Record<string, string>> = {},
): Promise<RunningWorker> {
  const contents = new Uint8Array(await readFile(STORAGE))
  const storage = { type: 'ESModule', path: 'remembered-storage.js', contents } as const
  // Every read asks the database, which answers from memory.
  return startWorker([storage, ...modules], join(folder, name), { READ_FROM: 'primary', ...secrets })
}

interface Item {
  readonly operation: string
  readonly worker: RunningWorker
  readonly send: SendRequest
}

async function measureBuilds(
  builds: readonly Build[],
  operations: readonly string[],
  options: { rounds: number; requests: number },
) {
  const folder = await mkdtemp(join(tmpdir(), 'regent-own-'))
  const workers: RunningWorker[] = []
  try {
    const items: Item[] = []
    for (const build of builds) {
      const worker = await startBuild(build, folder)
      workers.push(worker)
      const seeded = await seed(worker, 8)
      const sends = { hello: FLOORS.hello, ...OPERATIONS }
      for (const operation of ['hello', ...operations]) {
        items.push({ operation, worker, send: sends[operation as keyof typeof sends](worker.url, seeded) })
      }
    }
    // The same operation of all builds, one after the other.
    items.sort((one, other) => operations.indexOf(one.operation) - operations.indexOf(other.operation))
    const { rounds, requests } = options
    const measured = await measureInRounds(
      items,
      rounds,
      async ({ worker, send }, round) =>
        (await measureLoad(worker, send, { requests, from: round * requests })).cpuMicroseconds,
    )
    return (operation: string, build: number): number[] => {
      const find = (name: string) =>
        measured[items.findIndex((item) => item.operation === name && item.worker === workers[build])] ?? []
      return find(operation).map((cpu, round) => cpu - (find('hello')[round] ?? 0))
    }
  } finally {
    for (const worker of workers) await worker.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

const LATER_REQUESTS = 9
/** Lets people sign in. */
const SIGN_IN = { AUTH_SECRET: 'a secret of the benchmark, which is long enough', MAIL_FROM: 'terminal' }

/** Measures each operation in an isolate of its own that has answered nothing but small requests. In milliseconds. */
async function measureHeavy(modules: readonly WorkerModule[], only: string): Promise<string[][]> {
  const rows: string[][] = []
  for (const [operation, prepare] of Object.entries(HEAVY_OPERATIONS)) {
    if (!operation.includes(only)) continue
    await using folder = await mkdtempDisposable(join(tmpdir(), 'regent-own-'))
    await using worker = await startBuild({ name: 'this', modules }, folder.path, SIGN_IN)
    const seeded = await seed(worker, 8)
    await (await FLOORS.hello(worker.url)()).text()
    const send = prepare(worker.url, seeded)
    const times: number[] = []
    for (let n = 0; n <= LATER_REQUESTS; n++) {
      const before = await worker.cpuSeconds()
      const response = await send(n)
      await response.arrayBuffer()
      if (response.status >= 400) throw new Error(`${operation}: ${response.status}`)
      times.push(((await worker.cpuSeconds()) - before) * 1_000)
    }
    const [first = 0, ...later] = times
    rows.push([operation, first.toFixed(1), formatSpread(later, 1)])
  }
  return rows
}

export async function measureOwn(): Promise<void> {
  const values = parseOptions(HELP, {
    against: { type: 'string' },
    rounds: { type: 'string', default: '15' },
    requests: { type: 'string', default: '500' },
    only: { type: 'string', default: '' },
    heavy: { type: 'boolean', default: false },
  })
  if (values.heavy) {
    const rows = await measureHeavy(await bundleService(), values.only)
    process.stdout.write(formatTable(['', 'first, CPU ms', 'later, CPU ms'], rows))
    return
  }
  // Content is always in memory here.
  const operations = Object.keys(OPERATIONS).filter(
    (name) => name.includes(values.only) && name !== 'JSON, cold',
  )
  if (operations.length === 0) throw new CommandError(`No operation's name contains "${values.only}".`)
  const builds: Build[] = [{ name: 'this', modules: await bundleService() }]
  if (values.against !== undefined) builds.push({ name: 'other', modules: await readModules(values.against) })
  const options = { rounds: Number(values.rounds), requests: Number(values.requests) }
  const getCpu = await measureBuilds(builds, operations, options)
  const head = ['', 'own CPU µs', ...(builds.length > 1 ? [values.against ?? '', 'ratio'] : [])]
  const rows = operations.map((operation) => {
    const [own, other] = [getCpu(operation, 0), getCpu(operation, 1)]
    const compared = builds.length > 1 ? [formatSpread(other), formatSpread(getRatios(own, other), 2)] : []
    return [operation, formatSpread(own), ...compared]
  })
  process.stdout.write(formatTable(head, rows))
}
