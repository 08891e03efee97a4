import { compactDecrypt } from 'jose/jwe/compact/decrypt'
import { CompactEncrypt } from 'jose/jwe/compact/encrypt'
import { nanoid } from 'nanoid'
import { type Database, unlessTaken } from '../../platform/database.ts'
import { fetchGitHub } from '../../platform/github.ts'
import { parseJson } from '../../platform/outgoing.ts'
import { hashSecret } from '../../shared/hashing.ts'
import type { Instant } from '../../shared/instant.ts'
import { admits, type SignUp } from '../../shared/sign-up.ts'
import type { Statement } from '../../shared/statement.ts'
import { createUserStatements } from '../create-user.ts'
import { GIST_SCOPE } from '../profile.ts'
import { createSession, type SignIn } from '../sessions.ts'
import { GITHUB, generateUserId } from '../user.ts'
import { findFreeUsername } from '../usernames.ts'
import { consumeLink, createLink } from './links.ts'

export const GITHUB_SIGN_IN_SECONDS = 5 * 60

export interface GitHubApp {
  readonly clientId: string
  readonly clientSecret: string
  readonly url: string
  readonly apiUrl: string
  readonly redirectUri: string
}

/** Earlier releases stored more members. */
interface PendingSignIn {
  /** For PKCE (RFC 7636). */
  readonly codeVerifier: string
  /** The path to go to afterwards. */
  readonly callbackURL: string
  readonly username?: string
  /** The account to connect; absent for signing in. */
  readonly link?: { readonly userId: string }
}

/** Returns the `state` that GitHub sends back, too: the browser must keep it in a cookie (RFC 6749 §10.12). */
export async function startGitHubSignIn(
  db: Database,
  { url, clientId, redirectUri }: GitHubApp,
  { now, ...pending }: Omit<PendingSignIn, 'codeVerifier'> & { readonly now: Instant },
): Promise<{ readonly url: string; readonly state: string }> {
  const value: PendingSignIn = { ...pending, codeVerifier: nanoid(64) }
  const state = await createLink(db, 'github', { value, now, lifetimeSeconds: GITHUB_SIGN_IN_SECONDS })
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    state,
    scope: [...(pending.link ? [GIST_SCOPE] : []), 'read:user', 'user:email'].join(' '),
    redirect_uri: redirectUri,
    code_challenge_method: 'S256',
    code_challenge: await hashSecret(value.codeVerifier),
  })
  return { url: `${url}/login/oauth/authorize?${query}`, state }
}

/** Only once. */
export const consumeGitHubState = async (db: Database, state: string, now: Instant) =>
  (await consumeLink(db, 'github', { token: state, now })) as PendingSignIn | null

type GitHubUser = NonNullable<Awaited<ReturnType<typeof findGitHubUser>>>

interface GitHubProfile {
  readonly id: number
  readonly login: string
  readonly avatar_url?: string
}

interface Email {
  readonly email: string
  readonly primary: boolean
  readonly verified: boolean
}

/** Lower case turns the sign for kelvin into a k, and so one address into another person's. So only ASCII counts. */
const isAscii = (text: string): boolean => /^[!-~]+$/.test(text)

/**
 * GitHub has verified the email address. It is never the address in the public profile: otherwise anyone could
 * create an account here with somebody else's address, and its owner would later share it without knowing.
 */
export async function findGitHubUser(apiUrl: string, token: string) {
  const [profileResponse, emailsResponse] = await Promise.all([
    fetchGitHub(`${apiUrl}/user`, { token }),
    fetchGitHub(`${apiUrl}/user/emails`, { token }),
  ])
  if (profileResponse.status !== 200 || emailsResponse.status !== 200) return null
  const profile = parseJson(profileResponse) as GitHubProfile | null
  const emails = parseJson(emailsResponse) as Email[] | null
  // Accounts are found by the id.
  if (!profile || !Number.isSafeInteger(profile.id) || !Array.isArray(emails)) return null
  const verified = emails.filter((candidate) => candidate.verified && isAscii(candidate.email))
  const email = verified.find((candidate) => candidate.primary) ?? verified[0]
  return {
    /** GitHub's numeric id, which stays the same when the account is renamed. */
    id: String(profile.id),
    login: profile.login,
    /** A verified address, preferably the primary one; null if there is none. */
    email: email?.email.toLowerCase() ?? null,
    pictureUrl: profile.avatar_url ?? null,
  }
}

