import type { Database, Statement } from '../storage.ts'
import type { Document, Editor, Viewer } from './document.ts'
import { searchKey } from './title.ts'

export interface DocumentRow {
  id: string
  content_key: string
  content_bytes: number
  content_until: number
  title: string | null
  /** JSON: `[user id, username]`. */
  saver: string | null
  language: string
  image_embed: number
  instant_delete: number
  encrypted: number
  public: number
  envelope_header: string | null
  claim_hash: string | null
  gist_url: string | null
  views: number
  version: string
  created_at: number
  updated_at: number
  expires_at: number
  creator_id: string | null
  username: string | null
  flags: number | null
  icon: string | null
  documents_made: number | null
  /** JSON: `[[user id, username], …]`. */
  editors: string
}

/** Documents `d` with all that belongs to them; what `toDocument` reads. */
export const DOCUMENTS = `
  SELECT d.id, d.content_key, d.content_bytes, d.content_until, d.title, d.language, d.image_embed,
    d.instant_delete, d.encrypted, d.public, d.envelope_header, d.claim_hash, d.gist_url, d.views,
    d.version, d.created_at, d.updated_at, d.expires_at,
    u.id AS creator_id, u.username, u.flags, u.icon, u.documents_made,
    iif(d.has_editors,
      (SELECT json_group_array(json_array(e.user_id, n.username) ORDER BY e.position)
        FROM document_editors e JOIN users n ON n.id = e.user_id
        WHERE e.document_id = d.id),
      '[]') AS editors,
    iif(d.saved_by IS NULL, NULL,
      (SELECT json_array(id, username) FROM users WHERE id = d.saved_by)) AS saver
  FROM documents d LEFT JOIN users u ON u.id = d.creator_id`

const FIND = `${DOCUMENTS} WHERE d.id = ?1 AND d.expires_at > ?2`

function toEditors(json: string): Editor[] {
  const pairs: [id: string, username: string][] = json === '[]' ? [] : JSON.parse(json)
  return pairs.map(([id, username]) => ({ id, username }))
}

function toSaver(json: string | null): Editor | null {
  if (json === null) return null
  const [id, username]: [id: string, username: string] = JSON.parse(json)
  return { id, username }
}

export function toDocument(row: DocumentRow): Document {
  return {
    id: row.id,
    creator:
      row.creator_id === null
        ? null
        : {
            id: row.creator_id,
            username: row.username ?? '',
            flags: row.flags ?? 0,
            icon: row.icon,
            documentsMade: row.documents_made ?? 0,
          },
    editors: toEditors(row.editors),
    contentKey: row.content_key,
    contentBytes: row.content_bytes,
    contentUntil: row.content_until,
    title: row.title,
    savedBy: toSaver(row.saver),
    language: row.language,
    imageEmbed: row.image_embed === 1,
    instantDelete: row.instant_delete === 1,
    encrypted: row.encrypted === 1,
    public: row.public === 1,
    claim:
      row.claim_hash === null || row.envelope_header === null
        ? null
        : { header: row.envelope_header, hash: row.claim_hash },
    gistUrl: row.gist_url,
    views: row.views,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    expiresAt: row.expires_at,
  }
}

const findStatement = (id: string, now: number): Statement => [FIND, id, now]

const firstDocument = (rows: unknown[] | undefined): Document | null => {
  const row = (rows as DocumentRow[] | undefined)?.[0]
  return row ? toDocument(row) : null
}

/** The document with this id, unless it has expired by `now`. One query, whatever it joins. */
export async function findDocument(db: Database, id: string, now: number): Promise<Document | null> {
  const row = await db.first<DocumentRow>(findStatement(id, now))
  return row && toDocument(row)
}

/** What an edit may change of a row, in the order in which creating and editing number it from ?3 to ?17. */
const changeableColumns = (document: Document) =>
  [
    document.contentKey,
    document.contentBytes,
    document.contentUntil,
    document.language,
    Number(document.imageEmbed),
    Number(document.instantDelete),
    Number(document.public),
    document.claim?.header ?? null,
    document.claim?.hash ?? null,
    document.version,
    document.expiresAt,
    Number(document.editors.length > 0),
    document.title,
    document.title && searchKey(document.title),
    document.savedBy?.id ?? null,
  ] as const

/**
 * Writes the rows of a new document and its editors, and reads them back.
 *
 * @param withGist whether a gist is due from now on. Only a creator has gists.
 * @returns the document as it now stands, or null when its id is taken: by a document, or by one that is
 * gone and whose gist is still to be deleted.
 */
export async function insertDocument(
  db: Database,
  document: Document,
  { withGist }: { withGist: boolean },
): Promise<Document | null> {
  const insert: Statement = [
    `INSERT INTO documents (id, creator_id, content_key, content_bytes, content_until, language,
        image_embed, instant_delete, public, envelope_header, claim_hash, version, expires_at,
        has_editors, title, title_key, saved_by, encrypted, created_at, updated_at)
      SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?19
      WHERE unixepoch() * 1000 < ?20
        AND NOT EXISTS (SELECT 1 FROM gists WHERE document_id = ?1
          AND NOT EXISTS (SELECT 1 FROM documents WHERE id = ?1))
      ON CONFLICT (id) DO UPDATE SET id = id WHERE version = excluded.version
      RETURNING id`,
    document.id,
    document.creator?.id ?? null,
    ...changeableColumns(document),
    Number(document.encrypted),
    document.createdAt,
    db.deadline(),
  ]
  // Nobody is joined to an anonymous document, so what was written is what stands.
  if (document.creator === null) {
    const [inserted] = await db.idempotentBatch([insert])
    return inserted?.length ? document : null
  }
  const statements = [insert]
  if (document.editors.length > 0) statements.push(addEditors(document))
  if (withGist) statements.push(addGist(document))
  statements.push(findStatement(document.id, document.createdAt))
  const results = await db.idempotentBatch(statements)
  return results[0]?.length ? firstDocument(results.at(-1)) : null
}

