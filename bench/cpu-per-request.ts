import type { RunningWorker } from './worker.ts'

/** Sends one request. Every call gets a different number. */
export type SendRequest = (n: number) => Promise<Response>

const CONCURRENCY = 16

/**
 * Sends the requests of one round and returns the CPU time per request, in microseconds.
 *
 * Throws at the first response that is an error.
 */
export async function measureCpuPerRequest(
  worker: RunningWorker,
  send: SendRequest,
  { round, requests }: { round: number; requests: number },
): Promise<number> {
  const before = await worker.cpuSeconds()
  let next = 0
  const sendInTurn = async () => {
    for (let n = next++; n < requests; n = next++) {
      const response = await send(round * requests + n)
      if (response.status >= 400) throw new Error(`${response.status}: ${await response.text()}`)
      await response.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, sendInTurn))
  return (((await worker.cpuSeconds()) - before) / requests) * 1e6
}

/**
 * Measures several items in turn, round after round, so that other load on the machine affects all of them
 * alike. The first round warms up and isn't counted.
 *
 * @returns the measurements of each item, one per round.
 */
export async function measureInRounds<Item>(
  items: readonly Item[],
  rounds: number,
  measure: (item: Item, round: number) => Promise<number>,
): Promise<number[][]> {
  const measured: number[][] = items.map(() => [])
  for (let round = 0; round <= rounds; round++) {
    for (const [index, item] of items.entries()) {
      const value = await measure(item, round)
      if (round > 0) measured[index]?.push(value)
    }
  }
  return measured
}
