import { auditRowsStatement } from '../platform/audit-log.ts'
import type { Database } from '../platform/database.ts'

/** @param network never a whole address. */
export async function recordSignIn(db: Database, userId: string, network: string): Promise<void> {
  await db.idempotentBatch([
    auditRowsStatement(
      {
        action: 'sign-in',
        now: Date.now(),
        network,
        actor: 'username',
        subject: 'NULL',
        from: 'FROM users WHERE id = ?5',
      },
      userId,
    ),
  ])
}
