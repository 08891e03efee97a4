import { serializeSigned } from 'hono/utils/cookie'
import type { BrowserContextOptions } from 'playwright-core'
import { execute, SQL } from '../../../scripts/database.ts'
import { hashSecret } from '../../../src/accounts/hashing.ts'

const COOKIE = 'regent.session_token'

const AUTH_SECRET = 'a secret of the browser tests, long enough for them'

/** Lets a service know the secret that `signIn` signs with. */
export const WITH_SECRET = ['--var', `AUTH_SECRET:${AUTH_SECRET}`]

let signedIn = 0

/** Signs an account in, as following a link does, and returns the cookie that its browser gets. */
export async function sessionCookie(
  folder: string,
  username: string,
): Promise<{ name: string; value: string }> {
  const token = `session-${++signedIn}-of-${username}`
  const now = Date.now()
  await execute(
    { remote: false, persistTo: folder },
    SQL`INSERT INTO sessions (token_hash, id, user_id, created_at, expires_at)
      SELECT ${await hashSecret(token)}, ${token}, id, ${now}, ${now + 3_600_000}
      FROM users WHERE username = ${username}`,
  )
  const cookie = await serializeSigned(COOKIE, token, AUTH_SECRET, { path: '/' })
  return { name: COOKIE, value: cookie.slice(COOKIE.length + 1, cookie.indexOf(';')) }
}

/** The same, as the browser that the account is signed in with. */
export async function signIn(folder: string, username: string): Promise<BrowserContextOptions> {
  const place = { domain: '127.0.0.1', path: '/', expires: -1, secure: false } as const
  const cookie = await sessionCookie(folder, username)
  const kept = { ...cookie, ...place, httpOnly: true, sameSite: 'Lax' as const }
  return { storageState: { cookies: [kept], origins: [] } }
}