type GitHubToken = NonNullable<Awaited<ReturnType<typeof exchangeCode>>>

/** RFC 6749 §4.1.3, with PKCE. Null if GitHub refuses. */
export async function exchangeCode(
  { url, clientId, clientSecret, redirectUri }: Omit<GitHubApp, 'apiUrl'>,
  { code, codeVerifier }: { code: string; codeVerifier: string },
) {
  const response = await fetchGitHub(`${url}/login/oauth/access_token`, {
    method: 'POST',
    accept: 'application/json',
    body: {
      client_id: clientId,
      client_secret: clientSecret,
      code,
      code_verifier: codeVerifier,
      redirect_uri: redirectUri,
    },
  })
  const token = parseJson(response) as { access_token?: string; scope?: string } | null
  if (response.status !== 200 || !token?.access_token) return null
  return { accessToken: token.access_token, scopes: (token.scope ?? '').split(/[ ,]+/).filter(Boolean) }
}

const ALGORITHMS = { alg: 'dir', enc: 'A256GCM' } as const

/** Separate from the key that signs sessions (HKDF, RFC 5869). */
async function deriveKey(secret: string): Promise<Uint8Array> {
  const material = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), 'HKDF', false, [
    'deriveBits',
  ])
  const info = new TextEncoder().encode('regent linked account token')
  const bits = await crypto.subtle.deriveBits(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info },
    material,
    256,
  )
  return new Uint8Array(bits)
}

export async function encryptToken(token: string, secret: string): Promise<string> {
  return new CompactEncrypt(new TextEncoder().encode(token))
    .setProtectedHeader(ALGORITHMS)
    .encrypt(await deriveKey(secret))
}

/** Returns null if it was encrypted with another secret. */
export async function decryptToken(jwe: string, secret: string): Promise<string | null> {
  try {
    const { plaintext } = await compactDecrypt(jwe, await deriveKey(secret), {
      keyManagementAlgorithms: [ALGORITHMS.alg],
      contentEncryptionAlgorithms: [ALGORITHMS.enc],
    })
    return new TextDecoder().decode(plaintext)
  } catch {
    return null
  }
}

export interface GitHubProof {
  readonly user: GitHubUser & { readonly email: string }
  readonly token: GitHubToken
  readonly secret: string
}

const CONNECTED = `FROM linked_accounts WHERE provider_id = '${GITHUB}' AND account_id`

/**
 * Connects the account, unless one of the two is connected already.
 *
 * @param deadline when it's too late to connect: the account may have been disconnected in the meantime.
 * @param account an SQL condition on the account `u`. Its parameter is ?8.
 */
async function createConnection(
  { user, token, secret }: GitHubProof,
  { now, deadline }: { now: Instant; deadline: Instant },
  [account, parameter]: readonly [string, string],
) {
  const id = nanoid()
  const encryptedToken = await encryptToken(token.accessToken, secret)
  const scope = token.scopes.join()
  const statement: Statement = [
    `INSERT INTO linked_accounts (id, user_id, provider_id, account_id, access_token, scope, login, created_at)
      SELECT ?1, u.id, '${GITHUB}', ?2, ?3, ?4, ?5, ?6 FROM users u
        WHERE unixepoch() * 1000 < ?7 AND ${account} AND u.suspended_at IS NULL AND u.leaving IS NULL AND NOT EXISTS (
          SELECT 1 FROM linked_accounts
            WHERE provider_id = '${GITHUB}' AND (account_id = ?2 OR user_id = u.id))`,
    id,
    user.id,
    encryptedToken,
    scope,
    user.login,
    now,
    deadline,
    parameter,
  ]
  return { id, statement, encryptedToken, scope }
}

/** `again` if the two were connected before. */
type Connected = 'new' | 'again' | 'account_already_linked_to_different_user' | 'another_account_linked'

