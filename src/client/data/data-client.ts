import type { HighlightAnswer, HighlightTask } from '../highlight/highlight-client.ts'
import { startWorker } from '../shared/start-worker.ts'
import type { DataCall, DataCalls } from './data-task.ts'

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
