import { removalStatements } from '../src/moderation/statements.ts'
import { execute, inlined, type Row, readContent, SQL, type Target } from './database.ts'
import { CommandError } from './wrangler.ts'

/** The facts that every command tells about a document, by their names there. Times are ISO 8601. */
const FACTS = `d.id, d.title, u.username AS creator, d.language, d.content_bytes, d.views, d.public, d.encrypted,
  d.instant_delete, d.image_embed, d.gist_url, d.created_at, d.updated_at, d.expires_at`

const FLAGS = ['public', 'encrypted', 'instant_delete', 'image_embed']

/** A row as people read it: times and yes or no in place of numbers. */
export const readable = (row: Row): Record<string, string | number | boolean | null> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (FLAGS.includes(name)) return [name, value === 1]
      return [name, name.endsWith('_at') && typeof value === 'number' ? new Date(value).toISOString() : value]
    }),
  )

interface FoundDocument {
  /** Null when the document was removed. */
  readonly document: Row | null
  readonly reports: readonly Row[]
  /** Null when nobody removed a document with this id. */
  readonly removal: Row | null
  readonly contentKey: string
}

const noDocument = (id: string) => new CommandError(`There is no document with this id: ${id}`)

/** Everything about a document but its text; of one that was removed, the record of that. */
export async function findDocument(target: Target, id: string): Promise<FoundDocument> {
  const [documents, keys, reports, removals] = await execute(
    target,
    `SELECT ${FACTS} FROM documents d LEFT JOIN users u ON u.id = d.creator_id ${SQL`WHERE d.id = ${id};
      SELECT content_key FROM documents WHERE id = ${id};
      SELECT reason, words, created_at AS reported_at FROM reports WHERE document_id = ${id}
        ORDER BY created_at DESC, id DESC;
      SELECT title, removed_at, removed_by, reason FROM removals WHERE document_id = ${id};`}`,
  )
  const document = documents?.[0] ?? null
  const removal = removals?.[0] ?? null
  if (!document && !removal) throw noDocument(id)
  return { document, reports: reports ?? [], removal, contentKey: String(keys?.[0]?.content_key) }
}

/** The text of a document. Throws a CommandError for one that is encrypted, and for content that is not there. */
export async function readText(target: Target, { document, contentKey }: FoundDocument): Promise<string> {
  if (!document) throw new CommandError('The document was removed: there is no text any more.')
  if (document.encrypted === 1)
    throw new CommandError('The document is encrypted: its text can not be shown.')
  const text = await readContent(target, contentKey, Number(document.content_bytes))
  if (text === null) throw new CommandError('The text is not there, or changed just now. Try again.')
  return text
}

/** How long the statements wait to be run, in milliseconds. */
const PATIENCE_MS = 60_000

/** Removes a document as the operator. What it leaves in KV goes with the next cleanup. */
export async function removeDocument(target: Target, id: string, reason: string): Promise<Row> {
  const now = Date.now()
  const statements = removalStatements(id, { by: 'operator', reason, now, deadline: now + PATIENCE_MS })
  const [, , removals] = await execute(
    target,
    `${statements.map(inlined).join('\n')}
    ${SQL`SELECT document_id AS id, title, removed_at, removed_by, reason FROM removals WHERE document_id = ${id};`}`,
  )
  const removal = removals?.[0]
  if (!removal) throw noDocument(id)
  if (removal.removed_at === now) return removal
  const { removed_at, removed_by } = readable(removal)
  throw new CommandError(`The document was removed before: ${removed_at}, by ${removed_by}.`)
}

/** Documents that have not expired: of an account the latest first, or reported ones, the last reported first. */
export async function listDocuments(
  target: Target,
  { creator, reported, limit }: { creator: string | null; reported: boolean; limit: number },
): Promise<Row[]> {
  const conditions = [
    SQL`d.expires_at > ${Date.now()}`,
    ...(creator === null ? [] : [SQL`d.creator_id = (SELECT id FROM users WHERE username = ${creator})`]),
    ...(reported ? ['d.id IN (SELECT document_id FROM reports)'] : []),
  ]
  const [accounts, documents] = await execute(
    target,
    `${SQL`SELECT id FROM users WHERE username = ${creator};`}
    SELECT ${FACTS},
        (SELECT count(*) FROM reports WHERE document_id = d.id) AS reports,
        (SELECT max(created_at) FROM reports WHERE document_id = d.id) AS reported_at
      FROM documents d LEFT JOIN users u ON u.id = d.creator_id
      WHERE ${conditions.join(' AND ')}
      ORDER BY ${reported ? 'reported_at' : 'd.created_at'} DESC, d.id LIMIT ${limit};`,
  )
  if (creator !== null && !accounts?.length) {
    throw new CommandError(`There is no account with this username: ${creator}`)
  }
  return documents ?? []
}