/** Replaces the token if the two are connected. One transaction, which may run again. */
export async function connectGitHub(
  db: Database,
  proof: GitHubProof,
  { userId, now }: { userId: string; now: Instant },
): Promise<Connected> {
  const { id, statement, encryptedToken, scope } = await createConnection(
    proof,
    { now, deadline: db.deadline() },
    ['u.id = ?8', userId],
  )
  const [, , rows] = await db.idempotentBatch([
    [
      `UPDATE linked_accounts SET access_token = ?3, scope = ?4
        WHERE provider_id = '${GITHUB}' AND account_id = ?1 AND user_id = ?2`,
      proof.user.id,
      userId,
      encryptedToken,
      scope,
    ],
    statement,
    [`SELECT id, user_id AS userId ${CONNECTED} = ?1`, proof.user.id],
  ])
  const [row] = rows as { id: string; userId: string }[]
  if (!row) return 'another_account_linked'
  if (row.userId !== userId) return 'account_already_linked_to_different_user'
  return row.id === id ? 'new' : 'again'
}

interface AccountRow {
  readonly confirmed: number
  readonly maySignIn: number
  readonly gitHubId: string | null
}

/** The one that it's connected to, or that has its address. */
const findAccount = (db: Database, { id, email }: GitHubProof['user']): Promise<AccountRow | null> =>
  db.first<AccountRow>([
    `SELECT u.confirmed, u.suspended_at IS NULL AND u.leaving IS NULL AS maySignIn, l.account_id AS gitHubId
      FROM users u LEFT JOIN linked_accounts l ON l.user_id = u.id AND l.provider_id = '${GITHUB}'
      WHERE u.id = coalesce((SELECT user_id ${CONNECTED} = ?1), (SELECT id FROM users WHERE email = ?2))`,
    id,
    email,
  ])

/**
 * To the account that it's connected to; or to the one that has confirmed the same address, which connects it; or to a
 * new account. Keeps the token of a connection, which may be allowed to write gists. One transaction, which may run
 * again.
 *
 * @param username for a new account; empty for the one at GitHub.
 */
export async function signInWithGitHub(
  db: Database,
  proof: GitHubProof,
  { username, signUp, ...signIn }: SignIn & { readonly username: string; readonly signUp: SignUp },
) {
  const { id: gitHubId, email, login } = proof.user
  const account = await findAccount(db, proof.user)
  if (account && account.gitHubId !== gitHubId) {
    // The person who created it may not have the address.
    if (account.confirmed === 0) return 'account_not_linked'
    if (account.gitHubId !== null) return 'another_account_linked'
  }
  if (account?.maySignIn === 0) return 'suspended'
  const { now } = signIn
  const newUserId = generateUserId()
  const wantedName = account ? null : await findFreeUsername(db, username || login)
  // Statements that run late could bring back a session that has ended in the meantime, or a deleted account.
  const deadline = db.deadline()
  const connection = await createConnection(proof, { now, deadline }, [
    'u.confirmed = 1 AND u.email = ?8',
    email,
  ])
  const session = await createSession(signIn, [
    `FROM users u WHERE unixepoch() * 1000 < ?6 AND u.id = (SELECT user_id ${CONNECTED} = ?5)`,
    gitHubId,
    deadline,
  ])
  const signingIn = db.idempotentBatch([
    ...createUserStatements({ id: newUserId, username: wantedName, signUp, ...signIn }, [
      `SELECT ?5 AS email WHERE NOT EXISTS (SELECT 1 ${CONNECTED} = ?6) AND unixepoch() * 1000 < ?7`,
      email,
      gitHubId,
      deadline,
    ]),
    connection.statement,
    [
      `UPDATE users SET confirmed = 1
          WHERE confirmed = 0 AND email = ?2 AND id = (SELECT user_id ${CONNECTED} = ?1)`,
      gitHubId,
      email,
    ],
    ...session.statements,
    ['SELECT 1 FROM linked_accounts WHERE id = ?1', connection.id],
    session.result,
  ])
  const results = await unlessTaken(signingIn, null)
  if (results === null) return 'username_taken'
  const [connected, [row]] = results.slice(-2) as [object[], { userId: string }[]]
  if (!row) return account === null && !admits(signUp, email) ? 'sign_up_refused' : 'unknown'
  const { userId } = row
  return {
    token: session.token,
    userId,
    created: userId === newUserId,
    /** False if it was before. */
    connected: connected.length > 0,
  }
}
