import { fetchGitHub, parseJson } from '../../platform/github-client.ts'

/** Who signed in at GitHub, as far as an account here needs it. */
export interface GitHubUser {
  /** GitHub's number of the account, which no rename changes. */
  readonly id: string
  readonly login: string
  /** An address that GitHub has verified to be theirs, the primary one first; null: there is none. */
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
 * Whom a token is of. Null when GitHub does not say.
 *
 * The address is one that GitHub has verified, never that of the public profile: an account here that
 * somebody made with another's address would wait for its owner to come and use it too.
 */
export async function findGitHubUser(apiUrl: string, token: string): Promise<GitHubUser | null> {
  const [profileAnswer, emailsAnswer] = await Promise.all([
    fetchGitHub(`${apiUrl}/user`, { token }),
    fetchGitHub(`${apiUrl}/user/emails`, { token }),
  ])
  if (profileAnswer.status !== 200 || emailsAnswer.status !== 200) return null
  const profile = parseJson(profileAnswer) as GitHubProfile
  const emails = parseJson(emailsAnswer) as Email[]
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

/** Exchanges the code of a sign-in for a token (RFC 6749 §4.1.3, with PKCE). Null when GitHub refuses. */
export async function exchangeCode(exchange: CodeExchange): Promise<GitHubToken | null> {
  const answer = await fetchGitHub(`${exchange.url}/login/oauth/access_token`, {
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
  const token = parseJson(answer) as { access_token?: string; scope?: string } | null
  if (answer.status !== 200 || !token?.access_token) return null
  return { accessToken: token.access_token, scopes: (token.scope ?? '').split(/[ ,]+/).filter(Boolean) }
}
