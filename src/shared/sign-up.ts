/** The rules about who may create an account. The operator's commands always may. */
export interface SignUp {
  /** Addresses at these domains, such as `@example.org`; null: every address. */
  readonly domains: readonly string[] | null
  /** The people who may make invitations, which admit other addresses; null if nobody may. */
  readonly inviters: 'staff' | 'members' | null
}

/** Tells whether somebody with this address may sign up without an invitation. */
export const admits = ({ domains }: SignUp, email: string): boolean =>
  domains === null || domains.includes(email.slice(email.indexOf('@')).toLowerCase())

/** Tells whether people may sign up by themselves. */
export const offersSignUp = ({ domains }: SignUp): boolean => domains === null || domains.length > 0

/** Tells those who need an invitation whom to ask. */
export const INVITERS = {
  staff: 'the operator',
  members: 'somebody who has an account',
} as const satisfies Record<NonNullable<SignUp['inviters']>, string>

export const OPEN_SIGN_UP: SignUp = { domains: null, inviters: null }
