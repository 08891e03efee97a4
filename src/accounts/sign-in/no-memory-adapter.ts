/** Replaces better-auth's in-memory database, through an alias in wrangler.toml: Regent always passes a database. */
export function memoryAdapter(): never {
  throw new Error('better-auth has no database')
}
