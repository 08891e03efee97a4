import { customRandom } from 'nanoid'
import { ALPHABET, GENERATED_PASSWORD_CHARACTERS, isDocumentId } from '../shared/document-ids.ts'
import { NEVER } from '../shared/expiry.ts'
import type { Flags } from '../shared/settings.ts'

/** What a create or an edit is about to store, for the block lists. */
export interface BlockCheck {
  /** Who sends it, as `toStoredAddress` returns it; null if unknown. */
  readonly address: string | null
  /** See `hashContent`; null if the content isn't new, or encrypted by the client. */
  readonly contentHash: string | null
  /** The domains of the links in new content. */
  readonly domains: readonly string[]
}

/** Control and format characters, which are invisible or could reverse the text of a list. */
const CONTROLS = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]+/gu

/**
 * Returns a title as somebody gave it, on one line and without invisible characters; null if nothing is left of it.
 */
export function cleanTitle(title: string | null): string | null {
  return title?.replaceAll(CONTROLS, ' ').replaceAll(/\s+/g, ' ').trim() || null
}

/** Returns a text without differences of case and Unicode form, for comparing in a search. */
export const toSearchKey = (text: string): string => text.normalize('NFKC').toLowerCase()

export { ALPHABET, isDocumentId }

export const ID_LENGTHS = { short: 4, standard: 8, long: 36 } as const

export type IdLength = keyof typeof ID_LENGTHS

/** Random bytes for many ids. Asking the runtime for each id's bytes costs more than the rest of generating it. */
const pool = new Uint8Array(2_048)
let used = pool.length

/** Returns cryptographically random bytes, each used only once. */
function randomBytes(count: number): Uint8Array {
  if (used + count > pool.length) {
    crypto.getRandomValues(pool)
    used = 0
  }
  used += count
  return pool.slice(used - count, used)
}

const generate = customRandom(ALPHABET, ID_LENGTHS.standard, randomBytes)

/** Generates a document id. It may be taken, which only inserting it shows. */
export const generateId = (length: IdLength): string => generate(ID_LENGTHS[length])

/** Generates a secret: each character has 5.58 random bits. */
export const generateSecret = (length: number): string => generate(length)

/** Generates a password for a document: 24 characters, 134 bits. */
export const generatePassword = (): string => generate(GENERATED_PASSWORD_CHARACTERS)

/** Returns true if a password may have been generated here. It's strong enough for a low iteration count. */
export const looksGenerated = (password: string): boolean =>
  password.length === GENERATED_PASSWORD_CHARACTERS &&
  [...password].every((character) => ALPHABET.includes(character))

/** Generates a KV key for content. With 134 random bits it never exists already. */
export const generateContentKey = (): string => `content/${generate(24)}`

/** Generates the name of a version of a document, or of a burn. */
export const generateVersion = (): string => generate(12)

/** An account, as far as documents care. */
export interface Account {
  readonly id: string
}

/** Who makes a request: an account, the holder of a document token, or both. */
export interface Viewer {
  /** The id of the account; null without an account. */
  readonly id: string | null
  /** The hash of the document token that was sent; absent or null without one. */
  readonly tokenHash?: string | null
}

export interface Creator {
  readonly id: string
  readonly username: string
  readonly flags: number
  /** Address of the account's own picture, a path if this site serves it; null: the site draws one. */
  readonly icon: string | null
  readonly documentsMade: number
  /** Whether the account has a profile page while it has public documents. */
  readonly hasProfile: boolean
}

/** An account that may edit a document beside its creator. */
export interface Editor {
  readonly id: string
  readonly username: string
}

/** What says whose a document is. */
interface Ownership {
  readonly creator: Account | null
  readonly editors: readonly Account[]
  /** The hash of the document token; null for documents of accounts, and those from before there were tokens. */
  readonly tokenHash: string | null
}

