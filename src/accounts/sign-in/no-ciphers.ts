/**
 * Replaces better-auth's cipher, through an alias in wrangler.toml. better-auth would use it to encrypt OAuth tokens and
 * a cookie with OAuth state. Regent encrypts the tokens itself and keeps the state in the database.
 */
export function xchacha20poly1305(): never {
  throw new Error('better-auth must not encrypt anything')
}
