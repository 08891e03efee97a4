import { countEmail, countOwnEmail } from '../../accounts/sign-in/email-limits.ts'
import type { AppContext } from '../../env.ts'
import { getNetwork } from '../../http/limits/rate-limits.ts'
import { findKnownBrowser } from './known-browser.ts'

/**
 * Counts an email that this request asks for, before it's sent.
 *
 * @param to the address. If this browser has signed in with it before, what strangers request doesn't count.
 * @throws AppError `rate_limited`.
 */
export async function countRequestedEmail(c: AppContext, to: string): Promise<void> {
  const { config, now, store } = c.var
  const secret = config.authSecret ?? ''
  const browserId = await findKnownBrowser(c, secret, to)
  if (browserId !== null) return countOwnEmail(store.db, `browser ${browserId}`, now)
  const network = config.rateLimits ? getNetwork(c) : null
  return countEmail(store.db, { to, network, secret, now })
}
