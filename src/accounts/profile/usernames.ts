import type { Database } from '../../platform/database.ts'
import { isReserved, isUsername } from '../user.ts'

export type UsernameProblem = 'malformed' | 'reserved' | 'taken'

/** The expression of the index `users_by_look`, which it must equal for that to be used. */
const lookSql = (value: string) =>
  `replace(replace(replace(replace(replace(replace(lower(${value}), '0', 'o'), '1', 'l'), 'i', 'l'), '_', '-'),
    'rn', 'm'), 'vv', 'w')`

/** Whether somebody else has this name, or one that looks like it. One query. */
async function isTaken(db: Database, username: string, ownId: string): Promise<boolean> {
  const found = await db.first([
    `SELECT 1 FROM users WHERE ${lookSql('username')} = ${lookSql('?1')} AND id <> ?2`,
    username,
    ownId,
  ])
  return found !== null
}

/**
 * What keeps somebody from taking this name; null when nothing does. Whoever writes it finds out whether
 * it still is free.
 *
 * @param ownId the account that is to be renamed; it may take what looks like its own name.
 */
export async function findUsernameProblem(
  db: Database,
  username: string,
  ownId = '',
): Promise<UsernameProblem | null> {
  if (!isUsername(username)) return 'malformed'
  if (isReserved(username)) return 'reserved'
  return (await isTaken(db, username, ownId)) ? 'taken' : null
}

const MOST_COMPLETIONS = 8
/** Sorts behind every character of a username, without case. */
const BEHIND_ALL = '{'

/**
 * Usernames that begin like this, in any case and in alphabetical order: at most eight, of accounts that are
 * neither suspended nor being deleted. None for what fewer than two characters, or no username, begins with.
 */
export async function completeUsername(db: Database, prefix: string): Promise<string[]> {
  if (!/^[A-Za-z0-9_-]{2,30}$/.test(prefix)) return []
  const rows = await db.all<{ username: string }>([
    `SELECT username FROM users
      WHERE username >= ?1 AND username < ?2 AND suspended_at IS NULL AND leaving IS NULL
      ORDER BY username LIMIT ${MOST_COMPLETIONS}`,
    prefix,
    prefix + BEHIND_ALL,
  ])
  return rows.map((row) => row.username)
}

/** How many names are tried before one is drawn. */
const ATTEMPTS = 3

/** A free username that is as near as can be to a name from elsewhere, which may be any text. */
export async function findFreeUsername(db: Database, name: string): Promise<string> {
  const wanted = name.replaceAll(/[^A-Za-z0-9_-]+/g, '-').slice(0, 30)
  // Room for a number behind it.
  const base = isReserved(wanted) ? 'user' : wanted.slice(0, 24)
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const candidate = attempt === 1 ? wanted : `${base}-${attempt}`
    if ((await findUsernameProblem(db, candidate)) === null) return candidate
  }
  return `${isUsername(base) ? base : 'user'}-${crypto.getRandomValues(new Uint16Array(1))[0]}`
}
