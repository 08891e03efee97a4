import { createHash } from 'node:crypto'
import { hostname, userInfo } from 'node:os'
import { addBlockStatements, BLOCK_FORMATS, parseBlockRule } from '../../src/moderation/block-statements.ts'
import {
  DOCUMENTS_PER_STEP,
  findTargetsStatement,
  MAX_REASON_CHARACTERS,
  type RemovalTarget,
  removalStatements,
  removeAllStatements,
} from '../../src/moderation/removal-statements.ts'
import { type AuditAction, auditStatement } from '../../src/platform/audit-log.ts'
import { SETTINGS, STORED_FLAGS } from '../../src/shared/settings.ts'
import { inlineParameters, type Row, SQL, type StorageClient } from '../support/database.ts'
import { CommandError } from '../support/wrangler.ts'

/** Returns who runs the command, for the audit log. Only as trustworthy as this computer. */
export const getCommandActor = (): string => `cli:${userInfo().username}@${hostname()}`

interface CommandEntry {
  readonly action: AuditAction
  readonly subject?: string
  readonly detail?: string
}

/**
 * Returns the SQL that records an action of the command line. It goes into the same transaction, before the action.
 *
 * @param condition an SQL condition, for actions that may turn out to change nothing.
 */
export const auditSql = (entry: CommandEntry, condition?: string): string =>
  inlineParameters(auditStatement({ ...entry, actor: getCommandActor(), now: Date.now() }, condition))

/** Returns the reason in `--reason`. Throws a CommandError if it's missing or too long. */
export function parseReason(command: string, text: string | undefined): string {
  const reason = text?.trim() ?? ''
  if (reason === '') throw new CommandError(`"${command}" needs --reason TEXT.`)
  if ([...reason].length > MAX_REASON_CHARACTERS) {
    throw new CommandError(`A reason can have at most ${MAX_REASON_CHARACTERS} characters.`)
  }
  return reason
}

/** Returns the number in `--limit`. Throws a CommandError if it isn't a whole number from 1 to 1000. */
export function parseLimit(text: string): number {
  const limit = Number(text)
  if (!Number.isInteger(limit) || limit < 1 || limit > 1_000) {
    throw new CommandError('--limit must be a whole number from 1 to 1000.')
  }
  return limit
}

const FLAGS: readonly string[] = STORED_FLAGS.map((name) => SETTINGS[name].column)

/** The columns that every command shows of a document. */
const FACTS = `d.id, d.title, u.username AS creator, d.language, d.content_bytes, d.views,
  ${FLAGS.map((column) => `d.${column}`).join(', ')}, d.gist_url, d.created_at, d.updated_at, d.expires_at`

/** Converts a row for people to read: times become ISO 8601, flags become booleans. */
export const toReadable = (row: Row): Record<string, string | number | boolean | null> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (FLAGS.includes(name)) return [name, value === 1]
      return [name, name.endsWith('_at') && typeof value === 'number' ? new Date(value).toISOString() : value]
    }),
  )

interface FoundDocument {
  /** Null if the document was removed. */
  readonly document: Row | null
  readonly reports: readonly Row[]
  /** Null if no document with this id was removed. */
  readonly removal: Row | null
  readonly contentKey: string
}

const noDocument = (id: string) => new CommandError(`No document has this id: ${id}`)

/** Finds a document's details, reports and removal. Throws a CommandError if there is neither a document nor a removal. */
export async function findDocument(storage: StorageClient, id: string): Promise<FoundDocument> {
  const [documents, keys, reports, removals] = await storage.execute(
    `SELECT ${FACTS} FROM documents d LEFT JOIN users u ON u.id = d.creator_id ${SQL`WHERE d.id = ${id};
      SELECT content_key FROM documents WHERE id = ${id};
      SELECT reason, words, times, created_at AS reported_at FROM reports WHERE document_id = ${id}
        ORDER BY created_at DESC, id DESC;
      SELECT title, removed_at, removed_by, reason FROM removals WHERE document_id = ${id};`}`,
  )
  const document = documents?.[0] ?? null
  const removal = removals?.[0] ?? null
  if (!document && !removal) throw noDocument(id)
  return { document, reports: reports ?? [], removal, contentKey: String(keys?.[0]?.content_key) }
}

/** Reads a document's content. Throws a CommandError if the document is encrypted or removed, or the content is missing. */
export async function readText(
  storage: StorageClient,
  { document, contentKey }: FoundDocument,
): Promise<string> {
  if (!document) throw new CommandError('The document was removed, so its content is gone.')
  if (document.encrypted === 1)
    throw new CommandError("The document is encrypted, so its content can't be shown.")
  const text = await storage.readContent(contentKey, Number(document.content_bytes))
  if (text === null)
    throw new CommandError('The content is missing, or the document was just edited. Try again.')
  return text
}

/** How long after being sent the statements still take effect, in milliseconds. */
const REMOVAL_TIMEOUT_MS = 60_000

