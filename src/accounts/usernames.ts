import type { Database } from '../platform/database.ts'
import type { Instant } from '../shared/instant.ts'
import { PROFILE, type Profile } from './find-user.ts'
import { isReserved, isUsername, toLookalikeSql } from './user.ts'

export type UsernameProblem = 'malformed' | 'reserved' | 'taken'

interface UsernameCheck {
  readonly now: Instant
  /** The account that wants the name, if there is one. */
  readonly ownId?: string
}

async function isTaken(db: Database, username: string, { ownId = '', now }: UsernameCheck): Promise<boolean> {
  const found = await db.first([
    `SELECT 1 FROM users WHERE ${toLookalikeSql('username')} = ${toLookalikeSql('?1')} AND id <> ?2
      UNION ALL
      SELECT 1 FROM former_usernames
        WHERE look = ${toLookalikeSql('?1')} AND user_id <> ?2 AND reserved_until > ?3`,
    username,
    ownId,
    now,
  ])
  return found !== null
}

/** Another account may still take the name before it's saved: the unique index and the triggers on `users` decide. */
export async function findUsernameProblem(
  db: Database,
  username: string,
  check: UsernameCheck,
): Promise<UsernameProblem | null> {
  if (!isUsername(username)) return 'malformed'
  if (isReserved(username)) return 'reserved'
  return (await isTaken(db, username, check)) ? 'taken' : null
}

const MAX_SUGGESTIONS = 8
/** Sorts after every character of a username, ignoring case. */
const AFTER_ALL = '{'

/** How many users a search reads, so that suspended accounts with similar names don't make it longer. */
const MAX_LOOKED_AT = 100

/** Returns users in alphabetical order. Makes one query. */
export async function searchProfiles(
  db: Database,
  prefix: string,
  limit: number,
): Promise<readonly Profile[]> {
  if (!/^[A-Za-z0-9_-]{1,30}$/.test(prefix)) return []
  return db.all<Profile>([
    `${PROFILE} FROM (
        SELECT * FROM users WHERE username >= ?1 AND username < ?2 ORDER BY username LIMIT ${MAX_LOOKED_AT})
      WHERE suspended_at IS NULL AND leaving IS NULL LIMIT ?3`,
    prefix,
    prefix + AFTER_ALL,
    limit,
  ])
}

export async function suggestUsernames(db: Database, prefix: string): Promise<string[]> {
  const found = prefix.length < 2 ? [] : await searchProfiles(db, prefix, MAX_SUGGESTIONS)
  return found.map(({ username }) => username)
}

const MAX_ATTEMPTS = 3

export async function findFreeUsername(db: Database, name: string, now: Instant): Promise<string> {
  const wanted = name.replaceAll(/[^A-Za-z0-9_-]+/g, '-').slice(0, 30)
  const base = isReserved(wanted) ? 'user' : wanted.slice(0, 24)
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const candidate = attempt === 1 ? wanted : `${base}-${attempt}`
    if ((await findUsernameProblem(db, candidate, { now })) === null) return candidate
  }
  return `${isUsername(base) ? base : 'user'}-${crypto.getRandomValues(new Uint16Array(1))[0]}`
}
