import { randomUUID } from 'node:crypto'
import { serializeSigned } from 'hono/utils/cookie'
import type { BrowserContextOptions } from 'playwright-core'
import { SQL } from '../../../scripts/support/database.ts'
import type { Bindings } from '../../../scripts/support/storage.ts'
import { hashSecret } from '../../../src/shared/hashing.ts'
import { queryDatabase } from './database.ts'

/** Signs the sessions that `signIn` makes. */
export const AUTH_SECRET = 'a secret of the browser tests, long enough for them'

const COOKIE = 'regent.session_token'

/** Signs an account in and returns its session cookie. */
export async function sessionCookie(
  env: Bindings,
  username: string,
): Promise<{ name: string; value: string }> {
  const token = `session-${randomUUID()}`
  const tokenHash = await hashSecret(token)
  const now = Date.now()
  const inserted = await queryDatabase(
    env,
    SQL`INSERT INTO sessions (token_hash, id, user_id, created_at, expires_at)
      SELECT ${tokenHash}, ${token}, id, ${now}, ${now + 3_600_000} FROM users WHERE username = ${username}
      RETURNING id`,
  )
  if (inserted.length !== 1) throw new Error(`no account ${username}`)
  const cookie = await serializeSigned(COOKIE, token, AUTH_SECRET, { path: '/' })
  return { name: COOKIE, value: cookie.slice(COOKIE.length + 1, cookie.indexOf(';')) }
}

/** Signs an account in and returns the browser that holds its session. */
export async function signIn(env: Bindings, username: string): Promise<BrowserContextOptions> {
  const place = { domain: '127.0.0.1', path: '/', expires: -1, secure: false } as const
  const cookie = await sessionCookie(env, username)
  const kept = { ...cookie, ...place, httpOnly: true, sameSite: 'Lax' as const }
  return { storageState: { cookies: [kept], origins: [] } }
}

/** Returns the cookies of a signed-in browser profile. */
export const getCookies = ({ storageState }: BrowserContextOptions) =>
  typeof storageState === 'object' ? storageState.cookies : []
