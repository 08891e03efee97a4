import { type ChildProcess, execFileSync } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { unstable_readConfig, unstable_splitSqlQuery } from 'wrangler'
import { generateApiKey } from '../../src/accounts/key-format.ts'
import { hashSecret } from '../../src/shared/hashing.ts'
import { bundleWorker, ENTRY_POINT, listFiles } from '../build/worker.ts'
import { ROOT, relativePath } from './script.ts'

/** A file of a Worker. */
export interface WorkerModule {
  readonly type: 'ESModule' | 'CompiledWasm'
  readonly path: string
  readonly contents: Uint8Array<ArrayBuffer>
}

const TYPES = { '.js': 'ESModule', '.wasm': 'CompiledWasm' } as const

/** Turns files into the modules of a Worker: its entry point comes first, and other files are left out. */
export function toModules(files: ReadonlyMap<string, Uint8Array>): WorkerModule[] {
  if (!files.has(ENTRY_POINT)) throw new Error(`The bundle has no ${ENTRY_POINT}`)
  const modules = [...files].flatMap(([path, contents]): WorkerModule[] => {
    const extension = extname(path)
    if (extension !== '.js' && extension !== '.wasm') return []
    return [{ type: TYPES[extension], path, contents: new Uint8Array(contents) }]
  })
  return modules.sort((one, other) => Number(other.path === ENTRY_POINT) - Number(one.path === ENTRY_POINT))
}

/** Reads the modules of a Worker from the folder that a build has written. */
export async function readModules(folder: string): Promise<WorkerModule[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => join(parentPath, name))
  const files = paths.map(async (path) => [relativePath(folder, path), await readFile(path)] as const)
  return toModules(new Map(await Promise.all(files)))
}

/** Writes modules to a folder, for `readModules`. */
export async function writeModules(folder: string, modules: readonly WorkerModule[]): Promise<void> {
  for (const { path, contents } of modules) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), contents)
  }
}

/** Builds the service, and returns the modules that `npm run deploy` would upload. */
export async function bundleService(): Promise<WorkerModule[]> {
  for (const script of ['build-client', 'build-worker'])
    execFileSync(process.execPath, [join('scripts', `${script}.ts`)], { cwd: ROOT, stdio: 'inherit' })
  return readModules(join(ROOT, 'dist/worker'))
}

/** Bundles another Worker as the service is bundled. */
export const bundleOther = async (source: string): Promise<WorkerModule[]> =>
  toModules(listFiles(await bundleWorker(source)))

/** A Worker in a process of its own, reached through a direct socket. */
export interface RunningWorker extends AsyncDisposable {
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

/** Waits for what starts the runtime, and returns the id of the runtime's process. */
async function findProcess(ready: Promise<unknown>): Promise<number> {
  const started: ChildProcess[] = []
  const note = (message: unknown) => void started.push((message as { process: ChildProcess }).process)
  subscribe('child_process', note)
  await ready.finally(() => unsubscribe('child_process', note))
  const pid = started.find(({ spawnfile }) => spawnfile.includes('workerd'))?.pid
  if (pid === undefined) throw new Error('The runtime started no process')
  return pid
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
  ACCOUNT_MAX_WRITES_PER_DAY: '0',
  SERVER_MAX_DOCUMENTS: '0',
  SERVER_MAX_BYTES: '0',
  SERVER_MAX_WRITES_PER_DAY: '0',
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
  const pid = await findProcess(runtime.ready)
  await createTables(await runtime.getD1Database('DB'))
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
    [Symbol.asyncDispose]: () => runtime.dispose(),
  }
}

/** Creates a confirmed account and returns its API key. The account's id is its username. */
export async function createAccount(database: BenchDatabase, username = 'bench'): Promise<string> {
  const key = generateApiKey()
  await database.batch([
    database
      .prepare(
        `INSERT INTO users (id, username, email, confirmed, created_at)
          VALUES (?1, ?1, ?1 || '@example.org', 1, 0)`,
      )
      .bind(username),
    database
      .prepare("INSERT INTO api_keys (key_hash, id, user_id, name, created_at) VALUES (?2, ?1, ?1, '', 0)")
      .bind(username, await hashSecret(key)),
  ])
  return key
}
