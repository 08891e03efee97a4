import type { Database } from '../../platform/database.ts'
import type { Editor } from '../model/document.ts'

/** Returns the accounts with these usernames, compared without case, in no particular order. */
export async function findEditors(db: Database, usernames: readonly string[]): Promise<Editor[]> {
  return db.all<Editor>([
    `SELECT id, username FROM users
      WHERE username IN (SELECT value COLLATE NOCASE FROM json_each(?1))`,
    JSON.stringify(usernames),
  ])
}

/**
 * Removes one editor from a document, which becomes version `version`: no edit that is under way can restore
 * the editor. Removing someone who isn't an editor changes nothing.
 */
export async function removeEditorFromDocument(
  db: Database,
  { documentId, editorId, version }: { documentId: string; editorId: string; version: string },
): Promise<void> {
  await db.idempotentBatch([
    [
      `UPDATE documents SET version = ?3,
          has_editors = EXISTS (SELECT 1 FROM document_editors WHERE document_id = ?1 AND user_id <> ?2)
        WHERE id = ?1 AND EXISTS (SELECT 1 FROM document_editors WHERE document_id = ?1 AND user_id = ?2)`,
      documentId,
      editorId,
      version,
    ],
    ['DELETE FROM document_editors WHERE document_id = ?1 AND user_id = ?2', documentId, editorId],
  ])
}
