import type { Database } from '../../platform/database.ts'
import { GITHUB, hasGistScope } from './github-link.ts'

/** An account as shown on its own account page. Times are milliseconds since 1970. */
export interface AccountDetails {
  readonly id: string
  readonly username: string
  readonly email: string
  /** Path of the account's own picture on this site; null for a generated one. */
  readonly icon: string | null
  readonly documentsMade: number
  readonly createdAt: number
  /** Whether the account has a profile page, which shows its public documents. */
  readonly hasProfile: boolean
  /** Number of devices that are signed in. */
  readonly sessions: number
  /** Null if GitHub isn't connected. `gists` is true if the account allowed gists. */
  readonly gitHub: { readonly login: string | null; readonly gists: boolean } | null
}

interface DetailsRow {
  id: string
  username: string
  email: string
  icon: string | null
  documents_made: number
  created_at: number
  has_profile: number
  sessions: number
  scope: string | null
  login: string | null
  linked: number
}

/** Returns the account with this id. One query. */
export async function findAccountDetails(
  db: Database,
  id: string,
  now: number,
): Promise<AccountDetails | null> {
  const row = await db.first<DetailsRow>([
    `SELECT u.id, u.username, u.email, u.icon, u.documents_made, u.created_at, u.has_profile,
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
      hasProfile: row.has_profile === 1,
      sessions: row.sessions,
      gitHub: row.linked === 1 ? { login: row.login, gists: hasGistScope(row.scope) } : null,
    }
  )
}

/** Returns true if a unique index refused the statement. */
const isUniqueViolation = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('UNIQUE constraint failed')

/**
 * Changes an account's username.
 *
 * @param username valid, see `isUsername`.
 * @returns false if another account has this name or a similar one.
 */
export async function changeUsername(db: Database, id: string, username: string): Promise<boolean> {
  try {
    await db.idempotentBatch([['UPDATE users SET username = ?2 WHERE id = ?1', id, username]])
    return true
  } catch (error) {
    if (isUniqueViolation(error)) return false
    throw error
  }
}

/**
 * Changes an account's email address to an address that the user has confirmed.
 *
 * @param from the address when the change was requested: of two pending changes only the first takes effect.
 * @param consumeLink the statement that deletes the link that proved the address.
 * @returns why the address wasn't changed; null if it was.
 */
export async function changeEmail(
  db: Database,
  {
    id,
    from,
    to,
    consumeLink,
  }: { id: string; from: string; to: string; consumeLink: readonly [sql: string, identifier: string] },
): Promise<'taken' | 'outdated' | null> {
  try {
    const [, , found] = await db.idempotentBatch([
      ['UPDATE users SET email = ?3 WHERE id = ?1 AND email = ?2', id, from, to],
      consumeLink,
      ['SELECT 1 FROM users WHERE id = ?1 AND email = ?2', id, to],
    ])
    return found?.length ? null : 'outdated'
  } catch (error) {
    if (isUniqueViolation(error)) return 'taken'
    throw error
  }
}
