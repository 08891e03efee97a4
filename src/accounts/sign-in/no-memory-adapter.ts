/** Stands in for better-auth's database in memory, by an alias in wrangler.toml: Regent always passes it a database. */
export function memoryAdapter(): never {
  throw new Error('better-auth has no database')
}
