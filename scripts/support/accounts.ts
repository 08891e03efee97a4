import {
  createInvitationStatement,
  generateInvitationToken,
} from '../../src/accounts/invitation-statements.ts'
import type { KeyScope } from '../../src/accounts/key-format.ts'
import { generateApiKey, generateKeyId } from '../../src/accounts/key-format.ts'
import {
  ADMIN_FLAG,
  finishDeletionStatement,
  generateUserId,
  isUsername,
  toLookalikeKey,
} from '../../src/accounts/user.ts'
import { hashSecret } from '../../src/shared/hashing.ts'
import { DAY_MS } from '../../src/shared/instant.ts'
import { auditSql } from '../admin/moderation.ts'
import { inlineParameters, type Row, SQL, type StorageClient } from './database.ts'
import { CommandError } from './wrangler.ts'

export interface NewKey {
  readonly username: string
  readonly key: string
  readonly key_id: string
}

interface GeneratedKey {
  readonly key: string
  readonly keyId: string
  readonly sql: string
}

export interface KeyOptions {
  readonly name: string
  readonly scope: KeyScope
  /** The days until the key expires; null if it never does. */
  readonly days: number | null
}

/** Returns a new key, and the statement that stores it if the account exists. */
async function generateKey(username: string, { name, scope, days }: KeyOptions): Promise<GeneratedKey> {
  const key = generateApiKey()
  const keyId = generateKeyId()
  const now = Date.now()
  const expiresAt = days === null ? null : Math.round(now + days * DAY_MS)
  const sql = SQL`INSERT INTO api_keys (key_hash, id, user_id, name, created_at, expires_at, scope)
    SELECT ${await hashSecret(key)}, ${keyId}, id, ${name}, ${now}, ${expiresAt}, ${scope}
    FROM users WHERE username = ${username} RETURNING id;`
  return { key, keyId, sql }
}

const accountExists = (username: string) => SQL`EXISTS (SELECT 1 FROM users WHERE username = ${username})`

const noAccount = (username: string) => new CommandError(`No account has this username: ${username}`)

/** Explains why the database refused a username: it's taken, or looks too much like an existing one. */
async function explainTakenUsername(
  storage: StorageClient,
  username: string,
  reserved: boolean,
): Promise<CommandError> {
  const [same] = await storage.execute(SQL`SELECT id FROM users WHERE username = ${username}`)
  if (same?.length) return new CommandError(`That username is taken: ${username}`)
  if (reserved)
    return new CommandError(`That username is reserved, because an account had it lately: ${username}`)
  return new CommandError(`That username looks too much like an existing one: ${username}`)
}

interface NewUser {
  readonly username: string
  readonly email: string
  readonly confirmed: boolean
  /** Is true if the account may moderate documents. */
  readonly admin?: boolean
}

/** Creates an account and its first key. Throws a CommandError if the username or the email address is taken. */
export async function addUser(
  storage: StorageClient,
  { username, email, confirmed, admin = false }: NewUser,
): Promise<NewKey> {
  if (!isUsername(username)) {
    throw new CommandError('A username has 3 to 30 characters: letters, digits, "_" and "-".')
  }
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new CommandError(`Not a valid email address: ${email}`)
  const { key, keyId, sql } = await generateKey(username, {
    name: 'first key',
    scope: 'everything',
    days: null,
  })
  // The operator may give the name of a deleted account to somebody else.
  const free = SQL`DELETE FROM former_usernames
    WHERE look = ${toLookalikeKey(username)} AND user_id NOT IN (SELECT id FROM users);`
  const user = SQL`INSERT INTO users (id, username, email, confirmed, created_at)
    VALUES (${generateUserId()}, ${username}, ${email}, ${Number(confirmed)}, ${Date.now()});`
  const flags = admin ? SQL`UPDATE users SET flags = flags | ${ADMIN_FLAG} WHERE username = ${username};` : ''
  try {
    await storage.execute(
      free + user + flags + sql + auditSql({ action: 'account.create', subject: username }),
    )
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    if (/users\.username|users_by_look/.test(error.message))
      throw await explainTakenUsername(storage, username, error.message.includes('(reserved)'))
    if (error.message.includes('users.email'))
      throw new CommandError(`Another account has this email address: ${email}`)
    throw error
  }
  return { username, key, key_id: keyId }
}

