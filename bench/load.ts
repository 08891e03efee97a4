import type { RunningWorker } from '../scripts/support/runtime.ts'

/** Sends one request. Every call gets a different number. */
export type SendRequest = (n: number) => Promise<Response>

/** One round of requests to a Worker. Times are per request. */
export interface Load {
  readonly cpuMicroseconds: number
  readonly p50Ms: number
  readonly p99Ms: number
}

interface LoadOptions {
  /** How many requests are sent. */
  readonly requests: number
  /** How many are under way at the same time. */
  readonly connections?: number
  /** The number of the first request. */
  readonly from: number
}

const CONNECTIONS = 16

/** Sends requests and measures the CPU time of the whole runtime process. Throws at the first answer that is an error. */
export async function measureLoad(
  worker: RunningWorker,
  send: SendRequest,
  { requests, connections = CONNECTIONS, from }: LoadOptions,
): Promise<Load> {
  const times: number[] = []
  let next = 0
  const sendInTurn = async () => {
    for (let n = next++; n < requests; n = next++) {
      const startedAt = performance.now()
      const response = await send(from + n)
      if (response.status >= 400) throw new Error(`${response.status}: ${await response.text()}`)
      await response.arrayBuffer()
      times.push(performance.now() - startedAt)
    }
  }
  const before = await worker.cpuSeconds()
  await Promise.all(Array.from({ length: connections }, sendInTurn))
  const cpuSeconds = (await worker.cpuSeconds()) - before
  return {
    cpuMicroseconds: (cpuSeconds / requests) * 1e6,
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
  }
}

/**
 * Measures several items in turn, round after round, so that other load on the machine affects all of them alike. The
 * first round warms up and isn't counted.
 *
 * @returns the measurements of each item, one per round.
 */
export async function measureInRounds<Item, Measured>(
  items: readonly Item[],
  rounds: number,
  measure: (item: Item, round: number) => Promise<Measured>,
): Promise<Measured[][]> {
  const measured: Measured[][] = items.map(() => [])
  for (let round = 0; round <= rounds; round++) {
    for (const [index, item] of items.entries()) {
      const value = await measure(item, round)
      if (round > 0) measured[index]?.push(value)
    }
  }
  return measured
}

/** Returns the value below which a share of the numbers lies. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  const position = share * (sorted.length - 1)
  const below = sorted[Math.floor(position)] ?? Number.NaN
  const above = sorted[Math.ceil(position)] ?? Number.NaN
  return below + (above - below) * (position % 1)
}

export const median = (numbers: readonly number[]): number => quantile(numbers, 0.5)

/** Returns the ratios of two series that were measured in the same rounds. */
export const getRatios = (values: readonly number[], baseline: readonly number[]): number[] =>
  values.map((value, round) => value / (baseline[round] ?? Number.NaN))

/** Formats the median, and the range of the half of all rounds that is nearest to it, such as `1.05 (1.01–1.12)`. */
export const formatSpread = (numbers: readonly number[], digits = 0): string =>
  `${median(numbers).toFixed(digits)} (${quantile(numbers, 0.25).toFixed(digits)}–${quantile(numbers, 0.75).toFixed(digits)})`

/** Formats a table in Markdown. */
export const formatTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('')
