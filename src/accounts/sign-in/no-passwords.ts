/** Stands in for better-auth's hashing of passwords, by an alias in wrangler.toml: accounts have none. */
export async function hashPassword(): Promise<never> {
  throw new Error('accounts have no passwords')
}

export const verifyPassword = hashPassword