/** Stores an invitation of the operator. Returns its token, for the link. */
export async function addInvitation(
  storage: StorageClient,
  recipient: string,
): Promise<{ readonly id: string; readonly token: string }> {
  const token = generateInvitationToken()
  const id = generateKeyId()
  const invitation = { id, tokenHash: await hashSecret(token), recipient, now: Date.now() }
  await storage.execute(
    `${inlineParameters(createInvitationStatement(invitation, null))}
    ${auditSql({ action: 'invitation.create', subject: id, detail: recipient })}`,
  )
  return { id, token }
}

/** Creates another key for an account. */
export async function addKey(storage: StorageClient, username: string, options: KeyOptions): Promise<NewKey> {
  const { key, keyId, sql } = await generateKey(username, options)
  const audit = auditSql(
    { action: 'key.create', subject: `${keyId} of ${username}` },
    accountExists(username),
  )
  const [inserted] = await storage.execute(sql + audit)
  if (!inserted?.length) throw noAccount(username)
  return { username, key, key_id: keyId }
}

/** Lets an account at a provider of OpenID Connect sign in. Throws a CommandError if one of the two is connected already. */
export async function linkUser(
  storage: StorageClient,
  username: string,
  { issuer, subject }: { readonly issuer: string; readonly subject: string },
): Promise<void> {
  const taken = SQL`SELECT u.username FROM linked_accounts l JOIN users u ON u.id = l.user_id
    WHERE l.provider_id = ${issuer} AND (l.account_id = ${subject} OR u.username = ${username});`
  const audit = auditSql(
    { action: 'account.link', subject: username },
    SQL`EXISTS (SELECT 1 FROM users WHERE username = ${username}) AND NOT EXISTS (
      SELECT 1 FROM linked_accounts l JOIN users u ON u.id = l.user_id
        WHERE l.provider_id = ${issuer} AND (l.account_id = ${subject} OR u.username = ${username}))`,
  )
  const insert = SQL`INSERT INTO linked_accounts (id, user_id, provider_id, account_id, created_at)
    SELECT ${generateUserId()}, id, ${issuer}, ${subject}, ${Date.now()} FROM users
      WHERE username = ${username} AND NOT EXISTS (
        SELECT 1 FROM linked_accounts
          WHERE provider_id = ${issuer} AND (account_id = ${subject} OR user_id = users.id))
    RETURNING id;`
  const [connected, , inserted] = await storage.execute(taken + audit + insert)
  if (inserted?.length) return
  const [other] = connected ?? []
  if (other === undefined) throw noAccount(username)
  throw new CommandError(`An account at this provider is already connected to ${other.username}.`)
}

/** Revokes a key, effective immediately. */
export async function revokeKey(storage: StorageClient, keyId: string): Promise<void> {
  const exists = SQL`EXISTS (SELECT 1 FROM api_keys WHERE id = ${keyId})`
  const audit = auditSql({ action: 'key.revoke', subject: keyId }, exists)
  const [, deleted] = await storage.execute(
    audit + SQL`DELETE FROM api_keys WHERE id = ${keyId} RETURNING id`,
  )
  if (!deleted?.length) throw new CommandError(`No API key has this id: ${keyId}`)
}

/** Suspends an account: disables its keys and ends its sessions. */
export async function suspendUser(storage: StorageClient, username: string): Promise<void> {
  const sql = SQL`UPDATE users SET suspended_at = coalesce(suspended_at, ${Date.now()})
      WHERE username = ${username} RETURNING id;
    DELETE FROM sessions WHERE user_id = (SELECT id FROM users WHERE username = ${username});`
  const audit = auditSql({ action: 'account.suspend', subject: username }, accountExists(username))
  const [updated] = await storage.execute(sql + audit)
  if (!updated?.length) throw noAccount(username)
}

/** Lifts a suspension: the account's keys work again. */
export async function restoreUser(storage: StorageClient, username: string): Promise<void> {
  const sql = SQL`UPDATE users SET suspended_at = NULL WHERE username = ${username} RETURNING id;`
  const audit = auditSql({ action: 'account.restore', subject: username }, accountExists(username))
  const [updated] = await storage.execute(sql + audit)
  if (!updated?.length) throw noAccount(username)
}