/** A document that others are duplicates of. It isn't encrypted, and doesn't burn after reading. */
export interface Original extends Ownership {
  readonly id: string
  readonly title: string | null
  readonly public: boolean
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

/** Proves the password of an encrypted burn-after-reading document before its content is sent. */
export interface Claim {
  /** The protected header of the JWE, from which the viewer derives the claim token. */
  readonly header: string
  /** The hash of the claim token. */
  readonly hash: string
}

/** What a loaded document and a row to be written have in common. Times are milliseconds since 1970. */
interface DocumentFields extends Flags {
  readonly id: string
  readonly contentKey: string
  /** Bytes of the text in UTF-8, before encryption. */
  readonly contentBytes: number
  /** When KV deletes the content. */
  readonly contentExpiresAt: number
  /** The number of the content: 1 at first, and one more with every edit of the content. */
  readonly revision: number
  /** The given title, or else the first line that isn't blank. Null if there is none, and for encrypted documents. */
  readonly title: string | null
  /** The title that the creator or an editor gave it; null for encrypted documents. */
  readonly givenTitle: string | null
  readonly language: string
  /** Whether somebody chose the language. If nobody did, pages detect it. */
  readonly languageChosen: boolean
  /** Not null exactly for encrypted burn-after-reading documents. */
  readonly claim: Claim | null
  /**
   * The hash of the claim token of an encrypted document, by which an editor proves the password. Null if it came
   * without one, and for documents that aren't encrypted.
   */
  readonly proofHash: string | null
  /** The hash of the document token; null for documents of accounts, and those from before there were tokens. */
  readonly tokenHash: string | null
  readonly version: string
  readonly createdAt: number
  readonly updatedAt: number
  readonly expiresAt: number
}

/** A document without its content, as loaded from the database. */
export interface Document extends DocumentFields {
  readonly creator: Creator | null
  readonly editors: readonly Editor[]
  /** Who made the last edit, at `updatedAt`; null if there was none. */
  readonly lastEditedBy: Editor | null
  /** The address of its gist. It may have been deleted a moment ago. */
  readonly gistUrl: string | null
  /** The document that it's a duplicate of. Only `getOriginal` says who may know of it. */
  readonly original: Original | null
  /** As stored: the latest views may not have been written yet. */
  readonly views: number
}

/** What is written of a document: accounts are referred to by their ids. */
export interface DocumentWrite extends DocumentFields {
  readonly creatorId: string | null
  readonly editorIds: readonly string[]
  readonly lastEditedById: string | null
  /** The hash of the content; null if it's encrypted. */
  readonly contentHash: string | null
  /** Who created it without an account. Edits don't write it. */
  readonly creatorAddress?: string | null
  /** The id of the document that it's a duplicate of. Edits don't write it. */
  readonly duplicatedFrom?: string | null
  /** What the block lists are asked about in the same transaction. */
  readonly blockCheck: BlockCheck
}

export const neverExpires = (document: Document): boolean => document.expiresAt === NEVER

/**
 * Returns true if the viewer has the document's token. Compares hashes, so how long it takes doesn't reveal how much of a
 * token was right.
 */
export const holdsToken = (document: Pick<Ownership, 'tokenHash'>, viewer: Viewer | null): boolean =>
  document.tokenHash !== null && document.tokenHash === viewer?.tokenHash

/** Returns true for the account that created the document, and for the holder of its token. */
export const isCreator = (document: Omit<Ownership, 'editors'>, viewer: Viewer | null): boolean =>
  (document.creator !== null && document.creator.id === viewer?.id) || holdsToken(document, viewer)

/** Returns true for the creator and the editors. Nobody can edit a document with neither a creator nor a token. */
export const mayEdit = (document: Ownership, viewer: Viewer | null): boolean =>
  isCreator(document, viewer) ||
  (document.creator !== null && document.editors.some((editor) => editor.id === viewer?.id))

/** Returns true if these are the document's editors, in the same order. */
export const hasEditors = (document: Document, editorIds: readonly string[]): boolean =>
  editorIds.length === document.editors.length &&
  document.editors.every((editor, index) => editor.id === editorIds[index])

/** Returns the address of the document's gist. A burn-after-reading document has none: it's being deleted. */
export const getGistUrl = (document: Document): string | null =>
  document.burnAfterReading ? null : document.gistUrl

/**
 * Returns true if search engines and lists may show the document. Once an account is deleted, nobody could take its
 * documents off the lists again, so they aren't on any.
 */
export const isListed = (document: Document): boolean =>
  document.public && !document.encrypted && !document.burnAfterReading && document.creator !== null

/**
 * Returns the document that this one is a duplicate of; null if there is none that this viewer may know of. An unlisted
 * document is only for people who have its link, so its id is kept from all but those who can edit it.
 *
 * @param findViewer returns who asks. Called only where it makes a difference, because it may cost a query.
 */
export async function getOriginal(
  document: Document,
  { findViewer, now }: { findViewer: () => Promise<Viewer | null>; now: number },
): Promise<Original | null> {
  const { original } = document
  if (!original || !isEmbeddable(document) || original.expiresAt <= now) return null
  const isPublic = original.public && original.creator !== null
  return isPublic || mayEdit(original, await findViewer()) ? original : null
}

/** Returns true if other sites may show the document: anyone with the link can read it, again and again. */
export const isEmbeddable = ({ encrypted, burnAfterReading }: Document): boolean =>
  !encrypted && !burnAfterReading
