import type { Database } from '../platform/database.ts'
import { GITHUB, parseDefaults } from './profile.ts'

const toTime = (milliseconds: number | null): string | null =>
  milliseconds === null ? null : new Date(milliseconds).toISOString()

interface UserRow {
  id: string
  username: string
  email: string
  confirmed: number
  flags: number
  documents_made: number
  created_at: number
  defaults: string | null
  has_profile: number
  login: string | null
  linked_at: number | null
}

interface KeyRow {
  name: string
  scope: string
  created_at: number
  last_used_at: number | null
  expires_at: number | null
}

interface SessionRow {
  created_at: number
  expires_at: number
}

interface RemovalRow {
  document_id: string
  title: string | null
  removed_at: number
  reason: string
}

/** Everything besides the documents. It contains no secrets and no hashes of any. */
export async function exportAccount(db: Database, userId: string) {
  const [users, keys, sessions, formerNames, removals, shared] = await db.idempotentBatch([
    [
      `SELECT u.id, u.username, u.email, u.confirmed, u.flags, u.documents_made, u.created_at, u.defaults, u.has_profile,
          l.login, l.created_at AS linked_at
        FROM users u LEFT JOIN linked_accounts l ON l.user_id = u.id AND l.provider_id = '${GITHUB}'
        WHERE u.id = ?1`,
      userId,
    ],
    [
      `SELECT name, scope, created_at, last_used_at, expires_at FROM api_keys
        WHERE user_id = ?1 ORDER BY created_at, id`,
      userId,
    ],
    ['SELECT created_at, expires_at FROM sessions WHERE user_id = ?1 ORDER BY created_at', userId],
    ['SELECT look, reserved_until FROM former_usernames WHERE user_id = ?1 ORDER BY look', userId],
    [
      'SELECT document_id, title, removed_at, reason FROM removals WHERE creator_id = ?1 ORDER BY removed_at',
      userId,
    ],
    ['SELECT document_id FROM document_editors WHERE user_id = ?1 ORDER BY document_id', userId],
  ])
  const [user] = (users ?? []) as UserRow[]
  if (!user) return null
  return {
    profile: {
      id: user.id,
      username: user.username,
      email: user.email,
      email_confirmed: user.confirmed === 1,
      flags: user.flags,
      documents_made: user.documents_made,
      joined: toTime(user.created_at),
      has_profile_page: user.has_profile === 1,
    },
    reserved_usernames: ((formerNames ?? []) as { look: string; reserved_until: number }[]).map(
      ({ look, reserved_until }) => ({ looks_like: look, reserved_until: toTime(reserved_until) }),
    ),
    github: user.linked_at === null ? null : { login: user.login, connected: toTime(user.linked_at) },
    defaults_for_new_documents: user.defaults === null ? null : parseDefaults(user.defaults),
    api_keys: ((keys ?? []) as KeyRow[]).map((key) => ({
      name: key.name,
      scope: key.scope,
      created: toTime(key.created_at),
      last_used: toTime(key.last_used_at),
      expires: toTime(key.expires_at),
    })),
    sessions: ((sessions ?? []) as SessionRow[]).map(({ created_at, expires_at }) => ({
      signed_in: toTime(created_at),
      expires: toTime(expires_at),
    })),
    documents_shared_with_you: ((shared ?? []) as { document_id: string }[]).map((row) => row.document_id),
    removed_documents: ((removals ?? []) as RemovalRow[]).map((row) => ({
      id: row.document_id,
      title: row.title,
      removed: toTime(row.removed_at),
      reason: row.reason,
    })),
  }
}
