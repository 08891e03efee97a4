import { env } from 'cloudflare:workers'

/** A call of storage as tests name it, such as `DB.batch` or `CONTENTS.put`. */
export type StorageCall = `DB.${'first' | 'all' | 'batch'}` | `CONTENTS.${'get' | 'put' | 'delete' | 'list'}`

type Around = (call: StorageCall, run: () => Promise<unknown>) => Promise<unknown>

const ENDS = new Set(['first', 'all', 'run', 'raw', 'batch', 'get', 'put', 'delete', 'list'])

function wrap<Target extends object>(target: Target, name: string, around: Around): Target {
  return new Proxy(target, {
    get(inner, property) {
      const value = Reflect.get(inner, property)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        const call = () => Reflect.apply(value, inner, args.map(unwrap))
        if (ENDS.has(String(property))) return around(`${name}.${String(property)}` as StorageCall, call)
        const result = call()
        // `prepare` and `bind` answer statements, whose calls are storage calls too.
        return typeof result === 'object' && result !== null
          ? remember(wrap(result, name, around), result)
          : result
      }
    },
  })
}

const originals = new WeakMap<object, object>()
const remember = <Value extends object>(proxy: Value, original: object): Value => {
  originals.set(proxy, original)
  return proxy
}
const unwrap = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(unwrap)
  return typeof value === 'object' && value !== null ? (originals.get(value) ?? value) : value
}

/** The real bindings, with something around each of their calls. */
export const bindingsWith = (around: Around, vars: Record<string, string> = {}): Env =>
  ({
    ...env,
    ...vars,
    DB: wrap(env.DB, 'DB', around),
    CONTENTS: wrap(env.CONTENTS, 'CONTENTS', around),
  }) as Env

interface Counts {
  readonly bindings: Env
  /** The calls in their order. */
  readonly calls: StorageCall[]
  /** Rows as D1 counts them for the bill. */
  readonly rows: { written: number }
}

/** The real bindings, and what goes through them. */
export function countCalls(): Counts {
  const calls: StorageCall[] = []
  const rows = { written: 0 }
  const bindings = bindingsWith(async (call, run) => {
    calls.push(call)
    const result = await run()
    for (const { meta } of Array.isArray(result) ? (result as D1Result[]) : []) addRows(rows, meta)
    if (call === 'DB.all') addRows(rows, (result as D1Result).meta)
    return result
  })
  return { bindings, calls, rows }
}

function addRows(rows: Counts['rows'], meta: D1Meta): void {
  rows.written += meta.rows_written
}
