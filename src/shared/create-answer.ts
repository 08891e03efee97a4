/** What the site answers a script that sent the form for a new document. */
export interface CreateAnswer {
  readonly id: string
  /** The document's address. */
  readonly url: string
  /** Null if it has none, like every encrypted document. */
  readonly title: string | null
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly expiresAt: number
  /** Only if the service generated it. */
  readonly password?: string
  /** Only for a document without an account. */
  readonly token?: string
}
