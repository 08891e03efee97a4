import type { Tokens } from '../highlight/tokens.ts'
import type { LineRuns, LogFilter } from './filter-lines.ts'
import type { ParsedLog } from './parse-log.ts'

/** What the page asks the log worker to do. The worker keeps the text. */
export type LogTask =
  | { readonly do: 'parse'; readonly text: string }
  | { readonly do: 'filter'; readonly number: number; readonly filter: LogFilter }

/** A log as it is shown. */
export interface DisplayedLog extends ParsedLog {
  /** The text without its terminal escape sequences, and its colours; null if it has none. */
  readonly terminal: { readonly plainText: string; readonly tokens: Tokens } | null
}

export type FilterResult = { readonly runs: LineRuns } | { readonly problem: string }

export type LogAnswer =
  | { readonly log: DisplayedLog }
  /** `number` identifies the task: only the answer to the latest one counts. */
  | { readonly number: number; readonly result: FilterResult }
