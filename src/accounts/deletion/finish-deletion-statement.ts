/** Failed attempts after which a gist is left on GitHub. With backoff, they take half a day. */
const MAX_GIST_ATTEMPTS = 10

/**
 * Returns the SQL that deletes the row of an account that is being deleted, and by cascade everything that refers to
 * it. The row stays while the account has documents, or gists of deleted documents that its token can still delete.
 * The command line runs it too.
 *
 * @param account an SQL expression for the account's id.
 */
export const finishDeletionStatement = (account: string): string =>
  `DELETE FROM users WHERE id = ${account} AND leaving IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM documents WHERE creator_id = users.id)
    AND NOT EXISTS (
      SELECT 1 FROM gists
      WHERE user_id = users.id AND refusal IS NULL AND attempts < ${MAX_GIST_ATTEMPTS}
        AND document_id NOT IN (SELECT id FROM documents WHERE id = gists.document_id))`
