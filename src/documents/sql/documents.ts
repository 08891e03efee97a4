import type { Database, Statement } from '../../platform/database.ts'
import type { Document, Editor } from '../model/document.ts'
import { toSearchKey } from '../model/title.ts'
import { DOCUMENTS, type DocumentRow, toDocument } from './document-row.ts'

const findStatement = (id: string, now: number): Statement => [
  `${DOCUMENTS} WHERE d.id = ?1 AND d.expires_at > ?2`,
  id,
  now,
]

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
    Number(document.burnAfterReading),
    Number(document.public),
    document.claim?.header ?? null,
    document.claim?.hash ?? null,
    document.version,
    document.expiresAt,
    Number(document.editors.length > 0),
    document.title,
    document.title && toSearchKey(document.title),
    document.lastEditedBy?.id ?? null,
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
