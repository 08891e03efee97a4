import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { bundleService, readModules, type WorkerModule } from '../scripts/runtime/modules.ts'
import { type RunningWorker, startWorker } from '../scripts/runtime/worker.ts'
import { CommandError, runScript } from '../scripts/support/wrangler.ts'
import {
  formatSpread,
  formatTable,
  getRatios,
  measureInRounds,
  measureLoad,
  type SendRequest,
} from './load.ts'
import { FLOORS, OPERATIONS, seed } from './targets.ts'

const HELP = `Measures the CPU time of the service itself: D1 and KV answer from memory, in the same isolate.

Usage: npm run bench:own -- [options]

  --against DIR   compare with another build, such as dist/worker of an earlier commit
  --rounds N      how often each is measured (default 15)
  --requests N    requests in a round (default 500)
  --only TEXT     only operations whose name contains TEXT

Figures are microseconds per request, without those of a request that does nothing: the median of all rounds, and in
brackets the middle half of them. They include a few for the storage in memory. Takes about two minutes.
`

interface Build {
  readonly name: string
  readonly modules: readonly WorkerModule[]
}

const STORAGE = new URL('workers/remembered-storage.js', import.meta.url)

async function startBuild({ modules, name }: Build, folder: string): Promise<RunningWorker> {
  const contents = new Uint8Array(await readFile(STORAGE))
  const storage = { type: 'ESModule', path: 'remembered-storage.js', contents } as const
  // Every read asks the database, which answers from memory.
  return startWorker([storage, ...modules], join(folder, name), { READ_FROM: 'primary' })
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

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      against: { type: 'string' },
      rounds: { type: 'string', default: '15' },
      requests: { type: 'string', default: '500' },
      only: { type: 'string', default: '' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(HELP)
    return
  }
  const operations = Object.keys(OPERATIONS).filter((name) => name.includes(values.only))
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

await runScript(main)
