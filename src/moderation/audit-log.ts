import type { AuditAction } from '../platform/audit-log.ts'
import type { Database } from '../platform/database.ts'
import { type Page, parseCursor, toPage } from './cursor.ts'

/** An entry of the audit log, as read. */
export interface AuditLogEntry {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** A username, or `cli:` and the name of the computer's user. */
  readonly actor: string
  readonly action: AuditAction
  readonly subject: string | null
  readonly detail: string | null
  /** The network that the request came from; null if it isn't recorded. */
  readonly network: string | null
}

/**
 * Returns one page of the audit log, newest first. One query.
 *
 * @throws AppError `bad_request` for an invalid cursor.
 */
export async function listAuditLog(
  db: Database,
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<Page<AuditLogEntry>> {
  const { at, id } = parseCursor(cursor)
  const found = await db.all<AuditLogEntry>([
    `SELECT id, at, actor, action, subject, detail, address AS network FROM audit_log
      WHERE (at, id) < (?1, ?2) ORDER BY at DESC, id DESC LIMIT ?3`,
    at,
    id,
    limit + 1,
  ])
  return toPage(found, limit, ({ at, id }) => ({ at, id }))
}
