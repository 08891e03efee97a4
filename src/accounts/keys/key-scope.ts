/** What an API key may do, as the site calls it. Each scope includes the ones before it. */
export const KEY_SCOPES = {
  /** Reads documents, lists and the account. */
  read: { label: 'Read' },
  /** Creates, edits and deletes documents. */
  write: { label: 'Read and write' },
  /** Replaces the key itself. */
  everything: { label: 'Everything' },
} as const

export type KeyScope = keyof typeof KEY_SCOPES

/** The scope that the form for a new key suggests. */
export const SUGGESTED_SCOPE = 'write' satisfies KeyScope

const SCOPES = Object.keys(KEY_SCOPES) as KeyScope[]

export const isKeyScope = (candidate: string): candidate is KeyScope => Object.hasOwn(KEY_SCOPES, candidate)

/** Returns true if a key with this scope may do what needs `needed`. */
export const includesScope = (scope: KeyScope, needed: KeyScope): boolean =>
  SCOPES.indexOf(scope) >= SCOPES.indexOf(needed)
