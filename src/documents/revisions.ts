import { documentNotFound, revisionsOfCreator, unavailable } from '../errors.ts'
import { answered, combine, mapQuery, type Query, query } from '../platform/database.ts'
import { isDocumentId, parseNamedAddress } from '../shared/document-ids.ts'
import { encodeText } from '../shared/encodings.ts'
import type { Instant } from '../shared/instant.ts'
import { parseJwe } from '../shared/jwe.ts'
import type { Statement } from '../shared/statement.ts'
import { deleteContent } from './content-store.ts'
import { type Document, isCreator, mayEdit, type Viewer } from './document.ts'
import type { DocumentStore } from './document-store.ts'
import { type EditContext, type EditedDocument, editDocument } from './edit.ts'
import type { Edit } from './edit-plan.ts'
import { documentAt, pauseBeforeRetry, StaleDocumentError, StoredContent } from './read.ts'

/** The limits of a document's revisions. Beyond them, triggers delete the oldest. */
export const MAX_REVISIONS = 50
export const MAX_REVISION_MIB = 50

export interface Revision {
  /** Counts from 1. The number of a deleted revision is never used again. */
  readonly number: number
  /** A username; null without an account, and if the account is gone. */
  readonly author: string | null
  /** Tells whether it was saved without an account. */
  readonly anonymous: boolean
  /** The size of the text in UTF-8, before encryption. */
  readonly bytes: number
  readonly createdAt: Instant
  readonly current: boolean
  readonly language: string
  readonly languageChosen: boolean
}

interface StoredRevision {
  readonly contentKey: string
  readonly proofHash: string | null
  readonly languageDetected: boolean
}

type RevisionRow = Omit<
  Revision & StoredRevision,
  'anonymous' | 'current' | 'languageChosen' | 'languageDetected'
> & {
  readonly anonymous: number
  readonly current: number
  readonly languageChosen: number
  readonly languageDetected: number
}

/** @param id the id of the document, in SQL. */
const SAVED_BY = 'iif(d.content_saved_at IS NULL, coalesce(d.saved_by, d.creator_id), d.content_saved_by)'

const selectRevisions = (id: string): string => `
  SELECT r.number, r.content_key AS contentKey, r.content_bytes AS bytes, r.language,
      r.language_chosen AS languageChosen, r.language_detected AS languageDetected, r.proof_hash AS proofHash, r.created_at AS createdAt,
      u.username AS author, r.author_id IS NULL AS anonymous, 0 AS current
    FROM revisions r LEFT JOIN users u ON u.id = r.author_id
    WHERE r.document_id = ${id} AND r.content_until > ?1
  UNION ALL
  SELECT d.revision, d.content_key, d.content_bytes, d.language, d.language_chosen, d.language_detected, d.proof_hash,
      coalesce(d.content_saved_at, d.updated_at), u.username, ${SAVED_BY} IS NULL, 1
    FROM documents d LEFT JOIN users u ON u.id = ${SAVED_BY}
    WHERE d.id = ${id}`

const NAMED_ID =
  '(SELECT d.id FROM users u JOIN documents d ON d.creator_id = u.id WHERE u.username = ?2 AND d.name = ?3)'

const toRevision = (row: RevisionRow): Revision & StoredRevision => ({
  ...row,
  current: row.current === 1,
  anonymous: row.anonymous === 1,
  languageChosen: row.languageChosen === 1,
  languageDetected: row.languageDetected === 1,
})

/** A document and its revisions, both as they were at the same moment. */
export interface FoundRevisions {
  readonly document: Document
  /** The revisions, the newest first. */
  readonly revisions: (Revision & StoredRevision)[]
}

/** Finds a document as `documentAt` does, with its current content. */
export function documentWithRevisions(
  address: string,
  now: Instant,
  number?: number,
): Query<FoundRevisions | null> {
  const named = parseNamedAddress(address)
  if (!named && !isDocumentId(address)) return answered(null)
  const revisions = selectRevisions(named ? NAMED_ID : '?2')
  const known = [now, ...(named ? [named.username, named.name] : [address])]
  const list: Statement =
    number === undefined
      ? [`${revisions} ORDER BY number DESC`, ...known]
      : [`SELECT * FROM (${revisions}) WHERE number = ?${known.length + 1}`, ...known, number]
  const found = combine(
    documentAt(address, now),
    query(list, (rows: RevisionRow[]) => rows.map(toRevision)),
  )
  return mapQuery(found, ([document, revisions]) => document && { document, revisions })
}

const IS_CREATOR = 'SELECT 1 FROM documents WHERE id = ?1 AND (creator_id = ?2 OR token_hash = ?3)'

interface RevisionContext {
  readonly viewer: Viewer
  readonly now: Instant
}

const openRevision = (
  store: DocumentStore,
  document: Document,
  { contentKey, bytes, createdAt }: Revision & StoredRevision,
): StoredContent =>
  new StoredContent(store.contents, { ...document, contentKey, contentBytes: bytes, updatedAt: createdAt })

/**
 * The first revision is the current content.
 *
 * @throws AppError `not_found` if there is no document, and for everyone but its creator and its editors:
 * people edit to take things out.
 */
