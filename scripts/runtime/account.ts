import { generateApiKey } from '../../src/accounts/key-format.ts'
import { hashSecret } from '../../src/shared/hashing.ts'
import type { BenchDatabase } from './worker.ts'

/** Creates a confirmed account and returns its API key. The account's id is its username. */
export async function createAccount(database: BenchDatabase, username = 'bench'): Promise<string> {
  const key = generateApiKey()
  await database.batch([
    database
      .prepare(
        `INSERT INTO users (id, username, email, confirmed, created_at)
          VALUES (?1, ?1, ?1 || '@example.org', 1, 0)`,
      )
      .bind(username),
    database
      .prepare("INSERT INTO api_keys (key_hash, id, user_id, name, created_at) VALUES (?2, ?1, ?1, '', 0)")
      .bind(username, await hashSecret(key)),
  ])
  return key
}
