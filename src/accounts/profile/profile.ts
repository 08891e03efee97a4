import type { Database } from '../../platform/database.ts'

/** An account as its owner sees it. Times are milliseconds since 1970. */
export interface AccountDetails {
  readonly id: string
  readonly username: string
  readonly email: string
  /** Path of the account's own picture on this site; null: the site draws one. */
  readonly icon: string | null
  readonly documentsMade: number
  readonly createdAt: number
  /** How many browsers are signed in. */
  readonly sessions: number
  /** Whether GitHub is connected, and may publish gists; null: it is not. */
  readonly gitHub: { readonly login: string | null; readonly gists: boolean } | null
}

interface DetailsRow {
  id: string
  username: string
  email: string
  icon: string | null
  documents_made: number
  created_at: number
  sessions: number
  scope: string | null
  login: string | null
  linked: number
}

export const GITHUB = 'github'

/** The scope of a token that may write gists (docs.github.com, "Scopes for OAuth apps"). */
export const GIST_SCOPE = 'gist'

/** Whether the scope of a token, as it is stored, lets it write gists. */
export const mayWriteGists = (scope: string | null): boolean =>
  (scope ?? '').split(/[ ,]+/).includes(GIST_SCOPE)

/** The account with this id. One query. */
export async function findAccountDetails(
  db: Database,
  id: string,
  now: number,
): Promise<AccountDetails | null> {
  const row = await db.first<DetailsRow>([
    `SELECT u.id, u.username, u.email, u.icon, u.documents_made, u.created_at,
        (SELECT count(*) FROM sessions WHERE user_id = u.id AND expires_at > ?2) AS sessions,
        l.scope, l.login, l.id IS NOT NULL AS linked
      FROM users u LEFT JOIN linked_accounts l ON l.user_id = u.id AND l.provider_id = '${GITHUB}'
      WHERE u.id = ?1`,
    id,
    now,
  ])
  return (
    row && {
      id: row.id,
      username: row.username,
      email: row.email,
      icon: row.icon,
      documentsMade: row.documents_made,
      createdAt: row.created_at,
      sessions: row.sessions,
      gitHub: row.linked === 1 ? { login: row.login, gists: mayWriteGists(row.scope) } : null,
    }
  )
}

/** What a unique index refused. */
const isConflict = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('UNIQUE constraint failed')

/**
 * Gives an account another username, which is well formed.
 *
 * @returns false when somebody else has it, or one that looks like it.
 */
export async function rename(db: Database, id: string, username: string): Promise<boolean> {
  try {
    await db.idempotentBatch([['UPDATE users SET username = ?2 WHERE id = ?1', id, username]])
    return true
  } catch (error) {
    if (isConflict(error)) return false
    throw error
  }
}

/**
 * Gives an account another e-mail address, which is proven.
 *
 * @param from the address that it had when that was asked for: of two changes only the first takes place.
 * @param use the statement that uses up the link by which it was proven.
 * @returns why not, if it did not take place.
 */
export async function replaceEmail(
  db: Database,
  {
    id,
    from,
    to,
    use,
  }: { id: string; from: string; to: string; use: readonly [sql: string, identifier: string] },
): Promise<'taken' | 'changed meanwhile' | null> {
  try {
    const [, , found] = await db.idempotentBatch([
      ['UPDATE users SET email = ?3 WHERE id = ?1 AND email = ?2', id, from, to],
      use,
      ['SELECT 1 FROM users WHERE id = ?1 AND email = ?2', id, to],
    ])
    return found?.length ? null : 'changed meanwhile'
  } catch (error) {
    if (isConflict(error)) return 'taken'
    throw error
  }
}

/** Whether an account is connected to one of GitHub. */
export async function hasGitHub(db: Database, id: string): Promise<boolean> {
  const row = await db.first([
    'SELECT 1 FROM linked_accounts WHERE user_id = ?1 AND provider_id = ?2',
    id,
    GITHUB,
  ])
  return row !== null
}

/** Writes down what an account is called at GitHub, for its owner to know it by. */
export async function recordLogin(db: Database, id: string, login: string): Promise<void> {
  await db.idempotentBatch([
    ['UPDATE linked_accounts SET login = ?3 WHERE user_id = ?1 AND provider_id = ?2', id, GITHUB, login],
  ])
}

/** Forgets an account's connection to GitHub, its token included. */
export async function disconnectGitHub(db: Database, id: string): Promise<void> {
  await db.idempotentBatch([
    ['DELETE FROM linked_accounts WHERE user_id = ?1 AND provider_id = ?2', id, GITHUB],
  ])
}
