import { customAlphabet } from 'nanoid'
import { AppError, invalidBody, issueAt } from '../errors.ts'
import { ALPHABET, formatNamedAddress, GENERATED_PASSWORD_CHARACTERS } from '../shared/document-ids.ts'
import { DEFAULT_EXPIRY_DAYS, DURATION_FORMAT, NEVER, parseDuration } from '../shared/expiry.ts'
import { DAY_MS, type Instant, MINUTE_MS } from '../shared/instant.ts'
import {
  type ByProperty,
  type Flags,
  mapFlags,
  SETTINGS,
  type SettingKinds,
  STORED_FLAGS,
  type StoredFlag,
} from '../shared/settings.ts'
import type { Statement } from '../shared/statement.ts'

/** An account, as far as documents care. */
export interface Account {
  readonly id: string
}

/** The account that makes a request, the holder of a document token, or both. */
export interface Viewer {
  readonly id: string | null
  readonly tokenHash?: string | null
}

export interface Creator {
  readonly id: string
  readonly username: string
  /** A bit field, see `schema.sql`. */
  readonly flags: number
  /** A path if this site serves it; null: the site draws one. */
  readonly icon: string | null
  readonly documentsMade: number
  /** Is true if the account has a profile page while it has public documents. */
  readonly hasProfile: boolean
}

export interface NamedAccount extends Account {
  readonly username: string
}

interface Ownership {
  readonly creator: Account | null
  readonly editors: readonly Account[]
  /** Is null for documents of accounts, and those from before there were tokens. */
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
  readonly hash: string
}

/** The properties that a loaded document and a row to be written have in common. */
interface DocumentFields extends Flags {
  readonly id: string
  readonly contentKey: string
  /** The size of the text in UTF-8, before encryption. */
  readonly contentBytes: number
  readonly contentExpiresAt: Instant
  /** 1 at first, and one more with every edit of the content. */
  readonly revision: number
  /** The given title, or else one that `derive-title.ts` makes of the text. Encrypted documents have none. */
  readonly title: string | null
  readonly givenTitle: string | null
  /** The name, which no other document of the creator has. */
  readonly name: string | null
  readonly language: string
  /** Is true if somebody chose the language. Otherwise pages detect it. */
  readonly languageChosen: boolean
  /**
   * Is true if the language was detected in the text, and is detected again in a new one. It's false if nobody chose
   * any: then pages detect it.
   */
  readonly languageDetected: boolean
  /** Encrypted documents that burn after reading have one, and no others. */
  readonly claim: Claim | null
  /** An editor proves the password by the claim token. It's null if the JWE came without one, and without encryption. */
  readonly proofHash: string | null
  readonly tokenHash: string | null
  readonly version: string
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly expiresAt: Instant
}

export interface Document extends DocumentFields {
  readonly creator: Creator | null
  readonly editors: readonly NamedAccount[]
  readonly lastEditedBy: NamedAccount | null
  /** The gist may have been deleted a moment ago. */
  readonly gistUrl: string | null
  /** The document that this one is a duplicate of. Only `getOriginal` says who may know of it. */
  readonly original: Original | null
  /** The stored number: the latest views may not have been written yet. */
  readonly views: number
}

/** Has nothing that takes further rows to read. */
export type DocumentSummary = Omit<Document, 'editors' | 'lastEditedBy' | 'original'>

/** The facts that are compared with the blocks, in the transaction that stores the document. */
export interface BlockCheck {
  /** The form that `toStoredAddress` returns. */
  readonly address: string | null
  /** See `hashContent`; null if the content isn't new, or encrypted by the client. */
  readonly contentHash: string | null
  readonly domains: readonly string[]
}

export interface DocumentWrite extends DocumentFields {
  readonly creatorId: string | null
  readonly editorIds: readonly string[]
  readonly lastEditedById: string | null
  /** Is null if it's encrypted. */
  readonly contentHash: string | null
  /** The address of somebody without an account. Edits don't write it. */
  readonly creatorAddress?: string | null
  /** The id of the document that this one is a duplicate of. Edits don't write it. */
  readonly duplicatedFrom?: string | null
  readonly blockCheck: BlockCheck
}

export const getDefaultExpiry = (now: Instant): Instant => now + DEFAULT_EXPIRY_DAYS * DAY_MS

export const neverExpires = (document: Pick<Document, 'expiresAt'>): boolean => document.expiresAt === NEVER

