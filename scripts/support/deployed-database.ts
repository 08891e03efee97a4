import { CommandError } from './script.ts'
import type { WranglerOutput } from './wrangler.ts'

const API = 'https://api.cloudflare.com/client/v4'
const TIMEOUT_MS = 30_000

/** What asking Cloudflare needs from outside. */
export interface DatabaseContext {
  readonly runWrangler: (args: readonly string[]) => Promise<WranglerOutput>
  readonly fetch: typeof fetch
  /** Where wrangler finds its account, and the API in tests. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** The database's name. */
  readonly database: string
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
async function getCredentials({ runWrangler }: DatabaseContext): Promise<Record<string, string>> {
  const { code, stdout } = await runWrangler(['auth', 'token', '--json'])
  if (code !== 0) throw new CommandError("wrangler isn't signed in")
  const { token, key, email } = JSON.parse(stdout.slice(stdout.indexOf('{')))
  return token === undefined
    ? { 'X-Auth-Key': key, 'X-Auth-Email': email }
    : { Authorization: `Bearer ${token}` }
}

/**
 * Opens what wrangler has no command for: https://developers.cloudflare.com/d1/best-practices/read-replication/ and the
 * size of the database without permission to read statistics.
 *
 * @throws CommandError if Cloudflare's API refuses something.
 */
export async function openDeployedDatabase(context: DatabaseContext): Promise<DeployedDatabase> {
  const { env, database: name } = context
  const headers = await getCredentials(context)

  async function call<Result>(path: string, init: RequestInit = {}): Promise<Result> {
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
    if (!response.ok)
      throw new CommandError(errors[0]?.message ?? `Cloudflare's API answers ${response.status}`)
    return result
  }

  async function findAccount(): Promise<string> {
    if (env.CLOUDFLARE_ACCOUNT_ID) return env.CLOUDFLARE_ACCOUNT_ID
    const [account, ...others] = await call<{ id: string }[]>('/accounts')
    if (!account || others.length > 0)
      throw new CommandError('CLOUDFLARE_ACCOUNT_ID is needed to know the account')
    return account.id
  }

  const databases = `/accounts/${await findAccount()}/d1/database`
  const found = await call<Database[]>(`${databases}?name=${encodeURIComponent(name)}`)
  const id = found.find((database) => database.name === name)?.uuid
  if (id === undefined) throw new CommandError(`There is no database "${name}"`)
  return {
    describe: async () => {
      const { read_replication, file_size } = await call<Database>(`${databases}/${id}`)
      return { replicated: read_replication?.mode === 'auto', bytes: file_size ?? null }
    },
    turnOnReplication: async () => {
      await call(`${databases}/${id}`, {
        method: 'PUT',
        body: JSON.stringify({ read_replication: { mode: 'auto' } }),
      })
    },
  }
}
