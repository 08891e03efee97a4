import type { Database } from '../platform/database.ts'
import { EDITABLE_FLAGS, SETTINGS, STORED_FLAGS, type StoredFlag } from '../shared/settings.ts'
import type { SqlParameter, Statement } from '../shared/statement.ts'
import { blockCheckStatements } from './block-check.ts'
import {
  type Creator,
  DOCUMENT_BY_ID,
  type Document,
  type DocumentWrite,
  hasEditors,
  type NamedAccount,
  parseCreator,
  parseDocument,
  selectCreator,
  toSearchKey,
} from './document.ts'
import {
  type FirstCreate,
  firstCreate,
  type IdempotentCreate,
  insertIdempotentCreate,
} from './idempotent-create.ts'
import { releaseName, setName, throwNameError } from './names.ts'
import { createCheckStatements, type EditToCheck, editCheckStatements, type Quotas } from './quotas.ts'
import { findRefusal, isByBytes, throwRefusal } from './refusal-messages.ts'

/** Returns the values of a write as a row holds them: a property for each column. */
const toRow = (write: DocumentWrite) => ({
  ...write,
  titleKey: write.title && toSearchKey(write.title),
  hasEditors: write.editorIds.length > 0,
  claimHeader: write.claim?.header,
  claimHash: write.claim?.hash,
})

type Row = ReturnType<typeof toRow>
type Property = {
  [Name in keyof Row]: Row[Name] extends SqlParameter | boolean | undefined ? Name : never
}[keyof Row] &
  string
type Columns = Readonly<Record<string, Property>>

const flagColumns = (names: readonly StoredFlag[]): Columns =>
  Object.fromEntries(names.map((name) => [SETTINGS[name].column, SETTINGS[name].property]))

const UPDATED_COLUMNS: Columns = {
  content_key: 'contentKey',
  content_bytes: 'contentBytes',
  content_until: 'contentExpiresAt',
  revision: 'revision',
  title: 'title',
  title_key: 'titleKey',
  given_title: 'givenTitle',
  language: 'language',
  language_chosen: 'languageChosen',
  language_detected: 'languageDetected',
  expires_at: 'expiresAt',
  ...flagColumns(EDITABLE_FLAGS),
  has_editors: 'hasEditors',
  envelope_header: 'claimHeader',
  claim_hash: 'claimHash',
  proof_hash: 'proofHash',
  saved_by: 'lastEditedById',
  version: 'version',
  updated_at: 'updatedAt',
  content_hash: 'contentHash',
}

const INSERTED_COLUMNS: Columns = {
  id: 'id',
  creator_id: 'creatorId',
  token_hash: 'tokenHash',
  created_at: 'createdAt',
  creator_address: 'creatorAddress',
  duplicated_from: 'duplicatedFrom',
  name: 'name',
  ...flagColumns(STORED_FLAGS),
  ...UPDATED_COLUMNS,
}

function columnValues(columns: Columns, write: DocumentWrite): SqlParameter[] {
  const row = toRow(write)
  return Object.values(columns).map((property) => {
    const value = row[property] ?? null
    return typeof value === 'boolean' ? Number(value) : value
  })
}

const INSERTED = Object.keys(INSERTED_COLUMNS)

const getParameter = (column: string): string => `?${INSERTED.indexOf(column) + 1}`
const DEADLINE = `?${INSERTED.length + 1}`
const KEY_HASH = `?${INSERTED.length + 2}`

/**
 * The parameters are the columns in their order, then the deadline, then those of the condition. A repeat of the same
 * insert finds its document after the deadline, too. It sets a column without an index: setting the id would add the
 * checks of everything that refers to it.
 */
const insertIf = (condition: string) => `
  INSERT INTO documents (${INSERTED.join(', ')})
    SELECT ${INSERTED.map((_, index) => `?${index + 1}`).join(', ')}
    WHERE (unixepoch() * 1000 < ${DEADLINE} OR EXISTS (SELECT 1 FROM documents
        WHERE id = ${getParameter('id')} AND version = ${getParameter('version')}))
      AND NOT EXISTS (SELECT 1 FROM gists WHERE document_id = ${getParameter('id')}
        AND NOT EXISTS (SELECT 1 FROM documents WHERE id = ${getParameter('id')}))
      ${condition}
    ON CONFLICT (id) DO UPDATE SET views = views WHERE version = excluded.version
    RETURNING id`

const INSERT = insertIf('')

/** Inserts if nobody has used the key. If this runs again, it finds its own key, and the document like any repeat. */
const INSERT_ONCE = insertIf(`
  AND NOT EXISTS (SELECT 1 FROM idempotency_keys
    WHERE key_hash = ${KEY_HASH} AND expires_at > ${getParameter('created_at')})`)

