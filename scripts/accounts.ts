import { drawApiKey, drawKeyId } from '../src/accounts/api-keys.ts'
import { hashSecret } from '../src/accounts/hashing.ts'
import { drawUserId, isUsername } from '../src/accounts/user.ts'
import { execute, type Row, SQL, type Target } from './database.ts'
import { CommandError } from './wrangler.ts'

export interface NewKey {
  readonly username: string
  readonly key: string
  readonly key_id: string
}

interface KeyStatement {
  readonly key: string
  readonly keyId: string
  readonly sql: string
}

/** Inserts a key for whoever has this username; for nobody, nothing. */
async function keyStatement(username: string, name: string): Promise<KeyStatement> {
  const key = drawApiKey()
  const keyId = drawKeyId()
  const sql = SQL`INSERT INTO api_keys (key_hash, id, user_id, name, created_at)
    SELECT ${await hashSecret(key)}, ${keyId}, id, ${name}, ${Date.now()}
    FROM users WHERE username = ${username} RETURNING id;`
  return { key, keyId, sql }
}

/** Makes an account and its first key. Throws a CommandError when the name or the e-mail is taken. */
export async function addUser(
  target: Target,
  { username, email, confirmed }: { username: string; email: string; confirmed: boolean },
): Promise<NewKey> {
  if (!isUsername(username)) {
    throw new CommandError('A username is 3 to 30 letters, digits, "_" and "-".')
  }
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new CommandError(`This is no e-mail address: ${email}`)
  const { key, keyId, sql } = await keyStatement(username, 'first key')
  const user = SQL`INSERT INTO users (id, username, email, confirmed, created_at)
    VALUES (${drawUserId()}, ${username}, ${email}, ${Number(confirmed)}, ${Date.now()});`
  try {
    await execute(target, user + sql)
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    if (error.message.includes('users.username')) throw new CommandError(`The username is taken: ${username}`)
    if (error.message.includes('users.email')) throw new CommandError(`The e-mail address is taken: ${email}`)
    throw error
  }
  return { username, key, key_id: keyId }
}

/** Makes a further key. */
export async function addKey(target: Target, username: string, name: string): Promise<NewKey> {
  const { key, keyId, sql } = await keyStatement(username, name)
  const [inserted] = await execute(target, sql)
  if (!inserted?.length) throw new CommandError(`There is no account with this username: ${username}`)
  return { username, key, key_id: keyId }
}

/** Takes a key away: from now on it is as if it had never been. */
export async function revokeKey(target: Target, keyId: string): Promise<void> {
  const [deleted] = await execute(target, SQL`DELETE FROM api_keys WHERE id = ${keyId} RETURNING id`)
  if (!deleted?.length) throw new CommandError(`There is no key with this id: ${keyId}`)
}

/** Stops an account: none of its keys is valid any more. */
export async function suspendUser(target: Target, username: string): Promise<void> {
  const sql = SQL`UPDATE users SET suspended_at = coalesce(suspended_at, ${Date.now()})
    WHERE username = ${username} RETURNING id`
  const [updated] = await execute(target, sql)
  if (!updated?.length) throw new CommandError(`There is no account with this username: ${username}`)
}

/** Every account with its keys, the oldest first; the keys themselves are known to nobody. */
export async function listUsers(target: Target): Promise<Row[]> {
  const [users] = await execute(
    target,
    `SELECT u.username, u.email, u.confirmed, u.suspended_at IS NOT NULL AS suspended, u.documents_made,
        (SELECT json_group_array(json_object('key_id', id, 'name', name) ORDER BY created_at)
          FROM api_keys WHERE user_id = u.id) AS keys
      FROM users u ORDER BY u.created_at`,
  )
  return users ?? []
}
