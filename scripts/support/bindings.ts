import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Miniflare, V4WorkerOptionsShape } from 'miniflare'
import { getLocalIds, getVariables, readConfig, requireValid, writeConfig } from './config.ts'
import { DEFAULT_FOLDER } from './data-folder.ts'
import { settleDatabase } from './deployed-database.ts'
import { withServerFiles } from './one-machine.ts'
import { CommandError } from './script.ts'
import type { Bindings, ContentNamespace, SqlDatabase } from './storage.ts'
import { requireSignedIn, runWrangler } from './wrangler.ts'

/** Which database and KV namespace a command uses. */
export interface Target {
  readonly remote: boolean
  /** The folder of a local database; null means the folder that `npm run dev` uses. */
  readonly persistTo: string | null
  /** The folder of a server on one machine, in place of both. */
  readonly data?: string
}

/** Runs wrangler and returns the JSON that it prints. */
async function readJson<T>(args: readonly string[]): Promise<T> {
  // With the log level `error`, which `connect` sets, wrangler prints no JSON either.
  const output = await runWrangler(args, { WRANGLER_LOG: 'log' })
  requireSignedIn(output)
  const { code, stdout, stderr } = output
  const start = stdout.search(/[[{]/)
  if (code !== 0 || start === -1) {
    throw new CommandError(`"wrangler ${args.join(' ')}" failed: ${(stderr || stdout).trim()}`)
  }
  return JSON.parse(stdout.slice(start))
}

/** Writes a configuration whose bindings are the deployed database and KV namespace. */
async function writeRemoteConfig(folder: string): Promise<string> {
  const { unstable_readConfig: read } = await import('wrangler')
  const { account_id, name, compatibility_date, d1_databases, kv_namespaces } = read({
    config: writeConfig(),
  })
  const database = d1_databases.find((entry: { binding: string }) => entry.binding === 'DB')
  const namespace = kv_namespaces.find((entry: { binding: string }) => entry.binding === 'CONTENTS')
  if (!database || !namespace) throw new CommandError('The configuration needs the bindings DB and CONTENTS.')
  const database_name = database.database_name ?? `${name}-db`
  const [database_id, id] = await Promise.all([
    database.database_id ?? findDatabaseId(database_name),
    namespace.id ?? findNamespaceId(`${name}-contents`),
  ])
  const path = join(folder, 'wrangler.json')
  const config = {
    ...(account_id && { account_id }),
    name,
    compatibility_date,
    d1_databases: [{ binding: 'DB', database_name, database_id, remote: true }],
    kv_namespaces: [{ binding: 'CONTENTS', id, remote: true }],
  }
  await writeFile(path, JSON.stringify(config))
  return path
}

/** Finds the database that the first deployment created. Not by `d1 info`, which needs permission to read statistics. */
async function findDatabaseId(name: string): Promise<string> {
  const databases = await readJson<{ uuid: string; name: string }[]>(['d1', 'list', '--json'])
  const found = databases.find((database) => database.name === name)
  if (found) return found.uuid
  throw new CommandError(`No D1 database is named "${name}". Put the id of the right one into regent.toml.`)
}

/** Finds the namespace that the first deployment created. */
async function findNamespaceId(title: string): Promise<string> {
  const namespaces = await readJson<{ id: string; title: string }[]>(['kv', 'namespace', 'list'])
  const found = namespaces.find((namespace) => namespace.title === title)
  if (found) return found.id
  throw new CommandError(`No KV namespace is named "${title}". Put the id of the right one into regent.toml.`)
}

type Storage = Pick<V4WorkerOptionsShape, 'compatibilityDate' | 'd1Databases' | 'kvNamespaces'>

/** Connects to the deployed database and namespace. */
async function connect(folder: string): Promise<{ storage: Storage; disconnect: () => Promise<void> }> {
  // Wrangler's own messages would mix with the output of the command.
  process.env.WRANGLER_LOG ??= 'error'
  process.env.WRANGLER_SEND_METRICS ??= 'false'
  await settleDatabase()
  const path = await writeRemoteConfig(folder)
  const { maybeStartOrUpdateRemoteProxySession, unstable_getMiniflareWorkerOptions } = await import(
    'wrangler'
  )
  try {
    const session = (await maybeStartOrUpdateRemoteProxySession({ path }))?.session
    const { workerOptions } = unstable_getMiniflareWorkerOptions(
      path,
      undefined,
      session ? { remoteProxyConnectionString: session.remoteProxyConnectionString } : {},
    )
    return {
      storage: workerOptions as Storage,
      disconnect: async () => session?.dispose(),
    }
  } catch (error) {
    throw new CommandError(`Can't connect to the deployed storage. ${String(error)}`)
  }
}

/** Names the local database and namespace as wrangler does, which would take a second to load. */
function openLocal(): { storage: Storage; disconnect: () => Promise<void> } {
  const config = readConfig()
  const { DB, CONTENTS } = getLocalIds(config)
  return {
    storage: {
      compatibilityDate: String(config.compatibility_date),
      d1Databases: { DB },
      kvNamespaces: { CONTENTS },
    },
    disconnect: async () => {},
  }
}

/**
 * Returns the namespace's `put`. All puts of the same turn go to the storage Worker in one request, and each fails alone.
 */
function batchPuts(runtime: Miniflare): ContentNamespace['put'] {
  const send = async (puts: readonly { key: string; value: Buffer; options: object | undefined }[]) => {
    const heads = puts.map(({ key, value, options }) => ({ key, length: value.length, options }))
    const body = Buffer.concat([Buffer.from(`${JSON.stringify(heads)}\n`), ...puts.map(({ value }) => value)])
    const response = await runtime.dispatchFetch('http://storage', { method: 'POST', body })
    if (!response.ok) throw new Error(await response.text())
    return (await response.json()) as (string | null)[]
  }
  const waiting: Parameters<typeof send>[0][number][] = []
  let errors: ReturnType<typeof send>
  return async (key, value, options) => {
    if (waiting.length === 0) errors = nextTurn().then(() => send(waiting.splice(0)))
    const bytes = typeof value === 'string' ? Buffer.from(value) : Buffer.from(value)
    const index = waiting.push({ key, value: bytes, options }) - 1
    const error = (await errors)[index]
    if (error !== null) throw new Error(error)
  }
}

/**
 * Opens the storage of a service in a Worker with its bindings: to local simulators, or with `--remote` to the deployed
 * database and namespace. The storage of a server on one machine needs no Worker. Closes it after the work.
 *
 * @param printFault takes what the simulators print, such as the reason of an internal error.
 */
export async function withBindings<T>(
  target: Target,
  work: (bindings: Bindings) => Promise<T>,
  printFault: (text: string) => void = (text) => process.stderr.write(`${text}\n`),
): Promise<T> {
  if (target.data !== undefined) return withServerFiles(target.data, work)
  if (target.remote) requireValid(getVariables(readConfig()), null)
  // The simulators would ask Cloudflare where this machine is.
  process.env.CLOUDFLARE_CF_FETCH_ENABLED ??= 'false'
  const { convertV4MiniflareOptions, Miniflare } = await import('miniflare')
  const folder = await mkdtemp(join(tmpdir(), 'regent-'))
  try {
    const { storage, disconnect } = target.remote ? await connect(folder) : openLocal()
    const { compatibilityDate = '', d1Databases = {}, kvNamespaces = {} } = storage
    const runtime = new Miniflare(
      convertV4MiniflareOptions({
        script: await readFile(join(import.meta.dirname, 'storage-worker.js'), 'utf8'),
        modules: true,
        compatibilityDate,
        d1Databases,
        kvNamespaces,
        resourcePersistencePath: target.remote ? folder : join(target.persistTo ?? DEFAULT_FOLDER, 'v3'),
        telemetry: { enabled: false },
        handleStructuredLogs: ({ message }) => printFault(message),
      }),
    )
    try {
      const { DB, CONTENTS } = await runtime.getBindings<{ DB: SqlDatabase; CONTENTS: ContentNamespace }>()
      const { get, delete: remove, list } = CONTENTS
      return await work({ DB, CONTENTS: { get, delete: remove, list, put: batchPuts(runtime) } })
    } finally {
      await disconnect()
      await runtime.dispose()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
