import type { Instant } from './instant.ts'

/** The site's answer to a script that sent the form for a new document. */
export interface CreateAnswer {
  readonly id: string
  readonly url: string
  /** Null if it has none, like every encrypted document. */
  readonly title: string | null
  readonly createdAt: Instant
  readonly expiresAt: Instant
  /** Only if the service generated it. */
  readonly password?: string
  /** Only for a document without an account. */
  readonly token?: string
}
