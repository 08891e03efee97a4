import type { Context } from 'hono'
import type { KeyScope } from './accounts/key-format.ts'
import type { User } from './accounts/user.ts'
import { type Config, parseConfig } from './config.ts'
import type { DocumentStore } from './documents/document-store.ts'
import type { Query } from './platform/database.ts'
import type { RequestLog } from './platform/log.ts'
import type { RequestMemory } from './platform/memory.ts'

/** Tells who makes a request. Looked up when first asked for: most reads never ask, and save the query. */
export interface Identity {
  /**
   * Returns the account of the API key or session, null without one. Throws `unauthorized` for an invalid key.
   *
   * @param needed the scope that the key must have: by default `write` for a request that changes something, and
   * otherwise `read`. If it has less, throws `bad_auth`.
   */
  readonly require: (needed?: KeyScope) => Promise<User | null>
  /** Returns the same for reading, which every key may do, but null for an invalid key. */
  readonly ask: () => Promise<User | null>
  /** Returns the account of the session, even if the request has an API key. */
  readonly session: () => Promise<User | null>
  /** Does what the method of that name does, and asks something else in the same round trip. */
  readonly alongside: <Result>(
    asked: Query<Result>,
    as: 'require' | 'ask' | 'session',
  ) => Promise<readonly [user: User | null, result: Result]>
}

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
