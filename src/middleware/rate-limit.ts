import type { Context } from 'hono'
import type { AppEnv } from '../env.ts'
import { rateLimited } from '../errors.ts'

/** Throws `rate_limited` when this key has had its share of requests. Placeholder until the other part lands. */
export async function limitRate(
  _c: Context<AppEnv>,
  binding: RateLimit,
  key: string,
  { period }: { limit: number; period: number },
): Promise<void> {
  if (!(await binding.limit({ key })).success) throw rateLimited(period)
}

/** Whom limits count: `CF-Connecting-IP` alone, which no client can forge. */
export const clientAddress = (c: Context<AppEnv>): string => c.req.header('CF-Connecting-IP') ?? 'unknown'
