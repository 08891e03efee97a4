import * as oauth from 'oauth4webapi'
import type { Database } from '../../platform/database.ts'
import { fetchOutside } from '../../platform/outgoing.ts'
import type { Instant } from '../../shared/instant.ts'
import { isAscii } from './github.ts'
import type { ProvenAccount } from './linked-accounts.ts'
import { consumeLink, createLink } from './links.ts'

/** Signs people in with a provider of OpenID Connect (OpenID Connect Core 1.0, with PKCE). */

export const OIDC_SIGN_IN_SECONDS = 10 * 60

/** Clocks may differ by this much. */
const CLOCK_TOLERANCE_SECONDS = 30

interface OidcProvider {
  /** Is normalized, as `new URL(issuer).href`. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
}

/** OpenID Connect Core 1.0 §2. */
const MAX_SUBJECT_CHARACTERS = 255
const MAX_LOGIN_CHARACTERS = 100

interface PendingSignIn {
  readonly codeVerifier: string
  readonly nonce: string
  /** The path to go to afterwards. */
  readonly returnTo: string
  /** A new account gets it. If it's empty, the account gets the name that it has at the provider. */
  readonly username: string
  /** The hash of the token of an invitation. Absent from what an earlier release stored. */
  readonly invitation?: string | null
  /** The account to connect; absent for signing in. */
  readonly userId?: string
}

/** Every request to the provider has a timeout and a bound on its answer, and follows no redirect. */
async function fetchProvider(
  url: string,
  { method, headers, body }: oauth.CustomFetchOptions<string, unknown>,
) {
  const answer = await fetchOutside(url, {
    method,
    headers,
    ...(body ? { body: String(body) } : {}),
  })
  const isEmpty = answer.bytes.byteLength === 0
  return new Response(isEmpty ? null : Uint8Array.from(answer.bytes), answer)
}

const getOptions = (issuer: string) => ({
  [oauth.customFetch]: fetchProvider,
  // The configuration allows http only on this machine.
  [oauth.allowInsecureRequests]: issuer.startsWith('http:'),
})

/** @throws Error if the provider is down, slow, or describes another issuer. */
async function discover(issuer: string): Promise<oauth.AuthorizationServer> {
  const url = new URL(issuer)
  const response = await oauth.discoveryRequest(url, getOptions(issuer))
  return oauth.processDiscoveryResponse(url, response)
}

/**
 * Returns the `state` that the provider sends back, too: the browser must keep it in a cookie (RFC 6749 §10.12).
 *
 * @throws Error like `discover`.
 */
export async function startOidcSignIn(
  db: Database,
  { issuer, clientId }: OidcProvider,
  {
    redirectUri,
    now,
    ...wanted
  }: Pick<PendingSignIn, 'returnTo' | 'username' | 'invitation' | 'userId'> & {
    readonly redirectUri: string
    readonly now: Instant
  },
): Promise<{ readonly url: string; readonly state: string }> {
  const { authorization_endpoint: endpoint } = await discover(issuer)
  if (endpoint === undefined || !/^https?:\/\//.test(endpoint))
    throw new Error('the provider has no page to sign in')
  const value: PendingSignIn = {
    ...wanted,
    codeVerifier: oauth.generateRandomCodeVerifier(),
    nonce: oauth.generateRandomNonce(),
  }
  const state = await createLink(db, 'oidc', { value, now, lifetimeSeconds: OIDC_SIGN_IN_SECONDS })
  const url = new URL(endpoint)
  const query = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: 'openid email profile',
    state,
    nonce: value.nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(value.codeVerifier),
    code_challenge_method: 'S256',
  }
  for (const [name, parameter] of Object.entries(query)) url.searchParams.set(name, parameter)
  return { url: url.href, state }
}

/** Returns the sign-in of a state, which works only once. */
export const consumeOidcState = async (db: Database, state: string, now: Instant) =>
  (await consumeLink(db, 'oidc', { token: state, now })) as PendingSignIn | null

/** RFC 6749 §2.3.1 says that every provider takes the secret in a header. Some only say that they take it in the body. */
const authenticate = (server: oauth.AuthorizationServer, secret: string): oauth.ClientAuth => {
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  return methods.includes('client_secret_basic')
    ? oauth.ClientSecretBasic(secret)
    : oauth.ClientSecretPost(secret)
}

interface Answer {
  /** The address that the browser came back to. */
  readonly url: URL
  readonly state: string
  readonly redirectUri: string
  readonly pending: PendingSignIn
}

const readText = (value: unknown): string => (typeof value === 'string' ? value : '')

/**
 * Checks the state, the issuer, the audience, the nonce and the times of what the provider says. The signature isn't
 * checked, since the token comes from the provider itself over TLS (OpenID Connect Core 1.0 §3.1.3.7).
 *
 * @throws Error if any of it is wrong, or the provider is down, slow, or talks nonsense.
 */
export async function finishOidcSignIn(
  { issuer, clientId, clientSecret }: OidcProvider,
  { url, state, redirectUri, pending }: Answer,
): Promise<ProvenAccount> {
  const server = await discover(issuer)
  const client = { client_id: clientId, [oauth.clockTolerance]: CLOCK_TOLERANCE_SECONDS }
  const options = getOptions(issuer)
  const parameters = oauth.validateAuthResponse(server, client, url, state)
  const tokenResponse = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    authenticate(server, clientSecret),
    parameters,
    redirectUri,
    pending.codeVerifier,
    options,
  )
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, tokenResponse, {
    expectedNonce: pending.nonce,
    requireIdToken: true,
  })
  const claims = oauth.getValidatedIdTokenClaims(tokens)
  if (claims === undefined) throw new Error('the provider sent no ID token')
  if (claims.sub.length > MAX_SUBJECT_CHARACTERS) throw new Error('the subject is too long')
  // Many providers say the address only here.
  const profile: oauth.JsonObject =
    claims.email === undefined && server.userinfo_endpoint !== undefined
      ? await oauth.processUserInfoResponse(
          server,
          client,
          claims.sub,
          await oauth.userInfoRequest(server, client, tokens.access_token, options),
        )
      : claims
  const { email, email_verified: isVerified, preferred_username: login, name } = profile
  const address = readText(email).toLowerCase()
  return {
    provider: issuer,
    id: claims.sub,
    email: isVerified === true && isAscii(address) && address.includes('@') ? address : null,
    login: (readText(login) || address.split('@', 1)[0] || readText(name)).slice(0, MAX_LOGIN_CHARACTERS),
    accessToken: null,
    scope: null,
  }
}
