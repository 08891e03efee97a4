import { auditRowsStatement } from '../platform/audit-log.ts'
import type { Instant } from '../shared/instant.ts'
import type { SignUp } from '../shared/sign-up.ts'
import type { Statement } from '../shared/statement.ts'

interface NewUser {
  readonly id: string
  /** Null creates no account. */
  readonly username: string | null
  readonly signUp: SignUp
  /** Where the request comes from, for the audit log: never a whole address. */
  readonly network: string
  readonly now: Instant
}

/**
 * For a transaction that proves the address. Nothing else in the app creates accounts, so this is where `SIGN_UP` counts.
 * Creates none if the address has one. May run again.
 *
 * @param source a query for the proven address, as `email`. Its parameters count from ?5.
 */
export const createUserStatements = (
  { id, username, signUp: { domains }, network, now }: NewUser,
  [source, ...parameters]: Statement,
): Statement[] => [
  [
    `INSERT INTO users (id, username, email, confirmed, created_at)
      SELECT ?1, ?2, proven.email, 1, ?3 FROM (${source}) AS proven
        WHERE ?2 IS NOT NULL AND NOT EXISTS (SELECT 1 FROM users WHERE email = proven.email)
          AND (?4 IS NULL OR lower(substr(proven.email, instr(proven.email, '@'))) IN (
            SELECT value FROM json_each(?4)))`,
    id,
    username,
    now,
    domains && JSON.stringify(domains),
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
]
