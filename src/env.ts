import type { Context } from 'hono'
import type { User } from './accounts/user.ts'
import type { DocumentStore } from './documents/document-store.ts'
import type { Identity } from './http/identity.ts'

/** The vars of `wrangler.toml`, checked and typed. */
export interface Config {
  /** Where the site is, without a slash at the end; null: the origin of each request. */
  readonly siteUrl: string | null
  readonly maxContentBytes: number
  readonly anonymousSettings: 'refuse' | 'ignore-cosmetic'
  readonly storageTimeoutMs: number
  /** What sessions are signed with and tokens sealed with; null: nobody can sign in. */
  readonly authSecret: string | null
  /** Where mail comes from; `terminal`: it is printed where a local service runs; null: there is none. */
  readonly mailFrom: string | null
  readonly github: GitHubConfig
}

interface GitHubConfig {
  /** The OAuth app that people sign in by; null: nobody signs in by GitHub. */
  readonly app: { readonly clientId: string; readonly clientSecret: string } | null
  /** Without slashes at the end, as `apiUrl`. */
  readonly url: string
  readonly apiUrl: string
}

export interface AppEnv {
  Bindings: Env
  Variables: {
    config: Config
    /** When the request began, in milliseconds since 1970. */
    now: number
    requestId: string
    /** Where links of this answer point, without a slash at the end. */
    siteUrl: string
    store: DocumentStore
    identity: Identity
    /** Whether the browser holds a session's cookie, valid or not. */
    hasSessionCookie: boolean
  }
}

/** The context of routes behind `requireUser` or `requireSession`: there `user` made the request. */
export type UserEnv = AppEnv & { Variables: { user: User } }

/** The context of any route, for functions that need no signed-in user. */
// biome-ignore lint/suspicious/noExplicitAny: hono's own default for a path that is not known.
export type AppContext<Path extends string = any> = Context<AppEnv, Path> | Context<UserEnv, Path>

/** The largest text whose envelope still fits into a KV value of 25 MiB. */
const MAX_CONTENT_BYTES = 18 * 1024 * 1024

function parseInteger(name: string, value: string, least: number, most: number): number {
  const number = Number(value)
  if (!Number.isInteger(number) || number < least || number > most) {
    throw new Error(`${name} must be a whole number from ${least} to ${most}, not "${value}"`)
  }
  return number
}

/** The address in a var, without slashes at its end; empty where the var is. */
function parseUrl(name: string, value: string | undefined): string {
  const url = String(value ?? '').replace(/\/+$/, '')
  if (url !== '' && !URL.canParse(url)) throw new Error(`${name} is not a URL: "${url}"`)
  return url
}

/** A shorter one could be guessed, and with it every session. */
const MIN_AUTH_SECRET_CHARACTERS = 32

function parseAuthSecret(env: Env): string | null {
  const secret = env.AUTH_SECRET || null
  if (secret !== null && secret.length < MIN_AUTH_SECRET_CHARACTERS) {
    throw new Error(`AUTH_SECRET must have at least ${MIN_AUTH_SECRET_CHARACTERS} characters`)
  }
  return secret
}

function parseGitHubConfig(env: Env): GitHubConfig {
  const { GITHUB_CLIENT_ID: clientId, GITHUB_CLIENT_SECRET: clientSecret } = env
  return {
    app: clientId && clientSecret ? { clientId, clientSecret } : null,
    url: parseUrl('GITHUB_URL', env.GITHUB_URL),
    apiUrl: parseUrl('GITHUB_API_URL', env.GITHUB_API_URL),
  }
}

/** Reads the vars. Throws an Error that names the var when one makes no sense. */
export function parseConfig(env: Env): Config {
  const anonymousSettings: string = env.ANONYMOUS_SETTINGS
  if (anonymousSettings !== 'refuse' && anonymousSettings !== 'ignore-cosmetic') {
    throw new Error(`ANONYMOUS_SETTINGS must be "refuse" or "ignore-cosmetic", not "${anonymousSettings}"`)
  }
  return {
    siteUrl: parseUrl('SITE_URL', env.SITE_URL) || null,
    maxContentBytes: parseInteger('MAX_CONTENT_BYTES', env.MAX_CONTENT_BYTES, 1, MAX_CONTENT_BYTES),
    anonymousSettings,
    storageTimeoutMs: parseInteger('STORAGE_TIMEOUT_MS', env.STORAGE_TIMEOUT_MS, 1, 60_000),
    authSecret: parseAuthSecret(env),
    mailFrom: String(env.MAIL_FROM ?? '') || null,
    github: parseGitHubConfig(env),
  }
}

const configs = new WeakMap<object, Config>()

/** The config of these bindings, parsed once an isolate. */
export function getConfig(env: Env): Config {
  let config = configs.get(env)
  if (!config) {
    config = parseConfig(env)
    configs.set(env, config)
  }
  return config
}