/** Compares hashes, so how long it takes doesn't reveal how much of a token was right. */
export const holdsToken = (document: Pick<Ownership, 'tokenHash'>, viewer: Viewer | null): boolean =>
  document.tokenHash !== null && document.tokenHash === viewer?.tokenHash

export const isCreator = (document: Omit<Ownership, 'editors'>, viewer: Viewer | null): boolean =>
  (document.creator !== null && document.creator.id === viewer?.id) || holdsToken(document, viewer)

/** Tells whether the viewer is the creator or an editor. Nobody can edit a document with neither a creator nor a token. */
export const mayEdit = (document: Ownership, viewer: Viewer | null): boolean =>
  isCreator(document, viewer) ||
  (document.creator !== null && document.editors.some((editor) => editor.id === viewer?.id))

/** Tells whether a document has these editors, in this order. */
export const hasEditors = (document: Document, editorIds: readonly string[]): boolean =>
  editorIds.length === document.editors.length &&
  document.editors.every((editor, index) => editor.id === editorIds[index])

/** A burn-after-reading document has no gist: it's being deleted. */
export const getGistUrl = (document: Pick<Document, 'burnAfterReading' | 'gistUrl'>): string | null =>
  document.burnAfterReading ? null : document.gistUrl

/**
 * Tells whether a document is on lists. Documents of deleted accounts aren't on any, because nobody could take them off
 * again.
 */
export const isListed = (
  document: Pick<Document, 'public' | 'encrypted' | 'burnAfterReading' | 'creator'>,
): boolean =>
  document.public && !document.encrypted && !document.burnAfterReading && document.creator !== null

/** An unlisted document is only for people who have its link, so others than its editors don't learn its id. */
export function getOriginal(
  document: Document,
  { viewer, now }: { viewer: Viewer; now: Instant },
): Original | null {
  const { original } = document
  if (!original || !hasOpenContent(document) || original.expiresAt <= now) return null
  const isPublic = original.public && original.creator !== null
  return isPublic || mayEdit(original, viewer) ? original : null
}

/** Tells whether anyone with the link can read the document, again and again. */
export const hasOpenContent = ({
  encrypted,
  burnAfterReading,
}: Pick<Document, 'encrypted' | 'burnAfterReading'>): boolean => !encrypted && !burnAfterReading

/** Line breaks and other controls. Joiners stay: emoji and many scripts need them. */
const TITLE_CONTROLS = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+/gu
/** Characters that make text read differently than it is written (Unicode UAX #9, section 2). */
const BIDI_OVERRIDES = /[\u202A-\u202E\u2066-\u2069]/g

/** Removes what could break or reverse a line of a list. Returns null if nothing visible is left of the title. */
export function cleanTitle(title: string | null): string | null {
  const cleaned = title?.replaceAll(TITLE_CONTROLS, ' ').replaceAll(BIDI_OVERRIDES, '').trim() ?? ''
  return /[^\p{Z}\p{Cc}\p{Cf}\p{Cs}]/u.test(cleaned) ? cleaned : null
}

/** Ignores differences of case and Unicode form. */
export const toSearchKey = (text: string): string => text.normalize('NFKC').toLowerCase()

/** Returns null if it has no name. */
export const getNamedAddress = ({ creator, name }: Pick<Document, 'creator' | 'name'>): string | null =>
  creator && name !== null ? formatNamedAddress({ username: creator.username, name }) : null

export const ID_LENGTHS = { short: 4, standard: 8, long: 36 } as const

export type IdLength = keyof typeof ID_LENGTHS

const generate = customAlphabet(ALPHABET)

/** The id may be taken, which only inserting it shows. */
export const generateId = (length: IdLength): string => generate(ID_LENGTHS[length])

/** Tells people and secret scanners what it is. */
const TOKEN_PREFIX = 'regent_doc_'

/** The length of a token, which makes 201 random bits. */
const TOKEN_CHARACTERS = 36

const TOKEN = new RegExp(`^${TOKEN_PREFIX}[A-Za-z0-9]{${TOKEN_CHARACTERS}}$`)

/** Returns a new token, which is shown once. The service stores only its hash. */
export const generateDocumentToken = (): string => TOKEN_PREFIX + generate(TOKEN_CHARACTERS)

export const isDocumentToken = (candidate: string): boolean => TOKEN.test(candidate)

