import type { AppContext } from '../../env.ts'
import { seeOther } from '../layout/answer.ts'

/** Redirects to the page at GitHub that better-auth names. */
export async function redirectToGitHub(c: AppContext, response: Response): Promise<Response> {
  const { url } = (await response.json()) as { url?: string }
  if (!response.ok || url === undefined) return seeOther(c, '/sign-in?error=unknown')
  return seeOther(c, url, response.headers.getSetCookie())
}

/** Returns the message for an error code of better-auth or GitHub. */
export function formatGitHubError(code: string): string {
  switch (code) {
    case 'access_denied':
      return 'You didn’t give Regent access to your GitHub account. Try again, and allow it on GitHub.'
    case 'account_not_linked':
      return 'There’s already an account with your GitHub email address. Sign in to it by email, then connect GitHub on your account page.'
    case 'account_already_linked_to_different_user':
      return 'This GitHub account is connected to another Regent account. Disconnect it there first.'
    case 'another_account_linked':
      return 'Another GitHub account is already connected. Disconnect it first.'
    case 'email_not_found':
      return 'Your GitHub account has no verified email address. Verify one there, or sign in by email.'
    case 'suspended':
      return 'Your account is suspended.'
    default:
      return 'We couldn’t connect to your GitHub account. Try again.'
  }
}
