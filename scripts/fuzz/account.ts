import { randomBytes } from 'node:crypto'
import { serializeSigned } from 'hono/utils/cookie'
import { sessionCookieName } from '../../src/accounts/cookie-names.ts'
import { hashSecret } from '../../src/shared/hashing.ts'
import { DAY_MS } from '../../src/shared/instant.ts'
import { createAccount } from '../runtime/account.ts'
import type { BenchDatabase } from '../runtime/worker.ts'

/** Creates an account with an API key and a session, straight in the database. */
export async function createFuzzAccount(database: BenchDatabase, siteUrl: string, authSecret: string) {
  const username = `fuzz-${randomBytes(6).toString('hex')}`
  const key = await createAccount(database, username)
  const token = randomBytes(32).toString('base64url')
  await database
    .prepare(
      'INSERT INTO sessions (token_hash, id, user_id, created_at, expires_at) VALUES (?1, ?2, ?2, ?3, ?4)',
    )
    .bind(await hashSecret(token), username, Date.now(), Date.now() + DAY_MS)
    .run()
  const cookie = await serializeSigned(sessionCookieName(siteUrl), token, authSecret, { path: '/' })
  return { username, key, cookie: cookie.slice(0, cookie.indexOf(';')) }
}
