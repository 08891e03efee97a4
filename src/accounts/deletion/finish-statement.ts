/** Attempts after which a gist is left to whoever runs GitHub: half a day of them. */
const MOST_GIST_ATTEMPTS = 10

/**
 * Deletes the row of an account that is leaving, with all that hangs on it, once it has no documents, and no
 * gists of deleted documents that its token could still delete. The command line runs it too.
 *
 * @param account an SQL expression: the account's id.
 */
export const finishStatement = (account: string): string =>
  `DELETE FROM users WHERE id = ${account} AND leaving IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM documents WHERE creator_id = users.id)
    AND NOT EXISTS (
      SELECT 1 FROM gists
      WHERE user_id = users.id AND refusal IS NULL AND attempts < ${MOST_GIST_ATTEMPTS}
        AND document_id NOT IN (SELECT id FROM documents WHERE id = gists.document_id))`
