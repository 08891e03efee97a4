import { accountNotConfirmed, keyScopeTooSmall, unauthorized } from '../errors.ts'
import { DEFAULT_EXPIRY_DAYS } from '../shared/expiry.ts'
import { includesScope, type KeyScope } from './key-format.ts'
import type { User } from './user.ts'

/** @throws AppError `bad_auth`. */
export function authorizeKey(scope: KeyScope, needed: KeyScope): void {
  if (!includesScope(scope, needed)) throw keyScopeTooSmall(scope, needed)
}

/** @throws AppError `unauthorized` without an account, if `ANONYMOUS_DOCUMENTS` is `refuse`. */
export function authorizeCreate(user: User | null, anonymousDocuments: 'allow' | 'refuse'): void {
  if (!user && anonymousDocuments === 'refuse') throw unauthorized()
}

/**
 * Settings take a confirmed account.
 *
 * @param used false if the request uses none.
 * @throws AppError `unauthorized` or `bad_auth`.
 */
export function authorizeSettings(user: User | null, used: boolean): void {
  if (!used) return
  if (!user) throw unauthorized()
  if (!user.confirmed) throw accountNotConfirmed()
}

/**
 * How long a new document may last on the site and for programs such as curl. Without a confirmed account, that's the
 * default of the API. Null means that only the limit for all documents applies.
 */
export const getMaxExpiryDays = (
  user: Pick<User, 'confirmed'> | null,
  anonymousSettings: string,
): number | null => (user?.confirmed || anonymousSettings === 'allow' ? null : DEFAULT_EXPIRY_DAYS)
