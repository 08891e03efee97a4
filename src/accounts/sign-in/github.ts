import { nanoid } from 'nanoid'
import type { Database } from '../../platform/database.ts'
import { fetchGitHub } from '../../platform/github.ts'
import { parseJsonAnswer } from '../../platform/outgoing.ts'
import { hashSecret } from '../../shared/hashing.ts'
import type { Instant } from '../../shared/instant.ts'
import { GIST_SCOPE } from '../profile.ts'
import { GITHUB } from '../user.ts'
import { encryptToken } from './github-token.lazy.ts'
import {
  type Connected,
  connectAccount,
  type NewSignIn,
  type ProvenAccount,
  signInWithAccount,
} from './linked-accounts.ts'
import { consumeLink, createLink } from './links.ts'

export const GITHUB_SIGN_IN_SECONDS = 5 * 60

export interface GitHubApp {
  readonly clientId: string
  readonly clientSecret: string
  readonly url: string
  readonly apiUrl: string
  readonly redirectUri: string
}

/** The facts that are stored while somebody signs in. Earlier releases stored more members. */
interface PendingSignIn {
  /** The secret that PKCE needs (RFC 7636). */
  readonly codeVerifier: string
  /** The path to go to afterwards. */
  readonly callbackURL: string
  readonly username?: string
  /** The hash of the token of an invitation. */
  readonly invitation?: string
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

/** Returns the sign-in of a state, which works only once. */
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
export const isAscii = (text: string): boolean => /^[!-~]+$/.test(text)

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
  const profile = parseJsonAnswer(profileResponse) as GitHubProfile | null
  const emails = parseJsonAnswer(emailsResponse) as Email[] | null
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

/** Exchanges a code as RFC 6749 §4.1.3 describes, with PKCE. Returns null if GitHub refuses. */
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
  const token = parseJsonAnswer(response) as { access_token?: string; scope?: string } | null
  if (response.status !== 200 || !token?.access_token) return null
  return { accessToken: token.access_token, scopes: (token.scope ?? '').split(/[ ,]+/).filter(Boolean) }
}

export interface GitHubProof {
  readonly user: GitHubUser & { readonly email: string }
  readonly token: GitHubToken
  readonly secret: string
}

const toLinkedAccount = async ({ user, token, secret }: GitHubProof): Promise<ProvenAccount> => ({
  provider: GITHUB,
  ...user,
  accessToken: await encryptToken(token.accessToken, secret),
  scope: token.scopes.join(),
})

export const connectGitHub = async (
  db: Database,
  proof: GitHubProof,
  options: { userId: string; now: Instant },
): Promise<Connected> => connectAccount(db, await toLinkedAccount(proof), options)

/** @param options with the username of a new account; empty for the one at GitHub. */
export const signInWithGitHub = async (db: Database, proof: GitHubProof, options: NewSignIn) =>
  signInWithAccount(db, await toLinkedAccount(proof), options)
