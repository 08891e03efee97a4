import { type AbuseConfig, type AbuseVariables, parseAbuseConfig } from './abuse-config.ts'
import type { Quotas } from './documents/model/quotas.ts'
import { type Operator, type OperatorVariables, parseOperator } from './operator.ts'

const ANONYMOUS_SETTINGS = ['refuse', 'ignore-cosmetic', 'allow'] as const
const ANONYMOUS_DOCUMENTS = ['allow', 'refuse'] as const
const LEGACY_CLIENTS = ['off', 'on'] as const
const RATE_LIMITS = ['on', 'off'] as const
const EXPLORE = ['on', 'off'] as const
const READ_FROM = ['nearest', 'primary'] as const

/** What happens to the settings of a create without a credential. */
export type AnonymousSettings = (typeof ANONYMOUS_SETTINGS)[number]
type AnonymousDocuments = (typeof ANONYMOUS_DOCUMENTS)[number]

/** The variables and secrets of the Worker, validated and typed. */
export interface Config {
  /** The address of the site, without a trailing slash; null: the origin of each request. */
  readonly siteUrl: string | null
  readonly maxContentBytes: number
  readonly anonymousSettings: AnonymousSettings
  /** Whether people without an account may create documents. */
  readonly anonymousDocuments: AnonymousDocuments
  /** Whether the API follows clients of the original service where they differ from the specification. */
  readonly legacyClients: boolean
  /** Whether public documents are on lists: the explore page, its API, feeds, profiles and the sitemap. */
  readonly explore: boolean
  /** Whether rate limits apply. Load tests switch them off. */
  readonly rateLimits: boolean
  /** What each account and the whole server may store. */
  readonly quotas: Quotas
  readonly storageTimeoutMs: number
  /** Which copy of the database answers reads of what everyone may see. */
  readonly readFrom: (typeof READ_FROM)[number]
  /** The share of requests in the log, from 0 to 1; null: all of them, except on a loopback address. */
  readonly logRequests: number | null
  /** Signs sessions and encrypts tokens; null: nobody can sign in. */
  readonly authSecret: string | null
  /** The sender of emails; `terminal`: a local service prints them instead; null: no emails are sent. */
  readonly mailFrom: string | null
  readonly github: GitHubConfig
  readonly operator: Operator
  readonly abuse: AbuseConfig
}

interface GitHubConfig {
  /** The OAuth app; null: nobody can sign in with GitHub. */
  readonly app: { readonly clientId: string; readonly clientSecret: string } | null
  /** Without a trailing slash, like `apiUrl`. */
  readonly url: string
  readonly apiUrl: string
}

/** The largest text whose JWE fits into a KV value, which may have 25 MiB. */
const MAX_CONTENT_BYTES = 18 * 1024 * 1024

function parseInteger(name: string, value: string, min: number, max: number): number {
  const number = Number(value)
  if (!Number.isInteger(number) || number < min || number > max) {
    throw new Error(`${name} must be a whole number from ${min} to ${max}, not "${value}"`)
  }
  return number
}

/** The variables of `wrangler.toml` and the secrets, which nothing has checked yet. */
interface ConfigVariables extends AbuseVariables, OperatorVariables {
  readonly SITE_URL?: string | undefined
  readonly MAX_CONTENT_BYTES: string
  readonly ANONYMOUS_SETTINGS: string
  readonly ANONYMOUS_DOCUMENTS?: string | undefined
  readonly LEGACY_CLIENTS?: string | undefined
  readonly EXPLORE?: string | undefined
  readonly RATE_LIMITS?: string | undefined
  readonly ACCOUNT_MAX_DOCUMENTS?: string | undefined
  readonly ACCOUNT_MAX_BYTES?: string | undefined
  readonly ACCOUNT_MAX_CREATES_PER_DAY?: string | undefined
  readonly SERVER_MAX_DOCUMENTS?: string | undefined
  readonly SERVER_MAX_BYTES?: string | undefined
  readonly SERVER_MAX_CREATES_PER_DAY?: string | undefined
  readonly STORAGE_TIMEOUT_MS: string
  readonly READ_FROM?: string | undefined
  readonly LOG_REQUESTS?: string | undefined
  readonly MAIL_FROM?: string | undefined
  readonly AUTH_SECRET?: string | undefined
  readonly GITHUB_CLIENT_ID?: string | undefined
  readonly GITHUB_CLIENT_SECRET?: string | undefined
  readonly GITHUB_URL?: string | undefined
  readonly GITHUB_API_URL?: string | undefined
}

function parseOption<Option extends string>(name: string, value: string, options: readonly Option[]): Option {
  const option = options.find((known) => known === value)
  if (option === undefined) {
    throw new Error(`${name} must be ${options.map((known) => `"${known}"`).join(' or ')}, not "${value}"`)
  }
  return option
}

