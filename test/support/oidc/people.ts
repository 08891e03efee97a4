export const REDIRECT_URI = 'https://paste.example/sign-in/callback/oidc'

/** Who signs in at the provider: the claims that it makes. */
export interface Person {
  readonly sub: string
  readonly email?: string
  readonly email_verified?: boolean | string
  readonly preferred_username?: string
}

/** The clients of the provider. All but the first get answers with something wrong in them. */
export const CLIENTS = [
  'regent',
  'wrong-nonce',
  'wrong-issuer',
  'wrong-audience',
  'expired',
  'no-id-token',
  'nonsense',
  'huge',
] as const

declare module 'vitest' {
  export interface ProvidedContext {
    oidcIssuer: string
    /** Of a provider that takes the secret of a client only in the body. */
    oidcPostIssuer: string
    oidcSecret: string
  }
}