/** Returns a password of 134 random bits. */
export const generatePassword = (): string => generate(GENERATED_PASSWORD_CHARACTERS)

/** Tells whether the service may have generated a password, which is then strong enough for a low iteration count. */
export const looksGenerated = (password: string): boolean =>
  password.length === GENERATED_PASSWORD_CHARACTERS &&
  [...password].every((character) => ALPHABET.includes(character))

/** Returns a key of 134 random bits, so it never exists already. */
export const generateContentKey = (): string => `content/${generate(24)}`

/** Names a version of a document, or a burn. */
export const generateVersion = (): string => generate(12)

type LanguageFlag = 'languageChosen' | 'languageDetected'

/** The properties that a row has in another form. */
type SummaryParts = Pick<DocumentSummary, 'creator' | 'claim' | LanguageFlag | keyof Flags>

/** The row that `SUMMARY_COLUMNS` select. */
export type SummaryRow = Omit<DocumentSummary, keyof SummaryParts> &
  ByProperty<StoredFlag, number> &
  Readonly<Record<LanguageFlag, number>> & {
    readonly creator: string | null
    readonly claimHeader: string | null
    readonly claimHash: string | null
  }

/** The row that `DOCUMENTS` selects. */
export type DocumentRow = SummaryRow & {
  readonly editors: string
  readonly lastEditedBy: string | null
  readonly original: string | null
}

const CREATOR = `json_object('id', u.id, 'username', u.username, 'flags', u.flags, 'icon', u.icon,
  'documentsMade', u.documents_made, 'hasProfile', json(iif(u.has_profile, 'true', 'false')))`

/** Selects the creator of a document whose other columns are known. */
export const selectCreator = (id: string): Statement => [
  `SELECT ${CREATOR} AS creator FROM users u WHERE u.id = ?1`,
  id,
]

export const parseCreator = (rows: unknown[] | undefined): Creator | null => {
  const [row] = (rows ?? []) as Pick<DocumentRow, 'creator'>[]
  return row?.creator ? JSON.parse(row.creator) : null
}

/**
 * Selects from a document `d` and its creator `u`. `given_title` comes first: while an upgrade rolls out, an edit by the previous
 * release changes the title alone. In place of a `proof_hash`, documents from before there were any have the claim that they burn by,
 * which proves the same.
 */
export const SUMMARY_COLUMNS = `d.id, d.content_key AS contentKey, d.content_bytes AS contentBytes, d.content_until AS contentExpiresAt,
    d.revision, coalesce(d.given_title, d.title) AS title, d.given_title AS givenTitle, d.language,
    iif(u.id IS NULL, NULL, d.name) AS name,
    d.language_chosen AS languageChosen, d.language_detected AS languageDetected,
    ${STORED_FLAGS.map((name) => `d.${SETTINGS[name].column} AS ${SETTINGS[name].property}`).join(', ')},
    d.envelope_header AS claimHeader, d.claim_hash AS claimHash,
    coalesce(d.proof_hash, d.claim_hash) AS proofHash, d.token_hash AS tokenHash, d.gist_url AS gistUrl, d.views,
    d.version, d.created_at AS createdAt, d.updated_at AS updatedAt, d.expires_at AS expiresAt,
    iif(u.id IS NULL, NULL, ${CREATOR}) AS creator`

export const DOCUMENTS = `
  SELECT ${SUMMARY_COLUMNS},
    iif(d.has_editors,
      (SELECT json_group_array(json_object('id', e.user_id, 'username', n.username) ORDER BY e.position)
        FROM document_editors e JOIN users n ON n.id = e.user_id
        WHERE e.document_id = d.id),
      '[]') AS editors,
    iif(d.saved_by IS NULL, NULL,
      (SELECT json_object('id', id, 'username', username) FROM users WHERE id = d.saved_by)) AS lastEditedBy,
    iif(d.duplicated_from IS NULL, NULL,
      (SELECT json_object('id', o.id, 'title', coalesce(o.given_title, o.title),
          'public', json(iif(o.public, 'true', 'false')),
          'creator', json(iif(o.creator_id IS NULL, 'null', json_object('id', o.creator_id))),
          'tokenHash', o.token_hash, 'expiresAt', o.expires_at,
          'editors', (SELECT json_group_array(json_object('id', user_id))
            FROM document_editors WHERE document_id = o.id))
        FROM documents o LEFT JOIN users c ON c.id = o.creator_id
        WHERE o.id = d.duplicated_from AND o.encrypted = 0 AND o.instant_delete = 0 AND c.suspended_at IS NULL)
    ) AS original
  FROM documents d LEFT JOIN users u ON u.id = d.creator_id`

