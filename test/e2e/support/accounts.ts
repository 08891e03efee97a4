import { hashSecret } from '../../../src/accounts/hashing.ts'
import { generateApiKey, generateKeyId } from '../../../src/accounts/keys/key-format.ts'
import { ADMIN, generateUserId } from '../../../src/accounts/user.ts'
import { withDatabase } from './database.ts'

interface Account {
  readonly username: string
  readonly key: string
}

/** Adds an account with a key, or another key to the account that another test file has added. */
export async function addAccount(
  folder: string,
  username: string,
  { confirmed = true } = {},
): Promise<Account> {
  const key = generateApiKey()
  const keyHash = await hashSecret(key)
  const now = Date.now()
  withDatabase(folder, (database) => {
    database
      .prepare(
        `INSERT INTO users (id, username, email, confirmed, created_at) VALUES (?, ?, ?, ?, ?)
          ON CONFLICT DO NOTHING`,
      )
      .run(generateUserId(), username, `${username}@example.org`, Number(confirmed), now)
    database
      .prepare(
        `INSERT INTO api_keys (key_hash, id, user_id, name, created_at)
          SELECT ?, ?, id, 'key', ? FROM users WHERE username = ?`,
      )
      .run(keyHash, generateKeyId(), now, username)
  })
  return { username, key }
}

/** Makes an account an admin. */
export function makeAdmin(folder: string, username: string): void {
  withDatabase(folder, (database) =>
    database.prepare('UPDATE users SET flags = flags | ? WHERE username = ?').run(ADMIN, username),
  )
}
