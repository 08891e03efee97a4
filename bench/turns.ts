import type { RunningWorker } from './worker.ts'

/** One request; each gets a number of its own. */
export type Operation = (n: number) => Promise<Response>

const AT_ONCE = 16

/** Microseconds of CPU that an operation takes, in one turn of so many. Throws at an answer that is an error. */
export async function takeTurn(
  worker: RunningWorker,
  operation: Operation,
  { round, operations }: { round: number; operations: number },
): Promise<number> {
  const before = await worker.cpuSeconds()
  let next = 0
  const work = async () => {
    for (let n = next++; n < operations; n = next++) {
      const response = await operation(round * operations + n)
      if (response.status >= 400) throw new Error(`${response.status}: ${await response.text()}`)
      await response.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return (((await worker.cpuSeconds()) - before) / operations) * 1e6
}
