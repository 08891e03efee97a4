import type { UsernameProblem } from '../../accounts/profile/usernames.ts'

/** Returns the message that says why a username can't be used. */
export function formatUsernameProblem(problem: UsernameProblem): string {
  switch (problem) {
    case 'malformed':
      return 'Use 3 to 30 letters, digits, hyphens or underscores.'
    case 'reserved':
      return 'This username is reserved. Choose another.'
    case 'taken':
      return 'This username is taken, or too similar to one that is. Choose another.'
    default:
      return problem satisfies never
  }
}