/** Changes the row itself: a copy of its thirty columns would take ten times as long. */
export function toSummary(row: SummaryRow): DocumentSummary {
  const { claimHeader, claimHash } = row
  return Object.assign<Omit<SummaryRow, keyof SummaryParts>, SummaryParts>(row, {
    ...mapFlags(STORED_FLAGS, (name) => row[SETTINGS[name].property] === 1),
    languageChosen: row.languageChosen === 1,
    languageDetected: row.languageDetected === 1,
    claim: claimHeader === null || claimHash === null ? null : { header: claimHeader, hash: claimHash },
    creator: row.creator && JSON.parse(row.creator),
  })
}

export function toDocument(row: DocumentRow): Document {
  const { editors, lastEditedBy, original } = row
  return Object.assign(toSummary(row), {
    editors: JSON.parse(editors),
    lastEditedBy: lastEditedBy && JSON.parse(lastEditedBy),
    original: original && JSON.parse(original),
  })
}

export const DOCUMENT_BY_ID = `${DOCUMENTS} WHERE d.id = ?1 AND d.expires_at > ?2`

// Both conditions on unique indexes: SQLite starts at the user.
export const DOCUMENT_BY_NAME = `${DOCUMENTS} WHERE u.username = ?1 AND d.name = ?2 AND d.expires_at > ?3`

export const parseDocument = (rows: unknown[] | undefined): Document | null => {
  const row = (rows as DocumentRow[] | undefined)?.[0]
  return row ? toDocument(row) : null
}

const MIN_EXPIRY_MS = MINUTE_MS
const MAX_EXPIRY_YEARS = 10

const DATE_TIME =
  /^(?<date>(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d))T(?<time>\d\d:\d\d(:\d\d([.,]\d+)?)?)(?<offset>Z|[+-]\d\d(:?\d\d)?)$/

/** Reads a time in ISO 8601 with an offset. Returns NaN for anything else. */
function parseDateTime(text: string): number {
  const parts = DATE_TIME.exec(text)?.groups
  if (!parts) return Number.NaN
  const { date, year, month, day, time = '', offset = '' } = parts
  // Date.parse turns February 30 into March 1 or 2.
  const rolled = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  if (rolled.getUTCDate() !== Number(day)) return Number.NaN
  // ISO 8601 allows a comma, and offsets without colon or minutes. Date.parse doesn't.
  const fullOffset = offset.replace(
    /^([+-]\d\d):?(\d\d)?$/,
    (_, hours, minutes = '00') => `${hours}:${minutes}`,
  )
  return Date.parse(`${date}T${time.replace(',', '.')}${fullOffset}`)
}

function getLatestExpiry(now: Instant): number {
  const date = new Date(now)
  return date.setUTCFullYear(date.getUTCFullYear() + MAX_EXPIRY_YEARS)
}

/** @throws AppError `bad_request` at `settings.expiration`. */
export function parseExpiration(input: SettingKinds['expiration'], now: Instant): number {
  // Clients may send back what the API shows for "never", and old clients send 0.
  if (input === null || input === 0 || input === new Date(NEVER).toISOString()) return NEVER
  const instant = typeof input === 'number' ? Math.round(now + input * DAY_MS) : parseDateTime(input)
  if (Number.isNaN(instant)) {
    throw invalidBody(
      issueAt(
        ['settings', 'expiration'],
        'Expected null, a number of days, or an ISO 8601 date-time with offset',
      ),
    )
  }
  if (instant < now + MIN_EXPIRY_MS || instant > getLatestExpiry(now)) {
    throw invalidBody(
      issueAt(['settings', 'expiration'], 'Must be at least 1 minute and at most 10 years ahead'),
    )
  }
  return instant
}

/**
 * Reads the option `expires` of curl and agents: a duration or a date-time. `parseExpiration` takes the result.
 *
 * @throws AppError `bad_request` for anything that is neither.
 */
export function parseTypedExpiry(typed: string): SettingKinds['expiration'] {
  if (/^\d{4}-/.test(typed)) return typed
  const days = parseDuration(typed)
  if (days === undefined) throw new AppError('bad_request', `Write expires as ${DURATION_FORMAT}`)
  return days
}
