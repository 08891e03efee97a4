import { customRandom } from 'nanoid'
import { ALPHABET, GENERATED_PASSWORD_CHARACTERS, isDocumentId } from '../shared/document-ids.ts'
import { DEFAULT_EXPIRY_DAYS, NEVER } from '../shared/expiry.ts'
import { DAY_MS, type Instant } from '../shared/instant.ts'
import { type FlagColumn, type Flags, mapFlags, SETTINGS, STORED_FLAGS } from '../shared/settings.ts'
import type { Statement } from '../shared/statement.ts'

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

/** Tells people and secret scanners what it is. */
const TOKEN_PREFIX = 'regent_doc_'

/** With 36 characters, a token has 201 random bits. */
const TOKEN_CHARACTERS = 36

const TOKEN = new RegExp(`^${TOKEN_PREFIX}[A-Za-z0-9]{${TOKEN_CHARACTERS}}$`)

/** Generates the token of an anonymous document. It is shown once and stored as its hash only. */
export const generateDocumentToken = (): string => TOKEN_PREFIX + generate(TOKEN_CHARACTERS)

/** Returns true if a string has the shape of a document token. No other can be right. */
export const isDocumentToken = (candidate: string): boolean => TOKEN.test(candidate)

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
  readonly expiresAt: Instant
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
  readonly contentExpiresAt: Instant
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
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly expiresAt: Instant
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

/** Returns the expiry of a document whose creator chose none. */
export const getDefaultExpiry = (now: Instant): Instant => now + DEFAULT_EXPIRY_DAYS * DAY_MS

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
  { findViewer, now }: { findViewer: () => Promise<Viewer | null>; now: Instant },
): Promise<Original | null> {
  const { original } = document
  if (!original || !isEmbeddable(document) || original.expiresAt <= now) return null
  const isPublic = original.public && original.creator !== null
  return isPublic || mayEdit(original, await findViewer()) ? original : null
}

/** Returns true if other sites may show the document: anyone with the link can read it, again and again. */
export const isEmbeddable = ({ encrypted, burnAfterReading }: Document): boolean =>
  !encrypted && !burnAfterReading

interface DocumentColumns extends Readonly<Record<FlagColumn, number>> {
  id: string
  content_key: string
  content_bytes: number
  content_until: number
  revision: number
  title: string | null
  given_title: string | null
  /** JSON: `[user id, username]`. */
  last_edited_by: string | null
  language: string
  language_chosen: number
  envelope_header: string | null
  claim_hash: string | null
  proof_hash: string | null
  token_hash: string | null
  gist_url: string | null
  /** JSON: an `OriginalJson`. */
  original: string | null
  views: number
  version: string
  created_at: number
  updated_at: number
  expires_at: number
  /** JSON: `[[user id, username], …]`. */
  editors: string
}

/** The columns of the creator's account, joined to the document. */
type CreatorColumns =
  | {
      creator_id: string
      username: string
      flags: number
      icon: string | null
      documents_made: number
      has_profile: number
    }
  | { creator_id: null }

export type DocumentRow = DocumentColumns & CreatorColumns

