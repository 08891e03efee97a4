interface Count {
  /** Views that are not in the row yet and not on their way to it. */
  pending: number
  /** The highest count that this isolate has shown. */
  shown: number
}

/** How long views gather before they are written: within seconds, and one UPDATE for all of them. */
const GATHER_MS = 1_000
/** After this long a flush that was planned is taken for lost, with the request that planned it. */
const PLAN_EXPIRES_MS = 10_000

/**
 * Views of documents, gathered in this isolate and written together. A response never waits for a
 * count, and never fails by one; what an isolate gathers in its last second may be lost with it.
 */
export class ViewCounter {
  readonly #counts = new Map<string, Count>()
  #plannedAt = Number.NEGATIVE_INFINITY

  /**
   * Counts one view.
   *
   * @param stored the views of the row that was read for this view.
   * @returns the count including this view.
   */
  count(id: string, stored: number): number {
    const count = this.#counts.get(id) ?? { pending: 0, shown: 0 }
    count.pending += 1
    // While a flush is under way nobody knows whether `stored` has it already; what was shown before does.
    count.shown = Math.max(count.shown + 1, stored + count.pending)
    this.#counts.set(id, count)
    return count.shown
  }

  /** The count without a new view. */
  current(id: string, stored: number): number {
    const count = this.#counts.get(id)
    return count ? Math.max(count.shown, stored + count.pending) : stored
  }

  /** Whether the caller is the one who should flush after `GATHER_MS`. `now` is in milliseconds. */
  planFlush(now: number): boolean {
    if (now < this.#plannedAt + PLAN_EXPIRES_MS) return false
    this.#plannedAt = now
    return true
  }

  /**
   * Writes all that has gathered, by one call of `write`. When that fails the views wait for the next
   * flush, so a fault whose write did take effect may count them twice.
   */
  async flush(write: (views: ReadonlyMap<string, number>) => Promise<void>): Promise<void> {
    this.#plannedAt = Number.NEGATIVE_INFINITY
    const views = new Map<string, number>()
    for (const [id, count] of this.#counts) {
      if (count.pending > 0) views.set(id, count.pending)
      // Nothing came since the last flush, so that one is in every row that is read from now on.
      else this.#counts.delete(id)
      count.pending = 0
    }
    if (views.size === 0) return
    try {
      await write(views)
    } catch (error) {
      for (const [id, number] of views) {
        const count = this.#counts.get(id) ?? { pending: 0, shown: 0 }
        count.pending += number
        this.#counts.set(id, count)
      }
      throw error
    }
  }
}

/** One an isolate. */
export const viewCounter = new ViewCounter()

/** Resolves when gathering is over. */
export const gathered = () => new Promise((resolve) => setTimeout(resolve, GATHER_MS))
