import type {} from 'vitest'

/** The server to check, its configuration, and the keys that the suite may use. Missing keys are empty. */
export interface Target {
  /** The address of the server, without a trailing slash. */
  readonly url: string
  /** The API key of a confirmed account. */
  readonly key: string
  /** The API key of another confirmed account, which acts as an editor or a stranger. */
  readonly secondKey: string
  /** The API key of an account whose email address isn't confirmed. */
  readonly unconfirmedKey: string
  /** An API key that the suite replaces, so it stops working. */
  readonly disposableKey: string
  /** How the server is configured. */
  readonly legacyClients: boolean
  readonly anonymousSettings: 'refuse' | 'ignore-cosmetic' | 'allow'
  readonly anonymousDocuments: boolean
  readonly maxContentBytes: number
  /** Whether to check clauses that take a minute or more. */
  readonly slow: boolean
}

/** The option that provides each key. */
const OPTIONS = {
  key: '--key',
  secondKey: '--second-key',
  unconfirmedKey: '--unconfirmed-key',
  disposableKey: '--disposable-key',
} as const

export type Credential = keyof typeof OPTIONS

/** Returns the option that provides a key. */
export const optionFor = (credential: Credential): string => OPTIONS[credential]

declare module 'vitest' {
  interface ProvidedContext {
    conformance: Target
  }
}
