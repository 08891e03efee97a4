import type { UsernameProblem } from '../../accounts/profile/usernames.ts'

/** Returns the message that says why a username can't be used. */
export function formatUsernameProblem(problem: UsernameProblem): string {
  switch (problem) {
    case 'malformed':
      return 'Use 3 to 30 letters, digits, hyphens and underscores.'
    case 'reserved':
      return 'This username is reserved.'
    case 'taken':
      return 'This username, or one that looks like it, is taken.'
    default:
      return problem satisfies never
  }
}
