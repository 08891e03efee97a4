import { startWorker } from '../highlight/highlight-client.ts'
import type { Tokens } from '../highlight/tokens.ts'
import type { LineRuns, LogFilter } from './filter-lines.ts'
import type { ParsedLog } from './parse-log.ts'

export type LogTask =
  | { readonly do: 'parse'; readonly text: string }
  | { readonly do: 'filter'; readonly number: number; readonly filter: LogFilter }

export interface DisplayedLog extends ParsedLog {
  /** The text without its terminal escape sequences, and its colours; null if it has none. */
  readonly terminal: { readonly plainText: string; readonly tokens: Tokens } | null
}

export type FilterResult = { readonly runs: LineRuns } | { readonly problem: string }

export type LogAnswer =
  | { readonly log: DisplayedLog }
  /** `number` identifies the task: only the answer to the latest one counts. */
  | { readonly number: number; readonly result: FilterResult }

export interface LogClient {
  readonly log: DisplayedLog
  readonly filter: (filter: LogFilter) => Promise<FilterResult | null>
}

/** Rejects if the worker can't run. */
export const startLogClient = (address: string, text: string): Promise<LogClient> =>
  new Promise((resolve, reject) => {
    const worker = startWorker(address)
    const send = (task: LogTask) => worker.postMessage(task)
    let latest = 0
    let settle: ((result: FilterResult | null) => void) | null = null
    const filter: LogClient['filter'] = (wanted) => {
      settle?.(null)
      send({ do: 'filter', number: ++latest, filter: wanted })
      return new Promise((resolveFilter) => {
        settle = resolveFilter
      })
    }
    worker.addEventListener('message', ({ data: answer }: MessageEvent<LogAnswer>) => {
      if ('log' in answer) return resolve({ log: answer.log, filter })
      if (answer.number !== latest) return
      settle?.(answer.result)
      settle = null
    })
    worker.addEventListener('error', () => {
      worker.terminate()
      reject(new Error('The log worker doesn’t run'))
    })
    send({ do: 'parse', text })
  })
