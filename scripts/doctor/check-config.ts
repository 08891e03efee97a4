import { LIMITS } from '../../src/http/limits-table.ts'
import type { Variables } from '../support/config.ts'
import { CommandError } from '../support/script.ts'
import { checkVariables } from './check-variables.ts'
import { advice, type Finding, ok, problem } from './finding.ts'

/** The date of the runtime that Regent is tested with. */
export const COMPATIBILITY_DATE = '2026-09-01'

/** What the doctor reads of wrangler's configuration. */
export interface WorkerConfig {
  readonly compatibility_date?: string | undefined
  readonly workers_dev?: boolean | undefined
  readonly preview_urls?: boolean | undefined
  readonly routes?: readonly unknown[] | undefined
  readonly route?: unknown
  readonly vars: Readonly<Record<string, unknown>>
  readonly d1_databases: readonly { readonly binding: string; readonly database_name?: string | undefined }[]
  readonly kv_namespaces: readonly { readonly binding: string }[]
  readonly send_email: readonly { readonly name: string }[]
  readonly assets?: { readonly binding?: string | undefined } | undefined
  readonly ratelimits: readonly {
    readonly name: string
    readonly namespace_id: string
    readonly simple: { readonly limit: number; readonly period: number }
  }[]
  readonly triggers: { readonly crons?: readonly string[] | undefined }
  readonly logpush?: boolean | undefined
  readonly observability?:
    | {
        readonly enabled?: boolean | undefined
        readonly logs?:
          | { readonly enabled?: boolean | undefined; readonly invocation_logs?: boolean | undefined }
          | undefined
        readonly traces?: { readonly enabled?: boolean | undefined } | undefined
      }
    | undefined
  readonly cache?: { readonly enabled?: boolean | undefined } | undefined
}

/**
 * Reads a configuration as wrangler does. Wrangler is loaded here because that takes a second.
 *
 * @throws CommandError if the file isn't valid.
 */
export async function readWorkerConfig(path: string, env?: string): Promise<WorkerConfig> {
  const { unstable_readConfig: read } = await import('wrangler')
  try {
    return read({ config: path, env }, { hideWarnings: true })
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : String(error))
  }
}

/** Returns the variables as the Worker reads them. */
export const toVariables = ({ vars }: WorkerConfig): Variables =>
  Object.fromEntries(
    Object.entries(vars).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  )

function checkStorage({ d1_databases, kv_namespaces, assets }: WorkerConfig): Finding[] {
  return [
    d1_databases.some(({ binding }) => binding === 'DB')
      ? ok('D1: binding DB')
      : problem('D1: there is no binding DB.', 'Add [[d1_databases]] with binding = "DB" to regent.toml.'),
    kv_namespaces.some(({ binding }) => binding === 'CONTENTS')
      ? ok('KV: binding CONTENTS')
      : problem(
          'KV: there is no binding CONTENTS.',
          'Add [[kv_namespaces]] with binding = "CONTENTS" to regent.toml.',
        ),
    assets?.binding === 'ASSETS'
      ? ok('Assets: binding ASSETS')
      : advice('Assets: there is no binding ASSETS, so /docs is not readable.', 'Add it to [assets].'),
  ]
}

function checkLimits({ ratelimits }: WorkerConfig): Finding[] {
  const findings = Object.entries(LIMITS).flatMap(([name, { binding }]) => {
    const found = ratelimits.find((candidate) => candidate.name === binding)
    if (!found) {
      const fix = `Add [[ratelimits]] with name = "${binding}" to regent.toml.`
      return [problem(`Limit "${name}": there is no binding ${binding}, so it doesn't apply.`, fix)]
    }
    if (ratelimits.some((other) => other !== found && other.namespace_id === found.namespace_id)) {
      const fix = 'Give each limit a namespace_id of its own.'
      return [problem(`Limit "${name}" counts together with another one: same namespace_id.`, fix)]
    }
    return []
  })
  const known: readonly string[] = Object.values(LIMITS).map(({ binding }) => binding)
  for (const { name } of ratelimits)
    if (!known.includes(name))
      findings.push(advice(`${name} in [[ratelimits]] is not a limit of Regent.`, 'Check its spelling.'))
  return findings.length === 0 ? [ok(`Limits: all ${Object.keys(LIMITS).length} bindings`)] : findings
}

