/** A compact JWE (RFC 7516), encrypted with a password (PBES2, RFC 7518 §4.8) in the Worker and in the browser. */
export const ALGORITHM = 'PBES2-HS512+A256KW'
export const ENCRYPTION = 'A256GCM'

/** The limit of Workers in production. Local runtimes don't enforce it, so `assertIterations` does. */
export const MAX_ITERATIONS = 100_000

export const SALT_BYTES = 16