const UPDATED = Object.keys(UPDATED_COLUMNS)

const getUpdateParameter = (column: string): string => `?${UPDATED.indexOf(column) + 4}`

/** Records who saved the content, and when. An edit that leaves the content alone fills in what is implied until then. */
const CONTENT_SAVED = `
  content_saved_by = CASE WHEN revision < ${getUpdateParameter('revision')} THEN ${getUpdateParameter('saved_by')}
    WHEN content_saved_at IS NULL THEN coalesce(saved_by, creator_id) ELSE content_saved_by END,
  content_saved_at = iif(revision < ${getUpdateParameter('revision')}, ${getUpdateParameter('updated_at')},
    coalesce(content_saved_at, updated_at))`

/** The parameters are the id, the version to replace, the current time, then the columns. */
const UPDATE = `
  UPDATE documents SET ${UPDATED.map((column) => `${column} = ${getUpdateParameter(column)}`).join(', ')}, ${CONTENT_SAVED}
    WHERE id = ?1 AND version = ?2 AND expires_at > ?3`

/** Does nothing if the revision that is restored has been deleted. Its number is the last parameter. */
const UPDATE_BY_RESTORE = `${UPDATE}
    AND EXISTS (SELECT 1 FROM revisions WHERE document_id = ?1 AND number = ?${UPDATED.length + 4})`

interface InsertOptions {
  /** The accounts that `editorIds` names. */
  readonly editors: readonly NamedAccount[]
  readonly withGist: boolean
  readonly idempotent: IdempotentCreate | null
  readonly quotas: Quotas
  readonly onRepeat?: () => void
}

type Inserted =
  | { readonly kind: 'inserted'; readonly document: Document }
  /**
   * The id belongs to a document, also a removed one, or to a deleted one whose gist still exists. Or the insert ran too
   * late, and did nothing. If the insert was repeated, the document may be this one, which somebody has changed since.
   */
  | { readonly kind: 'id-taken' }
  /** A create has used the `Idempotency-Key` before: another one, or this one, whose answer was lost. */
  | { readonly kind: 'repeats'; readonly first: FirstCreate }

/**
 * Does nothing if the id is taken or the create repeats another.
 *
 * @param onRepeat see `idempotentBatch`.
 * @throws AppError if its name is taken, something in it is blocked, or it exceeds a quota.
 */
export async function insertDocument(
  db: Database,
  write: DocumentWrite,
  { editors, withGist, idempotent, quotas, onRepeat }: InsertOptions,
): Promise<Inserted> {
  const { creatorId, name, createdAt: now } = write
  const values = [...columnValues(INSERTED_COLUMNS, write), db.deadline()]
  const releases = creatorId !== null && name !== null ? [releaseName({ creatorId, name }, now)] : []
  const used = idempotent && firstCreate(idempotent.keyHash, now)
  const statements: Statement[] = [
    ...releases,
    idempotent ? [INSERT_ONCE, ...values, idempotent.keyHash] : [INSERT, ...values],
    ...blockCheckStatements(write.blockCheck),
    ...createCheckStatements(quotas, creatorId, now),
    ...(idempotent ? [insertIdempotentCreate(idempotent, write)] : []),
    ...(editors.length > 0 ? [insertEditors(write)] : []),
    ...(withGist ? [insertGist(write)] : []),
    ...(used ? used.statements : creatorId === null ? [] : [selectCreator(creatorId)]),
  ]
  const results = await db
    .idempotentBatch(statements, onRepeat)
    .catch(throwNameError)
    .catch(throwRefusal(now))
  const first = used?.parse(...results.slice(-used.statements.length)) ?? null
  if (!results[releases.length]?.length) return first ? { kind: 'repeats', first } : { kind: 'id-taken' }
  if (first?.document) return { kind: 'inserted', document: first.document }
  const creator = creatorId === null ? null : parseCreator(results.at(-1))
  return { kind: 'inserted', document: toCreatedDocument(write, editors, creator) }
}

/** Returns the document as it's stored, except for properties that the answer to a create doesn't have. */
function toCreatedDocument(
  {
    creatorId,
    editorIds,
    lastEditedById,
    contentHash,
    creatorAddress,
    blockCheck,
    duplicatedFrom,
    ...fields
  }: DocumentWrite,
  editors: readonly NamedAccount[],
  creator: Creator | null,
): Document {
  return { ...fields, creator, editors, original: null, lastEditedBy: null, gistUrl: null, views: 0 }
}

