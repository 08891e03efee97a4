/** Replaces better-auth's password hashing, through an alias in wrangler.toml: accounts have no passwords. */
export async function hashPassword(): Promise<never> {
  throw new Error('accounts have no passwords')
}

export const verifyPassword = hashPassword
