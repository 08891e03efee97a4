/** Who may create an account. The operator's commands always may. */
export interface SignUp {
  /** Addresses at these domains, such as `@example.org`; null: every address. */
  readonly domains: readonly string[] | null
}

export const admits = ({ domains }: SignUp, email: string): boolean =>
  domains === null || domains.includes(email.slice(email.indexOf('@')).toLowerCase())

/** Whether people may sign up by themselves. */
export const offersSignUp = ({ domains }: SignUp): boolean => domains === null || domains.length > 0
