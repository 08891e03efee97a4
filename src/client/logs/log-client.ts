import { startWorker } from '../highlight/highlight-client.ts'
import type { LogFilter } from './filter-lines.ts'
import type { DisplayedLog, FilterResult, LogAnswer, LogTask } from './log-messages.ts'

export interface LogClient {
  readonly log: DisplayedLog
  /** Finds the lines that a filter shows. Returns null if another filter was asked for before the answer came. */
  readonly filter: (filter: LogFilter) => Promise<FilterResult | null>
}

/** Parses a log in a worker, which keeps the text to filter it. Rejects if the worker can't run. */
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
