import { rateLimited } from '../../errors.ts'
import { LIMITS, type LimitName } from './table.ts'

/**
 * Returns the error for a client that has used up a limit. The headers follow draft-ietf-httpapi-ratelimit-headers-10.
 * The binding doesn't tell how much of the period is left, so `seconds` is at most the whole period. Nor does it tell
 * how many requests are left, so only this error has `RateLimit`.
 */
export function limitExceeded(name: LimitName, seconds: number = LIMITS[name].period) {
  const { limit, period } = LIMITS[name]
  return rateLimited(seconds, {
    RateLimit: `"${name}";r=0;t=${seconds}`,
    'RateLimit-Policy': `"${name}";q=${limit};w=${period}`,
  })
}
