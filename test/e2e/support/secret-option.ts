/** Signs the sessions that `signIn` makes. */
export const AUTH_SECRET = 'a secret of the browser tests, long enough for them'

/** Gives a service the secret that `signIn` signs with. */
export const WITH_SECRET: readonly string[] = ['--var', `AUTH_SECRET:${AUTH_SECRET}`]
