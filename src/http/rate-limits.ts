import type { AppContext } from '../env.ts'
import { rateLimited } from '../errors.ts'

/** As the limit stands in `wrangler.toml`: the binding itself does not tell. */
interface Policy {
  /** Requests that a period allows. */
  readonly limit: number
  /** Seconds. */
  readonly period: number
}

/**
 * Counts a request against a limit.
 *
 * @throws AppError `rate_limited` when this key has had its share of requests, with when to come again. How
 * much of the period is left nobody tells, so it is the whole of it. The headers are those of
 * draft-ietf-httpapi-ratelimit-headers-10.
 */
export async function limitRate(binding: RateLimit, key: string, { limit, period }: Policy): Promise<void> {
  const { success } = await binding.limit({ key })
  if (success) return
  throw rateLimited(period, {
    RateLimit: `"default";r=0;t=${period}`,
    'RateLimit-Policy': `"default";q=${limit};w=${period}`,
  })
}

/** Whom limits count: `CF-Connecting-IP` alone, which no client can forge. */
export const clientAddress = (c: AppContext): string => c.req.header('CF-Connecting-IP') ?? 'unknown'
