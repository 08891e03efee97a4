import type { Quotas } from './documents/quotas.ts'
import { LIMITS, type LimitName, type LimitPolicy } from './http/limits-table.ts'
import { deriveAccent, getLightContrast, MIN_CONTRAST } from './shared/accent.ts'
import { hashQuickly } from './shared/hashing.ts'
import { oncePer } from './shared/once-per.ts'
import { MAX_CONTENT_BYTES } from './shared/settings.ts'
import { OPEN_SIGN_UP, type SignUp } from './shared/sign-up.ts'

/** The operator's variables and secrets. The commands that serve or deploy Regent parse them with this file too. */

const VARIABLES = [
  'SITE_URL',
  'SITE_NAME',
  'SITE_ICON',
  'SITE_COLOR',
  'SITE_NOTICE',
  'SITE_LINKS',
  'SERVER_MODE',
  'PLAN',
  'MAX_CONTENT_BYTES',
  'ANONYMOUS_SETTINGS',
  'ANONYMOUS_DOCUMENTS',
  'LEGACY_CLIENTS',
  'EXPLORE',
  'SIGN_UP',
  'INVITATIONS',
  'READERS',
  'RATE_LIMITS',
  'RATE_LIMIT_POLICIES',
  'ACCOUNT_MAX_DOCUMENTS',
  'ACCOUNT_MAX_BYTES',
  'ACCOUNT_MAX_WRITES_PER_DAY',
  'SERVER_MAX_DOCUMENTS',
  'SERVER_MAX_BYTES',
  'SERVER_MAX_WRITES_PER_DAY',
  'REMOVAL_DAYS',
  'BACKUP_DAYS',
  'STORAGE_TIMEOUT_MS',
  'READ_FROM',
  'LOG_REQUESTS',
  'MAIL_FROM',
  'SERVER_MAX_EMAILS_PER_HOUR',
  'OIDC_ISSUER',
  'OIDC_CLIENT_ID',
  'OIDC_NAME',
  'OIDC_ONLY',
  'SESSION_DAYS',
  'GITHUB_URL',
  'GITHUB_API_URL',
  'OPERATOR_NAME',
  'OPERATOR_URL',
  'CONTACT_EMAIL',
  'ABUSE_EMAIL',
  'PRIVACY_URL',
  'TERMS_URL',
  'REPORT_EMAIL',
  'REPORT_WEBHOOK_URL',
  'TURNSTILE_SITE_KEY',
  'TURNSTILE_VERIFY_URL',
] as const

/** Names of earlier releases, which still work where the new name isn't set. */
export const FORMER_NAMES = {
  ACCOUNT_MAX_CREATES_PER_DAY: 'ACCOUNT_MAX_WRITES_PER_DAY',
  SERVER_MAX_CREATES_PER_DAY: 'SERVER_MAX_WRITES_PER_DAY',
} as const

/** The variables that `wrangler secret put` stores, so that only the Worker can read them. */
export const SECRETS = [
  'AUTH_SECRET',
  'GITHUB_CLIENT_ID',
  'GITHUB_CLIENT_SECRET',
  'OIDC_CLIENT_SECRET',
  'REPORT_WEBHOOK_SECRET',
  'TURNSTILE_SECRET',
] as const

type VariableName = (typeof VARIABLES)[number] | (typeof SECRETS)[number] | keyof typeof FORMER_NAMES

export const isVariable = (name: string): boolean =>
  [...VARIABLES, ...SECRETS, ...Object.keys(FORMER_NAMES)].some((known) => known === name)

export type ConfigVariables = Readonly<Partial<Record<VariableName, string | undefined>>>

/** One line for each mistake: the variable, its value unless it's a secret, and what is accepted. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly mistakes: readonly string[]

  constructor(mistakes: readonly string[]) {
    super(mistakes.join('\n'))
    this.mistakes = mistakes
    // The lines say where the mistakes are. A stack trace would bury them in the log.
    this.stack = this.message
  }
}

class Mistake extends Error {}

type Attempt = <Value>(parse: (variables: ConfigVariables) => Value, fallback: Value) => Value

/** The length that secrets have at least. Shorter ones could be guessed, to forge sessions or webhooks. */
export const MIN_AUTH_SECRET_CHARACTERS = 32
const MIN_WEBHOOK_KEY_BYTES = 24

const TURNSTILE_VERIFY_URL = 'https://challenges.cloudflare.com/turnstile/v0/siteverify'

