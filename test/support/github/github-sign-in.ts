import { env } from 'cloudflare:workers'
import { expect, inject } from 'vitest'
import { ORIGIN } from '../client.ts'
import { type Control, GITHUB_APP } from '../fake-github/control.ts'
import { captureEmail } from '../site/email.ts'
import type { TestBrowser } from '../site/test-browser.ts'
import { commandGitHub } from './command.ts'

const gitHubUrl = inject('gitHubUrl')

/** Who this test file has signed in to GitHub. Other files use the same fake GitHub at the same time. */
let signedInLogin = ''

export const controlGitHub = (command: Control) => {
  if (command.do === 'sign in') signedInLogin = command.login
  return commandGitHub<{ id: number; token: string }>(command)
}

/** Like `captureEmail`, for a site that users can sign in to with GitHub. */
export const captureEmailWithGitHub = (vars: Record<string, string> = {}) =>
  captureEmail({
    GITHUB_CLIENT_ID: GITHUB_APP.clientId,
    GITHUB_CLIENT_SECRET: GITHUB_APP.clientSecret,
    GITHUB_URL: gitHubUrl,
    GITHUB_API_URL: gitHubUrl,
    ...vars,
  })

/** Returns a GitHub username that nobody has yet, in any test file. */
export const createLogin = () => `octo-${crypto.randomUUID().slice(0, 8)}`

/** Follows a redirect to GitHub, authorizes there, and returns the path that GitHub redirects back to. */
export async function authorizeAtGitHub(answer: Response): Promise<string> {
  expect(answer.status).toBe(303)
  const authorizeUrl = new URL(answer.headers.get('Location') ?? '')
  expect(authorizeUrl.origin).toBe(gitHubUrl)
  const back = await fetch(authorizeUrl, {
    redirect: 'manual',
    headers: { Cookie: `login=${signedInLogin}` },
  })
  const { origin, pathname, search } = new URL(back.headers.get('Location') ?? '')
  expect(origin).toBe(ORIGIN)
  return pathname + search
}

export const signInWithGitHub = async (browser: TestBrowser, fields: Record<string, string> = {}) =>
  browser.open(await authorizeAtGitHub(await browser.submit('/sign-in/github', fields)))

export const findUserByEmail = (email: string) =>
  env.DB.prepare('SELECT * FROM users WHERE email = ?1')
    .bind(email)
    .first<{ id: string; [column: string]: unknown }>()

export const findLinkedAccount = (userId: string | undefined) =>
  env.DB.prepare('SELECT * FROM linked_accounts WHERE user_id = ?1')
    .bind(userId ?? '')
    .first<{ access_token: string; scope: string; account_id: string }>()
