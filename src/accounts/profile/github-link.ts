import type { Database } from '../../platform/database.ts'

/** The provider id of GitHub in `linked_accounts`. */
export const GITHUB = 'github'

/** The OAuth scope needed to write gists (docs.github.com, "Scopes for OAuth apps"). */
export const GIST_SCOPE = 'gist'

/** Returns true if the stored scopes of a token include the one for gists. */
export const hasGistScope = (scope: string | null): boolean =>
  (scope ?? '').split(/[ ,]+/).includes(GIST_SCOPE)

/** Returns true if an account is connected to GitHub. */
export async function hasGitHub(db: Database, id: string): Promise<boolean> {
  const row = await db.first([
    'SELECT 1 FROM linked_accounts WHERE user_id = ?1 AND provider_id = ?2',
    id,
    GITHUB,
  ])
  return row !== null
}

/** Saves the GitHub username of an account, so that its page can show it. */
export async function saveGitHubLogin(db: Database, id: string, login: string): Promise<void> {
  await db.idempotentBatch([
    ['UPDATE linked_accounts SET login = ?3 WHERE user_id = ?1 AND provider_id = ?2', id, GITHUB, login],
  ])
}

/** Deletes an account's connection to GitHub, including the token. */
export async function disconnectGitHub(db: Database, id: string): Promise<void> {
  await db.idempotentBatch([
    ['DELETE FROM linked_accounts WHERE user_id = ?1 AND provider_id = ?2', id, GITHUB],
  ])
}