const hasRoutes = ({ route, routes = [] }: WorkerConfig): boolean => route !== undefined || routes.length > 0

function checkAddresses(config: WorkerConfig): Finding[] {
  // As in wrangler: without routes, the Worker is on workers.dev; preview URLs follow that unless they're set.
  const workersDev = config.workers_dev ?? !hasRoutes(config)
  const previews = config.preview_urls ?? workersDev
  return [
    workersDev && hasRoutes(config)
      ? problem('The site has a second address, on workers.dev.', 'Set workers_dev = false in regent.toml.')
      : ok(workersDev ? 'Address: on workers.dev' : 'Address: by its routes only'),
    previews
      ? problem(
          'Preview URLs are on: old versions stay reachable, with the same data but without fixes.',
          'Set preview_urls = false in regent.toml.',
        )
      : ok('Preview URLs: off'),
  ]
}

const HEARTBEAT = '* * * * *'

function checkSchedule({ triggers, vars }: WorkerConfig): Finding {
  const crons = triggers.crons ?? []
  const fix = `Set crons = ["*/5 * * * *", "${HEARTBEAT}"] in [triggers].`
  if (crons.every((cron) => cron === HEARTBEAT))
    return problem('Scheduled jobs never run, so nothing is cleaned up.', fix)
  if (vars.READ_FROM !== 'primary' && !crons.includes(HEARTBEAT))
    return advice('There is no heartbeat, so reads never come from copies of the database.', fix)
  return ok(`Scheduled jobs: ${crons.join(', ')}`)
}

/** Logs of the platform contain whole URLs, and the API accepts `?password=`. */
function checkLogs({ observability, logpush }: WorkerConfig): Finding {
  const logs = observability?.enabled === true && observability.logs?.enabled !== false
  if (logs && observability?.logs?.invocation_logs !== false) {
    const fix = 'Set invocation_logs = false in [observability.logs].'
    return problem('Invocation logs are on. They contain URLs with passwords.', fix)
  }
  if (observability?.traces?.enabled === true) {
    return problem('Traces are on. They contain URLs with passwords.', 'Turn off [observability.traces].')
  }
  if (logpush) return problem('Logpush is on. It sends URLs with passwords.', 'Set logpush = false.')
  return ok(logs ? "Logs: without the platform's invocation logs" : 'Logs: off')
}

function checkDate({ compatibility_date: date }: WorkerConfig): Finding {
  if (date !== undefined && date >= COMPATIBILITY_DATE) return ok(`Compatibility date: ${date}`)
  const fix = `Set compatibility_date = "${COMPATIBILITY_DATE}", or later.`
  return problem(`Compatibility date ${date ?? '(none)'}: Regent isn't tested with it.`, fix)
}

const checkCache = ({ cache }: WorkerConfig): Finding[] =>
  cache?.enabled === true
    ? [
        problem(
          "Cloudflare's cache is in front of the Worker. It serves documents after they are deleted.",
          'Turn off [cache].',
        ),
      ]
    : []

/** Checks wrangler's configuration, without a network. */
export function checkConfig(config: WorkerConfig): Finding[] {
  const emailBinding = config.send_email.some(({ name }) => name === 'EMAIL')
  return [
    ...checkStorage(config),
    ...checkLimits(config),
    ...checkVariables(toVariables(config), emailBinding),
    ...checkAddresses(config),
    checkSchedule(config),
    checkLogs(config),
    ...checkCache(config),
    checkDate(config),
  ]
}
