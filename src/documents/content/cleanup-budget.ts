/** KV operations per run. Workers allows 1,000 per invocation. */
const MAX_KV_OPERATIONS = 900

interface BudgetOptions {
  /** Roughly how many milliseconds the run may take. */
  readonly budgetMs: number
  /** Returns the current time in milliseconds, to measure the run. */
  readonly clock: () => number
}

/** The time and KV operations that a run of cleanup has left. */
export class Budget {
  readonly #end: number
  readonly #clock: () => number
  #kvOperations = MAX_KV_OPERATIONS

  constructor({ budgetMs, clock }: BudgetOptions) {
    this.#clock = clock
    this.#end = clock() + budgetMs
  }

  /** Reserves KV operations. Returns false if not enough of them, or no time, are left. */
  take(kvOperations: number): boolean {
    if (this.#clock() >= this.#end || kvOperations > this.#kvOperations) return false
    this.#kvOperations -= kvOperations
    return true
  }
}
