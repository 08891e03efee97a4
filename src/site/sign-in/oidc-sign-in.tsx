import { explainRefusedSignUp } from '../../accounts/invitations.ts'
import {
  connectAccount,
  type ProvenAccount,
  signInWithAccount,
} from '../../accounts/sign-in/linked-accounts.ts'
import {
  consumeOidcState,
  finishOidcSignIn,
  OIDC_SIGN_IN_SECONDS,
  startOidcSignIn,
} from '../../accounts/sign-in/oidc.ts'
import type { AppContext } from '../../env.ts'
import { cookiePrefix, createSessionCookie, expiredCookie, requireAuthSecret } from '../../http/cookies.ts'
import { askSession, NOTHING } from '../../http/identity.ts'
import { logError } from '../../platform/log.ts'
import { Notice } from '../../ui/layout.tsx'
import { privatePage, seeOther, withCookies } from '../../ui/page.tsx'
import {
  createStateCookie,
  describeSignIn,
  readState,
  sendConnectedEmail,
  type Wanted,
} from './sign-in-methods.ts'

const getCookieName = (siteUrl: string): string => `${cookiePrefix(siteUrl)}.oidc`

/** Matches the codes of RFC 6749 and OpenID Connect, which the log names. They say nothing about a person. */
const ERROR_CODE = /^[a-z_]{1,40}$/

const getRedirectUri = (siteUrl: string): string => `${siteUrl}/sign-in/callback/oidc`

const fail = (c: AppContext, error: string, path: '/sign-in' | '/account' = '/sign-in'): Response =>
  seeOther(c, `${path}?${new URLSearchParams({ error, with: 'oidc' })}`, [
    expiredCookie(c.var.siteUrl, getCookieName(c.var.siteUrl)),
  ])

/**
 * Answers with a page that leads to the provider by itself. A cookie makes sure that the same browser comes back. A
 * redirect wouldn't do: where the provider has people sign in is known only now, and after a form a browser follows a
 * redirect only to where the policy of the form's page says.
 */
export async function leadToProvider(
  c: AppContext,
  { returnTo, username = '', invitation = null, connects }: Wanted,
): Promise<Response> {
  const { config, now, requestId, siteUrl, store } = c.var
  requireAuthSecret(c)
  const { oidc } = config
  const path = connects ? '/account' : '/sign-in'
  if (oidc === null) return fail(c, 'unknown', path)
  const redirectUri = getRedirectUri(siteUrl)
  const wanted = { returnTo, username, invitation, ...(connects && { userId: connects.id }) }
  const started = await startOidcSignIn(store.db, oidc, { ...wanted, redirectUri, now }).catch((error) => {
    logError('the OpenID provider is unavailable', requestId, error)
    return null
  })
  if (started === null) return fail(c, 'unavailable', path)
  const { url, state } = started
  const cookie = await createStateCookie(c, {
    name: getCookieName(siteUrl),
    state,
    maxAge: OIDC_SIGN_IN_SECONDS,
  })
  const content = (
    <Notice title={`Continue with ${oidc.name}`} signedIn={connects !== undefined}>
      <p>
        <a href={url} class="button">
          Continue
        </a>
      </p>
    </Notice>
  )
  return withCookies(await privatePage(c, content, { headers: { Refresh: `0;url=${url}` } }), cookie)
}

export async function comeBackFromProvider(c: AppContext): Promise<Response> {
  const { config, now, requestId, siteUrl, store } = c.var
  const secret = requireAuthSecret(c)
  const { oidc } = config
  const { error } = c.req.query()
  const name = getCookieName(siteUrl)
  const state = await readState(c, name)
  const pending = oidc && state ? await consumeOidcState(store.db, state, now) : null
  if (!oidc || !state || !pending) return fail(c, 'state_mismatch')
  const { username, returnTo, invitation = null, userId } = pending
  const path = userId === undefined ? '/sign-in' : '/account'
  if (error === 'access_denied') return fail(c, error, path)
  let proven: ProvenAccount
  try {
    const url = new URL(c.req.url)
    proven = await finishOidcSignIn(oidc, { url, state, redirectUri: getRedirectUri(siteUrl), pending })
  } catch (fault) {
    const answered = error !== undefined && ERROR_CODE.test(error)
    logError('sign-in with the OpenID provider failed', requestId, answered ? new Error(error) : fault)
    return fail(c, 'refused', path)
  }
  const tell = (id: string) =>
    store.defer(() => sendConnectedEmail(c, id, { provider: oidc.name, login: proven.login }))
  if (userId !== undefined) {
    // The session that started it may have ended, or belong to someone else by now.
    if ((await askSession(c, NOTHING)).user?.id !== userId) return fail(c, 'unable_to_link_account', path)
    const connected = await connectAccount(store.db, proven, { userId, now })
    if (connected !== 'new' && connected !== 'again') return fail(c, connected, path)
    if (connected === 'new') tell(userId)
    return seeOther(c, returnTo, [expiredCookie(siteUrl, name)])
  }
  const admission = { signUp: config.signUp, invitation }
  const signedIn = await signInWithAccount(store.db, proven, {
    username,
    ...admission,
    ...(await describeSignIn(c)),
  })
  if (signedIn === 'sign_up_refused')
    return fail(c, await explainRefusedSignUp(store.db, admission, { email: proven.email, now }))
  if (typeof signedIn === 'string') return fail(c, signedIn)
  const { token, created, connected } = signedIn
  if (connected && !created) tell(signedIn.userId)
  return seeOther(c, created ? '/account' : returnTo, [
    expiredCookie(siteUrl, name),
    await createSessionCookie(c, token, secret),
  ])
}