const insertGist = ({ id, version }: DocumentWrite): Statement => [
  `INSERT OR IGNORE INTO gists (document_id, user_id, public, due_at)
    SELECT id, creator_id, public, created_at FROM documents WHERE id = ?1 AND version = ?2`,
  id,
  version,
]

/** Inserts the editors only for this exact version: a batch continues when the statement before changed nothing. */
const insertEditors = ({ id, version, editorIds }: DocumentWrite): Statement => [
  `INSERT OR IGNORE INTO document_editors (document_id, position, user_id)
    SELECT ?1, key, value FROM json_each(?3)
    WHERE EXISTS (SELECT 1 FROM documents WHERE id = ?1 AND version = ?2)`,
  id,
  version,
  JSON.stringify(editorIds),
]

interface UpdateOptions {
  readonly quotas: Quotas
  /** The number of the revision that the update restores. */
  readonly restores?: number | undefined
  readonly onRepeat?: () => void
}

/**
 * Updates a document in one transaction. If the content changes, a trigger keeps the old content as a revision; if a
 * quota has no room for it, the update takes place without.
 *
 * @param onRepeat see `idempotentBatch`.
 * @returns the document as it is afterwards: in another version if somebody else's edit came first, null if it's gone.
 */
export async function updateDocument(
  db: Database,
  from: Document,
  write: DocumentWrite,
  { quotas, restores, onRepeat }: UpdateOptions,
): Promise<Document | null> {
  const values = [write.id, from.version, write.updatedAt, ...columnValues(UPDATED_COLUMNS, write)]
  const { creatorId, name, updatedAt: now } = write
  const isRenamed = name !== from.name
  const statements: Statement[] = [
    ...(isRenamed && name !== null && creatorId !== null ? [releaseName({ creatorId, name }, now)] : []),
    restores === undefined ? [UPDATE, ...values] : [UPDATE_BY_RESTORE, ...values, restores],
    ...(hasEditors(from, write.editorIds) ? [] : [deleteEditors(write), insertEditors(write)]),
    ...(isRenamed ? [setName(write)] : []),
    ...blockCheckStatements(write.blockCheck),
  ]
  const edit = toEditToCheck(from, write)
  const { addedBytes } = edit
  const finish = (addedBytes: number): Statement[] => [
    ...editCheckStatements(quotas, { ...edit, addedBytes }),
    [DOCUMENT_BY_ID, write.id, now],
  ]
  const keeps = keepsRevision(from, write)
  const results = await db
    .idempotentBatch([...statements, ...finish(addedBytes + (keeps ? from.contentBytes : 0))], onRepeat)
    .catch((error: unknown) => {
      if (!keeps || !isByBytes(findRefusal(error))) throw error
      return db.idempotentBatch([...statements, dropRevision(from, write), ...finish(addedBytes)], onRepeat)
    })
    .catch(throwNameError)
    .catch(throwRefusal(now))
  return parseDocument(results.at(-1))
}

/** Doesn't count the revision that it keeps, which goes if there's no room for it. */
const toEditToCheck = (from: Document, write: DocumentWrite): EditToCheck => ({
  creatorId: write.creatorId,
  writerId: write.lastEditedById,
  addedBytes: write.contentBytes - from.contentBytes,
  // Cleanup copies revisions that now have to last longer.
  storesContent: write.contentKey !== from.contentKey || write.expiresAt > from.expiresAt,
  now: write.updatedAt,
})

/** Returns the checks that the triggers make, for so many edits like this one that are only about to happen. */
export const checksAheadOfUpdate = (
  quotas: Quotas,
  from: Document,
  write: DocumentWrite,
  writes: number,
): Statement[] => [
  ...blockCheckStatements(write.blockCheck),
  ...editCheckStatements(quotas, { ...toEditToCheck(from, write), storesContent: true }, { ahead: writes }),
]

/** Decides like the trigger `documents_keep_revision`. */
const keepsRevision = (from: Document, write: DocumentWrite): boolean =>
  write.revision > from.revision &&
  [from, write].every(({ keepRevisions, burnAfterReading }) => keepRevisions && !burnAfterReading)

const dropRevision = ({ id, revision }: Document, { version }: DocumentWrite): Statement => [
  `DELETE FROM revisions WHERE document_id = ?1 AND number = ?2
    AND EXISTS (SELECT 1 FROM documents WHERE id = ?1 AND version = ?3)`,
  id,
  revision,
  version,
]

const deleteEditors = ({ id, version }: DocumentWrite): Statement => [
  `DELETE FROM document_editors WHERE document_id = ?1
    AND EXISTS (SELECT 1 FROM documents WHERE id = ?1 AND version = ?2)`,
  id,
  version,
]
