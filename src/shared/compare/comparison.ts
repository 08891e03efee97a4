import type { Part } from './compare-words.ts'

/** A line as it is shown: without its line break. */
export interface ShownLine {
  /** Counted from 1. */
  readonly number: number
  readonly parts: readonly Part[]
  /** Whether the text ends here without a line break. Only said where it differs. */
  readonly lacksLineBreak?: boolean
}

/** A line that both versions have. */
export interface UnchangedLine {
  readonly oldNumber: number
  readonly newNumber: number
  readonly parts: readonly Part[]
}

/** Lines that were removed, and lines that replace them: the first stands beside the first, and so on. */
export interface ChangedBlock {
  readonly kind: 'changed'
  readonly removed: readonly ShownLine[]
  readonly added: readonly ShownLine[]
}

export interface UnchangedBlock {
  readonly kind: 'unchanged'
  readonly lines: readonly UnchangedLine[]
}

/** A long stretch of unchanged lines. */
export interface FoldedBlock {
  readonly kind: 'folded'
  readonly count: number
  /** The lines; empty if they're too many for the page. */
  readonly lines: readonly UnchangedLine[]
}

/** Lines of a change that are too many for the page. */
export interface OmittedBlock {
  readonly kind: 'omitted'
  readonly removed: number
  readonly added: number
}

export type Block = ChangedBlock | UnchangedBlock | FoldedBlock | OmittedBlock

export interface Comparison {
  readonly removed: number
  readonly added: number
  readonly blocks: readonly Block[]
}

/** `too-long` and `too-different` texts aren't compared. */
export type ComparisonResult = 'same' | 'too-long' | 'too-different' | Comparison
