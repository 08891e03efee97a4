/** How many revisions a document keeps, and how many bytes. Triggers delete the oldest. */
export const MAX_REVISIONS = 50
export const MAX_REVISION_BYTES = 50 * 1024 * 1024

/** One content that a document has or had. */
export interface Revision {
  /** Counts from 1. The number of a deleted revision is never used again. */
  readonly number: number
  /** The username of the account that saved it; null without an account, and if the account is gone. */
  readonly author: string | null
  /** Bytes of the text in UTF-8, before encryption. */
  readonly bytes: number
  /** When it was saved, in milliseconds since 1970. */
  readonly createdAt: number
  /** Whether it's the document's content now. */
  readonly current: boolean
  readonly language: string
}

/** How the content of a revision is stored. */
export interface StoredRevision {
  readonly contentKey: string
  /** Whether somebody chose the language. */
  readonly languageChosen: boolean
  /** The hash that proves the password of a JWE; null without one. */
  readonly proofHash: string | null
}
