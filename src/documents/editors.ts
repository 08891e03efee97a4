import { invalidBody, issueAt, notAnEditor } from '../errors.ts'
import { type Query, query } from '../platform/database.ts'
import type { Issue } from '../shared/error-codes.ts'
import { type Account, type Document, generateVersion, type NamedAccount } from './document.ts'
import type { DocumentStore } from './document-store.ts'

/** Finds accounts by their names, ignoring case, in no particular order. */
export const usersNamed = (usernames: readonly string[]): Query<NamedAccount[]> =>
  query(
    [
      `SELECT id, username FROM users
        WHERE username IN (SELECT value COLLATE NOCASE FROM json_each(?1))`,
      JSON.stringify(usernames),
    ],
    (rows: NamedAccount[]) => rows,
  )

/** Leaves out duplicates and the creator. @throws AppError `bad_request` for each username without an account. */
export async function requireEditors(
  store: DocumentStore,
  usernames: readonly string[],
  creator: Account,
): Promise<NamedAccount[]> {
  if (usernames.length === 0) return []
  const [found] = await store.db.ask(usersNamed(usernames))
  const foundByName = new Map(found.map((user) => [user.username.toLowerCase(), user]))
  const editors = new Map<string, NamedAccount>()
  const missing: Issue[] = []
  for (const [index, username] of usernames.entries()) {
    const user = foundByName.get(username.toLowerCase())
    if (user === undefined) {
      missing.push(issueAt(['settings', 'editors', index], 'No account has this username'))
    } else if (user.id !== creator.id) editors.set(user.id, user)
  }
  if (missing.length > 0) throw invalidBody(...missing)
  return [...editors.values()]
}

/** It isn't an edit: nobody becomes the last to have edited it. @throws AppError `bad_auth` for others than editors. */
export async function leaveDocument(
  store: DocumentStore,
  document: Document,
  viewer: Account,
): Promise<void> {
  if (!document.editors.some((editor) => editor.id === viewer.id)) throw notAnEditor()
  const { id } = document
  await store.db.idempotentBatch([
    [
      // The document becomes another version: no edit that is under way can restore the editor.
      `UPDATE documents SET version = ?3,
          has_editors = EXISTS (SELECT 1 FROM document_editors WHERE document_id = ?1 AND user_id <> ?2)
        WHERE id = ?1 AND EXISTS (SELECT 1 FROM document_editors WHERE document_id = ?1 AND user_id = ?2)`,
      id,
      viewer.id,
      generateVersion(),
    ],
    ['DELETE FROM document_editors WHERE document_id = ?1 AND user_id = ?2', id, viewer.id],
  ])
  store.forget(id)
}
