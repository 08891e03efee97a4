import { SQL } from '../../../scripts/support/database.ts'
import type { Bindings } from '../../../scripts/support/storage.ts'
import { generateApiKey, generateKeyId } from '../../../src/accounts/key-format.ts'
import { ADMIN_FLAG, generateUserId } from '../../../src/accounts/user.ts'
import { hashSecret } from '../../../src/shared/hashing.ts'
import { queryDatabase } from './database.ts'

interface Account {
  readonly username: string
  readonly key: string
}

/** Adds an account with a key, or another key to the account that another test file has added. */
export async function addAccount(
  env: Bindings,
  username: string,
  { confirmed = true } = {},
): Promise<Account> {
  const key = generateApiKey()
  const keyHash = await hashSecret(key)
  const now = Date.now()
  await queryDatabase(
    env,
    SQL`INSERT INTO users (id, username, email, confirmed, created_at)
      VALUES (${generateUserId()}, ${username}, ${`${username}@example.org`}, ${Number(confirmed)}, ${now})
      ON CONFLICT DO NOTHING`,
  )
  await queryDatabase(
    env,
    SQL`INSERT INTO api_keys (key_hash, id, user_id, name, created_at)
      SELECT ${keyHash}, ${generateKeyId()}, id, 'key', ${now} FROM users WHERE username = ${username}`,
  )
  return { username, key }
}

/** Makes an account an admin. */
export async function makeAdmin(env: Bindings, username: string): Promise<void> {
  await queryDatabase(env, SQL`UPDATE users SET flags = flags | ${ADMIN_FLAG} WHERE username = ${username}`)
}
