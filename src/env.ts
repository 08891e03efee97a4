import type { Context } from 'hono'
import type { KeyScope } from './accounts/key-format.ts'
import type { User } from './accounts/user.ts'
import type { Config } from './config.ts'
import type { DocumentStore } from './documents/document-store.ts'
import type { Query } from './platform/database.ts'
import type { RequestLog } from './platform/log.ts'
import type { RequestMemory } from './platform/request-memory.ts'
import type { Instant } from './shared/instant.ts'

/** The account that makes a request with a valid API key or session. A session has every scope. */
export type FoundAccount = { readonly user: User; readonly scope: KeyScope } | 'invalid' | null

export interface Identity {
  /**
   * Looks up who makes the request, by the API key or else the session, or by the session alone. Asks something else in the same
   * round trip: most reads never look anybody up, and save the query. Use the functions of `http/identity.ts`.
   */
  readonly find: <Result>(
    by: 'credential' | 'session',
    also: Query<Result>,
  ) => Promise<readonly [found: FoundAccount, result: Result]>
}

export interface AppEnv {
  Bindings: Env
  Variables: {
    config: Config
    now: Instant
    requestId: string
    /** The start of all links, without a trailing slash. */
    siteUrl: string
    store: DocumentStore
    memory: RequestMemory
    /** The log of the request, which is absent if the configuration is invalid. */
    log?: RequestLog
    identity: Identity
    /** Applies the limits of an account or of none, as soon as it's known who makes the request. */
    limitAccount?: (account: User | null) => Promise<void>
    /** The pattern that a topic found for the path. */
    route?: string
    /** Is true if the request has a session cookie, valid or not. */
    hasSessionCookie: boolean
    /** Is true if scripts of other sites may read the answer. */
    allowsAnyOrigin?: boolean
    /** Answers leave out the text of documents, because only accounts may read and none makes the request. */
    hidesContent?: boolean
  }
}

/** The environment of handlers behind `requireUser` or `requireSession`: there `user` made the request. */
export type UserEnv = AppEnv & { Variables: { user: User } }

export type AppContext<Path extends string = string> = Context<AppEnv, Path> | Context<UserEnv, Path>

/** Reads one variable. `c.var` copies all of them: in the code that every request runs, that would be twenty copies. */
export const getVariable = <Name extends keyof AppEnv['Variables']>(
  c: AppContext,
  name: Name,
): AppEnv['Variables'][Name] => (c as Context<AppEnv>).get(name)
