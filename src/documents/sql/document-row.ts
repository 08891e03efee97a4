import { type FlagColumn, mapFlags, SETTINGS, STORED_FLAGS } from '../../shared/settings.ts'
import type { Document, Editor } from '../model/document.ts'

export interface DocumentRow extends Readonly<Record<FlagColumn, number>> {
  id: string
  content_key: string
  content_bytes: number
  content_until: number
  title: string | null
  /** JSON: `[user id, username]`. */
  saver: string | null
  language: string
  envelope_header: string | null
  claim_hash: string | null
  gist_url: string | null
  views: number
  version: string
  created_at: number
  updated_at: number
  expires_at: number
  creator_id: string | null
  username: string | null
  flags: number | null
  icon: string | null
  documents_made: number | null
  /** JSON: `[[user id, username], …]`. */
  editors: string
}

/** Documents `d` with all that belongs to them; what `toDocument` reads. */
export const DOCUMENTS = `
  SELECT d.id, d.content_key, d.content_bytes, d.content_until, d.title, d.language,
    ${STORED_FLAGS.map((name) => `d.${SETTINGS[name].column}`).join(', ')},
    d.envelope_header, d.claim_hash, d.gist_url, d.views, d.version, d.created_at, d.updated_at, d.expires_at,
    u.id AS creator_id, u.username, u.flags, u.icon, u.documents_made,
    iif(d.has_editors,
      (SELECT json_group_array(json_array(e.user_id, n.username) ORDER BY e.position)
        FROM document_editors e JOIN users n ON n.id = e.user_id
        WHERE e.document_id = d.id),
      '[]') AS editors,
    iif(d.saved_by IS NULL, NULL,
      (SELECT json_array(id, username) FROM users WHERE id = d.saved_by)) AS saver
  FROM documents d LEFT JOIN users u ON u.id = d.creator_id`

function toEditors(json: string): Editor[] {
  const pairs: [id: string, username: string][] = json === '[]' ? [] : JSON.parse(json)
  return pairs.map(([id, username]) => ({ id, username }))
}

function toSaver(json: string | null): Editor | null {
  if (json === null) return null
  const [id, username]: [id: string, username: string] = JSON.parse(json)
  return { id, username }
}

/** The one way from a row to a document. */
export function toDocument(row: DocumentRow): Document {
  return {
    id: row.id,
    creator:
      row.creator_id === null
        ? null
        : {
            id: row.creator_id,
            username: row.username ?? '',
            flags: row.flags ?? 0,
            icon: row.icon,
            documentsMade: row.documents_made ?? 0,
          },
    editors: toEditors(row.editors),
    contentKey: row.content_key,
    contentBytes: row.content_bytes,
    contentUntil: row.content_until,
    title: row.title,
    lastEditedBy: toSaver(row.saver),
    language: row.language,
    ...mapFlags(STORED_FLAGS, (name) => row[SETTINGS[name].column] === 1),
    claim:
      row.claim_hash === null || row.envelope_header === null
        ? null
        : { header: row.envelope_header, hash: row.claim_hash },
    gistUrl: row.gist_url,
    views: row.views,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    expiresAt: row.expires_at,
  }
}
