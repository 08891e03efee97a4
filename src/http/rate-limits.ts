import type { AppContext } from '../env.ts'
import { rateLimited } from '../errors.ts'

/** The limit as set in `wrangler.toml`, which the binding doesn't reveal. */
interface Policy {
  /** Requests allowed in a period. */
  readonly limit: number
  /** Seconds. */
  readonly period: number
}

/**
 * Counts a request against a limit.
 *
 * @throws AppError `rate_limited` once the key has used up its requests. The binding doesn't tell how much of the period
 * is left, so `Retry-After` is the whole period. The other headers follow draft-ietf-httpapi-ratelimit-headers-10.
 */
export async function limitRate(binding: RateLimit, key: string, { limit, period }: Policy): Promise<void> {
  const { success } = await binding.limit({ key })
  if (success) return
  throw rateLimited(period, {
    RateLimit: `"default";r=0;t=${period}`,
    'RateLimit-Policy': `"default";q=${limit};w=${period}`,
  })
}

/** Returns the address that limits count by. Clients can't forge `CF-Connecting-IP`. */
export const clientAddress = (c: AppContext): string => c.req.header('CF-Connecting-IP') ?? 'unknown'
