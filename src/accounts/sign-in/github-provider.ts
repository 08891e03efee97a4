import { APIError } from 'better-auth/api'
import { genericOAuth } from 'better-auth/plugins/generic-oauth'
import { exchangeCode, findGitHubUser, type GitHubUser } from './github-user.ts'

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
