/** Stands in for `[[ratelimits]]`, in memory: a restart forgives everyone. */

/** More callers than that in one period push out the ones that came first. */
const MAX_KEYS = 100_000

export interface RateLimitPolicy {
  readonly limit: number
  /** Seconds. */
  readonly period: number
}

/** Counts in periods that start at fixed times. Fits `RateLimit` of Workers. */
export class MemoryRateLimit {
  readonly #limit: number
  readonly #periodMs: number
  readonly #counts = new Map<string, number>()
  #period = 0

  constructor({ limit, period }: RateLimitPolicy) {
    this.#limit = limit
    this.#periodMs = period * 1_000
  }

  async limit({ key }: { readonly key: string }): Promise<{ success: boolean }> {
    const period = Math.floor(Date.now() / this.#periodMs)
    if (period !== this.#period) this.#counts.clear()
    this.#period = period
    const count = this.#counts.get(key) ?? 0
    if (count >= this.#limit) return { success: false }
    if (count === 0 && this.#counts.size >= MAX_KEYS) {
      const [oldest = ''] = this.#counts.keys()
      this.#counts.delete(oldest)
    }
    this.#counts.set(key, count + 1)
    return { success: true }
  }
}
