import { APIError, getOAuthState } from 'better-auth/api'
import { betterAuth } from 'better-auth/minimal'
import { genericOAuth } from 'better-auth/plugins/generic-oauth'
import { magicLink } from 'better-auth/plugins/magic-link'
import { nanoid } from 'nanoid'
import type { Database } from '../../platform/database.ts'
import { isLoopback } from '../../platform/loopback.ts'
import { maySignIn } from '../find-user.ts'
import { keepPicture } from '../profile/pictures.ts'
import { hasGitHub, recordLogin } from '../profile/profile.ts'
import { findFreeUsername } from '../profile/usernames.ts'
import { cookiePrefix, SESSION_LIFETIME_SECONDS } from '../sessions.ts'
import { generateUserId, isUsername, type User } from '../user.ts'
import { authStorage } from './auth-storage.ts'
import { LINK_LIFETIME_SECONDS } from './email-links.ts'
import { exchangeCode, findGitHubUser, type GitHubUser } from './github-user.ts'
import { encryptToken } from './token-encryption.ts'

/** Where the routes of better-auth lie; the only one that is served is the callback from GitHub. */
const AUTH_PATH = '/sign-in'

interface GitHubApp {
  readonly clientId: string
  readonly clientSecret: string
  readonly url: string
  readonly apiUrl: string
}

interface AuthOptions {
  readonly db: Database
  readonly secret: string
  /** Without a slash at the end. */
  readonly siteUrl: string
  /** Null where nobody signs in by GitHub. */
  readonly gitHub: GitHubApp | null
  /** The account that the browser is signed in to now. */
  readonly signedIn: () => Promise<User | null>
  /** Told of the token that a mail is to carry. */
  readonly onLink?: (token: string) => void
  /** Told of an account whose GitHub was connected, or connected anew, and what that is called there. */
  readonly onConnected: (userId: string, gitHub: { login: string; isNewAccount: boolean } | null) => void
  /** Told what went wrong, without anything secret in it. */
  readonly onFault: (message: string, cause: unknown) => void
  /** Runs work that no answer waits for. */
  readonly defer: (work: () => Promise<unknown>) => void
}

/** Signing in by GitHub, as better-auth is to go about it. */
function gitHubProvider({ clientId, clientSecret, url, apiUrl }: GitHubApp, people: Map<string, GitHubUser>) {
  return genericOAuth({
    config: [
      {
        providerId: 'github',
        clientId,
        clientSecret,
        authorizationUrl: `${url}/login/oauth/authorize`,
        tokenUrl: `${url}/login/oauth/access_token`,
        scopes: ['read:user', 'user:email'],
        pkce: true,
        getToken: async ({ code, codeVerifier, redirectURI }) => {
          const token = await exchangeCode({
            url,
            clientId,
            clientSecret,
            code,
            codeVerifier,
            redirectUri: redirectURI,
          })
          if (!token) throw new APIError('BAD_GATEWAY', { code: 'invalid_code' })
          return token
        },
        getUserInfo: async ({ accessToken }) => {
          const user = accessToken ? await findGitHubUser(apiUrl, accessToken) : null
          if (!user) return null
          people.set(user.id, user)
          return { id: user.id, name: user.login, email: user.email, emailVerified: user.email !== null }
        },
      },
    ],
  })
}

/**
 * better-auth as this service uses it: links in mails, GitHub, and the sessions that come of them. Made
 * for one request, since where the site is may depend on it. Its own HTTP routes stay closed, but for the
 * callback of GitHub.
 */
export function createAuth({
  db,
  secret,
  siteUrl,
  gitHub,
  signedIn,
  onLink,
  onConnected,
  onFault,
  defer,
}: AuthOptions) {
  const seal = (token: string) => encryptToken(token, secret)
  /** Stops what a session began that is over by now, or another's: `false` is how a hook says that. */
  const checkConnecting = async () => {
    const link = (await getOAuthState().catch(() => null))?.link
    if (link && (await signedIn())?.id !== link.userId) return false
  }
  /** By GitHub's number of the account, from asking whose token it is until it is linked. */
  const people = new Map<string, GitHubUser>()
  const newAccounts = new Set<string>()
  const secure = !isLoopback(siteUrl)
  return betterAuth({
    appName: 'Regent',
    baseURL: siteUrl,
    basePath: AUTH_PATH,
    secret,
    trustedOrigins: [siteUrl],
    database: authStorage(db, { sealToken: seal }),
    plugins: [
      magicLink({
        expiresIn: LINK_LIFETIME_SECONDS,
        storeToken: 'hashed',
        sendMagicLink: ({ token }) => onLink?.(token),
      }),
      ...(gitHub ? [gitHubProvider(gitHub, people)] : []),
    ],
    session: { expiresIn: SESSION_LIFETIME_SECONDS, disableSessionRefresh: true },
    verification: { storeIdentifier: 'hashed' },
    account: {
      // The token that may write gists is replaced only when somebody connects GitHub anew.
      updateAccountOnSignIn: false,
      accountLinking: { enabled: true, allowDifferentEmails: true },
    },
    databaseHooks: {
      user: {
        create: {
          before: async (user) => {
            const state = await getOAuthState().catch(() => null)
            if (!state) {
              // A link that brings no name is for an account: this one went while it was followed.
              if (!isUsername(user.name)) throw new APIError('CONFLICT', { code: 'no_username' })
              return { data: user }
            }
            const wanted = typeof state.username === 'string' && state.username ? state.username : user.name
            return { data: { ...user, name: await findFreeUsername(db, wanted) } }
          },
          after: async ({ id }) => void newAccounts.add(id),
        },
      },
      session: {
        create: {
          before: async ({ userId }) => {
            if (!(await maySignIn(db, userId))) throw new APIError('FORBIDDEN', { code: 'suspended' })
          },
        },
      },
      account: {
        create: {
          before: async ({ userId }) => {
            if (await hasGitHub(db, userId))
              throw new APIError('CONFLICT', { code: 'another_account_linked' })
            return checkConnecting()
          },
          after: async ({ userId, accountId }) => {
            const person = people.get(accountId)
            if (!person) return
            const { login, pictureUrl } = person
            await recordLogin(db, userId, login)
            if (pictureUrl !== null) defer(() => keepPicture(db, userId, pictureUrl))
            onConnected(userId, { login, isNewAccount: newAccounts.has(userId) })
          },
        },
        update: { before: checkConnecting, after: async ({ userId }) => onConnected(userId, null) },
      },
    },
    advanced: {
      cookiePrefix: cookiePrefix(siteUrl),
      // `__Host-` is part of the prefix, and asks for the attribute.
      useSecureCookies: false,
      defaultCookieAttributes: { httpOnly: true, secure, sameSite: 'lax', path: '/' },
      ipAddress: { disableIpTracking: true },
      database: { generateId: ({ model }) => (model === 'user' ? generateUserId() : nanoid()) },
    },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    // What else it would log may hold tokens.
    logger: {
      level: 'error',
      log: (_level, message, ...details) =>
        onFault(
          message,
          details.find((detail) => detail instanceof Error),
        ),
    },
    onAPIError: { errorURL: `${siteUrl}/sign-in` },
  })
}
