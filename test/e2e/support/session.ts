import { randomUUID } from 'node:crypto'
import { serializeSigned } from 'hono/utils/cookie'
import type { BrowserContextOptions } from 'playwright-core'
import { hashSecret } from '../../../src/accounts/hashing.ts'
import { withDatabase } from './database.ts'
import { AUTH_SECRET } from './secret-option.ts'

export { WITH_SECRET } from './secret-option.ts'

const COOKIE = 'regent.session_token'

/** Signs an account in, as following a link does, and returns the cookie that its browser gets. */
export async function sessionCookie(
  folder: string,
  username: string,
): Promise<{ name: string; value: string }> {
  const token = `session-${randomUUID()}`
  const tokenHash = await hashSecret(token)
  const now = Date.now()
  const { changes } = withDatabase(folder, (database) =>
    database
      .prepare(
        `INSERT INTO sessions (token_hash, id, user_id, created_at, expires_at)
          SELECT ?, ?, id, ?, ? FROM users WHERE username = ?`,
      )
      .run(tokenHash, token, now, now + 3_600_000, username),
  )
  if (changes !== 1) throw new Error(`no account ${username}`)
  const cookie = await serializeSigned(COOKIE, token, AUTH_SECRET, { path: '/' })
  return { name: COOKIE, value: cookie.slice(COOKIE.length + 1, cookie.indexOf(';')) }
}

/** Signs an account in and returns the browser that holds its session. */
export async function signIn(folder: string, username: string): Promise<BrowserContextOptions> {
  const place = { domain: '127.0.0.1', path: '/', expires: -1, secure: false } as const
  const cookie = await sessionCookie(folder, username)
  const kept = { ...cookie, ...place, httpOnly: true, sameSite: 'Lax' as const }
  return { storageState: { cookies: [kept], origins: [] } }
}
