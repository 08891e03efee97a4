import type { KeyScope } from '../../accounts/keys/key-scope.ts'
import type { User } from '../../accounts/user.ts'

/** Tells who makes a request. Looked up when first asked for: most reads never ask, and save the query. */
export interface Identity {
  /** Does everything before the query. From then on, the methods below start it at once: see `Database.together`. */
  readonly prepare: () => Promise<void>
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
}
