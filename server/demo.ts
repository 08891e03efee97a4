import { generateApiKey, generateKeyId } from '../src/accounts/key-format.ts'
import { generateUserId } from '../src/accounts/user.ts'
import { hashSecret } from '../src/shared/hashing.ts'

/** Creates the account "demo" unless there is one, and returns how to use the server with it. */
export async function prepareDemo(db: D1Database, url: string): Promise<string> {
  const key = generateApiKey()
  const now = Date.now()
  const [user] = await db.batch([
    db
      .prepare(
        `INSERT INTO users (id, username, email, confirmed, created_at)
          VALUES (?1, 'demo', 'demo@example.com', 1, ?2) ON CONFLICT DO NOTHING RETURNING id`,
      )
      .bind(generateUserId(), now),
    db
      .prepare(
        `INSERT INTO api_keys (key_hash, id, user_id, name, created_at, scope)
          SELECT ?1, ?2, id, 'first key', created_at, 'everything' FROM users u
          WHERE username = 'demo' AND NOT EXISTS (SELECT 1 FROM api_keys WHERE user_id = u.id)`,
      )
      .bind(await hashSecret(key), generateKeyId()),
  ])
  if (user?.results.length !== 1)
    return 'API key    was shown on the first start; for a new one: npm run admin -- user key demo --data DIR\n'
  return `API key    ${key}   (account "demo", shown only once)

curl -s ${url}/v1/document -H 'Content-Type: application/json' -H 'Authorization: ${key}' -d '{"content": "# Hello", "settings": {"language": "markdown"}}'
`
}
