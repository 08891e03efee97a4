import { APIError } from 'better-auth/api'
import { genericOAuth } from 'better-auth/plugins/generic-oauth'
import { fetchGitHub, parseJson } from '../../platform/github.ts'

/** What an account here needs from a GitHub account. */
export interface GitHubUser {
  /** GitHub's numeric id, which stays the same when the account is renamed. */
  readonly id: string
  readonly login: string
  /** A verified address, preferably the primary one; null if there is none. */
  readonly email: string | null
  readonly pictureUrl: string | null
}

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

/**
 * Returns the GitHub account of a token, or null if GitHub refuses.
 *
 * GitHub has verified the email address. It is never the address in the public profile: otherwise anyone could
 * create an account here with somebody else's address, and its owner would later share it without knowing.
 */
export async function findGitHubUser(apiUrl: string, token: string): Promise<GitHubUser | null> {
  const [profileResponse, emailsResponse] = await Promise.all([
    fetchGitHub(`${apiUrl}/user`, { token }),
    fetchGitHub(`${apiUrl}/user/emails`, { token }),
  ])
  if (profileResponse.status !== 200 || emailsResponse.status !== 200) return null
  const profile = parseJson(profileResponse) as GitHubProfile
  const emails = parseJson(emailsResponse) as Email[]
  const verified = emails.filter((candidate) => candidate.verified)
  const email = verified.find((candidate) => candidate.primary) ?? verified[0]
  return {
    id: String(profile.id),
    login: profile.login,
    email: email?.email ?? null,
    pictureUrl: profile.avatar_url ?? null,
  }
}

interface CodeExchange {
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
  readonly code: string
  readonly codeVerifier: string | undefined
  readonly redirectUri: string
}

interface GitHubToken {
  readonly accessToken: string
  readonly scopes: string[]
}

/** Exchanges an authorization code for a token (RFC 6749 §4.1.3, with PKCE). Returns null if GitHub refuses. */
export async function exchangeCode(exchange: CodeExchange): Promise<GitHubToken | null> {
  const response = await fetchGitHub(`${exchange.url}/login/oauth/access_token`, {
    method: 'POST',
    accept: 'application/json',
    body: {
      client_id: exchange.clientId,
      client_secret: exchange.clientSecret,
      code: exchange.code,
      code_verifier: exchange.codeVerifier,
      redirect_uri: exchange.redirectUri,
    },
  })
  const token = parseJson(response) as { access_token?: string; scope?: string } | null
  if (response.status !== 200 || !token?.access_token) return null
  return { accessToken: token.access_token, scopes: (token.scope ?? '').split(/[ ,]+/).filter(Boolean) }
}

export interface GitHubApp {
  readonly clientId: string
  readonly clientSecret: string
  readonly url: string
  readonly apiUrl: string
}

/**
 * Returns the better-auth plugin for signing in with GitHub.
 *
 * @param users receives each GitHub user that signs in, by their id.
 */
export function createGitHubProvider(
  { clientId, clientSecret, url, apiUrl }: GitHubApp,
  users: Map<string, GitHubUser>,
) {
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
          users.set(user.id, user)
          return { id: user.id, name: user.login, email: user.email, emailVerified: user.email !== null }
        },
      },
    ],
  })
}
