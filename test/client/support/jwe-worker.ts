import { vi } from 'vitest'
import { JWE_TASKS } from '../../../src/client/encryption/jwe-worker.ts'

interface Request {
  readonly id: number
  readonly name: keyof typeof JWE_TASKS
  readonly input: never
}

/** Runs JWE tasks like the web worker, but on the thread of the test. */
class InlineJweWorker extends EventTarget {
  async postMessage({ id, name, input }: Request): Promise<void> {
    const data = { id, result: await JWE_TASKS[name](input) }
    this.dispatchEvent(new MessageEvent('message', { data }))
  }
}

/** A worker whose script can't be loaded. */
class BrokenWorker extends EventTarget {
  terminate(): void {}

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

/** Stubs the page and the web worker that encryption.ts needs. */
export function stubJweWorker(kind: keyof typeof WORKERS = 'working'): void {
  vi.stubGlobal('document', { querySelector: () => ({ content: '/assets/immutable/jwe-worker.js' }) })
  vi.stubGlobal('Worker', WORKERS[kind])
}
