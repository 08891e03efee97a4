import { accountNotConfirmed, unauthorized } from '../errors.ts'
import type { User } from './user.ts'

/** Refuses settings of documents for those who may not use them. Throws `unauthorized` or `bad_auth`. */
export function authorizeSettings(user: User | null, used: boolean): void {
  if (!used) return
  if (!user) throw unauthorized()
  if (!user.confirmed) throw accountNotConfirmed()
}
