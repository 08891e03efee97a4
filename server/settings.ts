import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import {
  getVariables,
  listUnknown,
  listUnknownSettings,
  pickVariables,
  readConfig,
  type Table,
  type Variables,
} from '../scripts/support/config.ts'
import { CommandError, parseOptions, ROOT } from '../scripts/support/script.ts'
import { ConfigError, getIconAddress, isIconFile, parseConfig, SECRETS } from '../src/config.ts'
import { type Cron, parseCron } from './jobs.ts'
import { type Networks, parseNetworks } from './proxy.ts'
import type { RateLimitPolicy } from './rate-limits.ts'

export const HELP = `Runs Regent on this machine: one process, and one folder for all data.

Usage: npm start -- [options]

  --port N       listen on port N (default 8787; PORT)
  --host HOST    listen on this address or name (default 127.0.0.1; HOST); 0.0.0.0 lets others in
  --data DIR     store data in DIR (default ./data; DATA_DIR)
  --demo         create an account named "demo", print its API key, and print emails instead of sending them
  --help         show this help

The environment can set all variables of wrangler.toml, and these: TRUSTED_PROXY, METRICS_PORT, SMTP_URL. A secret can be in
a file, which NAME_FILE names: AUTH_SECRET_FILE. See docs/one-machine.md.
`

/** Variables whose value can be in a file that the environment names, as container engines provide it. */
const FILE_VARIABLES = [...SECRETS, 'SMTP_URL'] as const

export interface Settings {
  readonly host: string
  /** 0: any that is free. */
  readonly port: number
  /** The port for metrics; null if there are none. */
  readonly metricsPort: number | null
  readonly folder: string
  readonly demo: boolean
  readonly trustedProxies: Networks
  readonly smtpUrl: string | null
  /** The variables that the app reads from its environment. `AUTH_SECRET` is missing if the server must make it. */
  readonly variables: Variables
  /** The policies of the rate limits, by the names of their bindings. */
  readonly rateLimits: Readonly<Record<string, RateLimitPolicy>>
  readonly crons: readonly Cron[]
}

export class SettingsError extends CommandError {
  readonly mistakes: readonly string[]

  constructor(mistakes: readonly string[]) {
    const lines = mistakes.map((mistake) => `  ${mistake}`).join('\n')
    super(`The settings have mistakes, so the server didn't start:\n${lines}`)
    this.mistakes = mistakes
  }
}

type Environment = Readonly<Record<string, string | undefined>>

/** Returns the environment with what files say in place of their names. */
function readFiles(environment: Environment, mistakes: string[]): Environment {
  const values: Record<string, string | undefined> = { ...environment }
  for (const name of FILE_VARIABLES) {
    const file = environment[`${name}_FILE`]
    if (file === undefined || file === '') continue
    if (environment[name]) {
      mistakes.push(`${name}_FILE: set only one of it and ${name}`)
      continue
    }
    try {
      const value = readFileSync(file, 'utf8').replace(/\r?\n$/, '')
      if (value.trim() === '') mistakes.push(`${name}_FILE = "${file}": is empty`)
      values[name] = value
    } catch (error) {
      mistakes.push(`${name}_FILE = "${file}": can't be read (${(error as NodeJS.ErrnoException).code})`)
    }
  }
  return values
}

export const isLoopbackHost = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host)

function parsePort(name: string, value: string, mistakes: string[]): number {
  const port = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN
  if (port <= 65_535) return port
  mistakes.push(`${name} = ${JSON.stringify(value)}: use a number from 0 to 65535`)
  return 0
}

const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const listTables = (value: unknown): Table[] => (Array.isArray(value) ? value.filter(isTable) : [])

function parseRateLimits({ ratelimits }: Table, mistakes: string[]): Settings['rateLimits'] {
  const policies: Record<string, RateLimitPolicy> = {}
  for (const { name, simple } of listTables(ratelimits)) {
    const { limit, period } = isTable(simple) ? simple : {}
    if (Number.isInteger(limit) && Number(limit) >= 0 && (period === 10 || period === 60))
      policies[String(name)] = { limit: Number(limit), period }
    else mistakes.push(`[[ratelimits]] ${name}: use simple = { limit = N, period = 60 }, or period = 10`)
  }
  return policies
}

function parseCrons({ triggers }: Table, mistakes: string[]): Cron[] {
  const crons = isTable(triggers) && Array.isArray(triggers.crons) ? triggers.crons.map(String) : []
  return crons.flatMap((text) => {
    const cron = parseCron(text)
    if (cron !== null) return [cron]
    mistakes.push(`[triggers] crons: ${JSON.stringify(text)} isn't one`)
    return []
  })
}

/** Wrangler's own list of what a configuration may contain comes with the devDependencies. */
function listMisspelt(config: Table): string[] {
  const tables = existsSync(join(ROOT, 'node_modules/wrangler')) ? listUnknownSettings(config) : []
  return [...tables, ...listUnknown(getVariables(config)).map((name) => `vars.${name}`)]
}

/** Returns false for an address whose login can't be decoded, such as a password with a "%" of its own. */
function isSmtpUrl(text: string): boolean {
  if (!/^smtps?:\/\/[^/]/i.test(text) || !URL.canParse(text)) return false
  const { username, password } = new URL(text)
  try {
    return decodeURIComponent(username + password) !== null
  } catch {
    return false
  }
}

