import { env } from 'cloudflare:workers'
import { LIMITS } from '../../src/http/limits-table.ts'

/**
 * Counts as the platform does, except that its period never ends: a test that runs while a minute ends would see twice
 * as many requests pass.
 */
function createLimiter(limit: number): RateLimit {
  const counts = new Map<string, number>()
  return {
    limit: async ({ key }) => {
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      return { success: count <= limit }
    },
  }
}

/** A limiter for each binding. */
export const LIMITERS: Readonly<Record<string, RateLimit>> = Object.fromEntries(
  Object.values(LIMITS).map(({ binding, limit }) => [binding, createLimiter(limit)]),
)

/** The usual bindings with the limits switched on. */
export const LIMITED: Env = { ...env, ...LIMITERS, RATE_LIMITS: 'on' }

/** The same with the limits of the platform. */
export const REALLY_LIMITED: Env = { ...env, RATE_LIMITS: 'on' }

/** Returns the bindings with one limiter that answers as given. */
export const withLimiter = (binding: string, limit: RateLimit['limit']): Env =>
  ({ ...LIMITED, [binding]: { limit } }) as Env

let addresses = 0

/** Returns an address that no test has used before: the counts outlast a test. */
export const newAddress = (): string => `192.0.2.${++addresses}`

/** Returns the header by which Cloudflare tells the address of a client. */
export const from = (address: string) => ({ 'CF-Connecting-IP': address })

/** Counts how often each status occurs. */
export function countStatuses(answers: readonly { readonly status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** How many things `repeat` does at once. */
const CONCURRENCY = 50

/** Does something this many times and returns the results. */
export async function repeat<Result>(times: number, run: (index: number) => Promise<Result>) {
  const results: Result[] = []
  for (let start = 0; start < times; start += CONCURRENCY) {
    const indexes = Array.from({ length: Math.min(CONCURRENCY, times - start) }, (_, index) => start + index)
    results.push(...(await Promise.all(indexes.map(run))))
  }
  return results
}
