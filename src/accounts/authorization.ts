import { accountNotConfirmed, keyScopeTooSmall, unauthorized } from '../errors.ts'
import { DEFAULT_EXPIRY_DAYS } from '../shared/expiry.ts'
import { includesScope, type KeyScope } from './key-format.ts'
import type { User } from './user.ts'

export function authorizeKey(scope: KeyScope, needed: KeyScope): void {
  if (!includesScope(scope, needed)) throw keyScopeTooSmall(scope, needed)
}

/** @throws AppError `unauthorized` without an account, if `ANONYMOUS_DOCUMENTS` is `refuse`. */
export function authorizeCreate(user: User | null, anonymousDocuments: 'allow' | 'refuse'): void {
  if (!user && anonymousDocuments === 'refuse') throw unauthorized()
}

/** @throws AppError `unauthorized` or `bad_auth`: settings take a confirmed account. */
export function authorizeSettings(user: User | null, used: boolean): void {
  if (!used) return
  if (!user) throw unauthorized()
  if (!user.confirmed) throw accountNotConfirmed()
}

/** On the site and for programs such as curl. Null leaves the limit for all documents. */
export const getMaxExpiryDays = (
  user: Pick<User, 'confirmed'> | null,
  anonymousSettings: string,
): number | null => (user?.confirmed || anonymousSettings === 'allow' ? null : DEFAULT_EXPIRY_DAYS)
