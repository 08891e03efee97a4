import { createHash } from 'node:crypto'
import { hostname, userInfo } from 'node:os'
import { generateVersion, toSearchKey } from '../../src/documents/document.ts'
import { addBlockStatements, BLOCK_FORMATS, parseBlockRule } from '../../src/moderation/block-statements.ts'
import {
  DOCUMENTS_PER_STEP,
  findTargetsStatement,
  MAX_REASON_CHARACTERS,
  type RemovalTarget,
  removalStatements,
  removeAllStatements,
} from '../../src/moderation/removal-statements.ts'
import { purgeStatements, undoStatements } from '../../src/moderation/undo-statements.ts'
import { formatAddress, parseAddressRange } from '../../src/platform/addresses.ts'
import { type AuditAction, auditStatement } from '../../src/platform/audit-log.ts'
import { DAY_MS, HOUR_MS } from '../../src/shared/instant.ts'
import { SETTINGS, STORED_FLAGS } from '../../src/shared/settings.ts'
import { inlineParameters, type Row, SQL, type StorageClient } from '../support/database.ts'
import { CommandError } from '../support/wrangler.ts'

/** The user of a container may have no name, only a number. */
function getUserName(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.())
  }
}

/** Returns who runs the command, for the audit log. Only as trustworthy as this computer. */
export const getCommandActor = (): string => `cli:${getUserName()}@${hostname()}`

interface CommandEntry {
  readonly action: AuditAction
  readonly subject?: string
  readonly detail?: string | null
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

/** Takes an ISO 8601 date or time, in UTC if it doesn't say otherwise, or how long ago: `36h`, `7d`. */
export function parseTime(option: string, text: string, now = Date.now()): number {
  const [, count, unit] = /^(\d{1,6})([hd])$/.exec(text) ?? []
  if (count !== undefined) return now - Number(count) * (unit === 'h' ? HOUR_MS : DAY_MS)
  const isTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)?)?$/.test(text)
  const time = isTime ? Date.parse(/T[\d:.]+$/.test(text) ? `${text}Z` : text) : Number.NaN
  if (!Number.isNaN(time)) return time
  throw new CommandError(`--${option} takes a time such as 2026-11-20, 2026-11-20T12:00 (UTC), 36h or 7d.`)
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
const FACTS = `d.id, d.title, u.username AS creator, d.creator_address, d.language, d.content_bytes, d.views,
  ${FLAGS.map((column) => `d.${column}`).join(', ')}, d.gist_url, d.created_at, d.updated_at, d.expires_at`

/**
 * Converts a row for people to read: times become ISO 8601, flags become booleans, and a stored address becomes the
 * network that it names: an IPv4 address or the /64 of an IPv6 address.
 */
export const toReadable = (row: Row): Record<string, string | number | boolean | null> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (FLAGS.includes(name)) return [name, value === 1]
      if (name === 'creator_address') {
        const network = value === null ? null : parseAddressRange(formatAddress(String(value)))
        return ['network', network?.value ?? null]
      }
      if (name.endsWith('_until') && typeof value === 'number') return [name, new Date(value).toISOString()]
      return [name, name.endsWith('_at') && typeof value === 'number' ? new Date(value).toISOString() : value]
    }),
  )

interface FoundDocument {
  /** Is null if the document was removed. */
  readonly document: Row | null
  readonly reports: readonly Row[]
  /** Is null if no document with this id was removed. */
  readonly removal: Row | null
  readonly contentKey: string
}

const noDocument = (id: string) => new CommandError(`No document has this id: ${id}`)

/**
 * Finds a document's details, reports and removal, and records the look.
 *
 * @param as what the audit log says.
 * @throws CommandError if there is neither a document nor a removal.
 */