/** Selects documents `d` with their creators and editors, for `toDocument`. */
export const DOCUMENTS = `
  SELECT d.id, d.content_key, d.content_bytes, d.content_until, d.revision, d.title, d.given_title, d.language,
    d.language_chosen,
    ${STORED_FLAGS.map((name) => `d.${SETTINGS[name].column}`).join(', ')},
    d.envelope_header, d.claim_hash, d.proof_hash, d.token_hash, d.gist_url, d.views, d.version,
    d.created_at, d.updated_at, d.expires_at,
    u.id AS creator_id, u.username, u.flags, u.icon, u.documents_made, u.has_profile,
    iif(d.has_editors,
      (SELECT json_group_array(json_array(e.user_id, n.username) ORDER BY e.position)
        FROM document_editors e JOIN users n ON n.id = e.user_id
        WHERE e.document_id = d.id),
      '[]') AS editors,
    iif(d.saved_by IS NULL, NULL,
      (SELECT json_array(id, username) FROM users WHERE id = d.saved_by)) AS last_edited_by,
    iif(d.duplicated_from IS NULL, NULL,
      (SELECT json_object('id', o.id, 'title', coalesce(o.given_title, o.title), 'public', o.public,
          'creator_id', o.creator_id, 'token_hash', o.token_hash, 'expires_at', o.expires_at,
          'editors', (SELECT json_group_array(user_id) FROM document_editors WHERE document_id = o.id))
        FROM documents o LEFT JOIN users c ON c.id = o.creator_id
        WHERE o.id = d.duplicated_from AND o.encrypted = 0 AND o.instant_delete = 0 AND c.suspended_at IS NULL)
    ) AS original
  FROM documents d LEFT JOIN users u ON u.id = d.creator_id`

function toEditors(json: string): Editor[] {
  const pairs: [id: string, username: string][] = json === '[]' ? [] : JSON.parse(json)
  return pairs.map(([id, username]) => ({ id, username }))
}

function toLastEditor(json: string | null): Editor | null {
  if (json === null) return null
  const [id, username]: [id: string, username: string] = JSON.parse(json)
  return { id, username }
}

interface OriginalJson {
  readonly id: string
  readonly title: string | null
  readonly public: number
  readonly creator_id: string | null
  readonly token_hash: string | null
  readonly expires_at: number
  /** Ids of users. */
  readonly editors: string[]
}

function toOriginal(json: string | null): Original | null {
  if (json === null) return null
  const original: OriginalJson = JSON.parse(json)
  return {
    id: original.id,
    title: original.title,
    public: original.public === 1,
    creator: original.creator_id === null ? null : { id: original.creator_id },
    tokenHash: original.token_hash,
    editors: original.editors.map((id) => ({ id })),
    expiresAt: original.expires_at,
  }
}

const toCreator = (row: CreatorColumns): Creator | null =>
  row.creator_id === null
    ? null
    : {
        id: row.creator_id,
        username: row.username,
        flags: row.flags,
        icon: row.icon,
        documentsMade: row.documents_made,
        hasProfile: row.has_profile === 1,
      }

/** Maps a row to a document. The only place that does. */
export function toDocument(row: DocumentRow): Document {
  return {
    id: row.id,
    creator: toCreator(row),
    editors: toEditors(row.editors),
    contentKey: row.content_key,
    contentBytes: row.content_bytes,
    contentExpiresAt: row.content_until,
    revision: row.revision,
    // While an upgrade rolls out, an edit by the previous release changes the title alone.
    title: row.given_title ?? row.title,
    givenTitle: row.given_title,
    lastEditedBy: toLastEditor(row.last_edited_by),
    language: row.language,
    languageChosen: row.language_chosen === 1,
    ...mapFlags(STORED_FLAGS, (name) => row[SETTINGS[name].column] === 1),
    claim:
      row.claim_hash === null || row.envelope_header === null
        ? null
        : { header: row.envelope_header, hash: row.claim_hash },
    // Documents from before proofs have a claim if they burn after reading, which proves the same.
    proofHash: row.proof_hash ?? row.claim_hash,
    tokenHash: row.token_hash,
    gistUrl: row.gist_url,
    original: toOriginal(row.original),
    views: row.views,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    expiresAt: row.expires_at,
  }
}

/** Selects the document with an id, unless it has expired by `now`, for `parseDocument`. */
export const selectDocument = (id: string, now: Instant): Statement => [
  `${DOCUMENTS} WHERE d.id = ?1 AND d.expires_at > ?2`,
  id,
  now,
]

export const parseDocument = (rows: unknown[] | undefined): Document | null => {
  const row = (rows as DocumentRow[] | undefined)?.[0]
  return row ? toDocument(row) : null
}
