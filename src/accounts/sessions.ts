import type { Database } from '../platform/database.ts'
import { isLoopback } from '../platform/loopback.ts'
import { hashSecret } from './hashing.ts'

/** How long a session lasts: sign-in is by mail, which nobody wants to go through often. */
export const SESSION_LIFETIME_SECONDS = 30 * 24 * 60 * 60

/**
 * What names of cookies begin with. `__Host-` lets no other host, and no page without TLS, set one
 * (RFC 6265bis §4.1.3.2).
 */
export const cookiePrefix = (siteUrl: string): string => (isLoopback(siteUrl) ? 'regent' : '__Host-regent')

export const sessionCookieName = (siteUrl: string): string => `${cookiePrefix(siteUrl)}.session_token`

/** Ends one session; one that is over already is no error. */
export async function endSession(db: Database, token: string): Promise<void> {
  await db.idempotentBatch([['DELETE FROM sessions WHERE token_hash = ?1', await hashSecret(token)]])
}

/** Ends every session of an account. */
export async function endSessions(db: Database, userId: string): Promise<void> {
  await db.idempotentBatch([['DELETE FROM sessions WHERE user_id = ?1', userId]])
}
