import { findWorkerToAsk, readConfig, writeSettings } from './config.ts'
import { CommandError } from './script.ts'
import { runWrangler, type WranglerOutput } from './wrangler.ts'

const API = 'https://api.cloudflare.com/client/v4'
const TIMEOUT_MS = 30_000

/** What asking Cloudflare needs from outside. */
interface ApiContext {
  readonly runWrangler: (args: readonly string[]) => Promise<WranglerOutput>
  readonly fetch: typeof fetch
  /** Where wrangler finds its account, and the API in tests. */
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The deployed database, as Cloudflare's API knows it. */
export interface DeployedDatabase {
  /** Returns whether copies of it answer reads, and its size: null if the API doesn't tell. */
  readonly describe: () => Promise<{ readonly replicated: boolean; readonly bytes: number | null }>
  readonly turnOnReplication: () => Promise<void>
}

interface Database {
  readonly uuid: string
  readonly name: string
  readonly file_size?: number
  readonly read_replication?: { readonly mode: string }
}

/** Returns the headers that sign in, from what wrangler is signed in with. */
async function getCredentials({ runWrangler }: ApiContext): Promise<Record<string, string>> {
  const { code, stdout } = await runWrangler(['auth', 'token', '--json'])
  if (code !== 0) throw new CommandError("wrangler isn't signed in")
  const { token, key, email } = JSON.parse(stdout.slice(stdout.indexOf('{')))
  return token === undefined
    ? { 'X-Auth-Key': key, 'X-Auth-Email': email }
    : { Authorization: `Bearer ${token}` }
}

type Call = <Result>(path: string, init?: RequestInit) => Promise<Result | null>

/**
 * Returns what calls Cloudflare's API for the account. A call returns null for what doesn't exist.
 *
 * @throws CommandError if the API refuses something.
 */
async function openAccount(context: ApiContext): Promise<Call> {
  const { env } = context
  const headers = await getCredentials(context)
  const call: Call = async (path, init = {}) => {
    const response = await context
      .fetch(`${env.CLOUDFLARE_API_BASE_URL ?? API}${path}`, {
        ...init,
        headers: { ...headers, 'Content-Type': 'application/json' },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      .catch((error) => {
        throw new CommandError(`Cloudflare's API doesn't answer: ${error}`)
      })
    const { result, errors } = await response.json().catch(() => ({ result: null, errors: [] }))
    if (response.status === 404) return null
    if (!response.ok)
      throw new CommandError(errors[0]?.message ?? `Cloudflare's API answers ${response.status}`)
    return result
  }

  async function findAccount(): Promise<string> {
    const chosen = readConfig().account_id ?? env.CLOUDFLARE_ACCOUNT_ID
    if (chosen) return String(chosen)
    const [account, ...others] = (await call<{ id: string }[]>('/accounts')) ?? []
    if (!account || others.length > 0)
      throw new CommandError('CLOUDFLARE_ACCOUNT_ID is needed to know the account')
    return account.id
  }

  const account = await findAccount()
  return (path, init) => call(`/accounts/${account}${path}`, init)
}

/**
 * Opens what wrangler has no command for: https://developers.cloudflare.com/d1/best-practices/read-replication/ and the
 * size of the database without permission to read statistics.
 *
 * @throws CommandError if Cloudflare's API refuses something.
 */
export async function openDeployedDatabase(context: ApiContext, name: string): Promise<DeployedDatabase> {
  const call = await openAccount(context)
  const found = await call<Database[]>(`/d1/database?name=${encodeURIComponent(name)}`)
  const id = found?.find((database) => database.name === name)?.uuid
  if (id === undefined) throw new CommandError(`There is no database "${name}"`)
  return {
    describe: async () => {
      const { read_replication, file_size } = (await call<Database>(`/d1/database/${id}`)) ?? {}
      return { replicated: read_replication?.mode === 'auto', bytes: file_size ?? null }
    },
    turnOnReplication: async () => {
      await call(`/d1/database/${id}`, {
        method: 'PUT',
        body: JSON.stringify({ read_replication: { mode: 'auto' } }),
      })
    },
  }
}

interface WorkerSettings {
  readonly bindings: readonly { readonly type: string; readonly name: string; readonly id?: string }[]
}

/** Returns the name of the database that a Worker uses; null if it isn't deployed or has none. */
async function findUsedDatabase(context: ApiContext, worker: string): Promise<string | null> {
  const call = await openAccount(context)
  const settings = await call<WorkerSettings>(`/workers/scripts/${encodeURIComponent(worker)}/settings`)
  const id = settings?.bindings.find(({ type, name }) => type === 'd1' && name === 'DB')?.id
  return id === undefined ? null : ((await call<Database>(`/d1/database/${id}`))?.name ?? null)
}

/**
 * Lets a Worker keep the database that it uses, if the configuration doesn't name one. Until version 0.2, a server with
 * another name used the database "regent" unless its settings named one. Writes the name to the operator's file, so
 * Cloudflare is asked only once.
 *
 * @throws CommandError if Cloudflare can't be asked.
 */
async function keepDatabase(context: ApiContext = { runWrangler, fetch, env: process.env }): Promise<void> {
  const worker = findWorkerToAsk()
  if (worker === null) return
  const database = await findUsedDatabase(context, worker).catch((error) => {
    if (!(error instanceof CommandError)) throw error
    throw new CommandError(
      `The settings don't name the database of the Worker "${worker}", and Cloudflare can't be asked: ${error.message}. Put its name into regent.toml, as database_name under [[d1_databases]].`,
    )
  })
  // Without a file for settings, nothing has to be stored as long as the name is right.
  const isRight = database === worker && process.env.REGENT_SETTINGS === ''
  if (database === null || isRight) return
  const file = writeSettings({ d1_databases: [{ binding: 'DB', database_name: database }] })
  process.stderr.write(`Wrote to ${file} that the Worker "${worker}" uses the database "${database}".\n`)
}

let kept: Promise<void> | null = null

/** Every command that uses the deployed storage calls this before it reads the configuration. */
export const settleDatabase = (): Promise<void> => {
  kept ??= keepDatabase()
  return kept
}
