import { createHash } from 'node:crypto'
import { removalStatements } from '../../src/moderation/removal-statements.ts'
import { SETTINGS, STORED_FLAGS } from '../../src/shared/settings.ts'
import { inlineParameters, type Row, SQL, type StorageClient } from '../support/database.ts'
import { CommandError } from '../support/wrangler.ts'
import { getCommandActor } from './audit-entry.ts'

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
