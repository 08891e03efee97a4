import { env } from 'cloudflare:workers'
import { serializeSigned } from 'hono/utils/cookie'
import type { KeyScope } from '../../src/accounts/key-format.ts'
import { generateApiKey } from '../../src/accounts/key-format.ts'
import { sessionCookieName } from '../../src/http/cookies.ts'
import { Database } from '../../src/platform/database.ts'
import { hashSecret } from '../../src/shared/hashing.ts'
import { ORIGIN } from './client.ts'

export interface Account {
  readonly id: string
  readonly username: string
  readonly email: string
  readonly key: string
}

let made = 0

/** Creates an account with an API key. */
export async function account({
  username = `user-${++made}`,
  confirmed = true,
  flags = 1,
  scope = 'everything',
}: {
  username?: string
  confirmed?: boolean
  flags?: number
  /** Of the API key. */
  scope?: KeyScope
} = {}): Promise<Account> {
  const id = `account${++made}`
  const email = `${id}@example.org`
  const key = generateApiKey()
  await env.DB.batch([
    env.DB.prepare(
      'INSERT INTO users (id, username, email, confirmed, flags, created_at) VALUES (?1, ?2, ?3, ?4, ?5, 0)',
    ).bind(id, username, email, Number(confirmed), flags),
    // Counts as just used, so that using it writes nothing.
    env.DB.prepare(
      `INSERT INTO api_keys (key_hash, id, user_id, name, created_at, last_used_at, scope)
        VALUES (?1, ?2, ?2, 'test', 0, ?3, ?4)`,
    ).bind(await hashSecret(key), id, Date.now(), scope),
  ])
  return { id, username, email, key }
}

/** Writes as the Worker does, which then forgets what it has read. */
const write = (sql: string, id: string) => new Database(env.DB, 5_000).idempotentBatch([[sql, id]])

export async function suspend({ id }: Account): Promise<void> {
  await write('UPDATE users SET suspended_at = 1 WHERE id = ?1', id)
}

/**
 * Signs an account in and returns the headers that a browser sends with a form of this site. Another site can make
 * the browser send `Cookie` alone.
 */
export async function session({ id }: Account): Promise<{ Cookie: string; Origin: string }> {
  const token = `session-of-${id}-${++made}`
  await env.DB.prepare(
    'INSERT INTO sessions (token_hash, id, user_id, created_at, expires_at) VALUES (?1, ?2, ?3, ?4, ?5)',
  )
    .bind(await hashSecret(token), `session${made}`, id, Date.now(), Date.now() + 86_400_000)
    .run()
  const attributes = { path: '/', secure: true }
  const cookie = await serializeSigned(sessionCookieName(ORIGIN), token, env.AUTH_SECRET ?? '', attributes)
  return { Cookie: cookie.slice(0, cookie.indexOf(';')), Origin: ORIGIN }
}

export async function reinstate({ id }: Account): Promise<void> {
  await write('UPDATE users SET suspended_at = NULL WHERE id = ?1', id)
}
