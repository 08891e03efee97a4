/** Thrown when the work allowed is used up. */
export class WorkLimitError extends Error {
  override readonly name = 'WorkLimitError'
}

/**
 * Limits work by counting steps, not by the time: the clock stands still while a Worker computes, and the same texts
 * always give the same result.
 */
export class WorkLimit {
  #left: number

  constructor(steps: number) {
    this.#left = steps
  }

  get left(): number {
    return this.#left
  }

  /** Counts steps. Throws WorkLimitError if there have been too many. */
  spend(steps = 1): void {
    this.#left -= steps
    if (this.#left < 0) throw new WorkLimitError('the texts are too different')
  }

  /** Counts steps if there are enough left, and returns whether there were. */
  trySpend(steps: number): boolean {
    if (steps > this.#left) return false
    this.#left -= steps
    return true
  }
}