function checkSmtp(smtpUrl: string, variables: Variables, mistakes: string[]): void {
  const { MAIL_FROM = '' } = variables
  if (smtpUrl !== '' && !isSmtpUrl(smtpUrl))
    mistakes.push(
      'SMTP_URL: use an address such as smtps://user:password@mail.example.org, and write "%25" for a "%"',
    )
  if (smtpUrl !== '' && (MAIL_FROM === '' || MAIL_FROM === 'terminal'))
    mistakes.push('MAIL_FROM: set it too, because SMTP_URL is set')
  if (smtpUrl === '' && MAIL_FROM !== '' && MAIL_FROM !== 'terminal')
    mistakes.push('SMTP_URL: set it too, because MAIL_FROM is set')
}

/** Without SITE_URL, links lead to whichever address a request says that it came for. */
function checkSiteUrl(
  { SITE_URL }: Variables,
  { host, smtpUrl, trustedProxy }: { host: string; smtpUrl: string; trustedProxy: string },
  mistakes: string[],
): void {
  if (SITE_URL) return
  const set = Object.entries({ SMTP_URL: smtpUrl, TRUSTED_PROXY: trustedProxy })
    .filter(([, value]) => value !== '')
    .map(([name]) => name)
  const reasons = [
    ...(isLoopbackHost(host) ? [] : ['others can reach this server']),
    ...(set.length === 0 ? [] : [`${set.join(' and ')} ${set.length === 1 ? 'is' : 'are'} set`]),
  ]
  if (reasons.length > 0)
    mistakes.push(`SITE_URL: set it to the address of the site, because ${reasons.join(', and ')}`)
}

/** Returns the operator's icon by its name among the static files, if it's a file. */
export function getIconFile({ SITE_ICON = '' }: Variables): Readonly<Record<string, string>> {
  const icon = SITE_ICON.trim()
  const address = isIconFile(icon) ? getIconAddress(icon) : null
  return address === null ? {} : { [address.slice(1)]: resolve(ROOT, icon) }
}

function checkIcon(variables: Variables, mistakes: string[]): void {
  for (const path of Object.values(getIconFile(variables))) {
    try {
      accessSync(path, constants.R_OK)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      mistakes.push(`SITE_ICON = ${JSON.stringify(variables.SITE_ICON)}: can't be read (${code})`)
    }
  }
}

function checkVariables(variables: Variables, mistakes: string[]): void {
  try {
    parseConfig(variables)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    mistakes.push(...error.mistakes)
  }
}

/**
 * Reads the options, the environment and the configuration.
 *
 * @throws SettingsError with one line for each mistake.
 */
export function readSettings(args: readonly string[], environment: Environment): Settings {
  const options = parseOptions(
    HELP,
    {
      port: { type: 'string' },
      host: { type: 'string' },
      data: { type: 'string' },
      demo: { type: 'boolean', default: false },
    },
    args,
  )
  const mistakes: string[] = []
  const values = readFiles(environment, mistakes)
  const config = readConfig()
  for (const name of listMisspelt(config))
    mistakes.push(`${name}: unknown. Check its spelling in regent.toml`)
  const variables: Record<string, string> = {
    ...getVariables(config),
    ...pickVariables(values),
    // There is one copy of the database.
    READ_FROM: 'primary',
  }
  if (options.demo) variables.MAIL_FROM ||= 'terminal'
  const host = options.host ?? (values.HOST || '127.0.0.1')
  const port = parsePort(
    options.port === undefined ? 'PORT' : '--port',
    options.port ?? (values.PORT || '8787'),
    mistakes,
  )
  const metricsPort = values.METRICS_PORT ? parsePort('METRICS_PORT', values.METRICS_PORT, mistakes) : null
  if (isIP(host) === 0 && !/^[a-z\d](?:[a-z\d.-]{0,252})$/i.test(host))
    mistakes.push(`HOST = ${JSON.stringify(host)}: use an address such as 127.0.0.1`)
  const trustedProxy = (values.TRUSTED_PROXY ?? '').trim()
  const trustedProxies = parseNetworks(trustedProxy)
  if (trustedProxies === null)
    mistakes.push(
      `TRUSTED_PROXY = ${JSON.stringify(values.TRUSTED_PROXY)}: use networks such as "127.0.0.1, 10.0.0.0/8"`,
    )
  const smtpUrl = (values.SMTP_URL ?? '').trim()
  checkSiteUrl(variables, { host, smtpUrl, trustedProxy }, mistakes)
  checkVariables(variables, mistakes)
  checkIcon(variables, mistakes)
  checkSmtp(smtpUrl, variables, mistakes)
  const rateLimits = parseRateLimits(config, mistakes)
  const crons = parseCrons(config, mistakes)
  if (mistakes.length > 0) throw new SettingsError(mistakes)
  return {
    host,
    port,
    metricsPort,
    folder: resolve(options.data ?? (values.DATA_DIR || 'data')),
    demo: options.demo,
    trustedProxies: trustedProxies ?? (parseNetworks('') as Networks),
    smtpUrl: smtpUrl || null,
    variables,
    rateLimits,
    crons,
  }
}