/** Allows an account to moderate documents, or stops allowing it. */
export async function setAdmin(storage: StorageClient, username: string, admin: boolean): Promise<void> {
  const sql = SQL`UPDATE users SET flags = (flags & ~${ADMIN_FLAG}) | ${admin ? ADMIN_FLAG : 0}
    WHERE username = ${username} RETURNING id;`
  const entry = {
    action: 'account.admin',
    subject: username,
    detail: admin ? 'admin' : 'no longer admin',
  } as const
  const [updated] = await storage.execute(sql + auditSql(entry, accountExists(username)))
  if (!updated?.length) throw noAccount(username)
}

interface DeletedUser {
  readonly username: string
  /** Number of documents that were deleted, or kept without a creator. */
  readonly documents: number
  readonly keys: number
}

/** How many documents a transaction deletes. A local server can't write meanwhile. */
const DOCUMENTS_PER_STEP = 5_000

/**
 * Deletes an account with its keys, sessions and linked accounts. The next cleanup deletes the content of its
 * documents.
 */
export async function deleteUser(
  storage: StorageClient,
  username: string,
  { keepDocuments }: { keepDocuments: boolean },
): Promise<DeletedUser> {
  const own = SQL`id IN (SELECT id FROM documents
    WHERE creator_id = (SELECT id FROM users WHERE username = ${username}) LIMIT ${DOCUMENTS_PER_STEP})`
  // Without its creator, a document looks different, so it needs a new version.
  const documents = keepDocuments
    ? `UPDATE documents SET creator_id = NULL, version = hex(randomblob(6)) WHERE ${own};`
    : `DELETE FROM documents WHERE ${own};`
  // Setting "leaving" stops the account from creating anything. If this is interrupted, the scheduled job
  // finishes it. The job also waits for gists that only the account's token can delete.
  const sql = SQL`SELECT username,
      (SELECT count(*) FROM documents WHERE creator_id = users.id) AS documents,
      (SELECT count(*) FROM api_keys WHERE user_id = users.id) AS keys
      FROM users WHERE username = ${username};
    UPDATE users SET leaving = ${keepDocuments ? 'keep' : 'delete'} WHERE username = ${username};
    DELETE FROM sessions WHERE user_id = (SELECT id FROM users WHERE username = ${username});
    DELETE FROM api_keys WHERE user_id = (SELECT id FROM users WHERE username = ${username});`
  const account = finishDeletionStatement(SQL`(SELECT id FROM users WHERE username = ${username})`)
  const detail = keepDocuments ? 'kept its documents' : 'deleted its documents'
  const audit = auditSql({ action: 'account.delete', subject: username, detail }, accountExists(username))
  const [found] = await storage.execute(`${sql + audit + documents + account};`)
  const row = found?.[0]
  if (!row) throw noAccount(username)
  for (let left = Number(row.documents); left > DOCUMENTS_PER_STEP; left -= DOCUMENTS_PER_STEP)
    await storage.execute(`${documents + account};`)
  return { username: String(row.username), documents: Number(row.documents), keys: Number(row.keys) }
}

/** A key as `listUsers` lists it. Times are milliseconds since 1970. */
export interface ListedKey {
  readonly key_id: string
  readonly name: string
  readonly scope: KeyScope
  /** When the key expires; null if it never does. */
  readonly expires_at: number | null
}

/** Lists all accounts, oldest first, with the ids and names of their keys. Records the look. */
export async function listUsers(storage: StorageClient): Promise<Row[]> {
  const [users] = await storage.execute(
    SQL`SELECT u.username, u.email, u.confirmed, u.suspended_at IS NOT NULL AS suspended, u.documents_made,
        (u.flags & ${ADMIN_FLAG}) <> 0 AS admin,
        (SELECT json_group_array(json_object('key_id', id, 'name', name, 'scope', scope, 'expires_at', expires_at) ORDER BY created_at)
          FROM api_keys WHERE user_id = u.id) AS keys
      FROM users u ORDER BY u.created_at;` + auditSql({ action: 'accounts.list', detail: 'user list' }),
  )
  return users ?? []
}
