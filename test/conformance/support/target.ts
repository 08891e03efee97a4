import type {} from 'vitest'

/** The service to check, and what the suite may use there. An empty string means that it wasn't given. */
export interface Target {
  /** The address of the service, without a trailing slash. */
  readonly url: string
  /** The API key of a confirmed account. */
  readonly key: string
  /** The API key of another confirmed account, for what editors and strangers may do. */
  readonly secondKey: string
  /** The API key of an account whose email address isn't confirmed. */
  readonly unconfirmedKey: string
  /** An API key that the suite may replace. It doesn't work any more after the run. */
  readonly disposableKey: string
  /** How the service is configured. */
  readonly legacyClients: boolean
  readonly anonymousSettings: 'refuse' | 'ignore-cosmetic' | 'allow'
  readonly anonymousDocuments: boolean
  readonly maxContentBytes: number
  /** Whether to check clauses that take a minute or more. */
  readonly slow: boolean
}

/** What clauses need that a run may lack, and the option that gives it. */
const OPTIONS = {
  key: '--key',
  secondKey: '--second-key',
  unconfirmedKey: '--unconfirmed-key',
  disposableKey: '--disposable-key',
} as const

export type Credential = keyof typeof OPTIONS

/** Returns how to give what a clause needs. */
export const optionFor = (credential: Credential): string => OPTIONS[credential]

declare module 'vitest' {
  interface ProvidedContext {
    conformance: Target
  }
}
