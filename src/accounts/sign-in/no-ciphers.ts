/**
 * Stands in for better-auth's cipher, by an alias in wrangler.toml. It would encrypt OAuth state in a cookie, and OAuth
 * tokens: Regent keeps the state in the database, and encrypts tokens itself.
 */
export function xchacha20poly1305(): never {
  throw new Error('better-auth must not encrypt anything')
}
