import type { Context } from 'hono'
import type { KeyScope } from './accounts/key-format.ts'
import type { User } from './accounts/user.ts'
import type { Config } from './config.ts'
import type { DocumentStore } from './documents/document-store.ts'
import type { Query } from './platform/database.ts'
import type { RequestLog } from './platform/log.ts'
import type { RequestMemory } from './platform/request-memory.ts'
import type { Instant } from './shared/instant.ts'

/** Looked up when first asked for: most reads never ask, and save the query. */
export interface Identity {
  /**
   * @param needed the key's scope: by default `write` for a request that changes something, and otherwise `read`.
   * @throws AppError `unauthorized` for an invalid key, `bad_auth` for a key with less.
   */
  readonly require: (needed?: KeyScope) => Promise<User | null>
  /** Like `require` for reading, which every key may do, but null for an invalid key. */
  readonly ask: () => Promise<User | null>
  /** Looks up the session, even if the request has an API key. */
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
    now: Instant
    requestId: string
    /** Links start with it. Without a trailing slash. */
    siteUrl: string
    store: DocumentStore
    memory: RequestMemory
    /** Absent if the configuration is invalid. */
    log?: RequestLog
    identity: Identity
    /** Applies the limits of an account or of none, as soon as it's known who makes the request. */
    limitAccount?: (account: User | null) => Promise<void>
    /** The pattern that a topic found for the path. */
    route?: string
    /** Valid or not. */
    hasSessionCookie: boolean
    /** Answers leave out the text of documents, because only accounts may read and none makes the request. */
    hidesContent?: boolean
  }
}

/** Behind `requireUser` or `requireSession`: there `user` made the request. */
export type UserEnv = AppEnv & { Variables: { user: User } }

export type AppContext<Path extends string = string> = Context<AppEnv, Path> | Context<UserEnv, Path>
