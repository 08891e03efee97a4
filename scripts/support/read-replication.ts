import { CommandError, type WranglerOutput } from './wrangler.ts'

const API = 'https://api.cloudflare.com/client/v4'
const TIMEOUT_MS = 30_000

/** What asking Cloudflare needs from outside. */
export interface ReplicationContext {
  readonly runWrangler: (args: readonly string[]) => Promise<WranglerOutput>
  readonly fetch: typeof fetch
  /** Where wrangler finds its account, and the API in tests. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** The database's name. */
  readonly database: string
}

/** Read replication of the deployed database. */
export interface ReadReplication {
  readonly isOn: () => Promise<boolean>
  readonly turnOn: () => Promise<void>
}

interface Database {
  readonly uuid: string
  readonly name: string
  readonly read_replication?: { readonly mode: string }
}

/** Returns the headers that sign in, from what wrangler is signed in with. */
async function getCredentials({ runWrangler }: ReplicationContext): Promise<Record<string, string>> {
  const { code, stdout } = await runWrangler(['auth', 'token', '--json'])
  if (code !== 0) throw new CommandError("wrangler isn't signed in")
  const { token, key, email } = JSON.parse(stdout.slice(stdout.indexOf('{')))
  return token === undefined
    ? { 'X-Auth-Key': key, 'X-Auth-Email': email }
    : { Authorization: `Bearer ${token}` }
}

/**
 * Opens read replication of the deployed database, which wrangler has no command for.
 * https://developers.cloudflare.com/d1/best-practices/read-replication/
 *
 * @throws CommandError if Cloudflare's API refuses something.
 */
export async function openReadReplication(context: ReplicationContext): Promise<ReadReplication> {
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
    isOn: async () => (await call<Database>(`${databases}/${id}`)).read_replication?.mode === 'auto',
    turnOn: async () => {
      await call(`${databases}/${id}`, {
        method: 'PUT',
        body: JSON.stringify({ read_replication: { mode: 'auto' } }),
      })
    },
  }
}
