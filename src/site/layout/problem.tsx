import type { Child } from 'hono/jsx'
import { type AppError, SignInNeeded } from '../../errors.ts'

/** What went wrong, for whoever sent a form. `typed` are the usernames that they wrote into it. */
export function problemOf(error: AppError, typed: readonly string[] = []): Child {
  if (error instanceof SignInNeeded) {
    return (
      <>
        You are not signed in any more.{' '}
        <a href="/sign-in" target="_blank" rel="noopener">
          Sign in in another tab
        </a>
        , then send this again.
      </>
    )
  }
  const [issue] = error.issues ?? []
  if (!issue) return error.code === 'bad_auth' ? `${error.message}.` : `${error.message}. Try again.`
  const [part, name, index] = issue.path
  if (part === 'content') return 'Write something first.'
  if (name === 'editors') return `${issue.message}: ${typed[Number(index)] ?? ''}`
  if (name === 'claim_hash') {
    return 'To delete an encrypted document after its first reader, open its text with the password first.'
  }
  return `${issue.message}.`
}

/** Says what went wrong where it is seen first, and read out. Fields point to it by `aria-describedby`. */
export const Problem = ({ children }: { children: Child }) => (
  <p class="error" role="alert" id="problem">
    {children}
  </p>
)
