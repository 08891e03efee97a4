import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { unstable_readConfig, unstable_splitSqlQuery } from 'wrangler'
import { ROOT } from '../support/wrangler.ts'
import type { WorkerModule } from './modules.ts'

/** A Worker in a process of its own, reached through a direct socket. */
export interface RunningWorker {
  readonly url: string
  /** Its process. */
  readonly pid: number
  /** Returns the CPU seconds that the process has used. */
  readonly cpuSeconds: () => Promise<number>
  /** Returns the peak memory of the process since the last call, and its memory now, in bytes. */
  readonly memory: () => Promise<{ readonly peak: number; readonly now: number }>
  /** Returns the address of the inspector. */
  readonly inspector: () => Promise<URL>
  /** Runs the scheduled trigger once. */
  readonly runScheduled: (cron?: string) => Promise<void>
  readonly database: BenchDatabase
  readonly stop: () => Promise<void>
}

/** Miniflare's type of a Worker leaves out `scheduled`. */
type Schedulable = Awaited<ReturnType<Miniflare['getWorker']>> & {
  scheduled(options: object): Promise<unknown>
}

/** The part of D1 that preparing a run needs. */
export type BenchDatabase = Awaited<ReturnType<Miniflare['getD1Database']>>

/** Creates the tables, unless the storage is a copy that has them already. */
export async function createTables(database: BenchDatabase): Promise<void> {
  const existing = await database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'documents'").first()
  if (existing) return
  const sql = await readFile(join(ROOT, 'schema.sql'), 'utf8')
  await database.batch(unstable_splitSqlQuery(sql).map((statement) => database.prepare(statement)))
}

/** Returns the ids of the processes that this one has started. */
async function findChildProcesses(): Promise<number[]> {
  const threads = await readdir('/proc/self/task')
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/self/task/${thread}/children`, 'utf8').catch(() => '')),
  )
  return lists.flatMap((list) => list.trim().split(' ').filter(Boolean).map(Number))
}

/** Adds up the nanoseconds that each thread has run: `/proc/PID/stat` counts only hundredths of a second. */
async function readCpuSeconds(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`)
  const times = threads.map(async (thread) => {
    const stat = await readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').catch(() => '0')
    return Number(stat.split(' ', 1)[0])
  })
  return (await Promise.all(times)).reduce((sum, time) => sum + time, 0) / 1e9
}

async function readMemory(pid: number): Promise<{ peak: number; now: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const bytes = (field: string) => Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) * 1024
  // Writing "5" resets the peak to the current size (proc(5)).
  await writeFile(`/proc/${pid}/clear_refs`, '5')
  return { peak: bytes('VmHWM'), now: bytes('VmRSS') }
}

/** Switches limits off: all requests come from one client. */
const WITHOUT_LIMITS = {
  RATE_LIMITS: 'off',
  ACCOUNT_MAX_DOCUMENTS: '0',
  ACCOUNT_MAX_BYTES: '0',
  ACCOUNT_MAX_CREATES_PER_DAY: '0',
  SERVER_MAX_DOCUMENTS: '0',
  SERVER_MAX_BYTES: '0',
  SERVER_MAX_CREATES_PER_DAY: '0',
}

/** The binding through which the Worker reads static files. */
export const STATIC_FILES = { ASSETS: { disk: { path: join(ROOT, 'dist/client') } } }

/**
 * Starts a Worker that stores its data in a folder, and creates the tables.
 *
 * @param modules its files. The first is the entry point.
 * @param secrets added to the variables of `wrangler.toml`.
 */
export async function startWorker(
  modules: readonly WorkerModule[],
  folder: string,
  secrets: Readonly<Record<string, string>> = {},
): Promise<RunningWorker> {
  const config = unstable_readConfig({ config: join(ROOT, 'wrangler.toml') })
  const before = new Set(await findChildProcesses())
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      resourcePersistencePath: folder,
      modules: [...modules],
      compatibilityDate: config.compatibility_date,
      bindings: { ...config.vars, ...WITHOUT_LIMITS, ...secrets },
      d1Databases: { DB: 'regent' },
      kvNamespaces: { CONTENTS: 'contents' },
      serviceBindings: STATIC_FILES,
      inspectorPort: 0,
      unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
      telemetry: { enabled: false },
    }),
  )
  await runtime.ready
  await createTables(await runtime.getD1Database('DB'))
  const pid = (await findChildProcesses()).find((child) => !before.has(child))
  if (pid === undefined) throw new Error('The runtime started no process')
  const url = await runtime.unsafeGetDirectURL()
  return {
    url: url.origin,
    pid,
    cpuSeconds: () => readCpuSeconds(pid),
    memory: () => readMemory(pid),
    inspector: () => runtime.getInspectorURL(),
    runScheduled: async (cron) => {
      const worker = (await runtime.getWorker()) as Schedulable
      await worker.scheduled(cron === undefined ? {} : { cron })
    },
    database: await runtime.getD1Database('DB'),
    stop: () => runtime.dispose(),
  }
}
