import type { AppContext } from '../../env.ts'
import { unavailable } from '../../errors.ts'
import { withTimeout } from '../../platform/database.ts'
import { logError } from '../../platform/logging.ts'
import { toNetwork } from './network.ts'
import { LIMITS, type LimitName, type LimitPolicy, limitExceeded } from './table.ts'

/** The binding counts in memory, so an answer takes well under a millisecond. */
const TIMEOUT_MS = 1_000
/** While the binding fails, one line in the log says so this often. */
const LOG_INTERVAL_MS = 60_000

let lastLoggedAt = 0

/** Returns the network that limits count a client by. Clients can't forge `CF-Connecting-IP`. */
export const getNetwork = (c: AppContext): string => toNetwork(c.req.header('CF-Connecting-IP') ?? 'unknown')

/** Returns a limit's binding. A `wrangler.toml` from an earlier release doesn't have all of them. */
const findBinding = (c: AppContext, name: LimitName): RateLimit | undefined => c.env[LIMITS[name].binding]

/** Returns how many requests a limit allows on this server. */
export const getPolicy = (c: AppContext, name: LimitName): LimitPolicy =>
  c.var.config.limitPolicies[name] ?? LIMITS[name]

function logFailure(c: AppContext, name: LimitName, error: unknown): void {
  if (c.var.now < lastLoggedAt + LOG_INTERVAL_MS) return
  lastLoggedAt = c.var.now
  logError(`rate limit "${name}" failed`, c.var.requestId, error)
}

/**
 * Counts something against a limit, and returns false if the limit is used up. Returns true if limits are off, if
 * there is no binding, and if a binding fails whose limit says so.
 *
 * @param key whom to count it by.
 * @throws AppError `unavailable` if the binding fails and the limit says `refuse`.
 */
export async function tryCount(c: AppContext, name: LimitName, key: string): Promise<boolean> {
  const binding = c.var.config.rateLimits ? findBinding(c, name) : undefined
  if (binding === undefined) return true
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

/**
 * Counts something against a limit.
 *
 * @throws AppError `rate_limited` once the key has used it up, and what `tryCount` throws.
 */
export async function limitRate(c: AppContext, name: LimitName, key: string): Promise<void> {
  if (!(await tryCount(c, name, key))) throw limitExceeded(name, getPolicy(c, name))
}
