import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bindings } from '../../src/backup/bindings.ts'
import { getVariables, readConfig, requireValid, writeConfig } from './config.ts'
import type { Target } from './database.ts'
import { CommandError, ROOT } from './script.ts'
import { requireSignedIn, runWrangler } from './wrangler.ts'

/** Runs wrangler and returns the JSON that it prints. */
async function readJson<T>(args: readonly string[]): Promise<T> {
  // With the log level `error`, which `withBindings` sets, wrangler prints no JSON either.
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

/**
 * Opens the storage of a service through wrangler: its local simulators, or with `--remote` a connection to the
 * deployed database and namespace. Closes it after the work.
 */
export async function withBindings<T>(target: Target, work: (bindings: Bindings) => Promise<T>): Promise<T> {
  if (target.remote) requireValid(getVariables(readConfig()), null)
  // Wrangler's own messages would mix with the output of the command.
  process.env.WRANGLER_LOG ??= 'error'
  process.env.WRANGLER_SEND_METRICS ??= 'false'
  process.env.CLOUDFLARE_CF_FETCH_ENABLED ??= 'false'
  const { getPlatformProxy } = await import('wrangler')
  const folder = await mkdtemp(join(tmpdir(), 'regent-'))
  try {
    const { env, dispose } = await getPlatformProxy<{ DB: Bindings['DB']; CONTENTS: Bindings['CONTENTS'] }>({
      configPath: target.remote ? await writeRemoteConfig(folder) : writeConfig(),
      persist: target.remote
        ? false
        : { path: join(target.persistTo ?? join(ROOT, '.wrangler/state'), 'v3') },
      envFiles: [],
      remoteBindings: target.remote,
    }).catch((error: unknown) => {
      if (!target.remote || error instanceof CommandError) throw error
      throw new CommandError(`Can't connect to the deployed storage. ${String(error)}`)
    })
    try {
      return await work(env)
    } finally {
      await dispose()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
