import { describe, expect, inject, it } from 'vitest'
import { exchangeCode, findGitHubUser } from '../../src/accounts/sign-in/github.ts'
import { GITHUB_APP } from '../support/fake-github/control.ts'
import { controlGitHub } from '../support/github/publishing.ts'

const url = inject('gitHubUrl')
const REDIRECT = 'https://paste.example/sign-in/callback/github'
const VERIFIER = 'a verifier as long as RFC 7636 requires'

async function challenge(): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(VERIFIER))
  return new Uint8Array(digest).toBase64({ alphabet: 'base64url', omitPadding: true })
}

/** Authorizes the app as a browser does, and returns the parameters of the callback. */
async function authorize(login: string): Promise<URLSearchParams> {
  const query = new URLSearchParams({
    client_id: GITHUB_APP.clientId,
    redirect_uri: REDIRECT,
    scope: 'read:user user:email gist',
    state: 'as sent',
    code_challenge: await challenge(),
    code_challenge_method: 'S256',
  })
  const response = await fetch(`${url}/login/oauth/authorize?${query}`, {
    redirect: 'manual',
    headers: { Cookie: `login=${login}` },
  })
  expect(response.status).toBe(302)
  const location = new URL(response.headers.get('Location') ?? '')
  expect(location.origin + location.pathname).toBe(REDIRECT)
  expect(location.searchParams.get('state')).toBe('as sent')
  return location.searchParams
}

const exchange = (
  code: string,
  {
    codeVerifier = VERIFIER,
    ...app
  }: { codeVerifier?: string } & Partial<Parameters<typeof exchangeCode>[0]> = {},
) => exchangeCode({ url, ...GITHUB_APP, redirectUri: REDIRECT, ...app }, { code, codeVerifier })

describe('a sign-in with GitHub', () => {
  it('returns a token with the scopes that were asked for and its user', async () => {
    const login = `hubot-${crypto.randomUUID()}`
    await controlGitHub({ do: 'create account', login, email: 'hubot@example.org' })
    await controlGitHub({ do: 'sign in', login })
    const code = (await authorize(login)).get('code') ?? ''
    const token = await exchange(code)
    expect(token?.scopes).toEqual(['read:user', 'user:email', 'gist'])
    expect(await findGitHubUser(url, token?.accessToken ?? '')).toEqual({
      id: expect.stringMatching(/^\d+$/),
      login,
      email: 'hubot@example.org',
      pictureUrl: expect.stringContaining(`${url}/avatars/`),
    })
    // A code works once.
    expect(await exchange(code)).toBeNull()
  })

  it('is refused for another verifier, app or secret, or by the user', async () => {
    const login = `hubot-${crypto.randomUUID()}`
    await controlGitHub({ do: 'create account', login })
    await controlGitHub({ do: 'sign in', login })
    const code = (await authorize(login)).get('code') ?? ''
    for (const changes of [
      { codeVerifier: 'another' },
      { codeVerifier: '' },
      { clientSecret: 'another' },
      { clientId: 'another' },
      { redirectUri: 'https://paste.example/elsewhere' },
    ]) {
      expect(await exchange(code, changes)).toBeNull()
    }
    expect(await exchange(code)).not.toBeNull()
    await controlGitHub({ do: 'sign in', login, agrees: false })
    const refused = await authorize(login)
    expect([refused.get('code'), refused.get('error')]).toEqual([null, 'access_denied'])
  })

  it('ignores an address that lower case would turn into another person’s', async () => {
    const { token } = await controlGitHub<{ token: string }>({
      do: 'create account',
      login: `hubot-${crypto.randomUUID()}`,
      // The sign for kelvin.
      email: 'mar\u212A@example.org',
      scopes: ['user:email'],
    })
    expect((await findGitHubUser(url, token))?.email).not.toContain('mark@')
  })

  it('returns nothing for a token that is invalid or may not read email addresses', async () => {
    const { token } = await controlGitHub<{ token: string }>({
      do: 'create account',
      login: `hubot-${crypto.randomUUID()}`,
      scopes: ['gist'],
    })
    expect(await findGitHubUser(url, token)).toBeNull()
    expect(await findGitHubUser(url, 'gho_unknown')).toBeNull()
  })
})