/** Returns the hash of the content of a document that was stored without one; null if there is nothing to hash. */
async function computeMissingHash(storage: StorageClient, id: string): Promise<string | null> {
  const [found] = await storage.execute(
    SQL`SELECT content_key, content_bytes FROM documents
      WHERE id = ${id} AND content_hash IS NULL AND encrypted = 0`,
  )
  const row = found?.[0]
  const text = row && (await storage.readContent(String(row.content_key), Number(row.content_bytes)))
  return text ? createHash('sha256').update(text).digest('base64url') : null
}

/** Removes a document as the operator. The next cleanup deletes its content. */
export async function removeDocument(
  storage: StorageClient,
  id: string,
  { reason, blockContent }: { reason: string; blockContent: boolean },
): Promise<Row> {
  const block = { blockContent, contentHash: blockContent ? await computeMissingHash(storage, id) : null }
  const now = Date.now()
  const statements = removalStatements(id, {
    by: 'operator',
    reason,
    now,
    deadline: now + REMOVAL_TIMEOUT_MS,
    actor: getCommandActor(),
    ...block,
  })
  const results = await storage.execute(
    `${statements.map(inlineParameters).join('\n')}
    ${SQL`SELECT document_id AS id, title, removed_at, removed_by, reason FROM removals WHERE document_id = ${id};`}`,
  )
  const removal = results.at(-1)?.[0]
  if (!removal) throw noDocument(id)
  if (removal.removed_at === now) return removal
  const { removed_at, removed_by } = toReadable(removal)
  throw new CommandError(`The document was already removed on ${removed_at} by ${removed_by}.`)
}

/** Lists unexpired documents: an account's, newest first, or reported ones, most recently reported first. */
export async function listDocuments(
  storage: StorageClient,
  { creator, reported, limit }: { creator: string | null; reported: boolean; limit: number },
): Promise<Row[]> {
  const conditions = [
    SQL`d.expires_at > ${Date.now()}`,
    ...(creator === null ? [] : [SQL`d.creator_id = (SELECT id FROM users WHERE username = ${creator})`]),
    ...(reported ? ['d.id IN (SELECT document_id FROM reports)'] : []),
  ]
  const [accounts, documents] = await storage.execute(
    `${SQL`SELECT id FROM users WHERE username = ${creator};`}
    SELECT ${FACTS},
        (SELECT ifnull(sum(times), 0) FROM reports WHERE document_id = d.id) AS reports,
        (SELECT max(created_at) FROM reports WHERE document_id = d.id) AS reported_at
      FROM documents d LEFT JOIN users u ON u.id = d.creator_id
      WHERE ${conditions.join(' AND ')}
      ORDER BY ${reported ? 'reported_at' : 'd.created_at'} DESC, d.id LIMIT ${limit};`,
  )
  if (creator !== null && !accounts?.length) {
    throw new CommandError(`No account has this username: ${creator}`)
  }
  return documents ?? []
}

/** How long after being sent the statements still take effect, in milliseconds. */
const TIMEOUT_MS = 60_000

async function requireTarget(storage: StorageClient, { kind, value }: RemovalTarget): Promise<RemovalTarget> {
  if (kind === 'account') {
    const [found] = await storage.execute(SQL`SELECT username FROM users WHERE username = ${value};`)
    const username = found?.[0]?.username
    if (username === undefined) throw new CommandError(`No account has this username: ${value}`)
    return { kind, value: String(username) }
  }
  const rule = parseBlockRule(kind, value)
  if (rule === null) throw new CommandError(`--${kind} must be ${BLOCK_FORMATS[kind]}.`)
  return { kind, value: rule.value }
}

/**
 * Removes all documents of an account, an address or a content as the operator. Returns how many. If it's interrupted,
 * run it again. The next cleanup deletes their content.
 */
export async function removeAllDocuments(
  storage: StorageClient,
  wanted: RemovalTarget,
  { reason, blockContent }: { reason: string; blockContent: boolean },
): Promise<{ readonly target: RemovalTarget; readonly removed: number }> {
  const target = await requireTarget(storage, wanted)
  const now = Date.now()
  if (blockContent && target.kind === 'content') {
    const block = {
      ...target,
      kind: 'content',
      reason,
      by: 'operator',
      actor: getCommandActor(),
      now,
    } as const
    const statements = addBlockStatements(block) ?? []
    await storage.execute(statements.map(inlineParameters).join('\n'))
  }
  const find = findTargetsStatement(target, DOCUMENTS_PER_STEP)
  let removed = 0
  for (let found = DOCUMENTS_PER_STEP; find && found === DOCUMENTS_PER_STEP; ) {
    const [rows = []] = await storage.execute(inlineParameters(find))
    const ids = rows.map(({ id }) => String(id))
    found = ids.length
    if (found === 0) break
    const options = { by: 'operator', reason, now, deadline: Date.now() + TIMEOUT_MS, blockContent }
    await storage.execute(removeAllStatements(ids, options).map(inlineParameters).join('\n'))
    removed += found
  }
  const subject = `${target.kind} ${target.value}`
  const detail = `${removed} documents: ${reason}`
  await storage.execute(auditSql({ action: 'documents.remove-all', subject, detail }))
  return { target, removed }
}
