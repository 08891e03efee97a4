export interface Spread {
  readonly p50: number
  readonly p99: number
}

/** Returns a Mulberry32 generator. 32 bits of state are plenty here, and equal seeds give equal tables. */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export type Random = () => number

export const sampleExponential = (random: Random, mean: number) => -mean * Math.log(1 - random())

/** Samples a log-normal distribution, like latencies: never negative, with a long tail. 2.326 is the normal's p99. */
export function sampleLogNormal(random: Random, { p50, p99 }: Spread): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return p50 * (p99 / p50) ** (normal / 2.326)
}

export function quantile(values: readonly number[], part: number): number {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN
}
