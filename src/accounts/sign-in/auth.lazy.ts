import { APIError, getOAuthState } from 'better-auth/api'
import { betterAuth } from 'better-auth/minimal'
import { magicLink } from 'better-auth/plugins/magic-link'
import { nanoid } from 'nanoid'
import { isLoopback } from '../../platform/addresses.ts'
import type { Database } from '../../platform/database.ts'
import { cookiePrefix } from '../cookie-names.ts'
import { maySignIn } from '../find-user.ts'
import { hasGitHub, saveGitHubLogin, savePicture } from '../profile.ts'
import { SESSION_LIFETIME_SECONDS } from '../sessions.ts'
import { recordSignIn } from '../sign-in-record.ts'
import { generateUserId, isUsername, type User } from '../user.ts'
import { findFreeUsername } from '../usernames.ts'
import { createAuthStorage } from './auth-storage.ts'
import { LINK_LIFETIME_SECONDS } from './email-links.ts'
import { createGitHubProvider, type GitHubApp, type GitHubUser } from './github-user.ts'
import { encryptToken } from './token-encryption.lazy.ts'

/** Base path of better-auth's own routes. Only the callback from GitHub is served. */
const AUTH_PATH = '/sign-in'

interface AuthOptions {
  readonly db: Database
  readonly secret: string
  /** Without a trailing slash. */
  readonly siteUrl: string
  /** Null if signing in with GitHub isn't set up. */
  readonly gitHub: GitHubApp | null
  /** Returns the account that the browser is signed in to. */
  readonly getSignedInUser: () => Promise<User | null>
  /** Called with the token to put into the email. */
  readonly onLink?: (token: string) => void
  /** Called when an account connects GitHub; `gitHub` is null if it reconnects. */
  readonly onConnected: (userId: string, gitHub: { login: string; isNewAccount: boolean } | null) => void
  /** Called with an error to log, which contains no secrets. */
  readonly onError: (message: string, cause: unknown) => void
  /** The network that the request comes from, for the audit log. */
  readonly network: string
  /** Runs work that the response doesn't wait for. */
  readonly defer: (work: () => Promise<unknown>) => void
}

/**
 * Sets up better-auth: sign-in links by email, GitHub, and sessions. Made for each request, because the site's URL may
 * depend on it. None of better-auth's own routes is served, except the callback from GitHub.
 */
export function createAuth({
  db,
  secret,
  siteUrl,
  gitHub,
  getSignedInUser,
  onLink,
  onConnected,
  onError,
  network,
  defer,
}: AuthOptions) {
  const encrypt = (token: string) => encryptToken(token, secret)
  /** Refuses (by `false`) to connect GitHub if the session that started it has ended or belongs to someone else. */
  const checkLinkingUser = async () => {
    const link = (await getOAuthState().catch(() => null))?.link
    if (link && (await getSignedInUser())?.id !== link.userId) return false
  }
  /** By GitHub id. Filled while signing in, for the hooks that run once the account is linked. */
  const gitHubUsers = new Map<string, GitHubUser>()
  const newAccounts = new Set<string>()
  const secure = !isLoopback(siteUrl)
  return betterAuth({
    appName: 'Regent',
    baseURL: siteUrl,
    basePath: AUTH_PATH,
    secret,
    trustedOrigins: [siteUrl],
    database: createAuthStorage(db, { encryptToken: encrypt }),
    plugins: [
      magicLink({
        expiresIn: LINK_LIFETIME_SECONDS,
        storeToken: 'hashed',
        sendMagicLink: ({ token }) => onLink?.(token),
      }),
      ...(gitHub ? [createGitHubProvider(gitHub, gitHubUsers)] : []),
    ],
    session: { expiresIn: SESSION_LIFETIME_SECONDS, disableSessionRefresh: true },
    verification: { storeIdentifier: 'hashed' },
    account: {
      // Signing in must not replace a token that may write gists. Reconnecting GitHub does.
      updateAccountOnSignIn: false,
      accountLinking: { enabled: true, allowDifferentEmails: true },
    },
    databaseHooks: {
      user: {
        create: {
          before: async (user) => {
            const state = await getOAuthState().catch(() => null)
            if (!state) {
              // A link without a username was for an existing account, which has been deleted in the meantime.
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
          after: async ({ userId }) => recordSignIn(db, userId, network),
        },
      },
      account: {
        create: {
          before: async ({ userId }) => {
            if (await hasGitHub(db, userId))
              throw new APIError('CONFLICT', { code: 'another_account_linked' })
            return checkLinkingUser()
          },
          after: async ({ userId, accountId }) => {
            const gitHubUser = gitHubUsers.get(accountId)
            if (!gitHubUser) return
            const { login, pictureUrl } = gitHubUser
            await saveGitHubLogin(db, userId, login)
            if (pictureUrl !== null) defer(() => savePicture(db, userId, pictureUrl))
            onConnected(userId, { login, isNewAccount: newAccounts.has(userId) })
          },
        },
        update: { before: checkLinkingUser, after: async ({ userId }) => onConnected(userId, null) },
      },
    },
    advanced: {
      cookiePrefix: cookiePrefix(siteUrl),
      // The prefix already contains `__Host-`; this option would add `__Secure-`.
      useSecureCookies: false,
      defaultCookieAttributes: { httpOnly: true, secure, sameSite: 'lax', path: '/' },
      ipAddress: { disableIpTracking: true },
      database: { generateId: ({ model }) => (model === 'user' ? generateUserId() : nanoid()) },
    },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    // Other levels and details may contain tokens.
    logger: {
      level: 'error',
      log: (_level, message, ...details) =>
        onError(
          message,
          details.find((detail) => detail instanceof Error),
        ),
    },
    onAPIError: { errorURL: `${siteUrl}/sign-in` },
  })
}
