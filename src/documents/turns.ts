import { BoundedMap } from '../shared/bounded-map.ts'
import type { Instant } from '../shared/instant.ts'
import type { Account } from './document.ts'

/** The keys of things that only one write at a time can have. */
export const toTurn = {
  document: (id: string) => `document ${id}`,
  name: ({ id }: Pick<Account, 'id'>, name: string) => `name ${id} ${name}`,
  idempotencyKey: (hash: string) => `key ${hash}`,
  /** The room that is left for an account or a network. */
  writer: (writer: string) => `writer ${writer}`,
}

/** Longer than storing a document usually takes. A request may end without a word, because its client is gone. */
const MAX_TURN_MS = 3_000
/** Who has waited for so long goes on: D1 decides anyway, and a crowd must not turn people away. */
const MAX_WAIT_MS = 5_000
const MAX_KEYS = 10_000
const MIN_PAUSE_MS = 5
const MAX_PAUSE_MS = 40

/**
 * Writes of an isolate that exclude each other take turns. Each stores its content before D1 decides between them: side by side,
 * all but one would store it for nothing, which costs the operator two calls of KV and no quota counts.
 *
 * Each request waits on timers of its own: a Worker must not resolve a promise of another request.
 */
export class Turns {
  readonly #takenAt = new BoundedMap<string, Instant>(MAX_KEYS)
  readonly #maxTurnMs: number

  constructor({ maxTurnMs = MAX_TURN_MS } = {}) {
    this.#maxTurnMs = maxTurnMs
  }

  /**
   * Runs the work once no other has a turn for one of these keys, or after five seconds.
   *
   * @param work is told whether it had to wait: then what it has read before may be out of date.
   * @throws what `work` throws.
   */
  async take<Result>(
    keys: readonly string[],
    work: (hasWaited: boolean) => Promise<Result>,
  ): Promise<Result> {
    const start = Date.now()
    let hasWaited = false
    for (let pauseMs = MIN_PAUSE_MS; keys.some((key) => this.#isTaken(key)); ) {
      if (Date.now() - start >= MAX_WAIT_MS) break
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
      pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)
      hasWaited = true
    }
    const takenAt = Date.now()
    for (const key of keys) this.#takenAt.set(key, takenAt)
    try {
      return await work(hasWaited)
    } finally {
      for (const key of keys) if (this.#takenAt.get(key) === takenAt) this.#takenAt.delete(key)
    }
  }

  #isTaken(key: string): boolean {
    const takenAt = this.#takenAt.get(key)
    return takenAt !== undefined && Date.now() - takenAt < this.#maxTurnMs
  }
}
