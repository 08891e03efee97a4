import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { User } from '../accounts/user.ts'
import type { Document, Viewer } from '../documents/document.ts'
import { burnsFor, type Proof } from '../documents/read.ts'
import type { AppContext, AppEnv } from '../env.ts'
import { AppError, unavailable } from '../errors.ts'
import { withTimeout } from '../platform/database.ts'
import { logError } from '../platform/log.ts'
import { BoundedMap } from '../shared/bounded-map.ts'
import type { Instant } from '../shared/instant.ts'
import { askViewer, hasCredential, NOTHING, readApiKey, readDocumentToken } from './identity.ts'
import { LIMITS, type LimitName, type LimitPolicy, limitExceeded } from './limits-table.ts'
import { getNetwork } from './network.ts'
import { looksUp, mayCreate, putsToDocument } from './paths.ts'

/** The binding counts in memory, so an answer takes well under a millisecond. */
const TIMEOUT_MS = 1_000
/** How often the log says that the binding fails, while it does. */
const LOG_INTERVAL_MS = 60_000

let lastLoggedAt = 0

export const getPolicy = (c: AppContext, name: LimitName): LimitPolicy =>
  c.var.config.limitPolicies[name] ?? LIMITS[name]

function logFailure(c: AppContext, name: LimitName, error: unknown): void {
  if (c.var.now < lastLoggedAt + LOG_INTERVAL_MS) return
  lastLoggedAt = c.var.now
  logError(`rate limit "${name}" failed`, c.var.requestId, error)
}

/**
 * Counts a request. Returns false once the limit is used up.
 *
 * @throws AppError `unavailable` if the binding fails and the limit says `refuse`.
 */
async function tryCount(c: AppContext, name: LimitName, key: string): Promise<boolean> {
  // A `wrangler.toml` from an earlier release doesn't have all bindings.
  const binding: RateLimit | undefined = c.env[LIMITS[name].binding]
  if (binding === undefined || !c.var.config.rateLimits) return true
  try {
    // The binding could also throw before it returns a promise.
    const { success } = await withTimeout((async () => binding.limit({ key }))(), TIMEOUT_MS)
    return success
  } catch (error) {
    if (LIMITS[name].ifBroken === 'refuse') throw unavailable(error)
    logFailure(c, name, error)
    return true
  }
}

/** @throws AppError `rate_limited` once the key has used it up, and what `tryCount` throws. */
export async function limitRate(c: AppContext, name: LimitName, key: string): Promise<void> {
  if (!(await tryCount(c, name, key))) throw limitExceeded(name, getPolicy(c, name))
}

const MAX_BLOCKS = 10_000

/** Networks that guessed too often. The binding only counts, so this isolate remembers whom to refuse without D1. */
const blockedUntil = new BoundedMap<string, Instant>(MAX_BLOCKS)

const guessedTooOften = (c: AppContext, seconds?: number) =>
  limitExceeded('guesses', getPolicy(c, 'guesses'), seconds)

/** @throws AppError `rate_limited` for a lookup from a network that has guessed too often. */
function refuseGuesser(c: AppContext): void {
  if (blockedUntil.size === 0 || !(looksUp(c.req) || readApiKey(c) !== undefined)) return
  const network = getNetwork(c)
  const until = blockedUntil.get(network)
  if (until === undefined) return
  if (until > c.var.now) throw guessedTooOften(c, Math.ceil((until - c.var.now) / 1_000))
  blockedUntil.delete(network)
}

/** Counts a burn, too, which could be the hit of a guess. @throws AppError `rate_limited`. */
export async function countGuess(c: AppContext): Promise<void> {
  const network = getNetwork(c)
  if (await tryCount(c, 'guesses', network)) return
  blockedUntil.set(network, c.var.now + getPolicy(c, 'guesses').period * 1_000)
  throw guessedTooOften(c)
}

/** Call it before the proof is checked: that derives a key. @throws AppError `rate_limited`, and as `tryCount`. */
export const limitAttempts = (c: AppContext, documentId: string): Promise<void> =>
  limitRate(c, 'passwords', `${documentId} ${getNetwork(c)}`)

