import { vi } from 'vitest'
import { JWE_TASKS } from '../../../src/client/encryption/jwe-worker.ts'

interface Request {
  readonly id: number
  readonly name: keyof typeof JWE_TASKS
  readonly input: never
}

/** Gives the tests of a file a working Storage under a global name, and returns its entries. */
export function stubStorage(name: 'localStorage' | 'sessionStorage'): Map<string, string> {
  const entries = new Map<string, string>()
  vi.stubGlobal(name, {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => entries.set(key, value),
    removeItem: (key: string) => entries.delete(key),
  })
  return entries
}

/** Makes every access to a Storage fail, as browsers do that deny it. */
export function denyStorage(name: 'localStorage' | 'sessionStorage'): void {
  const deny = () => {
    throw new DOMException('denied', 'SecurityError')
  }
  vi.stubGlobal(name, { getItem: deny, setItem: deny, removeItem: deny })
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
