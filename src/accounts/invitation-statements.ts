import { customAlphabet } from 'nanoid'
import { auditRowsStatement } from '../platform/audit-log.ts'
import { DAY_MS, type Instant } from '../shared/instant.ts'
import type { Statement } from '../shared/statement.ts'

/** 190 random bits, as of other links. */
export const generateInvitationToken = customAlphabet(
  '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
  32,
)

export const INVITATION_DAYS = 7

/** An account may have this many that still work, so that nobody can fill the table. */
export const MAX_INVITATIONS = 50

export const MAX_RECIPIENT_CHARACTERS = 254

/** How long an expired invitation is kept, so that its link can say what is wrong with it. */
export const KEPT_MS = 30 * DAY_MS

/**
 * An SQL condition that holds if the invitation `i` was revoked, or if its creator is suspended or is deleting the
 * account.
 */
export const REVOKED_SQL = `(i.revoked_at IS NOT NULL OR EXISTS (
  SELECT 1 FROM users WHERE id = i.creator_id AND (suspended_at IS NOT NULL OR leaving IS NOT NULL)))`

/** Returns an SQL condition that holds if the invitation `i` works at that time. */
export const worksSql = (now: string): string =>
  `i.used_at IS NULL AND i.expires_at > ${now} AND NOT ${REVOKED_SQL}`

/** Tells whether the invitation `i` works for somebody with this address. Both parameters are SQL. */
export const worksForSql = (email: string, now: string): string =>
  `${worksSql(now)} AND (i.email IS NULL OR i.email = ${email})`

export interface NewInvitation {
  /** A form that is sent twice makes one invitation. */
  readonly id: string
  readonly tokenHash: string
  /** A name, or the only address that can use it. */
  readonly recipient: string
  readonly now: Instant
}

export const isAddress = (recipient: string): boolean => recipient.includes('@')

/** @param creator the id of an account, for the operator's commands null. */
export const createInvitationStatement = (
  { id, tokenHash, recipient, now }: NewInvitation,
  creator: string | null,
): Statement => [
  `INSERT OR IGNORE INTO invitations (token_hash, id, creator_id, recipient, email, created_at, expires_at)
    SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 WHERE ?3 IS NULL OR (
      SELECT count(*) FROM invitations i WHERE i.creator_id = ?3 AND ${worksSql('?6')}) < ${MAX_INVITATIONS}`,
  tokenHash,
  id,
  creator,
  recipient,
  isAddress(recipient) ? recipient : null,
  now,
  now + INVITATION_DAYS * DAY_MS,
]

/**
 * These belong into the transaction that creates the account with this id. Somebody whom the invitation isn't for may
 * create one without it.
 */
export const useInvitationStatements = (
  tokenHash: string,
  { userId, network, now }: { userId: string; network: string; now: Instant },
): Statement[] => [
  [
    `UPDATE invitations AS i SET used_at = ?3, used_by = ?2
      WHERE i.token_hash = ?1 AND EXISTS (SELECT 1 FROM users u WHERE u.id = ?2 AND ${worksForSql('u.email', '?3')})`,
    tokenHash,
    userId,
    now,
  ],
  auditRowsStatement(
    {
      action: 'invitation.use',
      now,
      network,
      actor: 'u.username',
      subject: 'i.id',
      from: 'FROM invitations i JOIN users u ON u.id = i.used_by WHERE i.token_hash = ?5 AND u.id = ?6',
    },
    tokenHash,
    userId,
  ),
]
