import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createLogHasher, isLogHash, type LoggedKind } from '../../src/platform/log-hash.ts'
import type { Target } from '../support/bindings.ts'
import { COMMON_HELP, type CommandContext, parseOneCommand } from '../support/command.ts'
import { DEFAULT_FOLDER } from '../support/data-folder.ts'
import { SQL, type StorageClient } from '../support/database.ts'
import { CommandError } from '../support/wrangler.ts'
import { auditSql } from './moderation.ts'

const HELP = `Finds the document or the account that a line of the log is about.

Usage: npm run admin -- find HASH [options]

The line has a request id, which people see in the header X-Request-Id, and "document" and "account": hashes with a key
from AUTH_SECRET. This compares a hash with every id in the database. With --remote, put the server's AUTH_SECRET into
the environment variable of that name: nobody can read it from Cloudflare.

Options:

${COMMON_HELP}`

const IDS_PER_PAGE = 10_000

/** Each with the ids of removed and deleted documents, as far as anything remembers them. */
const SOURCES: readonly { readonly kind: LoggedKind; readonly table: string; readonly column: string }[] = [
  { kind: 'account', table: 'users', column: 'id' },
  { kind: 'document', table: 'documents', column: 'id' },
  { kind: 'document', table: 'removals', column: 'document_id' },
]

interface FoundId {
  readonly kind: LoggedKind
  readonly id: string
  /** The username, if the id is an account's. */
  readonly username: string | null
}

/** Reads all ids, page by page, until one has the hash. Records the look. */
async function findByHash(storage: StorageClient, hash: string, secret: string): Promise<FoundId | null> {
  const hashId = await createLogHasher(secret)
  for (const { kind, table, column } of SOURCES) {
    let ids: string[] = []
    for (let after = ''; after === '' || ids.length === IDS_PER_PAGE; after = ids.at(-1) ?? '') {
      const [rows = []] = await storage.execute(
        `SELECT ${column} AS id FROM ${table} WHERE ${column} > ${SQL`${after}`} ORDER BY ${column} LIMIT ${IDS_PER_PAGE};`,
      )
      ids = rows.map(({ id }) => String(id))
      if (ids.length === 0) break
      const hashes = await Promise.all(ids.map((id) => hashId(kind, id)))
      const id = ids[hashes.indexOf(hash)]
      if (id === undefined) continue
      const [users = []] = await storage.execute(
        `${SQL`SELECT username FROM users WHERE id = ${id};`} ${auditSql({ action: 'hash.find', subject: id, detail: hash })}`,
      )
      return { kind, id, username: kind === 'account' ? String(users[0]?.username) : null }
    }
  }
  return null
}

/** A local service keeps its secret in its folder, and so does a server on one machine. */
async function readAuthSecret({ remote, persistTo, data }: Target): Promise<string> {
  const { AUTH_SECRET, AUTH_SECRET_FILE } = process.env
  if (AUTH_SECRET) return AUTH_SECRET
  const file = AUTH_SECRET_FILE || join(data ?? resolve(persistTo ?? DEFAULT_FOLDER), 'auth-secret')
  const stored = remote ? null : await readFile(file, 'utf8').catch(() => null)
  if (stored !== null) return stored.trim()
  throw new CommandError('Put the AUTH_SECRET of the server into the environment variable of that name.')
}

export async function findCommand(args: readonly string[], context?: CommandContext): Promise<void> {
  const command = parseOneCommand(HELP, args, context)
  if (command === null) return
  const { operand: hash, target, storage, print } = command
  if (hash === undefined || !isLogHash(hash)) {
    throw new CommandError(
      '"find" takes one hash of 16 characters, as in "document" or "account" of the log.',
    )
  }
  const found = await findByHash(storage, hash, await readAuthSecret(target))
  if (!found) throw new CommandError(`No document and no account has this hash: ${hash}. It may be deleted.`)
  const { kind, id, username } = found
  print(found, username === null ? `${kind} ${id}` : `${kind} ${username} (${id})`)
}
