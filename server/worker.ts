import { hash } from 'node:crypto'
import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
import { MemoryCaches } from './cache.ts'

/** Loads the built Worker, which doesn't know that it runs in Node. */

export interface Worker {
  readonly fetch: (request: Request, env: Env, context: ExecutionContext) => Response | Promise<Response>
  readonly scheduled: (controller: ScheduledController, env: Env) => Promise<void>
}

/** Workers get a compiled module from an import of WebAssembly. Node would also run it. */
function importCompiled(folder: string): void {
  const source = (file: string) => `import { readFileSync } from 'node:fs'
    export default new WebAssembly.Module(readFileSync(new URL(${JSON.stringify(file)})))`
  registerHooks({
    load: (url, context, nextLoad) =>
      url.startsWith(folder) && url.endsWith('.wasm')
        ? { format: 'module', source: source(url), shortCircuit: true }
        : nextLoad(url, context),
  })
}

const MAX_HASHED_AT_ONCE = 64 * 1024

/** Node hashes in another thread. For a short text, that takes longer than hashing, and writes no longer wait together. */
function hashShortTextsAtOnce({ subtle }: Crypto): void {
  const digest = subtle.digest.bind(subtle)
  subtle.digest = async (algorithm, data) => {
    if (algorithm !== 'SHA-256' || !(data instanceof Uint8Array) || data.byteLength > MAX_HASHED_AT_ONCE)
      return digest(algorithm, data)
    return new Uint8Array(hash('sha256', data, 'buffer')).buffer
  }
}

const loaded = new Map<string, Promise<Worker>>()

async function load(path: string): Promise<Worker> {
  const { href } = pathToFileURL(path)
  importCompiled(new URL('.', href).href)
  // What else of Workers the app finds in its global scope, and Node doesn't have.
  if (!('caches' in globalThis)) Object.assign(globalThis, { caches: new MemoryCaches() })
  hashShortTextsAtOnce(crypto)
  const { default: worker } = await import(href)
  return worker
}

/** Servers in one process share it, as requests to one isolate do. */
export function loadWorker(path: string): Promise<Worker> {
  const worker = loaded.get(path) ?? load(path)
  loaded.set(path, worker)
  return worker
}
