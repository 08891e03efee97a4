import { auditRowsStatement } from '../platform/audit-log.ts'
import type { Instant } from '../shared/instant.ts'
import type { SignUp } from '../shared/sign-up.ts'
import type { Statement } from '../shared/statement.ts'
import { useInvitationStatements, worksForSql } from './invitation-statements.ts'

/** The rules, and the invitation if there is one, that decide whether somebody may create an account. */
export interface Admission {
  readonly signUp: SignUp
  /** The hash of an invitation's token, if there is one. */
  readonly invitation: string | null
}

interface NewUser extends Admission {
  readonly id: string
  /** No account is created if it's null. */
  readonly username: string | null
  /** The network that the request comes from, for the audit log: never a whole address. */
  readonly network: string
  readonly now: Instant
}

const INVITED = `EXISTS (SELECT 1 FROM invitations i
  WHERE i.token_hash = ?5 AND ${worksForSql('proven.email', '?3')})`

/**
 * Returns statements for a transaction that proves the address. Nothing else in the app creates accounts, so this is where
 * `SIGN_UP` counts. They create none if the address has one, and may run again.
 *
 * @param source a query for the proven address, as `email`. Its parameters count from ?6.
 */
export const createUserStatements = (
  { id, username, signUp: { domains, inviters }, invitation, network, now }: NewUser,
  [source, ...parameters]: Statement,
): Statement[] => [
  [
    `INSERT INTO users (id, username, email, confirmed, created_at)
      SELECT ?1, ?2, proven.email, 1, ?3 FROM (${source}) AS proven
        WHERE ?2 IS NOT NULL AND NOT EXISTS (SELECT 1 FROM users WHERE email = proven.email)
          AND (?4 IS NULL OR ${INVITED} OR lower(substr(proven.email, instr(proven.email, '@'))) IN (
            SELECT value FROM json_each(?4)))`,
    id,
    username,
    now,
    domains && JSON.stringify(domains),
    inviters && invitation,
    ...parameters,
  ],
  auditRowsStatement(
    {
      action: 'account.create',
      now,
      network,
      actor: 'username',
      subject: 'username',
      from: 'FROM users WHERE id = ?5',
    },
    id,
  ),
  ...(invitation === null ? [] : useInvitationStatements(invitation, { userId: id, network, now })),
]
