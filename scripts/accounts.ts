import { finishStatement } from '../src/accounts/deletion/finish-statement.ts'
import { hashSecret } from '../src/accounts/hashing.ts'
import { generateApiKey, generateKeyId } from '../src/accounts/keys/key-format.ts'
import { ADMIN, generateUserId, isUsername } from '../src/accounts/user.ts'
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
  const key = generateApiKey()
  const keyId = generateKeyId()
  const sql = SQL`INSERT INTO api_keys (key_hash, id, user_id, name, created_at)
    SELECT ${await hashSecret(key)}, ${keyId}, id, ${name}, ${Date.now()}
    FROM users WHERE username = ${username} RETURNING id;`
  return { key, keyId, sql }
}

const noAccount = (username: string) =>
  new CommandError(`There is no account with this username: ${username}`)

/** Somebody has the name itself, or one that people would take it for. */
async function usernameRefused(target: Target, username: string): Promise<CommandError> {
  const [same] = await execute(target, SQL`SELECT id FROM users WHERE username = ${username}`)
  if (same?.length) return new CommandError(`The username is taken: ${username}`)
  return new CommandError(`The username looks like one that is taken: ${username}`)
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
    VALUES (${generateUserId()}, ${username}, ${email}, ${Number(confirmed)}, ${Date.now()});`
  try {
    await execute(target, user + sql)
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    if (/users\.username|users_by_look/.test(error.message)) throw await usernameRefused(target, username)
    if (error.message.includes('users.email')) throw new CommandError(`The e-mail address is taken: ${email}`)
    throw error
  }
  return { username, key, key_id: keyId }
}

/** Makes a further key. */
export async function addKey(target: Target, username: string, name: string): Promise<NewKey> {
  const { key, keyId, sql } = await keyStatement(username, name)
  const [inserted] = await execute(target, sql)
  if (!inserted?.length) throw noAccount(username)
  return { username, key, key_id: keyId }
}

/** Takes a key away: from now on it is as if it had never been. */
export async function revokeKey(target: Target, keyId: string): Promise<void> {
  const [deleted] = await execute(target, SQL`DELETE FROM api_keys WHERE id = ${keyId} RETURNING id`)
  if (!deleted?.length) throw new CommandError(`There is no key with this id: ${keyId}`)
}

/** Stops an account: none of its keys is valid any more, and its sessions are over. */
export async function suspendUser(target: Target, username: string): Promise<void> {
  const sql = SQL`UPDATE users SET suspended_at = coalesce(suspended_at, ${Date.now()})
      WHERE username = ${username} RETURNING id;
    DELETE FROM sessions WHERE user_id = (SELECT id FROM users WHERE username = ${username});`
  const [updated] = await execute(target, sql)
  if (!updated?.length) throw noAccount(username)
}

/** Ends a suspension: the account's keys are valid again. */
export async function restoreUser(target: Target, username: string): Promise<void> {
  const sql = SQL`UPDATE users SET suspended_at = NULL WHERE username = ${username} RETURNING id`
  const [updated] = await execute(target, sql)
  if (!updated?.length) throw noAccount(username)
}

/** Says whether an account may remove what others made. */
export async function setAdmin(target: Target, username: string, admin: boolean): Promise<void> {
  const sql = SQL`UPDATE users SET flags = (flags & ~${ADMIN}) | ${admin ? ADMIN : 0}
    WHERE username = ${username} RETURNING id`
  const [updated] = await execute(target, sql)
  if (!updated?.length) throw noAccount(username)
}

interface DeletedUser {
  readonly username: string
  /** How many documents were deleted, or are kept without a creator. */
  readonly documents: number
  readonly keys: number
}

/**
 * Deletes an account with its keys, its sessions and what it was linked to. What its documents leave in KV
 * goes with the next cleanup.
 */
export async function deleteUser(
  target: Target,
  username: string,
  { keepDocuments }: { keepDocuments: boolean },
): Promise<DeletedUser> {
  const own = SQL`creator_id = (SELECT id FROM users WHERE username = ${username})`
  // What shows the creator is another version without one.
  const documents = keepDocuments
    ? `UPDATE documents SET creator_id = NULL, version = hex(randomblob(6)) WHERE ${own};`
    : `DELETE FROM documents WHERE ${own};`
  // Leaving, it makes nothing new meanwhile; what is cut off half-way the scheduled trigger ends, which also
  // waits for gists that only the account's token can delete.
  const sql = SQL`SELECT username,
      (SELECT count(*) FROM documents WHERE creator_id = users.id) AS documents,
      (SELECT count(*) FROM api_keys WHERE user_id = users.id) AS keys
      FROM users WHERE username = ${username};
    UPDATE users SET leaving = ${keepDocuments ? 'keep' : 'delete'} WHERE username = ${username};
    DELETE FROM sessions WHERE user_id = (SELECT id FROM users WHERE username = ${username});
    DELETE FROM api_keys WHERE user_id = (SELECT id FROM users WHERE username = ${username});`
  const account = finishStatement(SQL`(SELECT id FROM users WHERE username = ${username})`)
  const [found] = await execute(target, sql + documents + account)
  const row = found?.[0]
  if (!row) throw noAccount(username)
  return { username: String(row.username), documents: Number(row.documents), keys: Number(row.keys) }
}

/** Every account with its keys, the oldest first; the keys themselves are known to nobody. */
export async function listUsers(target: Target): Promise<Row[]> {
  const [users] = await execute(
    target,
    SQL`SELECT u.username, u.email, u.confirmed, u.suspended_at IS NOT NULL AS suspended, u.documents_made,
        (u.flags & ${ADMIN}) <> 0 AS admin,
        (SELECT json_group_array(json_object('key_id', id, 'name', name) ORDER BY created_at)
          FROM api_keys WHERE user_id = u.id) AS keys
      FROM users u ORDER BY u.created_at`,
  )
  return users ?? []
}
