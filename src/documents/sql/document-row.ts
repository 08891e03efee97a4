import { type FlagColumn, mapFlags, SETTINGS, STORED_FLAGS } from '../../shared/settings.ts'
import type { Creator, Document, Editor } from '../model/document.ts'

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
  duplicated_from: string | null
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
    d.envelope_header, d.claim_hash, d.proof_hash, d.token_hash, d.gist_url, d.duplicated_from, d.views, d.version,
    d.created_at, d.updated_at, d.expires_at,
    u.id AS creator_id, u.username, u.flags, u.icon, u.documents_made, u.has_profile,
    iif(d.has_editors,
      (SELECT json_group_array(json_array(e.user_id, n.username) ORDER BY e.position)
        FROM document_editors e JOIN users n ON n.id = e.user_id
        WHERE e.document_id = d.id),
      '[]') AS editors,
    iif(d.saved_by IS NULL, NULL,
      (SELECT json_array(id, username) FROM users WHERE id = d.saved_by)) AS last_edited_by
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
    duplicatedFrom: row.duplicated_from,
    views: row.views,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    expiresAt: row.expires_at,
  }
}