export function requireRevisions(found: FoundRevisions | null, viewer: Viewer): FoundRevisions {
  if (!found || !mayEdit(found.document, viewer)) throw documentNotFound()
  return found
}

type FoundRevision = ReturnType<typeof requireRevision>

/** @throws AppError `not_found` like `requireRevisions`, and if there is no such revision. */
export function requireRevision(found: FoundRevisions | null, viewer: Viewer) {
  const { document, revisions } = requireRevisions(found, viewer)
  const [revision] = revisions
  if (!revision) throw documentNotFound()
  return { document, revision }
}

/** Cleanup may have copied the content to another key, or somebody may have deleted the revision. */
async function findAgain(
  store: DocumentStore,
  { document, revision }: FoundRevision,
  { viewer, now }: RevisionContext,
): Promise<FoundRevision> {
  const [found] = await store.db.ask(documentWithRevisions(document.id, now, revision.number))
  return requireRevision(found, viewer)
}

interface RestoreContext extends Pick<EditContext, 'now' | 'checkPrecondition'>, RevisionContext {
  /** An editor proves the present password of an encrypted document with one of these, as for any other edit. */
  readonly password?: string | undefined
  readonly claimToken?: string | undefined
}

/**
 * Restores the content and the language, by an edit.
 *
 * Editors must prove the present password of an encrypted document. Otherwise one who knows only an earlier password
 * could undo its change, and one who knows none could replace content that they can't read. After the restore, the
 * document has the password that it had when the revision was saved.
 *
 * @throws AppError what `editDocument` throws.
 */
export async function restoreRevision(
  store: DocumentStore,
  found: FoundRevision,
  { viewer, now, checkPrecondition, password, claimToken }: RestoreContext,
): Promise<EditedDocument> {
  const { number } = found.revision
  let first: FoundRevision | null = found
  const makeEdit = async (document: Document, current: StoredContent): Promise<Edit> => {
    const { revision } = first ?? (await findAgain(store, found, { viewer, now }))
    first = null
    checkPrecondition(document)
    if (document.revision === number) return { fixedSettings: {} }
    const text = await openRevision(store, document, revision).read()
    const { encrypted } = document
    if (encrypted && password !== undefined) await current.decrypt(password)
    return {
      content: encrypted
        ? { kind: 'jwe', text, header: parseJwe(text).header, contentBytes: revision.bytes }
        : { kind: 'text', text, bytes: encodeText(text) },
      language: revision.language,
      languageChosen: revision.languageChosen,
      languageDetected: revision.languageDetected,
      claimToken: encrypted ? claimToken : undefined,
      claimHash: revision.proofHash ?? undefined,
      passwordProven: encrypted && password !== undefined,
      restores: number,
      fixedSettings: {},
    }
  }
  return editDocument(store, found.document, makeEdit, {
    viewer,
    now,
    // Checked above: a revision that doesn't exist comes first.
    checkPrecondition: () => {},
    refuse: documentNotFound,
  })
}

interface ReadContext extends RevisionContext {
  /**
   * Returns the password, or undefined to get the JWE. It's called once, before a key is derived, so it may count
   * attempts.
   */
  readonly getPassword?: (document: Document) => Promise<string | undefined>
}

/**
 * A JWE needs the password that the document had when the revision was saved. Counts no view.
 *
 * @throws AppError `bad_request` for a wrong password, `not_found` if the revision is gone by now, `unavailable`.
 */
export async function readRevision(
  store: DocumentStore,
  found: FoundRevision,
  { viewer, now, getPassword }: ReadContext,
): Promise<string> {
  const password = found.document.encrypted ? await getPassword?.(found.document) : undefined
  let current = found
  for (let attempt = 1; ; attempt++) {
    try {
      const stored = openRevision(store, current.document, current.revision)
      return await (password === undefined ? stored.read() : stored.readText(password))
    } catch (error) {
      if (!(error instanceof StaleDocumentError)) throw error
      if (!(await pauseBeforeRetry(attempt))) throw unavailable(error)
    }
    current = await findAgain(store, current, { viewer, now })
  }
}

/**
 * Deletes all versions but the current content.
 *
 * @throws AppError `bad_auth` for editors, `not_found` if the document is gone.
 */
export async function deleteRevisions(
  store: DocumentStore,
  { document }: FoundRevisions,
  viewer: Viewer,
): Promise<void> {
  if (!isCreator(document, viewer)) throw revisionsOfCreator()
  const parameters = [document.id, viewer.id, viewer.tokenHash ?? null]
  const [deleted, documents] = await store.db.idempotentBatch([
    [
      `DELETE FROM revisions WHERE document_id = ?1 AND EXISTS (${IS_CREATOR}) RETURNING content_key`,
      ...parameters,
    ],
    [IS_CREATOR, ...parameters],
  ])
  // It has another creator by now, or is gone.
  if (documents?.length === 0) throw documentNotFound()
  const contentKeys = (deleted as { content_key: string }[]).map((row) => row.content_key)
  if (contentKeys.length > 0) store.defer(() => deleteContent(store, contentKeys))
}