export async function findDocument(
  storage: StorageClient,
  id: string,
  as: 'document.view' | 'text.read',
): Promise<FoundDocument> {
  const exists = SQL`EXISTS (SELECT 1 FROM documents WHERE id = ${id} UNION ALL
    SELECT 1 FROM removals WHERE document_id = ${id})`
  const [, documents, keys, reports, removals] = await storage.execute(
    `${auditSql({ action: as, subject: id }, exists)}
    SELECT ${FACTS} FROM documents d LEFT JOIN users u ON u.id = d.creator_id ${SQL`WHERE d.id = ${id};
      SELECT content_key FROM documents WHERE id = ${id};
      SELECT reason, words, times, created_at AS reported_at FROM reports WHERE document_id = ${id}
        ORDER BY created_at DESC, id DESC;
      SELECT r.title, r.removed_at, r.removed_by, r.reason, k.kept_until
        FROM removals r LEFT JOIN removed_documents k ON k.id = r.document_id WHERE r.document_id = ${id};`}`,
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
  if (!document) throw new CommandError('The document was removed, so nobody can read its content.')
  if (document.encrypted === 1)
    throw new CommandError("The document is encrypted, so its content can't be shown.")
  const text = await storage.readContent(contentKey, Number(document.content_bytes))
  if (text === null)
    throw new CommandError('The content is missing, or the document was just edited. Try again.')
  return text
}

/** How long after being sent the statements still take effect, in milliseconds. */
const TIMEOUT_MS = 60_000

/** An SQL condition, which is false once statements with this deadline do nothing any more. */
const inTime = (deadline: number) => SQL`unixepoch() * 1000 < ${deadline}`

/** Goes last into the transaction, for `requireInTime`. */
const selectInTime = (deadline: number) => `SELECT ${inTime(deadline)} AS in_time;`

function requireInTime(results: readonly Row[][]): void {
  if (results.at(-1)?.[0]?.in_time === 1) return
  throw new CommandError(
    "Nothing was changed: this computer's clock is more than a minute behind the database's, or the database took so long. Check the clock, and run the command again.",
  )
}

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

interface RemoveOptions {
  readonly reason: string
  readonly blockContent: boolean
  readonly keepMs: number
}

/** Removes a document as the operator. */
export async function removeDocument(
  storage: StorageClient,
  id: string,
  { reason, blockContent, keepMs }: RemoveOptions,
): Promise<Row> {
  const block = { blockContent, contentHash: blockContent ? await computeMissingHash(storage, id) : null }
  const now = Date.now()
  const deadline = now + TIMEOUT_MS
  const statements = removalStatements(id, {
    by: 'operator',
    reason,
    now,
    deadline,
    actor: getCommandActor(),
    keepMs,
    ...block,
  })
  const results = await storage.execute(
    `${statements.map(inlineParameters).join('\n')}
    ${SQL`SELECT r.document_id AS id, r.title, r.removed_at, r.removed_by, r.reason, k.kept_until
      FROM removals r LEFT JOIN removed_documents k ON k.id = r.document_id WHERE r.document_id = ${id};`}
    ${selectInTime(deadline)}`,
  )
  requireInTime(results)
  const removal = results.at(-2)?.[0]
  if (!removal) throw noDocument(id)
  if (removal.removed_at === now) return removal
  const { removed_at, removed_by } = toReadable(removal)
  if (keepMs === 0 && removal.kept_until !== null) {
    await storage.execute(
      purgeStatements(id, { actor: getCommandActor(), now }).map(inlineParameters).join('\n'),
    )
    return { ...removal, kept_until: null }
  }
  throw new CommandError(`The document was already removed on ${removed_at} by ${removed_by}.`)
}

/** Brings a removed document back. Throws a CommandError if nothing is kept of it. */
export async function restoreDocument(storage: StorageClient, id: string): Promise<void> {
  const now = Date.now()
  const deadline = now + TIMEOUT_MS
  const options = { actor: getCommandActor(), now, version: generateVersion(), deadline }
  const [documents, kept, removals, ...results] = await storage.execute(
    `${SQL`SELECT 1 FROM documents WHERE id = ${id};
      SELECT expires_at FROM removed_documents WHERE id = ${id};
      SELECT removed_at FROM removals WHERE document_id = ${id};`}
    ${undoStatements(id, options).map(inlineParameters).join('\n')}
    ${selectInTime(deadline)}`,
  )
  if (results.at(-2)?.length) return
  requireInTime(results)
  if (documents?.length) throw new CommandError(`The document isn't removed: ${id}`)
  const expiresAt = Number(kept?.[0]?.expires_at ?? Number.POSITIVE_INFINITY)
  if (expiresAt <= now) {
    throw new CommandError(
      `The document expired on ${new Date(expiresAt).toISOString()}, so it can't be restored.`,
    )
  }
  const [removal] = removals ?? []
  if (!removal) throw noDocument(id)
  throw new CommandError(
    `Nothing is left of the document, which was removed on ${toReadable(removal).removed_at}: the time was over, it would have expired, or somebody deleted it for good.`,
  )
}

interface DocumentFilter {
  readonly creator: string | null
  readonly reported: boolean
  /** Created at this time or later. */
  readonly since: number | null
  /** Created before this time. */
  readonly until: number | null
  /** An address or a range. Documents of accounts have none, and others forget it after 30 days. */
  readonly network: string | null
  /** Part of the title, ignoring case. */
  readonly text: string | null
  readonly limit: number
}

/** Describes a filter as the audit log and messages show it. */
const describeFilter = (filter: DocumentFilter): string =>
  Object.entries(filter)
    .filter(([, value]) => value !== null && value !== false)
    .map(
      ([name, value]) =>
        `${name} ${typeof value === 'number' && name !== 'limit' ? new Date(value).toISOString() : value}`,
    )
    .join(', ')

function networkCondition(network: string): string {
  const range = parseAddressRange(network)
  if (range === null) throw new CommandError(`--network must be ${BLOCK_FORMATS.address}.`)
  return SQL`d.creator_address BETWEEN ${range.first} AND ${range.last}`
}

/** Lists unexpired documents, newest first, or with `reported` most recently reported first. Records the look. */
export async function listDocuments(storage: StorageClient, filter: DocumentFilter): Promise<Row[]> {
  const { creator, reported, since, until, network, text, limit } = filter
  const conditions = [
    SQL`d.expires_at > ${Date.now()}`,
    ...(since === null ? [] : [SQL`d.created_at >= ${since}`]),
    ...(until === null ? [] : [SQL`d.created_at < ${until}`]),
    ...(network === null ? [] : [networkCondition(network)]),
    ...(text === null ? [] : [SQL`instr(d.title_key, ${toSearchKey(text)}) > 0`]),
    ...(creator === null ? [] : [SQL`d.creator_id = (SELECT id FROM users WHERE username = ${creator})`]),
    ...(reported ? ['d.id IN (SELECT document_id FROM reports)'] : []),
  ]
  const [accounts, , documents] = await storage.execute(
    `${SQL`SELECT id FROM users WHERE username = ${creator};`}
    ${auditSql({ action: 'documents.list', detail: describeFilter(filter) })}
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

/** One entry for each step, in its transaction, so that an interrupted command has recorded what it did. */
const auditRemoval = (
  { kind, value }: RemovalTarget,
  documents: number,
  reason: string,
  condition?: string,
): string =>
  auditSql(
    {
      action: 'documents.remove-all',
      subject: `${kind} ${value}`,
      detail: `${documents} documents: ${reason}`,
    },
    condition,
  )

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

/** Counts what `removeAllDocuments` would remove, and returns the first of them. Records the look. */
export async function previewRemoval(
  storage: StorageClient,
  wanted: RemovalTarget,
  limit: number,
): Promise<{
  readonly target: RemovalTarget
  readonly documents: number
  readonly bytes: number
  readonly rows: Row[]
}> {
  const target = await requireTarget(storage, wanted)
  const find = findTargetsStatement(target, Number.MAX_SAFE_INTEGER)
  const selected = find === null ? 'FALSE' : `d.id IN (${inlineParameters(find).replace(/;$/, '')})`
  const detail = `what "remove-all" would remove: ${target.kind} ${target.value}`
  const [, counts, rows = []] = await storage.execute(
    `${auditSql({ action: 'documents.list', detail })}
    SELECT count(*) AS documents, ifnull(sum(content_bytes), 0) AS bytes FROM documents d WHERE ${selected};
    SELECT ${FACTS} FROM documents d LEFT JOIN users u ON u.id = d.creator_id
      WHERE ${selected} ORDER BY d.created_at DESC, d.id LIMIT ${limit};`,
  )
  const { documents = 0, bytes = 0 } = counts?.[0] ?? {}
  return { target, documents: Number(documents), bytes: Number(bytes), rows }
}

/**
 * Removes all documents of an account, an address or a content as the operator. Returns how many. If it's interrupted,
 * run it again.
 */
export async function removeAllDocuments(
  storage: StorageClient,
  wanted: RemovalTarget,
  { reason, blockContent, keepMs }: RemoveOptions,
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
    const deadline = Date.now() + TIMEOUT_MS
    const options = { by: 'operator', reason, now, deadline, blockContent, keepMs }
    const remove = removeAllStatements(ids, options).map(inlineParameters).join('\n')
    requireInTime(
      await storage.execute(
        `${auditRemoval(target, found, reason, inTime(deadline))}\n${remove}\n${selectInTime(deadline)}`,
      ),
    )
    removed += found
  }
  if (removed === 0) await storage.execute(auditRemoval(target, 0, reason))
  return { target, removed }
}