/** Catches typos. It can't tell whether email arrives. */
const EMAIL = /^[^\s@<>,;:?&"]+@[^\s@<>,;:?&.]+(?:\.[^\s@<>,;:?&.]+)+$/

/** The longest time for which removed documents can be kept. Regent keeps their titles no longer either. */
const MAX_REMOVAL_DAYS = 90

const MIB = 1024 * 1024

const MAX_BACKUP_DAYS = 3_650

const DEFAULT_CONTENT_BYTES = 10 * MIB

/** The free plan's follow from its 1,000 KV writes a day and 1 GB of KV: docs/operating.md#which-plan. */
export const PLAN_QUOTAS = {
  free: {
    account: { documents: 5_000, bytes: 200 * MIB, writesPerDay: 200 },
    server: { documents: 100_000, bytes: 700 * MIB, writesPerDay: 800 },
  },
  paid: {
    account: { documents: 10_000, bytes: 1_024 * MIB, writesPerDay: 2_000 },
    server: { documents: 1_000_000, bytes: 50 * 1_024 * MIB, writesPerDay: 50_000 },
  },
} as const satisfies Record<'free' | 'paid', Quotas>

/** Numbers and booleans of `wrangler.toml` arrive as such. */
const read = (variables: ConfigVariables, name: VariableName): string => String(variables[name] ?? '')

const refuse = (name: VariableName, value: string, accepted: string): never => {
  throw new Mistake(`${name} = ${JSON.stringify(value)}: use ${accepted}`)
}

function parseInteger(name: VariableName, value: string, min: number, max: number): number {
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN
  if (number >= min && number <= max) return number
  return refuse(name, value, `a whole number from ${min} to ${max}`)
}

function parseOption<Option extends string>(
  variables: ConfigVariables,
  name: VariableName,
  options: readonly Option[],
): Option {
  const value = read(variables, name)
  const option = value === '' ? options[0] : options.find((known) => known === value)
  return option ?? refuse(name, value, options.map((known) => `"${known}"`).join(' or '))
}

function parseUrl(variables: ConfigVariables, name: VariableName): string | null {
  const value = read(variables, name).trim()
  if (value === '') return null
  const url = URL.canParse(value) ? new URL(value) : null
  // Neither a password nor the address of a webhook may reach a log.
  if (url?.username || url?.password) throw new Mistake(`${name}: use an address without a user name`)
  if (/^https?:\/\/[^/]/i.test(value) && url) return value
  const accepted = 'an address that starts with https:// or http://'
  if (name === 'REPORT_WEBHOOK_URL') throw new Mistake(`${name}: use ${accepted}`)
  return refuse(name, value, accepted)
}

/** Removes trailing slashes: paths are appended to it. */
function parseBaseUrl(variables: ConfigVariables, name: VariableName): string | null {
  const value = parseUrl(variables, name)
  if (value !== null && /[?#]/.test(value)) refuse(name, value, 'an address without "?" and "#"')
  return value?.replace(/(?<!\/)\/+$/, '') ?? null
}

function parseEmail(variables: ConfigVariables, name: VariableName): string | null {
  const value = read(variables, name).trim()
  if (value === '') return null
  return EMAIL.test(value) ? value : refuse(name, value, 'an email address')
}

/** Matches an address with or without a display name (RFC 5322 §3.4). */
function parseMailFrom(variables: ConfigVariables): string | null {
  const value = read(variables, 'MAIL_FROM').trim()
  if (value === '' || value === 'terminal') return value || null
  const [, address = value] = /^[^<>]*<([^<>]+)>$/.exec(value) ?? []
  if (EMAIL.test(address)) return value
  return refuse('MAIL_FROM', value, 'a sender such as "Regent <mail@example.org>"')
}

function parseAuthSecret(variables: ConfigVariables): string | null {
  const secret = read(variables, 'AUTH_SECRET') || null
  if (secret !== null && secret.length < MIN_AUTH_SECRET_CHARACTERS)
    throw new Mistake(`AUTH_SECRET: use at least ${MIN_AUTH_SECRET_CHARACTERS} characters`)
  return secret
}

/** The secret alone changes nothing, so that secrets can be set one after the other: the id comes last. */
function parseGitHubApp(variables: ConfigVariables) {
  const clientId = read(variables, 'GITHUB_CLIENT_ID').trim()
  const clientSecret = read(variables, 'GITHUB_CLIENT_SECRET').trim()
  if (clientId === '') return null
  if (clientSecret === '')
    throw new Mistake('GITHUB_CLIENT_SECRET: set it too, because GITHUB_CLIENT_ID is set')
  return { clientId, clientSecret }
}

/** The secret alone changes nothing, so that it can be set first. */
function parseOidc(variables: ConfigVariables) {
  const issuer = parseUrl(variables, 'OIDC_ISSUER')
  const clientId = read(variables, 'OIDC_CLIENT_ID').trim()
  const clientSecret = read(variables, 'OIDC_CLIENT_SECRET').trim()
  const only = parseOption(variables, 'OIDC_ONLY', ['off', 'on']) === 'on'
  if (issuer === null) {
    if (clientId !== '') throw new Mistake('OIDC_ISSUER: set it too, because OIDC_CLIENT_ID is set')
    if (only) throw new Mistake('OIDC_ISSUER: set it too, because OIDC_ONLY is "on": nobody could sign in')
    return null
  }
  const { protocol, hostname, href, search, hash } = new URL(issuer)
  if (search !== '' || hash !== '') refuse('OIDC_ISSUER', issuer, 'an address without "?" and "#"')
  // Whoever changes what the provider answers on its way could sign in as anybody.
  if (protocol !== 'https:' && !/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname))
    refuse('OIDC_ISSUER', issuer, 'an address that starts with https://')
  if (clientId === '') throw new Mistake('OIDC_CLIENT_ID: set it too, because OIDC_ISSUER is set')
  if (clientSecret === '') throw new Mistake('OIDC_CLIENT_SECRET: set it too, because OIDC_ISSUER is set')
  const name = parseLine(variables, 'OIDC_NAME', 40) ?? hostname
  return { issuer: href, clientId, clientSecret, name, only }
}

function parseLogRequests(variables: ConfigVariables): number | null {
  const value = read(variables, 'LOG_REQUESTS')
  if (value === '') return null
  if (value === 'all') return 1
  if (value === 'none') return 0
  const share = /^[01]?\.?\d+$/.test(value) ? Number(value) : 0
  return share > 0 && share <= 1
    ? share
    : refuse('LOG_REQUESTS', value, '"all", "none" or a share such as "0.1"')
}

/** Old clients always send settings, so `refuse` wouldn't work for them. */
function parseAnonymousSettings(variables: ConfigVariables) {
  const chosen = parseOption(variables, 'ANONYMOUS_SETTINGS', ['refuse', 'ignore-cosmetic', 'allow'])
  return read(variables, 'LEGACY_CLIENTS') === 'on' && chosen === 'refuse' ? 'ignore-cosmetic' : chosen
}

/** The domain of an email address. Its subdomains are others. */
const DOMAIN = /^@[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)+$/

function parseSignUp(variables: ConfigVariables): SignUp {
  const inviters = parseOption(variables, 'INVITATIONS', ['staff', 'members'])
  const value = read(variables, 'SIGN_UP').trim().toLowerCase() || 'open'
  if (value === 'open' || value === 'closed') {
    if (inviters === 'members')
      throw new Mistake(
        `INVITATIONS = "members": set SIGN_UP to "invited" or domains, too, because "${value}" has no invitations`,
      )
    return { domains: value === 'open' ? null : [], inviters: null }
  }
  const domains = value === 'invited' ? [] : value.split(/\s+/)
  if (domains.every((domain) => DOMAIN.test(domain))) return { domains, inviters }
  return refuse(
    'SIGN_UP',
    value,
    '"open", "invited", "closed" or domains such as "@example.org @team.example"',
  )
}

/** Line breaks would end a header of an email, and hidden characters could make a name look like another. */
const UNSHOWN = /[\p{C}\p{Zl}\p{Zp}]/u

function parseLine(variables: ConfigVariables, name: VariableName, maxCharacters: number): string | null {
  const value = read(variables, name).trim()
  if (value.length <= maxCharacters && !UNSHOWN.test(value)) return value || null
  return refuse(name, value, `one line of at most ${maxCharacters} characters`)
}

/** The file that `SITE_ICON` names is served here. The build, or the server on one machine, puts it there. */
export function getIconAddress(file: string): string | null {
  const [, ending] = /[^/]\.(svg|png)$/i.exec(file) ?? []
  return ending === undefined ? null : `/assets/site-icon.${ending.toLowerCase()}`
}

export const isIconFile = (value: string): boolean => value !== '' && !/^https?:/i.test(value)

/** Returns an address, or a path on this site. */
function parseSiteIcon(variables: ConfigVariables): string | null {
  const value = read(variables, 'SITE_ICON').trim()
  if (isIconFile(value))
    return (
      getIconAddress(value) ?? refuse('SITE_ICON', value, 'an address, or a file that ends with .svg or .png')
    )
  const url = parseUrl(variables, 'SITE_ICON')
  // Its origin becomes part of a header.
  return url && new URL(url).href
}

function parseSiteColor(variables: ConfigVariables) {
  const value = read(variables, 'SITE_COLOR').trim().toLowerCase()
  if (value === '') return null
  if (!/^#[\da-f]{6}$/.test(value)) refuse('SITE_COLOR', value, 'a colour such as "#0f6a51"')
  const contrast = getLightContrast(value)
  if (contrast >= MIN_CONTRAST) return deriveAccent(value)
  return refuse(
    'SITE_COLOR',
    value,
    `a darker colour: on light pages, its contrast is ${contrast.toFixed(1)} to 1, and text needs ${MIN_CONTRAST}`,
  )
}

const LINK_TARGET = /^(?:https?:\/\/[^/]|mailto:[^\s@]+@|\/(?![/\\]))/i
const MAX_SITE_LINKS = 8

/** Labels and addresses in turn: `Help https://help.example Imprint /about`. */
function parseSiteLinks(variables: ConfigVariables) {
  const value = read(variables, 'SITE_LINKS').trim()
  const links: { label: string; url: string }[] = []
  let label: string[] = []
  for (const word of value === '' ? [] : value.split(/\s+/)) {
    if (!LINK_TARGET.test(word)) label.push(word)
    else {
      links.push({ label: label.join(' '), url: word })
      label = []
    }
  }
  const isComplete = label.length === 0 && links.every((link) => link.label !== '')
  const isParsed = links.every(({ url }) => url.startsWith('/') || URL.canParse(url))
  if (isComplete && isParsed && links.length <= MAX_SITE_LINKS && !UNSHOWN.test(value.replace(/\s/g, ' ')))
    return links
  return refuse(
    'SITE_LINKS',
    value,
    `at most ${MAX_SITE_LINKS} labels, each followed by an address: "Help https://help.example Imprint /about"`,
  )
}

/** The name and look of the site. */
export interface Site {
  readonly name: string
  /** An address or a path; null: Regent's mark. */
  readonly icon: string | null
  readonly accent: ReturnType<typeof deriveAccent> | null
  /** A line at the top of every page. */
  readonly notice: string | null
  /** The operator's links in the footer. */
  readonly links: readonly { readonly label: string; readonly url: string }[]
  /** A part of the entity tags of pages and pictures, since they show all of this; null for the face that Regent comes with. */
  readonly tag: string | null
}

/** The look of pages if the configuration says nothing else, or can't be read. */
export const DEFAULT_SITE: Site = {
  name: 'Regent',
  icon: null,
  accent: null,
  notice: null,
  links: [],
  tag: null,
}

function parseSite(attempt: Attempt): Site {
  const site = {
    name: attempt((values) => parseLine(values, 'SITE_NAME', 40), null) ?? DEFAULT_SITE.name,
    icon: attempt(parseSiteIcon, null),
    accent: attempt(parseSiteColor, null),
    notice: attempt((values) => parseLine(values, 'SITE_NOTICE', 300), null),
    links: attempt(parseSiteLinks, []),
  }
  const isDefault = !isBranded(site) && site.notice === null && site.links.length === 0
  return { ...site, tag: isDefault ? null : hashQuickly(JSON.stringify(site)).toString(36) }
}

/**
 * Tells whether the site has a name or look of its own. The pictures and the manifest that come with Regent aren't for
 * it then.
 */
export const isBranded = ({ name, icon, accent }: Omit<Site, 'tag'>): boolean =>
  name !== DEFAULT_SITE.name || icon !== null || accent !== null

type LimitPolicies = Readonly<Partial<Record<LimitName, LimitPolicy>>>

/** The commands write policies such as `READ_LIMIT=500/60`, separated by spaces. */
function parseLimitPolicies(variables: ConfigVariables): LimitPolicies {
  const value = read(variables, 'RATE_LIMIT_POLICIES').trim()
  const policies: Partial<Record<LimitName, LimitPolicy>> = {}
  for (const entry of value === '' ? [] : value.split(/\s+/)) {
    const [, binding, limit, period] = /^(\w+)=(\d+)\/(10|60)$/.exec(entry) ?? []
    const names = Object.keys(LIMITS) as LimitName[]
    const name = names.find((candidate) => LIMITS[candidate].binding === binding)
    if (name === undefined) return refuse('RATE_LIMIT_POLICIES', value, 'entries such as "READ_LIMIT=500/60"')
    policies[name] = { limit: Number(limit), period: Number(period) }
  }
  return policies
}

function parseWebhookKey(variables: ConfigVariables): Uint8Array<ArrayBuffer> {
  const [, encoded = ''] =
    /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(read(variables, 'REPORT_WEBHOOK_SECRET')) ?? []
  const key = Uint8Array.from(encoded.length % 4 === 1 ? '' : atob(encoded), (byte) => byte.charCodeAt(0))
  if (key.length >= MIN_WEBHOOK_KEY_BYTES) return key
  throw new Mistake(
    `REPORT_WEBHOOK_SECRET: use "whsec_" and at least ${MIN_WEBHOOK_KEY_BYTES} bytes in base64, because REPORT_WEBHOOK_URL is set`,
  )
}

function parseReportWebhook(variables: ConfigVariables) {
  const url = parseUrl(variables, 'REPORT_WEBHOOK_URL')
  if (url === null) return null
  /** The key that signs each request (https://www.standardwebhooks.com). */
  const key = parseWebhookKey(variables)
  return { url, key }
}

function parseTurnstile(variables: ConfigVariables) {
  const siteKey = read(variables, 'TURNSTILE_SITE_KEY').trim()
  const secret = read(variables, 'TURNSTILE_SECRET')
  if (siteKey === '' && secret === '') return null
  if (siteKey === '') throw new Mistake('TURNSTILE_SITE_KEY: set it too, because TURNSTILE_SECRET is set')
  if (secret === '') throw new Mistake('TURNSTILE_SECRET: set it too, because TURNSTILE_SITE_KEY is set')
  return { siteKey, secret, verifyUrl: parseUrl(variables, 'TURNSTILE_VERIFY_URL') ?? TURNSTILE_VERIFY_URL }
}

/** @throws ConfigError that names each invalid variable. */
export function parseConfig(variables: ConfigVariables) {
  const mistakes: string[] = []
  // After a mistake, the fallback is never used: parseConfig throws.
  const attempt: Attempt = (parse, fallback) => {
    try {
      return parse(variables)
    } catch (error) {
      if (!(error instanceof Mistake)) throw error
      mistakes.push(error.message)
      return fallback
    }
  }
  const option = <Option extends string>(
    name: VariableName,
    options: readonly [Option, ...Option[]],
  ): Option => attempt(() => parseOption(variables, name, options), options[0])
  const url = (name: VariableName) => attempt(() => parseUrl(variables, name), null)
  const baseUrl = (name: VariableName) => attempt(() => parseBaseUrl(variables, name), null)
  const email = (name: VariableName) => attempt(() => parseEmail(variables, name), null)
  const integer = (name: VariableName, standard: number, min: number, max: number): number =>
    attempt(() => parseInteger(name, read(variables, name) || String(standard), min, max), standard)

  const plan = option('PLAN', ['paid', 'free'])
  const parseQuota = (whose: keyof Quotas): Quotas['account'] => {
    const owner = whose === 'account' ? 'ACCOUNT' : 'SERVER'
    const quota = (what: 'DOCUMENTS' | 'BYTES' | 'WRITES_PER_DAY' | 'CREATES_PER_DAY', standard: number) =>
      integer(`${owner}_MAX_${what}`, standard, 0, Number.MAX_SAFE_INTEGER) || null
    const { documents, bytes, writesPerDay } = PLAN_QUOTAS[plan][whose]
    const usesFormerName = read(variables, `${owner}_MAX_WRITES_PER_DAY`) === ''
    return {
      documents: quota('DOCUMENTS', documents),
      bytes: quota('BYTES', bytes),
      writesPerDay: quota(usesFormerName ? 'CREATES_PER_DAY' : 'WRITES_PER_DAY', writesPerDay),
    }
  }
  const contactEmail = email('CONTACT_EMAIL')
  const config = {
    /** The address of the site, without a trailing slash; null: the origin of each request. */
    siteUrl: baseUrl('SITE_URL'),
    site: parseSite(attempt),
    /** Is true while nothing may change, because the operator works on the storage. */
    readOnly: option('SERVER_MODE', ['normal', 'read-only']) === 'read-only',
    maxContentBytes: integer('MAX_CONTENT_BYTES', DEFAULT_CONTENT_BYTES, 1, MAX_CONTENT_BYTES),
    anonymousSettings: attempt(parseAnonymousSettings, 'refuse'),
    anonymousDocuments: option('ANONYMOUS_DOCUMENTS', ['allow', 'refuse']),
    /** The API follows clients of the original service where they differ from the specification. */
    legacyClients: option('LEGACY_CLIENTS', ['off', 'on']) === 'on',
    /** Is true if public documents are on lists: the explore page, its API, feeds, profiles and the sitemap. */
    explore: option('EXPLORE', ['on', 'off']) === 'on',
    readers: option('READERS', ['anyone', 'accounts']),
    signUp: attempt(parseSignUp, OPEN_SIGN_UP),
    rateLimits: option('RATE_LIMITS', ['on', 'off']) === 'on',
    limitPolicies: attempt(parseLimitPolicies, {}),
    plan,
    quotas: { account: parseQuota('account'), server: parseQuota('server') },
    /** How long staff can restore a document that they removed. */
    removalDays: integer('REMOVAL_DAYS', 30, 0, MAX_REMOVAL_DAYS),
    /** How long backups are kept, and so what tells a merge of one what was deleted since. */
    backupDays: integer('BACKUP_DAYS', 90, 1, MAX_BACKUP_DAYS),
    storageTimeoutMs: integer('STORAGE_TIMEOUT_MS', 15_000, 1, 60_000),
    readFrom: option('READ_FROM', ['nearest', 'primary']),
    /** The share of requests in the log, from 0 to 1; null: all of them, except on a loopback address. */
    logRequests: attempt(parseLogRequests, null),
    /** Signs sessions and encrypts tokens; null: nobody can sign in. */
    authSecret: attempt(parseAuthSecret, null),
    /** The sender of emails; `terminal`: a local service prints them instead; null: no emails are sent. */
    mailFrom: attempt(parseMailFrom, null),
    /** How many emails the server sends in an hour; null sets no limit. */
    maxEmailsPerHour: integer('SERVER_MAX_EMAILS_PER_HOUR', 200, 0, 100_000) || null,
    /** How long people stay signed in. */
    sessionDays: integer('SESSION_DAYS', 30, 1, 365),
    /** The provider of OpenID Connect; null: nobody can sign in with one. */
    oidc: attempt(parseOidc, null),
    github: {
      /** The OAuth app; null: nobody can sign in with GitHub. */
      app: attempt(parseGitHubApp, null),
      url: baseUrl('GITHUB_URL') ?? 'https://github.com',
      apiUrl: baseUrl('GITHUB_API_URL') ?? 'https://api.github.com',
    },
    operator: {
      name: read(variables, 'OPERATOR_NAME').trim() || null,
      url: url('OPERATOR_URL'),
      contactEmail,
      abuseEmail: email('ABUSE_EMAIL') ?? contactEmail,
      /** The operator's own pages, which replace the ones that Regent comes with. */
      privacyUrl: url('PRIVACY_URL'),
      termsUrl: url('TERMS_URL'),
    },
    abuse: {
      reportEmail: email('REPORT_EMAIL'),
      reportWebhook: attempt(parseReportWebhook, null),
      turnstile: attempt(parseTurnstile, null),
    },
  } as const
  if (mistakes.length === 0) mistakes.push(...listConflicts(config))
  if (mistakes.length > 0) throw new ConfigError(mistakes)
  return config
}

/** Names the variables whose valid values can't work together. */
function listConflicts({ github, mailFrom, oidc, readers, signUp }: Config): string[] {
  if (mailFrom !== null || github.app !== null || oidc !== null) return []
  const need = 'set MAIL_FROM, GITHUB_CLIENT_ID or OIDC_ISSUER, too, because nobody can sign in'
  return [
    ...(readers === 'accounts' ? [`READERS = "accounts": ${need} to read`] : []),
    ...(signUp.inviters === null ? [] : [`SIGN_UP: ${need} with an invitation or an address`]),
  ]
}

export type Config = ReturnType<typeof parseConfig>
export type AnonymousSettings = Config['anonymousSettings']
export type Plan = Config['plan']
export type Operator = Config['operator']
export type ReportWebhook = NonNullable<Config['abuse']['reportWebhook']>
export type Turnstile = NonNullable<Config['abuse']['turnstile']>

export const getConfig = oncePer(parseConfig)
