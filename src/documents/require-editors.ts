import { type Issue, invalidBody, issueAt } from '../errors.ts'
import type { DocumentStore } from './document-store.ts'
import type { Account } from './model/document.ts'
import { findEditors } from './sql/editor-statements.ts'

/**
 * Returns the account ids of editors, in the order of their usernames, without duplicates and the creator.
 *
 * @throws AppError `bad_request` at `settings.editors[i]` for each username without an account.
 */
export async function requireEditorIds(
  store: DocumentStore,
  usernames: readonly string[],
  creator: Account,
): Promise<string[]> {
  if (usernames.length === 0) return []
  const found = await findEditors(store.db, usernames)
  const idsByName = new Map(found.map(({ id, username }) => [username.toLowerCase(), id]))
  const ids = new Set<string>()
  const missing: Issue[] = []
  for (const [index, username] of usernames.entries()) {
    const id = idsByName.get(username.toLowerCase())
    if (id === undefined) {
      missing.push(issueAt(['settings', 'editors', index], 'No account has this username'))
    } else if (id !== creator.id) ids.add(id)
  }
  if (missing.length > 0) throw invalidBody(...missing)
  return [...ids]
}
