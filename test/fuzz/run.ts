import fc from 'fast-check'
import { createCheck, type DescribedApi } from './check-answer.ts'
import { anyRequest } from './requests.ts'
import type { FuzzRequest, SendRequest, World } from './world.ts'

export interface Violation {
  readonly request: FuzzRequest
  readonly status: number
  readonly problems: readonly string[]
}

export interface FuzzResult {
  /** How many answers had each status. */
  readonly statuses: Map<number, number>
  /** How many requests no client could send. */
  readonly impossible: number
  readonly violations: readonly Violation[]
}

interface FuzzOptions {
  /** Describes the answers. */
  readonly api: DescribedApi
  readonly world: World
  readonly send: SendRequest
  readonly requests: number
  /** The same seed gives the same requests to the same world. */
  readonly seed: number
  readonly concurrency: number
}

/** Sends random requests and checks every answer. */
export async function fuzz({
  api,
  world,
  send,
  requests,
  seed,
  concurrency,
}: FuzzOptions): Promise<FuzzResult> {
  const findProblems = createCheck(api, world)
  const waiting = fc.sample(anyRequest(world), { numRuns: requests, seed })[Symbol.iterator]()
  const statuses = new Map<number, number>()
  const violations: Violation[] = []
  let impossible = 0
  const work = async () => {
    // All workers take from the same iterator.
    for (let next = waiting.next(); !next.done; next = waiting.next()) {
      const request = next.value
      const answer = await send(request)
      if (answer === null) {
        impossible += 1
        continue
      }
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      const problems = findProblems(request, answer)
      if (problems.length > 0) violations.push({ request, status: answer.status, problems })
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return { statuses, impossible, violations }
}
