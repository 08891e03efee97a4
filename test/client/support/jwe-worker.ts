import { vi } from 'vitest'
import { type JweAnswer, type JweTask, runJweTask } from '../../../src/client/encryption/jwe-task.ts'

/** Runs JWE tasks like the web worker, but on the thread of the test. */
class InlineJweWorker extends EventTarget {
  async postMessage({ id, task }: { id: number; task: JweTask }): Promise<void> {
    const data: JweAnswer = { id, result: await runJweTask(task) }
    this.dispatchEvent(new MessageEvent('message', { data }))
  }
}

/** A worker whose script can't be loaded. */
class BrokenWorker extends EventTarget {
  postMessage(): void {
    queueMicrotask(() => this.dispatchEvent(new Event('error')))
  }
}

/** Stubs the page and the web worker that jwe-client.ts needs. */
export function stubJweWorker({ broken = false } = {}): void {
  vi.stubGlobal('document', { querySelector: () => ({ content: '/assets/immutable/jwe-worker.js' }) })
  vi.stubGlobal('Worker', broken ? BrokenWorker : InlineJweWorker)
}
