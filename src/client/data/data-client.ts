import type { HighlightAnswer, HighlightTask } from '../highlight/highlight-client.ts'
import { startWorker } from '../shared/start-worker.ts'
import type { JsonFacts, JsonRow } from './parse-json.ts'
import type { Arrangement, TableFacts, TableRow } from './parse-table.ts'

interface Text {
  readonly text: string
  readonly language: string
}

interface Range {
  readonly from: number
  readonly to: number
}

/** What a page asks the worker, and what it answers. The worker keeps the table or the tree. */
export interface DataCalls {
  readonly 'parse-table': { readonly input: Text; readonly output: TableFacts }
  /** Answers with the number of rows. */
  readonly 'arrange-table': { readonly input: Arrangement; readonly output: number }
  readonly 'read-table': { readonly input: Range; readonly output: readonly TableRow[] }
  readonly 'parse-json': { readonly input: Text; readonly output: JsonFacts }
  /** A line that opens a value, or all of them. Answers with the number of rows. */
  readonly 'fold-json': {
    readonly input: { readonly line: number | null; readonly isFolded: boolean }
    readonly output: number
  }
  readonly 'read-json': { readonly input: Range; readonly output: readonly JsonRow[] }
  readonly 'get-json-path': { readonly input: { readonly line: number }; readonly output: string }
  readonly 'format-json': { readonly input: object; readonly output: string }
}

export type DataCall = {
  [Name in keyof DataCalls]: { readonly name: Name; readonly input: DataCalls[Name]['input'] }
}[keyof DataCalls]

export type AskData = <Name extends keyof DataCalls>(
  name: Name,
  input: DataCalls[Name]['input'],
) => Promise<DataCalls[Name]['output']>

/** Starts the highlight worker for one text. @param address of the worker */
export function startDataClient(address: string): AskData {
  const worker = startWorker(address)
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let latest = 0
  worker.addEventListener('message', ({ data }: MessageEvent<HighlightAnswer>) => {
    if (!('number' in data)) return
    const { resolve, reject } = waiting.get(data.number) ?? {}
    waiting.delete(data.number)
    if ('problem' in data) reject?.(new Error(data.problem))
    else resolve?.(data.result)
  })
  worker.addEventListener('error', () => {
    worker.terminate()
    for (const { reject } of waiting.values()) reject(new Error('The worker doesn’t run'))
    waiting.clear()
  })
  return async <Name extends keyof DataCalls>(name: Name, input: DataCalls[Name]['input']) => {
    const number = ++latest
    const answer = Promise.withResolvers<unknown>()
    waiting.set(number, answer)
    worker.postMessage({ do: 'data', number, call: { name, input } as DataCall } satisfies HighlightTask)
    return (await answer.promise) as DataCalls[Name]['output']
  }
}
