import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { unstable_readConfig } from 'wrangler'
import { splitStatements } from '../scripts/sql.ts'
import { CommandError, ROOT, runWrangler } from '../scripts/wrangler.ts'

/** A Worker in a process of its own, reached by a socket that nothing stands in front of. */
export interface RunningWorker {
  readonly url: string
  /** Seconds of CPU that its process has used. */
  readonly cpuSeconds: () => Promise<number>
  /** The most memory that its process has held since the last call, and what it holds now, in bytes. */
  readonly memory: () => Promise<{ readonly peak: number; readonly now: number }>
  /** Runs the scheduled trigger once. */
  readonly runScheduled: () => Promise<void>
  readonly database: Sql
  readonly stop: () => Promise<void>
}

/** As much of D1 as preparing a run needs. */
export type Sql = Awaited<ReturnType<Miniflare['getD1Database']>>

async function applySchema(database: Sql): Promise<void> {
  const sql = await readFile(join(ROOT, 'schema.sql'), 'utf8')
  await database.batch(splitStatements(sql).map((statement) => database.prepare(statement)))
}

/** The Worker as it is deployed: what `wrangler deploy` would upload. */
export async function bundleService(): Promise<string> {
  const out = await mkdtemp(join(tmpdir(), 'regent-bundle-'))
  const { code, stderr, stdout } = await runWrangler(['deploy', '--dry-run', '--outdir', out])
  if (code !== 0) throw new CommandError(`wrangler did not bundle the Worker:\n${stdout}${stderr}`)
  return readAndRemove(out, 'index.js')
}

async function readAndRemove(folder: string, name: string): Promise<string> {
  const script = await readFile(join(folder, name), 'utf8')
  await rm(folder, { recursive: true })
  return script
}

/** A Worker of one file, with what it imports. */
export async function bundleFloor(name: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(ROOT, 'bench/floors', `${name}.ts`)],
    bundle: true,
    format: 'esm',
    write: false,
  })
  const [file] = outputFiles
  if (!file) throw new Error(`esbuild wrote nothing for ${name}`)
  return file.text
}

/** The processes that this one has started. */
async function childProcesses(): Promise<number[]> {
  const threads = await readdir('/proc/self/task')
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/self/task/${thread}/children`, 'utf8').catch(() => '')),
  )
  return lists.flatMap((list) => list.trim().split(' ').filter(Boolean).map(Number))
}

/** Linux counts CPU time in hundredths of a second (`getconf CLK_TCK`). */
const TICKS_A_SECOND = 100

async function cpuSecondsOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  // The second field, in brackets, may hold anything; user and system time are the 14th and 15th.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND
}

async function memoryOf(pid: number): Promise<{ peak: number; now: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const bytes = (field: string) => Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) * 1024
  // Linux: "5" makes the present size the peak.
  await writeFile(`/proc/${pid}/clear_refs`, '5')
  return { peak: bytes('VmHWM'), now: bytes('VmRSS') }
}

/**
 * Starts a Worker on the storage of a folder, with the tables in it.
 *
 * @param script one ES module.
 * @param secrets beside the vars of `wrangler.toml`.
 */
export async function startWorker(
  script: string,
  folder: string,
  secrets: Readonly<Record<string, string>> = {},
): Promise<RunningWorker> {
  const config = unstable_readConfig({ config: join(ROOT, 'wrangler.toml') })
  const before = new Set(await childProcesses())
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      resourcePersistencePath: folder,
      modules: [{ type: 'ESModule', path: 'index.js', contents: script }],
      compatibilityDate: config.compatibility_date,
      bindings: { ...config.vars, ...secrets },
      d1Databases: { DB: 'regent' },
      kvNamespaces: { CONTENTS: 'contents' },
      unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
      telemetry: { enabled: false },
    }),
  )
  await runtime.ready
  await applySchema(await runtime.getD1Database('DB'))
  const pid = (await childProcesses()).find((child) => !before.has(child))
  if (pid === undefined) throw new Error('the runtime started no process')
  const url = await runtime.unsafeGetDirectURL()
  return {
    url: url.origin,
    cpuSeconds: () => cpuSecondsOf(pid),
    memory: () => memoryOf(pid),
    runScheduled: async () => {
      // Miniflare types a worker by its `fetch` alone.
      const worker = (await runtime.getWorker()) as unknown as {
        scheduled(options: object): Promise<unknown>
      }
      await worker.scheduled({})
    },
    database: await runtime.getD1Database('DB'),
    stop: () => runtime.dispose(),
  }
}
