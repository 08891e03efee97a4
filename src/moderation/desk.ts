import { ADMIN_FLAG } from '../accounts/user.ts'
import { AppError, userNotFound } from '../errors.ts'
import { type AuditAction, auditStatement } from '../platform/audit-log.ts'
import type { Database } from '../platform/database.ts'
import type { Instant } from '../shared/instant.ts'
import { formatPosition, type Page, parsePosition, toPage } from './cursor.ts'

export interface ModeratedAccount {
  readonly username: string
  readonly isAdmin: boolean
  readonly suspendedAt: Instant | null
  readonly createdAt: Instant
  readonly documents: number
}

/** Ignores case. Throws AppError `not_found`. */
export async function requireModeratedAccount(db: Database, username: string): Promise<ModeratedAccount> {
  const row = await db.first<Omit<ModeratedAccount, 'isAdmin'> & { flags: number }>([
    `SELECT username, flags, suspended_at AS suspendedAt, created_at AS createdAt,
        (SELECT count(*) FROM documents WHERE creator_id = users.id) AS documents
      FROM users WHERE username = ?1`,
    username,
  ])
  if (!row) throw userNotFound()
  const { flags, ...account } = row
  return { ...account, isAdmin: (flags & ADMIN_FLAG) !== 0 }
}

interface Decision {
  readonly by: string
  readonly reason: string
  readonly now: Instant
}

/** @throws AppError `not_found`, or `bad_auth` for an admin: only the command line can suspend those. */
export async function suspendAccount(
  db: Database,
  username: string,
  { by, reason, now }: Decision,
): Promise<void> {
  const account = await requireModeratedAccount(db, username)
  if (account.isAdmin) throw new AppError('bad_auth', "You can't suspend an admin here. Use the command line")
  const one = `username = ?1 AND (flags & ${ADMIN_FLAG}) = 0`
  await db.idempotentBatch([
    [`UPDATE users SET suspended_at = coalesce(suspended_at, ?2) WHERE ${one}`, username, now],
    [
      'DELETE FROM sessions WHERE user_id = (SELECT id FROM users WHERE username = ?1 AND suspended_at IS NOT NULL)',
      username,
    ],
    auditStatement({ actor: by, action: 'account.suspend', subject: account.username, detail: reason, now }),
  ])
}

export async function restoreAccount(
  db: Database,
  username: string,
  { by, now }: Omit<Decision, 'reason'>,
): Promise<void> {
  const account = await requireModeratedAccount(db, username)
  await db.idempotentBatch([
    ['UPDATE users SET suspended_at = NULL WHERE username = ?1', username],
    auditStatement({ actor: by, action: 'account.restore', subject: account.username, now }),
  ])
}

export interface AuditLogEntry {
  readonly id: string
  readonly at: Instant
  /** A username, or `cli:` and the name of the computer's user. */
  readonly actor: string
  readonly action: AuditAction
  readonly subject: string | null
  readonly detail: string | null
  readonly network: string | null
}

/** Newest first. One query. @throws AppError `bad_request` for an invalid cursor. */
export async function listAuditLog(
  db: Database,
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<Page<AuditLogEntry>> {
  const { at, id } = parsePosition(cursor)
  const found = await db.all<AuditLogEntry>([
    `SELECT id, at, actor, action, subject, detail, address AS network FROM audit_log
      WHERE (at, id) < (?1, ?2) ORDER BY at DESC, id DESC LIMIT ?3`,
    at,
    id,
    limit + 1,
  ])
  return toPage(found, limit, formatPosition)
}
