import { type FlagColumn, mapFlags, SETTINGS, STORED_FLAGS } from '../shared/settings.ts'
import type { Creator, Document, Editor, Original } from './document.ts'

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
