import { accountNotConfirmed, unauthorized } from '../errors.ts'
import type { User } from './user.ts'

/**
 * Checks that a user may create documents. Anyone without an account may too, unless `ANONYMOUS_DOCUMENTS` is `refuse`.
 *
 * @throws AppError `unauthorized`.
 */
export function authorizeCreate(user: User | null, anonymousDocuments: 'allow' | 'refuse'): void {
  if (!user && anonymousDocuments === 'refuse') throw unauthorized()
}

/**
 * Checks that a user may use document settings: that takes a confirmed account.
 *
 * @param used false if the request uses no settings, which everyone may do.
 * @throws AppError `unauthorized` or `bad_auth`.
 */
export function authorizeSettings(user: User | null, used: boolean): void {
  if (!used) return
  if (!user) throw unauthorized()
  if (!user.confirmed) throw accountNotConfirmed()
}