/** Call it before the content is delivered. @throws AppError as `limitAttempts` does. */
export async function limitDelivery(
  c: AppContext,
  document: Document,
  { viewer, proof: { password, claimToken } }: { readonly viewer: Viewer; readonly proof: Proof },
): Promise<void> {
  if ((document.encrypted && password !== undefined) || claimToken !== undefined) {
    await limitAttempts(c, document.id)
  }
  if (burnsFor(document, viewer)) await countGuess(c)
}

const LONG_BYTES = 1024 * 1024

/** Call it before the content is read. `from` is what counts as long. @throws AppError `rate_limited`. */
export async function limitLongText(c: AppContext, bytes: number, from = LONG_BYTES): Promise<void> {
  if (bytes > from) await limitRate(c, 'long-texts', getNetwork(c))
}

const accountKey = (id: string): string => `account ${id}`

/** Leaves it to the handler to report that the account can't be found now. @throws AppError `rate_limited`. */
async function findViewerAccount(c: AppContext): Promise<User | null> {
  try {
    return (await askViewer(c, NOTHING)).user
  } catch (error) {
    if (error instanceof AppError && error.code === 'rate_limited') throw error
    return null
  }
}

/** Looks up the account only once the network has used up its share: most requests go on without that query. */
async function limitNetwork(c: AppContext, name: 'reads' | 'writes'): Promise<void> {
  if (await tryCount(c, name, getNetwork(c))) return
  const account = await findViewerAccount(c)
  if (account) return name === 'reads' ? limitRate(c, name, accountKey(account.id)) : undefined
  if (readApiKey(c) !== undefined) await countGuess(c)
  throw limitExceeded(name, getPolicy(c, name))
}

/** Counts a change by its account, which the handler looks up together with what it changes. */
async function limitWrite(c: Context<AppEnv>): Promise<void> {
  // With a token, it never creates a document.
  const updates = putsToDocument(c.req) && readDocumentToken(c) !== undefined
  const creates = mayCreate(c.req) && !updates
  if (!hasCredential(c)) return limitRate(c, creates ? 'creates' : 'writes', getNetwork(c))
  c.set('limitAccount', async (account) => {
    if (account) await limitRate(c, 'writes', accountKey(account.id))
    else if (creates) await limitRate(c, 'creates', getNetwork(c))
  })
  await limitNetwork(c, 'writes')
}

export const limitRequests = createMiddleware<AppEnv>(async (c, next) => {
  const { method } = c.req
  // Preflight requests do nothing that takes time.
  if (!c.get('config').rateLimits || method === 'OPTIONS') return next()
  refuseGuesser(c)
  if (method === 'GET' || method === 'HEAD') await limitNetwork(c, 'reads')
  else await limitWrite(c)
  await next()
  const response = c.res
  const guessedId = response.status === 404 && looksUp(c.req)
  const guessedKey = response.status === 401 && readApiKey(c) !== undefined
  if (!guessedId && !guessedKey) return
  // Otherwise Hono would merge the headers of this response into those of the error.
  c.res = undefined
  await countGuess(c)
  c.res = response
})

/** Call it before a document gets other editors: only accounts have them. @throws AppError `rate_limited`. */
export const limitEditors = (c: AppContext, account: Pick<User, 'id'>): Promise<void> =>
  limitRate(c, 'editors', accountKey(account.id))

const limitByAccount = (name: LimitName) =>
  createMiddleware<AppEnv>(async (c, next) => {
    if (c.get('config').rateLimits) {
      const account = await findViewerAccount(c)
      await limitRate(c, name, account ? accountKey(account.id) : getNetwork(c))
    }
    await next()
  })

export const limitSearches = limitByAccount('searches')
export const limitDownloads = limitByAccount('downloads')

/** Orders that no index has take as long as a search. */
export const limitListSearches = createMiddleware<AppEnv>((c, next) =>
  c.req.query('search') || !['newest', 'oldest'].includes(c.req.query('sort') || 'newest')
    ? limitSearches(c, next)
    : next(),
)
