import type { Database } from '../../platform/database.ts'
import type { Statement } from '../../platform/statement.ts'
import type { Document, Viewer } from '../model/document.ts'
import type { Revision, StoredRevision } from '../model/revision.ts'
import { findVisibleStatement, firstDocument } from './document-statements.ts'

interface RevisionRow {
  number: number
  content_key: string
  content_bytes: number
  language: string
  language_chosen: number
  proof_hash: string | null
  created_at: number
  author: string | null
  current: number
}

const REVISIONS = `
  SELECT r.number, r.content_key, r.content_bytes, r.language, r.language_chosen, r.proof_hash, r.created_at,
      u.username AS author, 0 AS current
    FROM revisions r LEFT JOIN users u ON u.id = r.author_id
    WHERE r.document_id = ?1 AND r.content_until > ?2
  UNION ALL
  SELECT d.revision, d.content_key, d.content_bytes, d.language, d.language_chosen, d.proof_hash,
      coalesce(d.content_saved_at, d.updated_at), u.username, 1
    FROM documents d LEFT JOIN users u
      ON u.id = iif(d.content_saved_at IS NULL, coalesce(d.saved_by, d.creator_id), d.content_saved_by)
    WHERE d.id = ?1`

const toRevision = (row: RevisionRow): Revision & StoredRevision => ({
  number: row.number,
  author: row.author,
  bytes: row.content_bytes,
  createdAt: row.created_at,
  current: row.current === 1,
  language: row.language,
  languageChosen: row.language_chosen === 1,
  contentKey: row.content_key,
  proofHash: row.proof_hash,
})

/** A document with its revisions, both as they were at the same moment. */
interface FoundRevisions {
  readonly document: Document
  /** Newest first. */
  readonly revisions: (Revision & StoredRevision)[]
}

/**
 * Returns a document and its revisions, its current content included; null if there is no such document by `now`. One
 * call to D1.
 *
 * @param number finds only the revision with this number.
 */
export async function findRevisions(
  db: Database,
  id: string,
  { now, number }: { now: number; number?: number },
): Promise<FoundRevisions | null> {
  const list: Statement =
    number === undefined
      ? [`${REVISIONS} ORDER BY number DESC`, id, now]
      : [`SELECT * FROM (${REVISIONS}) WHERE number = ?3`, id, now, number]
  const [documents, rows] = await db.allOf([findVisibleStatement(id, now), list])
  const document = firstDocument(documents)
  return document && { document, revisions: (rows as RevisionRow[]).map(toRevision) }
}

const IS_CREATOR = 'SELECT 1 FROM documents WHERE id = ?1 AND (creator_id = ?2 OR token_hash = ?3)'

/**
 * Deletes the revisions of a document for its creator.
 *
 * @returns the keys of their content; null if the document has another creator by now, or is gone.
 */
export async function deleteRevisionsOf(db: Database, id: string, viewer: Viewer): Promise<string[] | null> {
  const parameters = [id, viewer.id, viewer.tokenHash ?? null]
  const [deleted, documents] = await db.idempotentBatch([
    [
      `DELETE FROM revisions WHERE document_id = ?1 AND EXISTS (${IS_CREATOR}) RETURNING content_key`,
      ...parameters,
    ],
    [IS_CREATOR, ...parameters],
  ])
  return documents?.length === 0 ? null : (deleted as { content_key: string }[]).map((row) => row.content_key)
}
