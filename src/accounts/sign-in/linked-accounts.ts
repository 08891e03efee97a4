import { nanoid } from 'nanoid'
import { type Database, unlessTaken } from '../../platform/database.ts'
import type { Instant } from '../../shared/instant.ts'
import { admits } from '../../shared/sign-up.ts'
import type { Statement } from '../../shared/statement.ts'
import { type Admission, createUserStatements } from '../create-user.ts'
import { createSession, type SignIn } from '../sessions.ts'
import { generateUserId } from '../user.ts'
import { findFreeUsername } from '../usernames.ts'

/** An account at a provider, such as GitHub, which the person who signs in has proven to have. */
export interface ProvenAccount {
  /** `github`, or the issuer of OpenID Connect. */
  readonly provider: string
  /** It stays the same at the provider, even if a name or an address changes there. */
  readonly id: string
  /** An address that the provider has verified, in lower case; null if it knows none. */
  readonly email: string | null
  readonly login: string
  /** Encrypted; null if there is nothing to do with it later. */
  readonly accessToken: string | null
  readonly scope: string | null
}

/** The account here that it's connected to. Its parameters are the provider and the id there. */
const connected = (provider: string, id: string): string =>
  `FROM linked_accounts WHERE provider_id = ${provider} AND account_id = ${id}`

/**
 * Connects the account, unless one of the two is connected already.
 *
 * @param deadline when it's too late to connect: the account may have been disconnected in the meantime.
 * @param account an SQL condition on the account `u`. Its parameter is ?9.
 */
function createConnection(
  proven: ProvenAccount,
  { now, deadline }: { now: Instant; deadline: Instant },
  [account, parameter]: readonly [string, string | null],
) {
  const id = nanoid()
  const statement: Statement = [
    `INSERT INTO linked_accounts (id, user_id, provider_id, account_id, access_token, scope, login, created_at)
      SELECT ?1, u.id, ?8, ?2, ?3, ?4, ?5, ?6 FROM users u
        WHERE unixepoch() * 1000 < ?7 AND ${account} AND u.suspended_at IS NULL AND u.leaving IS NULL AND NOT EXISTS (
          SELECT 1 FROM linked_accounts WHERE provider_id = ?8 AND (account_id = ?2 OR user_id = u.id))`,
    id,
    proven.id,
    proven.accessToken,
    proven.scope,
    proven.login,
    now,
    deadline,
    proven.provider,
    parameter,
  ]
  return { id, statement }
}

/** `again` if the two were connected before. */
export type Connected =
  | 'new'
  | 'again'
  | 'account_already_linked_to_different_user'
  | 'another_account_linked'

/** Replaces the token if the two are connected. One transaction, which may run again. */
export async function connectAccount(
  db: Database,
  proven: ProvenAccount,
  { userId, now }: { userId: string; now: Instant },
): Promise<Connected> {
  const { id, statement } = createConnection(proven, { now, deadline: db.deadline() }, ['u.id = ?9', userId])
  const [, , rows] = await db.idempotentBatch([
    [
      `UPDATE linked_accounts SET access_token = ?3, scope = ?4
        WHERE provider_id = ?5 AND account_id = ?1 AND user_id = ?2`,
      proven.id,
      userId,
      proven.accessToken,
      proven.scope,
      proven.provider,
    ],
    statement,
    [`SELECT id, user_id AS userId ${connected('?1', '?2')}`, proven.provider, proven.id],
  ])
  const [row] = rows as { id: string; userId: string }[]
  if (!row) return 'another_account_linked'
  if (row.userId !== userId) return 'account_already_linked_to_different_user'
  return row.id === id ? 'new' : 'again'
}

interface AccountRow {
  readonly confirmed: number
  readonly maySignIn: number
  /** The id at the provider. */
  readonly linkedId: string | null
}

/** The one that it's connected to, or that has its address. */
const findMatchingAccount = (
  db: Database,
  { provider, id, email }: ProvenAccount,
): Promise<AccountRow | null> =>
  db.first<AccountRow>([
    `SELECT u.confirmed, u.suspended_at IS NULL AND u.leaving IS NULL AS maySignIn, l.account_id AS linkedId
      FROM users u LEFT JOIN linked_accounts l ON l.user_id = u.id AND l.provider_id = ?3
      WHERE u.id = coalesce((SELECT user_id ${connected('?3', '?1')}), (SELECT id FROM users WHERE email = ?2))`,
    id,
    email,
    provider,
  ])

export interface NewSignIn extends SignIn, Admission {
  /** A new account gets it. If it's empty, the account gets the name that it has at the provider. */
  readonly username: string
}

/**
 * Signs in to the account that is connected to the proven one, to the account that has confirmed the same address,
 * which connects the two, or to a new account. Keeps the token of a connection, which may be allowed to write gists.
 * Makes one transaction, which may run again.
 */
export async function signInWithAccount(
  db: Database,
  proven: ProvenAccount,
  { username, signUp, invitation, ...signIn }: NewSignIn,
) {
  const { provider, id: linkedId, email, login } = proven
  const account = await findMatchingAccount(db, proven)
  if (account && account.linkedId !== linkedId) {
    // The person who created it may not have the address.
    if (account.confirmed === 0) return 'account_not_linked'
    if (account.linkedId !== null) return 'another_account_linked'
  }
  if (account?.maySignIn === 0) return 'suspended'
  if (account === null && email === null) return 'email_not_found'
  const { now } = signIn
  const newUserId = generateUserId()
  const wantedName = account ? null : await findFreeUsername(db, username || login, now)
  // Statements that run late could bring back a session that has ended in the meantime, or a deleted account.
  const deadline = db.deadline()
  const connection = createConnection(proven, { now, deadline }, ['u.confirmed = 1 AND u.email = ?9', email])
  const session = await createSession(signIn, [
    `FROM users u WHERE unixepoch() * 1000 < ?6 AND u.id = (SELECT user_id ${connected('?7', '?5')})`,
    linkedId,
    deadline,
    provider,
  ])
  const signingIn = db.idempotentBatch([
    ...createUserStatements({ id: newUserId, username: wantedName, signUp, invitation, ...signIn }, [
      `SELECT ?6 AS email WHERE ?6 IS NOT NULL AND NOT EXISTS (SELECT 1 ${connected('?9', '?7')})
        AND unixepoch() * 1000 < ?8`,
      email,
      linkedId,
      deadline,
      provider,
    ]),
    connection.statement,
    [
      `UPDATE users SET confirmed = 1
          WHERE confirmed = 0 AND email = ?2 AND id = (SELECT user_id ${connected('?3', '?1')})`,
      linkedId,
      email,
      provider,
    ],
    ...session.statements,
    ['SELECT 1 FROM linked_accounts WHERE id = ?1', connection.id],
    session.result,
  ])
  const results = await unlessTaken(signingIn, null)
  if (results === null) return 'username_taken'
  const [connections, [row]] = results.slice(-2) as [object[], { userId: string }[]]
  if (!row)
    return account === null && email !== null && !admits(signUp, email) ? 'sign_up_refused' : 'unknown'
  const { userId } = row
  return {
    token: session.token,
    userId,
    created: userId === newUserId,
    /** Is false if the accounts were connected before. */
    connected: connections.length > 0,
  }
}
