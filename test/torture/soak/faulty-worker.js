// Wraps the service's storage, so that some calls fail, lose their answers or come late. Runs in front of the bundle.
import service from './index.js'

const lost = () => new Error('D1_ERROR: Network connection lost.')
const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))
const CALLS = new Set(['first', 'all', 'run', 'raw', 'batch', 'get', 'put', 'delete', 'list'])
const originals = new WeakMap()
const unwrap = (value) => (Array.isArray(value) ? value.map(unwrap) : (originals.get(value) ?? value))

async function call(run, rate, lateMs) {
  if (Math.random() >= rate) return run()
  const kind = Math.floor(Math.random() * 3)
  if (kind === 0) throw lost()
  if (kind === 1) {
    await run()
    throw lost()
  }
  await wait(lateMs)
  return run()
}

function wrap(target, rate, lateMs) {
  const proxy = new Proxy(target, {
    get(inner, property) {
      const value = Reflect.get(inner, property)
      if (typeof value !== 'function') return value
      return (...args) => {
        const run = () => Reflect.apply(value, inner, args.map(unwrap))
        if (CALLS.has(String(property))) return call(run, rate, lateMs)
        const result = run()
        return typeof result === 'object' && result !== null ? wrap(result, rate, lateMs) : result
      }
    },
  })
  originals.set(proxy, target)
  return proxy
}

let wrapped

/** The service parses the configuration once for each `env`, so this returns the same one for every request. */
function withFaults(env) {
  const rate = Number(env.FAULT_RATE)
  const lateMs = Number(env.FAULT_DELAY_MS)
  wrapped ??= { ...env, DB: wrap(env.DB, rate, lateMs), CONTENTS: wrap(env.CONTENTS, rate, lateMs) }
  return wrapped
}

export default {
  fetch: (request, env, context) => service.fetch(request, withFaults(env), context),
  scheduled: (event, env, context) => service.scheduled(event, withFaults(env), context),
}
