import { drawApiKey } from '../src/accounts/api-keys.ts'
import { hashSecret } from '../src/accounts/hashing.ts'
import type { Sql } from './worker.ts'

/** Makes a confirmed account, and returns its key. */
export async function addAccount(database: Sql): Promise<string> {
  const key = drawApiKey()
  await database.batch([
    database.prepare(
      "INSERT INTO users (id, username, email, confirmed, created_at) VALUES ('bench', 'bench', 'bench@example.org', 1, 0)",
    ),
    database
      .prepare(
        "INSERT INTO api_keys (key_hash, id, user_id, name, created_at) VALUES (?1, 'bench', 'bench', '', 0)",
      )
      .bind(await hashSecret(key)),
  ])
  return key
}
