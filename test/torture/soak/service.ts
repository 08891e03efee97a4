import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { unstable_readConfig } from 'wrangler'
import { createAccount, createTables, readModules, STATIC_FILES } from '../../../scripts/support/runtime.ts'
import { ROOT } from '../../../scripts/support/wrangler.ts'

// The service of the soak test, in a process of its own that the driver can kill: two Workers on one database. Prints
// one line of JSON when it's ready. Its arguments: a folder with the bundle and the storage, the rate of faults, and how
// many accounts to create.

const [folder = '', faultRate = '0', accounts = '0'] = process.argv.slice(2)
const STORAGE_TIMEOUT_MS = 1_000

const config = unstable_readConfig({ config: join(ROOT, 'wrangler.toml') })
const [service, faulty] = await Promise.all([
  readModules(folder),
  readFile(join(import.meta.dirname, 'faulty-worker.js'), 'utf8'),
])

const QUOTAS = Object.keys(config.vars).filter((name) => /^(ACCOUNT|SERVER)_MAX_/.test(name))
/** Zero means no limit. */
const NO_QUOTAS = Object.fromEntries(QUOTAS.map((name) => [name, '0']))

const worker = (name: string) => ({
  name,
  modules: [{ type: 'ESModule' as const, path: 'faulty-worker.js', contents: faulty }, ...service],
  compatibilityDate: config.compatibility_date ?? '',
  bindings: {
    ...config.vars,
    RATE_LIMITS: 'off',
    ...NO_QUOTAS,
    LOG_REQUESTS: 'none',
    STORAGE_TIMEOUT_MS: String(STORAGE_TIMEOUT_MS),
    FAULT_RATE: faultRate,
    // Beyond the timeout: such a call takes effect after the service has given up.
    FAULT_DELAY_MS: String(STORAGE_TIMEOUT_MS + 500),
  },
  d1Databases: { DB: 'regent' },
  kvNamespaces: { CONTENTS: 'contents' },
  serviceBindings: STATIC_FILES,
  unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
})

const runtime = new Miniflare(
  convertV4MiniflareOptions({
    resourcePersistencePath: join(folder, 'state'),
    workers: [worker('one'), worker('two')],
    telemetry: { enabled: false },
  }),
)
await runtime.ready
const database = await runtime.getD1Database('DB', 'one')
await createTables(database)
const keys: string[] = []
for (let index = 0; index < Number(accounts); index++)
  keys.push(await createAccount(database, `soak${index}`))
const urls = await Promise.all(['one', 'two'].map((name) => runtime.unsafeGetDirectURL(name)))

/** Miniflare's type of a Worker leaves out `scheduled`. */
type Schedulable = Awaited<ReturnType<Miniflare['getWorker']>> & {
  scheduled(options: object): Promise<unknown>
}

// The driver asks for the scheduled trigger.
process.on('message', async () => {
  const two = (await runtime.getWorker('two')) as Schedulable
  await two.scheduled({}).catch(() => {})
})
process.send?.({ urls: urls.map(({ origin }) => origin), keys })
