/** The tasks of a web worker, by name. A task may hand over parts of its answer before it returns. */
type Tasks = Readonly<Record<string, (input: never, onPart: (part: unknown) => void) => unknown>>

interface Request {
  readonly id: number
  readonly name: string
  readonly input: unknown
}

type Answer = { readonly id: number } & (
  | { readonly part: unknown }
  | { readonly result: unknown }
  | { readonly problem: Pick<Error, 'name' | 'message'> }
)

/** The worker ran the task, which failed. Any other error means that the worker doesn't run. */
export class TaskError extends Error {}

export interface WorkerClient<Known extends Tasks> {
  readonly ask: <Name extends keyof Known & string>(
    name: Name,
    input: Parameters<Known[Name]>[0],
    onPart?: Parameters<Known[Name]>[1],
  ) => Promise<Awaited<ReturnType<Known[Name]>>>
  /** Rejects the tasks that haven't been answered. Asking again starts another worker. */
  readonly stop: () => void
}

declare global {
  /** The part of Trusted Types that this site uses; TypeScript's DOM types lack them. */
  var trustedTypes: { createPolicy(name: string, rules: Policy): Policy } | undefined
}

interface Policy {
  createScriptURL(address: string): string
}

/** Trusted Types (w3c.github.io/trusted-types) accept only this site's own built scripts. */
const POLICY: Policy = {
  createScriptURL: (address) => {
    const { href } = new URL(address, document.baseURI)
    if (!href.startsWith(`${location.origin}/assets/immutable/`))
      throw new TypeError(`not a script of this site: ${href}`)
    return href
  },
}

/** A page may create it once. */
let policy: Policy | undefined

function startWorker(address: string): Worker {
  policy ??= globalThis.trustedTypes?.createPolicy('regent', POLICY)
  // Where Trusted Types exist this is a TrustedScriptURL; TypeScript's types for Worker only accept a string.
  return new Worker(policy?.createScriptURL(address) ?? address, { type: 'module' })
}

/** The user reads it where nothing else can do the work. */
export const NOT_LOADED = 'Part of this page couldn’t be loaded. Check your connection and try again.'

interface Asked {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
  readonly onPart: ((part: unknown) => void) | undefined
}

/** Starts the worker when it is first asked. @param onStop is told when what the worker knew is lost. */
export function createWorkerClient<Known extends Tasks>(
  address: string,
  onStop?: () => void,
): WorkerClient<Known> {
  const waiting = new Map<number, Asked>()
  let worker: Worker | undefined
  let latest = 0
  const stop = () => {
    worker?.terminate()
    worker = undefined
    for (const { reject } of waiting.values()) reject(new Error(NOT_LOADED))
    waiting.clear()
    onStop?.()
  }
  const start = () => {
    const started = startWorker(address)
    started.addEventListener('error', () => worker === started && stop())
    started.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
      const asked = waiting.get(data.id)
      if ('part' in data) return asked?.onPart?.(data.part)
      waiting.delete(data.id)
      if ('problem' in data) asked?.reject(Object.assign(new TaskError(), data.problem))
      else asked?.resolve(data.result)
    })
    return started
  }
  const ask = (name: string, input: unknown, onPart?: Asked['onPart']) =>
    new Promise<unknown>((resolve, reject) => {
      worker ??= start()
      const id = ++latest
      waiting.set(id, { resolve, reject, onPart })
      worker.postMessage({ id, name, input } satisfies Request)
    })
  return { ask: ask as WorkerClient<Known>['ask'], stop }
}

/** Answers what pages ask. Does nothing outside of a worker, so that tests can run the tasks. */
export function serve(tasks: Tasks): void {
  if (!('WorkerGlobalScope' in globalThis)) return
  addEventListener('message', async ({ data: { id, name, input } }: MessageEvent<Request>) => {
    const answer = (message: Answer) => postMessage(message)
    try {
      const result = await tasks[name]?.(input as never, (part) => answer({ id, part }))
      answer({ id, result })
    } catch (error) {
      const { name, message } = error instanceof Error ? error : new Error(String(error))
      answer({ id, problem: { name, message } })
    }
  })
}