/** Returns the URL in a variable, without trailing slashes; empty if the variable is. */
function parseUrl(name: string, value: string | undefined): string {
  const url = (value ?? '').replace(/(?<!\/)\/+$/, '')
  if (url !== '' && !URL.canParse(url)) throw new Error(`${name} is not a URL: "${url}"`)
  return url
}

/** With a shorter secret, sessions could be forged by guessing it. */
const MIN_AUTH_SECRET_CHARACTERS = 32

function parseAuthSecret(variables: ConfigVariables): string | null {
  const secret = variables.AUTH_SECRET || null
  if (secret !== null && secret.length < MIN_AUTH_SECRET_CHARACTERS) {
    throw new Error(`AUTH_SECRET must have at least ${MIN_AUTH_SECRET_CHARACTERS} characters`)
  }
  return secret
}

function parseGitHubConfig(variables: ConfigVariables): GitHubConfig {
  const { GITHUB_CLIENT_ID: clientId, GITHUB_CLIENT_SECRET: clientSecret } = variables
  return {
    app: clientId && clientSecret ? { clientId, clientSecret } : null,
    url: parseUrl('GITHUB_URL', variables.GITHUB_URL),
    apiUrl: parseUrl('GITHUB_API_URL', variables.GITHUB_API_URL),
  }
}

/** Returns the share of requests to log. */
function parseLogRequests(value: string): number | null {
  if (value === '') return null
  if (value === 'all') return 1
  if (value === 'none') return 0
  const share = Number(value)
  if (share > 0 && share <= 1) return share
  throw new Error(`LOG_REQUESTS must be "all", "none" or a share such as "0.1", not "${value}"`)
}

/** Returns how to treat settings without a key. Old clients always send settings, so `refuse` wouldn't work for them. */
function parseAnonymousSettings(variables: ConfigVariables, legacyClients: boolean): AnonymousSettings {
  const chosen = parseOption('ANONYMOUS_SETTINGS', variables.ANONYMOUS_SETTINGS, ANONYMOUS_SETTINGS)
  return legacyClients && chosen === 'refuse' ? 'ignore-cosmetic' : chosen
}

/** Returns the quotas of an account or of the server. A `wrangler.toml` from an earlier release sets none. */
function parseQuota(variables: ConfigVariables, whose: 'ACCOUNT' | 'SERVER') {
  const parse = (what: 'DOCUMENTS' | 'BYTES' | 'CREATES_PER_DAY') => {
    const name = `${whose}_MAX_${what}` as const
    return parseInteger(name, variables[name] || '0', 0, Number.MAX_SAFE_INTEGER) || null
  }
  return { documents: parse('DOCUMENTS'), bytes: parse('BYTES'), createsPerDay: parse('CREATES_PER_DAY') }
}

/** Parses the variables. Throws an Error that names the first invalid one. */
export function parseConfig(variables: ConfigVariables): Config {
  const legacyClients =
    parseOption('LEGACY_CLIENTS', variables.LEGACY_CLIENTS || 'off', LEGACY_CLIENTS) === 'on'
  return {
    siteUrl: parseUrl('SITE_URL', variables.SITE_URL) || null,
    maxContentBytes: parseInteger('MAX_CONTENT_BYTES', variables.MAX_CONTENT_BYTES, 1, MAX_CONTENT_BYTES),
    anonymousSettings: parseAnonymousSettings(variables, legacyClients),
    anonymousDocuments: parseOption(
      'ANONYMOUS_DOCUMENTS',
      // A wrangler.toml from an earlier release doesn't set this variable.
      variables.ANONYMOUS_DOCUMENTS || 'allow',
      ANONYMOUS_DOCUMENTS,
    ),
    legacyClients,
    explore: parseOption('EXPLORE', variables.EXPLORE || 'on', EXPLORE) === 'on',
    rateLimits: parseOption('RATE_LIMITS', variables.RATE_LIMITS || 'on', RATE_LIMITS) === 'on',
    quotas: { account: parseQuota(variables, 'ACCOUNT'), server: parseQuota(variables, 'SERVER') },
    storageTimeoutMs: parseInteger('STORAGE_TIMEOUT_MS', variables.STORAGE_TIMEOUT_MS, 1, 60_000),
    readFrom: parseOption('READ_FROM', variables.READ_FROM || 'nearest', READ_FROM),
    logRequests: parseLogRequests(variables.LOG_REQUESTS ?? ''),
    authSecret: parseAuthSecret(variables),
    mailFrom: variables.MAIL_FROM || null,
    github: parseGitHubConfig(variables),
    operator: parseOperator(variables),
    abuse: parseAbuseConfig(variables),
  }
}
