import { env } from 'cloudflare:workers'

/** A storage call, such as `DB.batch` or `CONTENTS.put`. `DB.reads` reads the rows of one or more statements. */
export type StorageCall =
  | `DB.${'first' | 'all' | 'reads' | 'batch'}`
  | `CONTENTS.${'get' | 'put' | 'delete' | 'list'}`

/** Runs a storage call, or fails in its place. */
export type Interceptor = (call: StorageCall, run: () => Promise<unknown>) => Promise<unknown>

const CALLS = new Set(['first', 'all', 'run', 'raw', 'batch', 'get', 'put', 'delete', 'list'])

/** Returns an object whose storage calls go through an interceptor, like those of the statements that it prepares. */
export function wrap<Target extends object>(target: Target, name: string, intercept: Interceptor): Target {
  return new Proxy(target, {
    get(inner, property) {
      const value = Reflect.get(inner, property)
      if (typeof value !== 'function' || property === 'constructor') return value
      return (...args: unknown[]) => {
        const unwrapped = args.map(unwrap)
        const call = () => Reflect.apply(value, inner, unwrapped)
        if (CALLS.has(String(property))) {
          const onlyReads =
            property === 'batch' ? isReads(unwrapped[0]) : property === 'all' && isReads([inner])
          const called = onlyReads ? 'reads' : String(property)
          return intercept(`${name}.${called}` as StorageCall, call)
        }
        const result = call()
        if (property === 'prepare') statementTexts.set(result, String(args[0]))
        if (property === 'bind') statementTexts.set(result, statementTexts.get(inner) ?? '')
        // `prepare` and `bind` return statements, whose calls are storage calls, too.
        return typeof result === 'object' && result !== null
          ? remember(wrap(result, name, intercept), result)
          : result
      }
    },
  })
}

const statementTexts = new WeakMap<object, string>()

const isReads = (statements: unknown): boolean =>
  Array.isArray(statements) && statements.every((one) => /^\s*SELECT/i.test(statementTexts.get(one) ?? ''))

const originals = new WeakMap<object, object>()
const remember = <Value extends object>(proxy: Value, original: object): Value => {
  originals.set(proxy, original)
  return proxy
}
const unwrap = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(unwrap)
  return typeof value === 'object' && value !== null ? (originals.get(value) ?? value) : value
}

/** Returns the real bindings with an interceptor for each storage call. */
export const bindingsWith = (intercept: Interceptor, vars: Record<string, string> = {}): Env =>
  ({
    ...env,
    ...vars,
    DB: wrap(env.DB, 'DB', intercept),
    CONTENTS: wrap(env.CONTENTS, 'CONTENTS', intercept),
  }) as Env

/** Returns the real bindings, except that calls of one kind, or all calls, fail. */
export const withFailing = (broken: StorageCall | 'all', message: string): Env =>
  bindingsWith(async (call, run) => {
    if (broken === 'all' || call === broken) throw new Error(message)
    return run()
  })

/** Returns the real bindings, except that the first call of a kind takes effect but loses its answer. */
export function losingFirst(lost: StorageCall): { bindings: Env; count: () => number } {
  let calls = 0
  const bindings = bindingsWith(async (call, run) => {
    const result = await run()
    if (call === lost && ++calls === 1) throw new Error('Network connection lost')
    return result
  })
  return { bindings, count: () => calls }
}

interface Counts {
  readonly bindings: Env
  /** The calls, in order. */
  readonly calls: StorageCall[]
  /** The calls that wait for the same calls, by name. Those of a step start once the step before is over. */
  readonly steps: StorageCall[][]
  /** Rows as D1 bills them. */
  readonly rows: { read: number; written: number }
}

/** Returns the real bindings, counts their storage calls, and records which of them wait for which. */
export function countCalls(vars: Record<string, string> = {}): Counts {
  const calls: StorageCall[] = []
  const steps: StorageCall[][] = []
  const rows = { read: 0, written: 0 }
  let underWay = 0
  const bindings = bindingsWith(async (call, run) => {
    calls.push(call)
    if (underWay === 0) steps.push([])
    steps.at(-1)?.push(call)
    steps.at(-1)?.sort()
    underWay += 1
    try {
      const result = await run()
      if (call === 'DB.all' || call === 'DB.batch' || call === 'DB.reads')
        for (const { meta } of [result].flat() as D1Result[]) addRows(rows, meta)
      return result
    } finally {
      underWay -= 1
    }
  }, vars)
  return { bindings, calls, steps, rows }
}

function addRows(rows: Counts['rows'], meta: D1Meta): void {
  rows.read += meta.rows_read
  rows.written += meta.rows_written
}
