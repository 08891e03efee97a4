import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { User } from '../../accounts/user.ts'
import type { AppContext, AppEnv } from '../../env.ts'
import { AppError } from '../../errors.ts'
import { hasCredential, readApiKey } from '../identity/credential.ts'
import { countGuess, isGuess, refuseGuesser } from './guesses.ts'
import { getNetwork, getPolicy, limitRate, tryCount } from './rate-limits.ts'
import { limitExceeded } from './table.ts'

const accountKey = (id: string): string => `account ${id}`

/** The paths whose POST creates a document. */
const CREATE_PATHS: ReadonlySet<string> = new Set(['/', '/documents', '/v1/document', '/v1/documents'])

const createsDocument = ({ req: { method, path } }: AppContext): boolean =>
  method === 'PUT' || (method === 'POST' && CREATE_PATHS.has(path === '/' ? path : path.replace(/\/$/, '')))

/**
 * Returns the account that makes the request. If it can't be found now, the handler reports that.
 *
 * @throws AppError `rate_limited` if the account has used up a limit.
 */
async function findAccount(c: AppContext): Promise<User | null> {
  if (!hasCredential(c)) return null
  return c.var.identity.ask().catch((error) => {
    if (error instanceof AppError && error.code === 'rate_limited') throw error
    return null
  })
}

/** Returns what limits count a request by: its account, or else its network. May take a query. */
async function getRequester(c: AppContext): Promise<string> {
  const account = await findAccount(c)
  return account ? accountKey(account.id) : getNetwork(c)
}

/** Looks up the account only once the network has used up its share: most requests go on without that query. */
async function limitNetwork(c: AppContext, name: 'reads' | 'writes'): Promise<void> {
  if (await tryCount(c, name, getNetwork(c))) return
  const account = await findAccount(c)
  if (account) return name === 'reads' ? limitRate(c, name, accountKey(account.id)) : undefined
  if (readApiKey(c) !== undefined) await countGuess(c)
  throw limitExceeded(name, getPolicy(c, name))
}

/** Counts a change by its account, which the handler looks up together with what it changes. */
async function limitWrite(c: Context<AppEnv>): Promise<void> {
  const creates = createsDocument(c)
  if (!hasCredential(c)) return limitRate(c, creates ? 'creates' : 'writes', getNetwork(c))
  c.set('limitAccount', async (account) => {
    if (account) await limitRate(c, 'writes', accountKey(account.id))
    else if (creates) await limitRate(c, 'creates', getNetwork(c))
  })
  await limitNetwork(c, 'writes')
}

/** Applies the limits that hold for every request, before anything else is done for it. */
export const limitRequests = createMiddleware<AppEnv>(async (c, next) => {
  const { method } = c.req
  // Preflight requests do nothing that takes time.
  if (!c.var.config.rateLimits || method === 'OPTIONS') return next()
  refuseGuesser(c)
  if (method === 'GET' || method === 'HEAD') await limitNetwork(c, 'reads')
  else await limitWrite(c)
  await next()
  if (!isGuess(c)) return
  const response = c.res
  // Otherwise Hono would merge the headers of this response into those of the error.
  c.res = undefined
  await countGuess(c)
  c.res = response
})

/** Limits searches. */
export const limitSearches = createMiddleware<AppEnv>(async (c, next) => {
  if (c.var.config.rateLimits) await limitRate(c, 'searches', await getRequester(c))
  await next()
})

/** Limits requests for a list that search it. */
export const limitListSearches = createMiddleware<AppEnv>((c, next) =>
  c.req.query('search') ? limitSearches(c, next) : next(),
)
