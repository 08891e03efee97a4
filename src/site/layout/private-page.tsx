import type { Context } from 'hono'
import type { JSX } from 'hono/jsx/jsx-runtime'
import type { AppEnv } from '../../env.ts'
import { contentSecurityPolicy, page, seeOther } from './respond.tsx'

/** What comes of signing in is nobody else's, and changes. */
export const OWN = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' }

/** A page that is the visitor's own, whose forms may lead to GitHub. */
export const ownPage = (
  c: Context<AppEnv>,
  content: JSX.Element,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
) =>
  page(c, content, {
    status,
    headers: {
      ...OWN,
      'Content-Security-Policy': contentSecurityPolicy({
        formTargets: [new URL(c.get('config').github.url).origin],
      }),
      ...headers,
    },
  })

/** Leads to the page at GitHub that better-auth names. */
export async function leadToGitHub(c: Context<AppEnv>, response: Response): Promise<Response> {
  const { url } = (await response.json()) as { url?: string }
  if (!response.ok || url === undefined) return seeOther(c, '/sign-in?error=unknown')
  return seeOther(c, url, response.headers.getSetCookie())
}

/** What better-auth and GitHub say went wrong, in words for whoever signs in. */
export function gitHubWords(code: string): string {
  switch (code) {
    case 'access_denied':
      return 'GitHub was not allowed to tell us who you are.'
    case 'account_not_linked':
      return 'There is an account with your address at GitHub. Sign in to it by mail, and connect GitHub there.'
    case 'account_already_linked_to_different_user':
      return 'This account of GitHub is connected to another account here.'
    case 'another_account_linked':
      return 'Another account of GitHub is connected already. Disconnect that one first.'
    case 'email_not_found':
      return 'GitHub has verified no address of yours. Do that there, or sign in by mail.'
    case 'suspended':
      return 'This account is suspended.'
    default:
      return 'That did not work at GitHub. Try again.'
  }
}
