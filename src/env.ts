import type { Context } from 'hono'
import type { User } from './accounts/user.ts'
import { type Config, parseConfig } from './config.ts'
import type { DocumentStore } from './documents/document-store.ts'
import type { Identity } from './http/identity/identity.ts'
import type { RequestLog } from './platform/logging.ts'
import type { RequestMemory } from './platform/request-memory.ts'

export type { AnonymousSettings, Config } from './config.ts'

export interface AppEnv {
  Bindings: Env
  Variables: {
    config: Config
    /** When the request began, in milliseconds since 1970. */
    now: number
    requestId: string
    /** The address that links in this response start with, without a trailing slash. */
    siteUrl: string
    store: DocumentStore
    /** The memory that the request has reserved for large content. */
    memory: RequestMemory
    /** Absent if the configuration is invalid. */
    log?: RequestLog
    identity: Identity
    /** Applies the limits of an account, or of somebody without one, as soon as it's known who makes the request. */
    limitAccount?: (account: User | null) => Promise<void>
    /** Whether the request has a session cookie, valid or not. */
    hasSessionCookie: boolean
  }
}

/** The context of routes behind `requireUser` or `requireSession`: there `user` made the request. */
export type UserEnv = AppEnv & { Variables: { user: User } }

/** The context of any route, for functions that need no signed-in user. */
export type AppContext<Path extends string = string> = Context<AppEnv, Path> | Context<UserEnv, Path>

const configs = new WeakMap<object, Config>()

/** Returns the config, parsed once per isolate. */
export function getConfig(env: Env): Config {
  let config = configs.get(env)
  if (!config) {
    config = parseConfig(env)
    configs.set(env, config)
  }
  return config
}
