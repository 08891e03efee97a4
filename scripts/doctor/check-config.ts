import { ConfigError, FORMER_NAMES, type Plan, SECRETS } from '../../src/config.ts'
import { LIMITS } from '../../src/http/limits-table.ts'
import { isLocal } from '../../src/platform/addresses.ts'
import { listUnknown, parseVariables, type Table, type Variables } from '../support/config.ts'
import { CommandError } from '../support/script.ts'

/** What the doctor says about one thing. */
export interface Finding {
  /** `problem`: must be fixed. `advice`: works, but could be better. */
  readonly level: 'ok' | 'advice' | 'problem'
  readonly text: string
  /** What to do about it. */
  readonly fix?: string
}

export const ok = (text: string): Finding => ({ level: 'ok', text })
export const advice = (text: string, fix: string): Finding => ({ level: 'advice', text, fix })
export const problem = (text: string, fix: string): Finding => ({ level: 'problem', text, fix })

/** The findings about one part of a deployment. */
export interface Section {
  readonly title: string
  readonly findings: readonly Finding[]
}

/** Formats a finding for a terminal. */
export const formatFinding = ({ level, text, fix }: Finding): string =>
  `  ${level.padEnd(8)} ${text}\n${fix === undefined ? '' : `${' '.repeat(11)}${fix}\n`}`

export const listProblems = (sections: readonly Section[]): Finding[] =>
  sections.flatMap(({ findings }) => findings.filter(({ level }) => level === 'problem'))

/** Formats the findings for a terminal, with the number of problems at the end. */
export function formatSections(sections: readonly Section[]): string {
  const count = listProblems(sections).length
  const parts = sections.map(({ title, findings }) => `${title}\n${findings.map(formatFinding).join('')}`)
  const result = count === 0 ? 'No problems found.' : count === 1 ? '1 problem.' : `${count} problems.`
  return `${parts.join('\n')}\n${result}\n`
}

function checkValues(variables: Variables): Finding[] {
  try {
    parseVariables(variables, null)
    return [ok('Variables: all values are valid')]
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.mistakes.map((mistake) => problem(`${mistake}.`, 'Correct it in regent.toml, under [vars].'))
  }
}

const checkNames = (variables: Variables): Finding[] =>
  listUnknown(variables).map((name) =>
    advice(`${name} is not a variable of Regent.`, 'Check its spelling, or remove it.'),
  )

/** @param names as `listUnknownSettings` returns them. */
export const checkSpelling = (names: readonly string[]): Finding[] =>
  names.map((name) =>
    problem(
      `${name} is nothing that wrangler knows, so it has no effect.`,
      'Check its spelling, or remove it.',
    ),
  )

const checkFormerNames = (variables: Variables): Finding[] =>
  Object.entries(FORMER_NAMES).flatMap(([former, name]) =>
    variables[former] === undefined
      ? []
      : [
          advice(
            variables[name]
              ? `${former} has no effect, because ${name} is set.`
              : `${former} is now called ${name}, and counts edits, too.`,
            variables[name] ? 'Remove it from regent.toml.' : 'Rename it in regent.toml.',
          ),
        ],
  )

/** The client id of GitHub isn't secret. It's one of the secrets so that it can be set beside its secret. */
const checkSecrets = (variables: Variables): Finding[] =>
  SECRETS.filter((name) => name !== 'GITHUB_CLIENT_ID' && variables[name]).map((name) =>
    problem(
      `${name} is in the configuration, which isn't a place for secrets.`,
      `Remove it there, make a new one, and run: npx wrangler secret put ${name}`,
    ),
  )

/**
 * The bounds of each plan. Free: KV's 1,000 writes a day, less 25 for cleanup, and its 1 GB; D1's 500 MB. Paid: D1's 10
 * GB. A document takes about 200 bytes in D1.
 */
const PLAN_BOUNDS = {
  free: { SERVER_MAX_DOCUMENTS: 2_500_000, SERVER_MAX_BYTES: 1_000_000_000, SERVER_MAX_WRITES_PER_DAY: 975 },
  paid: { SERVER_MAX_DOCUMENTS: 50_000_000 },
} as const satisfies Record<Plan, Readonly<Record<string, number>>>

/** Compares the quotas that are set with what the plan gives. */
function checkQuotas(variables: Variables): Finding[] {
  const plan = variables.PLAN === 'free' ? 'free' : 'paid'
  const findings = Object.entries(PLAN_BOUNDS[plan]).flatMap(([name, bound]) => {
    const former = Object.entries(FORMER_NAMES).find(([, now]) => now === name)?.[0] ?? ''
    const value = variables[name] || variables[former] || ''
    if (value === '' || (value !== '0' && Number(value) <= bound)) return []
    const allows = value === '0' ? 'sets no limit' : `allows ${value}`
    return [
      advice(
        `${name} ${allows}, but the ${plan} plan ends at ${bound}.`,
        'Leave it empty to get the quota that fits the plan.',
      ),
    ]
  })
  if (!variables.PLAN) {
    const text = 'PLAN is empty, so the quotas are those of the paid plan.'
    findings.push(advice(text, 'Set PLAN = "free" or "paid", as your Cloudflare account has it.'))
  }
  if (findings.length > 0) return findings
  return [ok(`Plan: ${plan}, quotas fit it`)]
}

