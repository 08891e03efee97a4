import { NEVER } from './expiry.ts'

/** Who asks, as far as documents care. */
export interface Viewer {
  readonly id: string
}

export interface Creator {
  readonly id: string
  readonly username: string
  readonly flags: number
  /** Address of the account's own picture, a path where this site serves it; null: the site draws one. */
  readonly icon: string | null
  readonly documentsMade: number
}

export interface Editor {
  readonly id: string
  readonly username: string
}

/** A document without its content, as its row says. Times are milliseconds since 1970. */
export interface Document {
  readonly id: string
  readonly creator: Creator | null
  readonly editors: readonly Editor[]
  readonly contentKey: string
  /** Bytes of UTF-8 of the text; of an encrypted document, of the text inside the envelope. */
  readonly contentBytes: number
  /** Until when KV keeps the content. */
  readonly contentUntil: number
  /** The first line with something in it; null for encrypted documents, and where there is none. */
  readonly title: string | null
  /** Whose edit was the last, at `updatedAt`; null as long as there was none. */
  readonly lastEditedBy: Editor | null
  readonly language: string
  readonly imageEmbed: boolean
  readonly burnAfterReading: boolean
  readonly encrypted: boolean
  readonly public: boolean
  /** Set exactly for encrypted documents with instant_delete. */
  readonly claim: { readonly header: string; readonly hash: string } | null
  /** Where its gist is, or was a moment ago. */
  readonly gistUrl: string | null
  /** As stored: views still to be written are not in it. */
  readonly views: number
  readonly version: string
  readonly createdAt: number
  readonly updatedAt: number
  readonly expiresAt: number
}

export const MAX_PASSWORD_CHARACTERS = 1_024
export const MAX_LANGUAGE_CHARACTERS = 100
export const MAX_EDITORS = 50

export const neverExpires = (document: Document): boolean => document.expiresAt === NEVER

export const isCreator = (document: Document, viewer: Viewer | null): boolean =>
  viewer !== null && document.creator?.id === viewer.id

/** The creator and the editors; of an anonymous document, also of one whose creator is gone, nobody. */
export const mayEdit = (document: Document, viewer: Viewer | null): boolean =>
  isCreator(document, viewer) ||
  (document.creator !== null && document.editors.some((editor) => editor.id === viewer?.id))

/** Where a reader finds the document's gist. One that is read once has none: what there was is being deleted. */
export const getGistUrl = (document: Document): string | null =>
  document.burnAfterReading ? null : document.gistUrl

/** Whether search engines and lists may show it. */
export const isListed = (document: Document): boolean =>
  document.public && !document.encrypted && !document.burnAfterReading
