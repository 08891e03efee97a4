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

/** A worker that the browser, or an extension of it, doesn't start. */
class RefusedWorker {
  constructor() {
    throw new DOMException('refused', 'SecurityError')
  }
}

const WORKERS = { working: InlineJweWorker, broken: BrokenWorker, refused: RefusedWorker }

/** Stubs the page and the web worker that jwe-client.ts needs. */
export function stubJweWorker(kind: keyof typeof WORKERS = 'working'): void {
  vi.stubGlobal('document', { querySelector: () => ({ content: '/assets/immutable/jwe-worker.js' }) })
  vi.stubGlobal('Worker', WORKERS[kind])
}
