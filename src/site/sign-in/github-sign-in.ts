import { explainRefusedSignUp } from '../../accounts/invitations.ts'
import { savePicture } from '../../accounts/profile.ts'
import {
  connectGitHub,
  consumeGitHubState,
  exchangeCode,
  findGitHubUser,
  GITHUB_SIGN_IN_SECONDS,
  type GitHubApp,
  type GitHubProof,
  signInWithGitHub,
  startGitHubSignIn,
} from '../../accounts/sign-in/github.ts'
import type { AppContext } from '../../env.ts'
import { retryRefusedGists } from '../../gists/gist-store.ts'
import { cookiePrefix, createSessionCookie, expiredCookie, requireAuthSecret } from '../../http/cookies.ts'
import { askSession, NOTHING } from '../../http/identity.ts'
import { logError } from '../../platform/log.ts'
import { seeOther } from '../../ui/page.tsx'
import {
  createStateCookie,
  describeSignIn,
  getSignInMethods,
  readState,
  sendConnectedEmail,
  type Wanted,
} from './sign-in-methods.ts'

function getGitHubApp({ var: { config, siteUrl } }: AppContext): GitHubApp | null {
  const { app, url, apiUrl } = config.github
  return app && { ...app, url, apiUrl, redirectUri: `${siteUrl}/sign-in/callback/github` }
}

const getCookieName = (siteUrl: string): string => `${cookiePrefix(siteUrl)}.state`

/** Sends the browser to GitHub. A cookie makes sure that the same browser comes back. */
export async function redirectToGitHub(
  c: AppContext,
  { returnTo, username = '', invitation = null, connects }: Wanted,
): Promise<Response> {
  const { now, siteUrl, store } = c.var
  requireAuthSecret(c)
  const app = getGitHubApp(c)
  if (!app || !(connects || getSignInMethods(c).gitHub)) return seeOther(c, '/sign-in?error=unknown')
  const { url, state } = await startGitHubSignIn(store.db, app, {
    callbackURL: returnTo,
    username,
    ...(invitation !== null && { invitation }),
    ...(connects && { link: { userId: connects.id } }),
    now,
  })
  const cookie = await createStateCookie(c, {
    name: getCookieName(siteUrl),
    state,
    maxAge: GITHUB_SIGN_IN_SECONDS,
  })
  return seeOther(c, url, [cookie])
}

/** An error code if GitHub doesn't say who came back. */
async function proveGitHubUser(
  c: AppContext,
  app: GitHubApp,
  { code, codeVerifier }: { code: string; codeVerifier: string },
): Promise<GitHubProof | 'invalid_code' | 'unable_to_get_user_info' | 'email_not_found'> {
  try {
    const token = await exchangeCode(app, { code, codeVerifier })
    if (!token) throw new Error('GitHub refused the code')
    const user = await findGitHubUser(app.apiUrl, token.accessToken)
    if (!user) throw new Error('GitHub refused the token')
    const { email } = user
    return email === null
      ? 'email_not_found'
      : { user: { ...user, email }, token, secret: requireAuthSecret(c) }
  } catch (error) {
    logError('sign-in with GitHub failed', c.var.requestId, error)
    return 'invalid_code'
  }
}

export async function comeBackFromGitHub(c: AppContext): Promise<Response> {
  const { config, now, siteUrl, store } = c.var
  const secret = requireAuthSecret(c)
  const app = getGitHubApp(c)
  const name = getCookieName(siteUrl)
  const state = await readState(c, name)
  const pending = app && state ? await consumeGitHubState(store.db, state, now) : null
  if (!app || !pending) return seeOther(c, '/sign-in?error=state_mismatch')
  const { callbackURL, codeVerifier, link, username = '', invitation = null } = pending
  const cookies = [expiredCookie(siteUrl, name)]
  const fail = (error: string) =>
    seeOther(c, `${link ? '/account' : '/sign-in'}?${new URLSearchParams({ error })}`, cookies)

  const { code, error } = c.req.query()
  if (error || !code) return fail(error || 'no_code')
  const proof = await proveGitHubUser(c, app, { code, codeVerifier })
  if (typeof proof === 'string') return fail(proof)
  if (link) {
    // The session that started it may have ended, or belong to someone else by now.
    if ((await askSession(c, NOTHING)).user?.id !== link.userId) return fail('unable_to_link_account')
    const connected = await connectGitHub(store.db, proof, { userId: link.userId, now })
    if (connected !== 'new' && connected !== 'again') return fail(connected)
    afterConnecting(c, link.userId, proof, { isNew: connected === 'new', tell: true })
    return seeOther(c, callbackURL, cookies)
  }
  if (!getSignInMethods(c).gitHub) return fail('unknown')
  const admission = { signUp: config.signUp, invitation }
  const signedIn = await signInWithGitHub(store.db, proof, {
    username,
    ...admission,
    ...(await describeSignIn(c)),
  })
  const email = proof.user.email.toLowerCase()
  if (signedIn === 'sign_up_refused')
    return fail(await explainRefusedSignUp(store.db, admission, { email, now }))
  if (typeof signedIn === 'string') return fail(signedIn)
  const { token, userId, created, connected } = signedIn
  if (connected) afterConnecting(c, userId, proof, { isNew: true, tell: !created })
  cookies.push(await createSessionCookie(c, token, secret))
  return seeOther(c, created ? '/account' : callbackURL, cookies)
}

function afterConnecting(
  c: AppContext,
  userId: string,
  { user: { login, pictureUrl } }: GitHubProof,
  { isNew, tell }: { isNew: boolean; tell: boolean },
): void {
  const { now, store } = c.var
  store.defer(() => retryRefusedGists(store.db, userId, now))
  if (!isNew) return
  if (pictureUrl !== null) store.defer(() => savePicture(store.db, userId, pictureUrl))
  if (tell) store.defer(() => sendConnectedEmail(c, userId, { provider: 'GitHub', login }))
}
