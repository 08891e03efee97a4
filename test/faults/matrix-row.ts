// Without Workers types, because `npm run torture -- faults` reads it in Node.
import 'vitest'

/** What one kind of fault did in each storage call of one operation. */
export interface MatrixRow {
  readonly operation: string
  readonly fault: string
  readonly cells: readonly MatrixCell[]
  /** What was wrong after cleanup. */
  readonly violations: readonly string[]
}

export interface MatrixCell {
  /** The storage call that was hit, such as `DB.batch`. */
  /** Which of the operation's calls it was, counted from 1. */
  readonly nth: number
  readonly call: string
  readonly outcome: 'acknowledged' | 'failed' | 'unanswered'
  readonly violations: readonly string[]
}

declare module 'vitest' {
  interface TaskMeta {
    /** For `npm run torture -- faults`, which prints the matrix. */
    row?: MatrixRow
  }
  interface ProvidedContext {
    /** Set by `npm run torture -- faults`, which runs everything that the suite only samples. */
    everyFault?: boolean
  }
}