/** Returns true if the service sends email. `terminal` is for development. */
export const sendsMail = ({ MAIL_FROM = '' }: Variables): boolean =>
  MAIL_FROM !== '' && MAIL_FROM !== 'terminal'

function checkSiteUrl(variables: Variables): Finding {
  const url = variables.SITE_URL ?? ''
  if (url === '') {
    const fix = 'Set SITE_URL to the address of the site, such as "https://paste.example.org".'
    return sendsMail(variables)
      ? problem('SITE_URL is empty, so links in emails lead to whichever address a request came for.', fix)
      : advice("SITE_URL is empty: links use each request's own address.", fix)
  }
  if (isLocal(url.replace(/\/+$/, '')))
    return problem(
      `SITE_URL is an address of one machine only: ${url}`,
      'Set it to the address of the site. On your machine, npm run dev needs none.',
    )
  return checkHttps(url)
}

/** Checks the address of a site that other machines can reach. */
export const checkHttps = (url: string): Finding =>
  url.startsWith('https://')
    ? ok(`SITE_URL: ${url}`)
    : problem(`SITE_URL does not start with https://: ${url}`, 'Browsers keep no sessions without https.')

function checkMail(variables: Variables, emailBinding: boolean): Finding {
  if (sendsMail(variables)) {
    if (emailBinding) return ok(`Email: from ${variables.MAIL_FROM}`)
    return problem(
      'MAIL_FROM is set, but there is no binding EMAIL, so no emails are sent.',
      'Add [[send_email]] with name = "EMAIL" to regent.toml.',
    )
  }
  if (variables.MAIL_FROM === 'terminal') {
    return problem(
      'MAIL_FROM is "terminal", which sends no emails on a deployed server.',
      'Set it to the sender, or to "".',
    )
  }
  return emailBinding
    ? advice('There is a binding EMAIL, but MAIL_FROM is empty, so no emails are sent.', 'Set MAIL_FROM.')
    : advice('Email is off: nobody can sign in by email.', 'See "Sign-in" in docs/operating.md.')
}

/** Reports of documents go by email only where emails go. */
const checkReports = (variables: Variables): Finding[] =>
  variables.REPORT_EMAIL && !sendsMail(variables)
    ? [problem('REPORT_EMAIL is set, but MAIL_FROM isn’t, so reports are never sent.', 'Set MAIL_FROM.')]
    : []

function checkOperator({ OPERATOR_NAME, CONTACT_EMAIL, ABUSE_EMAIL, RATE_LIMITS }: Variables): Finding[] {
  return [
    OPERATOR_NAME
      ? ok(`Operator: ${OPERATOR_NAME}`)
      : advice('The privacy and terms pages don’t say who runs the server.', 'Set OPERATOR_NAME.'),
    CONTACT_EMAIL || ABUSE_EMAIL
      ? ok(`Contact: ${ABUSE_EMAIL || CONTACT_EMAIL}`)
      : advice('People have no address for reports of abuse.', 'Set CONTACT_EMAIL or ABUSE_EMAIL.'),
    ...(RATE_LIMITS === 'off'
      ? [problem('RATE_LIMITS is "off": nothing limits scanning, guessing and spam.', 'Set it to "on".')]
      : []),
  ]
}

/** Reading needs an account, which everyone can create. */
const checkReaders = ({ READERS, SIGN_UP = '' }: Variables): Finding[] =>
  READERS === 'accounts' && ['', 'open'].includes(SIGN_UP)
    ? [
        advice(
          'READERS is "accounts", but SIGN_UP is "open": everyone can create an account, and read.',
          'Set SIGN_UP, as docs/private.md says.',
        ),
      ]
    : []

/** Checks the variables. */
const checkVariables = (variables: Variables, emailBinding: boolean): Finding[] => [
  ...checkValues(variables),
  ...checkNames(variables),
  ...checkFormerNames(variables),
  ...checkSecrets(variables),
  ...checkQuotas(variables),
  checkSiteUrl(variables),
  checkMail(variables, emailBinding),
  ...checkReports(variables),
  ...checkReaders(variables),
  ...checkOperator(variables),
]

/** The date of the runtime that Regent is tested with. */
export const COMPATIBILITY_DATE = '2026-09-01'

/** What the doctor reads of wrangler's configuration. */
export interface WorkerConfig {
  readonly name?: string | undefined
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
export async function readWorkerConfig(path: string): Promise<WorkerConfig> {
  const { unstable_readConfig: read } = await import('wrangler')
  try {
    return read({ config: path }, { hideWarnings: true })
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : String(error))
  }
}

/** Reads a configuration as it's written, with what wrangler doesn't know. */
export async function readRawConfig(path: string): Promise<Table> {
  const { experimental_readRawConfig: read } = await import('wrangler')
  return structuredClone(read({ config: path }).rawConfig) as Table
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
