import { auditRowsStatement, auditStatement } from '../platform/audit-log.ts'
import type { Database } from '../platform/database.ts'
import type { Instant } from '../shared/instant.ts'
import type { Admission } from './create-user.ts'
import { createInvitationStatement, type NewInvitation, REVOKED_SQL } from './invitation-statements.ts'

export type InvitationProblem = 'unknown' | 'used' | 'expired' | 'revoked' | 'other address'

/** Returns what happened, also if the transaction runs again. */
export async function createInvitation(
  db: Database,
  invitation: NewInvitation,
  creator: { readonly id: string; readonly username: string },
): Promise<'created' | 'again' | 'limit reached'> {
  const { id, tokenHash, recipient, now } = invitation
  const [, , rows] = await db.idempotentBatch([
    createInvitationStatement(invitation, creator.id),
    auditStatement(
      { actor: creator.username, action: 'invitation.create', subject: id, detail: recipient, now },
      `EXISTS (SELECT 1 FROM invitations WHERE token_hash = '${tokenHash}')`,
    ),
    ['SELECT token_hash AS tokenHash FROM invitations WHERE id = ?1', id],
  ])
  const [row] = rows as { tokenHash: string }[]
  if (!row) return 'limit reached'
  return row.tokenHash === tokenHash ? 'created' : 'again'
}

/** @param creator whose invitations may be revoked; null: everyone's. */
export async function revokeInvitation(
  db: Database,
  { id, creator, actor, now }: { id: string; creator: string | null; actor: string; now: Instant },
): Promise<void> {
  await db.idempotentBatch([
    auditRowsStatement(
      {
        action: 'invitation.revoke',
        now,
        actor: '?7',
        subject: 'i.id',
        from: `FROM invitations i WHERE i.id = ?5 AND (?6 IS NULL OR i.creator_id = ?6) AND i.revoked_at IS NULL AND i.used_at IS NULL`,
      },
      id,
      creator,
      actor,
    ),
    [
      `UPDATE invitations SET revoked_at = ?3
        WHERE id = ?1 AND (?2 IS NULL OR creator_id = ?2) AND revoked_at IS NULL AND used_at IS NULL`,
      id,
      creator,
      now,
    ],
  ])
}

export interface Invitation {
  readonly id: string
  readonly recipient: string
  /** It's null if a command of the operator made it. */
  readonly creator: string | null
  readonly createdAt: Instant
  readonly expiresAt: Instant
  readonly revoked: 0 | 1
  readonly usedBy: string | null
  readonly used: 0 | 1
}

const COLUMNS = `i.id, i.recipient, i.email, c.username AS creator, i.created_at AS createdAt,
  i.expires_at AS expiresAt, ${REVOKED_SQL} AS revoked, u.username AS usedBy, i.used_at IS NOT NULL AS used
  FROM invitations i LEFT JOIN users c ON c.id = i.creator_id LEFT JOIN users u ON u.id = i.used_by`

/** Lists the newest. @param creator the account whose invitations they are; null for everyone's. */
export const listInvitations = (db: Database, creator: string | null): Promise<Invitation[]> =>
  db.all<Invitation>([
    `SELECT ${COLUMNS} WHERE ?1 IS NULL OR i.creator_id = ?1 ORDER BY i.created_at DESC, i.id LIMIT 100`,
    creator,
  ])

export type FoundInvitation = Invitation & { readonly email: string | null }

export const findInvitation = (db: Database, tokenHash: string): Promise<FoundInvitation | null> =>
  db.first<FoundInvitation>([`SELECT ${COLUMNS} WHERE i.token_hash = ?1`, tokenHash])

/** Returns the error code of a sign-up that was refused: it says what is wrong with the invitation that came with it. */
export async function explainRefusedSignUp(
  db: Database,
  { signUp, invitation }: Admission,
  { email, now }: { email: string | null; now: Instant },
): Promise<string> {
  const found = invitation !== null && signUp.inviters !== null && (await findInvitation(db, invitation))
  const problem = found === false ? null : getInvitationProblem(found, { email, now })
  return problem === null ? 'sign_up_refused' : `invitation: ${problem}`
}

/** @param email null where it isn't known yet. */
export function getInvitationProblem(
  invitation: FoundInvitation | null,
  { email, now }: { email: string | null; now: Instant },
): InvitationProblem | null {
  if (invitation === null) return 'unknown'
  if (invitation.used) return 'used'
  if (invitation.revoked) return 'revoked'
  if (invitation.expiresAt <= now) return 'expired'
  const isOther = email !== null && invitation.email !== null && invitation.email.toLowerCase() !== email
  return isOther ? 'other address' : null
}