/** Makes a gist due, in the transaction that makes the document. */
const addGist = ({ id, version }: Document): Statement => [
  `INSERT OR IGNORE INTO gists (document_id, user_id, public, due_at)
    SELECT id, creator_id, public, created_at FROM documents WHERE id = ?1 AND version = ?2`,
  id,
  version,
]

/** Adds the editors only to this very version: the batch goes on when the statement before it changed nothing. */
const addEditors = ({ id, version, editors }: Document): Statement => [
  `INSERT OR IGNORE INTO document_editors (document_id, position, user_id)
    SELECT ?1, key, value FROM json_each(?3)
    WHERE EXISTS (SELECT 1 FROM documents WHERE id = ?1 AND version = ?2)`,
  id,
  version,
  JSON.stringify(editors.map((editor) => editor.id)),
]

/**
 * Replaces version `from` of a document by `document`, editors included, as one transaction.
 *
 * @returns the document as it stands afterwards: of the new version if the edit took place, of another
 * one if somebody else's came first, null if it is gone.
 */
export async function updateDocument(
  db: Database,
  from: Document,
  document: Document,
): Promise<Document | null> {
  const update: Statement = [
    `UPDATE documents SET content_key = ?3, content_bytes = ?4, content_until = ?5, language = ?6,
        image_embed = ?7, instant_delete = ?8, public = ?9, envelope_header = ?10, claim_hash = ?11,
        version = ?12, expires_at = ?13, has_editors = ?14, title = ?15, title_key = ?16, saved_by = ?17,
        updated_at = ?18
      WHERE id = ?1 AND version = ?2 AND expires_at > ?18`,
    document.id,
    from.version,
    ...changeableColumns(document),
    document.updatedAt,
  ]
  const statements = [update]
  if (document.editors !== from.editors) {
    statements.push(
      [
        `DELETE FROM document_editors WHERE document_id = ?1
          AND EXISTS (SELECT 1 FROM documents WHERE id = ?1 AND version = ?2)`,
        document.id,
        document.version,
      ],
      addEditors(document),
    )
  }
  statements.push(findStatement(document.id, document.updatedAt))
  const results = await db.idempotentBatch(statements)
  return firstDocument(results.at(-1))
}

/**
 * Deletes an instant_delete document for the one reader who gets it.
 *
 * The row is marked and deleted in one transaction, and the trigger passes the mark on to
 * `detached_contents`. The last statement reads it there, so a burn whose answer was lost can be asked
 * for again and learns whether it was this one that took place.
 *
 * @param mark unique to this reader.
 * @returns whether this reader is the one.
 */
export async function burnDocument(
  db: Database,
  { document, mark, now }: { document: Document; mark: string; now: number },
): Promise<boolean> {
  const [, , burned] = await db.idempotentBatch([
    [
      `UPDATE documents SET burn_mark = ?3
        WHERE id = ?1 AND version = ?2 AND instant_delete = 1 AND expires_at > ?4
          AND unixepoch() * 1000 < ?5`,
      document.id,
      document.version,
      mark,
      now,
      db.deadline(),
    ],
    ['DELETE FROM documents WHERE id = ?1 AND burn_mark = ?2', document.id, mark],
    ['SELECT 1 FROM detached_contents WHERE content_key = ?1 AND burn_mark = ?2', document.contentKey, mark],
  ])
  return burned?.length === 1
}

/** Deletes a document for its creator. Deleting what is gone already is no error. */
export async function deleteDocument(db: Database, document: Document): Promise<void> {
  await db.idempotentBatch([
    ['DELETE FROM documents WHERE id = ?1 AND creator_id = ?2', document.id, document.creator?.id ?? null],
  ])
}

/**
 * Deletes those of some documents that an account created.
 *
 * @returns the keys of their contents. When an answer was lost the second try finds nothing to delete and knows
 * none: then cleanup removes what the rows have let go.
 */
export async function deleteDocuments(
  db: Database,
  ids: readonly string[],
  creator: Viewer,
): Promise<string[]> {
  const [deleted] = await db.idempotentBatch([
    [
      `DELETE FROM documents WHERE id IN (SELECT value FROM json_each(?1)) AND creator_id = ?2
        RETURNING content_key`,
      JSON.stringify(ids),
      creator.id,
    ],
  ])
  return (deleted as { content_key: string }[]).map((row) => row.content_key)
}

/** Adds gathered views, all of them by one statement. */
export async function addViews(db: Database, views: ReadonlyMap<string, number>): Promise<void> {
  await db.all([
    `UPDATE documents SET views = views + gathered.number
      FROM (SELECT value ->> 0 AS id, value ->> 1 AS number FROM json_each(?1)) AS gathered
      WHERE documents.id = gathered.id`,
    JSON.stringify([...views]),
  ])
}

/** The accounts with these usernames, matched without case, in no particular order. */
export async function findEditors(db: Database, usernames: readonly string[]): Promise<Editor[]> {
  return db.all<Editor>([
    `SELECT id, username FROM users
      WHERE username IN (SELECT value COLLATE NOCASE FROM json_each(?1))`,
    JSON.stringify(usernames),
  ])
}
