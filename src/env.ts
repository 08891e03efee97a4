import type { User } from './accounts/user.ts'
import type { DocumentStore } from './documents/store.ts'
import type { Identity } from './middleware/identify.ts'

/** The vars of `wrangler.toml`, checked and typed. */
export interface Config {
  /** Where the site is, without a slash at the end; null: the origin of each request. */
  readonly siteUrl: string | null
  readonly maxContentBytes: number
  readonly anonymousSettings: 'refuse' | 'ignore-cosmetic'
  readonly storageTimeoutMs: number
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
    /** Who makes the request; set by `requireUser`, on the routes that it guards. */
    user: User
  }
}

/** The largest text whose envelope still fits into a KV value of 25 MiB. */
const MOST_CONTENT_BYTES = 18 * 1024 * 1024

function wholeNumber(name: string, value: string, least: number, most: number): number {
  const number = Number(value)
  if (!Number.isInteger(number) || number < least || number > most) {
    throw new Error(`${name} must be a whole number from ${least} to ${most}, not "${value}"`)
  }
  return number
}

/** Reads the vars. Throws an Error that names the var when one makes no sense. */
export function parseConfig(env: Env): Config {
  const siteUrl = String(env.SITE_URL ?? '').replace(/\/+$/, '')
  if (siteUrl !== '' && !URL.canParse(siteUrl)) throw new Error(`SITE_URL is not a URL: "${siteUrl}"`)
  const anonymousSettings: string = env.ANONYMOUS_SETTINGS
  if (anonymousSettings !== 'refuse' && anonymousSettings !== 'ignore-cosmetic') {
    throw new Error(`ANONYMOUS_SETTINGS must be "refuse" or "ignore-cosmetic", not "${anonymousSettings}"`)
  }
  return {
    siteUrl: siteUrl || null,
    maxContentBytes: wholeNumber('MAX_CONTENT_BYTES', env.MAX_CONTENT_BYTES, 1, MOST_CONTENT_BYTES),
    anonymousSettings,
    storageTimeoutMs: wholeNumber('STORAGE_TIMEOUT_MS', env.STORAGE_TIMEOUT_MS, 1, 60_000),
  }
}

const configs = new WeakMap<object, Config>()

/** The config of these bindings, parsed once an isolate. */
export function configOf(env: Env): Config {
  let config = configs.get(env)
  if (!config) {
    config = parseConfig(env)
    configs.set(env, config)
  }
  return config
}
