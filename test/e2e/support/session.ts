import { randomUUID } from 'node:crypto'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { serializeSigned } from 'hono/utils/cookie'
import type { BrowserContextOptions } from 'playwright-core'
import { hashSecret } from '../../../src/accounts/hashing.ts'
import { AUTH_SECRET } from './secret-option.ts'

export { WITH_SECRET } from './secret-option.ts'

const COOKIE = 'regent.session_token'

/** Opens the local D1 database of a running service. A command of wrangler would take seconds. */
function openDatabase(folder: string): DatabaseSync {
  const [file] = globSync(join(folder, 'v3/d1/*/*.sqlite')).filter(
    (path) => !path.endsWith('metadata.sqlite'),
  )
  if (file === undefined) throw new Error(`no database in ${folder}`)
  return new DatabaseSync(file, { timeout: 10_000 })
}

/** Signs an account in, as following a link does, and returns the cookie that its browser gets. */
export async function sessionCookie(
  folder: string,
  username: string,
): Promise<{ name: string; value: string }> {
  const token = `session-${randomUUID()}`
  const now = Date.now()
  const database = openDatabase(folder)
  try {
    const { changes } = database
      .prepare(
        `INSERT INTO sessions (token_hash, id, user_id, created_at, expires_at)
          SELECT ?, ?, id, ?, ? FROM users WHERE username = ?`,
      )
      .run(await hashSecret(token), token, now, now + 3_600_000, username)
    if (changes !== 1) throw new Error(`no account ${username}`)
  } finally {
    database.close()
  }
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
