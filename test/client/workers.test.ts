import { afterEach, describe, expect, it, vi } from 'vitest'
import { createWorkerClient, serve, TaskError } from '../../src/client/shared/workers.ts'

const TASKS = {
  double: (number: number) => number * 2,
  count: async (to: number, onNumber: (number: number) => void) => {
    for (let number = 1; number <= to; number++) onNumber(number)
    return 'counted'
  },
  fail: () => {
    throw new RangeError('too much')
  },
  wait: () => new Promise<never>(() => {}),
}

/** How many have been started. */
let started = 0

/** Runs `serve` with the globals of a worker, which are the other end of this one. */
class FakeWorker extends EventTarget {
  readonly #listeners: ((event: MessageEvent) => void)[] = []

  constructor() {
    super()
    started += 1
    vi.stubGlobal('WorkerGlobalScope', {})
    vi.stubGlobal('addEventListener', (_: string, listener: (event: MessageEvent) => void) =>
      this.#listeners.push(listener),
    )
    vi.stubGlobal('postMessage', (data: unknown) => this.dispatchEvent(new MessageEvent('message', { data })))
    serve(TASKS)
  }

  postMessage(data: unknown): void {
    for (const listener of this.#listeners) listener(new MessageEvent('message', { data }))
  }

  terminate(): void {}
}

function startClient(onStop?: () => void) {
  vi.stubGlobal('Worker', FakeWorker)
  return createWorkerClient<typeof TASKS>('/assets/immutable/worker.js', onStop)
}

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('a web worker', () => {
  it('answers each task, and hands over parts before', async () => {
    const { ask } = startClient()
    const parts: number[] = []
    const answers = [ask('double', 4), ask('count', 3, (part) => parts.push(part)), ask('double', 1)]
    expect(await Promise.all(answers)).toEqual([8, 'counted', 2])
    expect(parts).toEqual([1, 2, 3])
  })

  it('says how a task failed', async () => {
    const { ask } = startClient()
    const error = await ask('fail', undefined).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(TaskError)
    expect(error).toMatchObject({ name: 'RangeError', message: 'too much' })
  })

  it('rejects what waits when it is stopped, and another one starts with the next task', async () => {
    const onStop = vi.fn()
    const { ask, stop } = startClient(onStop)
    const before = started
    const waiting = ask('wait', undefined)
    stop()
    expect(onStop).toHaveBeenCalledOnce()
    await expect(waiting).rejects.not.toBeInstanceOf(TaskError)
    expect(await ask('double', 2)).toBe(4)
    expect(started).toBe(before + 2)
  })
})
