import { customAlphabet } from 'nanoid'

/** Existing SDKs reject keys without this prefix. */
const PREFIX = 'imperial_'

const generateSecret = customAlphabet('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', 40)

export const generateKeyId = customAlphabet('0123456789abcdefghijklmnopqrstuvwxyz', 12)

export const isKeyId = (candidate: string): boolean => /^[0-9a-z]{12}$/.test(candidate)

/** Returns a new API key, which is shown once. The service stores only its hash. */
export const generateApiKey = (): string => PREFIX + generateSecret()

/** Anything of another shape is refused without a query. */
export const isApiKey = (candidate: string): boolean => /^imperial_[A-Za-z0-9]{40}$/.test(candidate)

/** Each scope includes the ones before it. */
export const KEY_SCOPES = {
  /** Reads documents, lists and the account. */
  read: { label: 'Read' },
  /** Creates, edits and deletes documents. */
  write: { label: 'Read and write' },
  /** Also lets a program replace the key itself. */
  everything: { label: 'Everything' },
} as const

export type KeyScope = keyof typeof KEY_SCOPES

export const SUGGESTED_SCOPE = 'write' satisfies KeyScope

const SCOPES = Object.keys(KEY_SCOPES) as KeyScope[]

export const isKeyScope = (candidate: string): candidate is KeyScope => Object.hasOwn(KEY_SCOPES, candidate)

export const includesScope = (scope: KeyScope, needed: KeyScope): boolean =>
  SCOPES.indexOf(scope) >= SCOPES.indexOf(needed)
