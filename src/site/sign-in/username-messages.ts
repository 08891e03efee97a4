import type { UsernameProblem } from '../../accounts/profile/usernames.ts'

/** What a person is told about a username that can not be had. */
export function usernameWords(problem: UsernameProblem): string {
  switch (problem) {
    case 'malformed':
      return 'A username is 3 to 30 letters, digits, “_” and “-”.'
    case 'reserved':
      return 'This name is kept for the people who run the site.'
    case 'taken':
      return 'This name, or one that looks like it, is taken.'
    default:
      return problem satisfies never
  }
}
