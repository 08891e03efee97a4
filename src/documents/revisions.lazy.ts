import { documentNotFound, revisionsOfCreator, unavailable } from '../errors.ts'
import type { Database } from '../platform/database.ts'
import { parseJwe } from '../shared/jwe.ts'
import type { Statement } from '../shared/statement.ts'
import { encodeText } from './content.ts'
import { type Document, isCreator, isDocumentId, mayEdit, type Viewer } from './document.ts'
import { findVisibleStatement, firstDocument } from './document-statements.ts'
import type { DocumentStore } from './document-store.ts'
import { type EditContext, type EditedDocument, editDocument } from './edit.ts'
import type { Edit } from './edit-plan.ts'
import { deleteContent } from './pending-deletions.ts'
import { pauseBeforeRetry } from './read.ts'
import { StaleDocumentError, StoredContent } from './stored-content.ts'

/** How many revisions a document keeps, and how many bytes. Triggers delete the oldest. */
export const MAX_REVISIONS = 50
export const MAX_REVISION_BYTES = 50 * 1024 * 1024

/** One content that a document has or had. */
export interface Revision {
  /** Counts from 1. The number of a deleted revision is never used again. */
  readonly number: number
  /** The username of the account that saved it; null without an account, and if the account is gone. */
  readonly author: string | null
  /** Bytes of the text in UTF-8, before encryption. */
  readonly bytes: number
  /** When it was saved, in milliseconds since 1970. */
  readonly createdAt: number
  /** Whether it's the document's content now. */
  readonly current: boolean
  readonly language: string
}

/** How the content of a revision is stored. */
interface StoredRevision {
  readonly contentKey: string
  /** Whether somebody chose the language. */
  readonly languageChosen: boolean
  /** The hash that proves the password of a JWE; null without one. */
  readonly proofHash: string | null
}

interface RevisionRow {
  number: number
  content_key: string
  content_bytes: number
  language: string
  language_chosen: number
  proof_hash: string | null
  created_at: number
  author: string | null
  current: number
}

const REVISIONS = `
  SELECT r.number, r.content_key, r.content_bytes, r.language, r.language_chosen, r.proof_hash, r.created_at,
      u.username AS author, 0 AS current
    FROM revisions r LEFT JOIN users u ON u.id = r.author_id
    WHERE r.document_id = ?1 AND r.content_until > ?2
  UNION ALL
  SELECT d.revision, d.content_key, d.content_bytes, d.language, d.language_chosen, d.proof_hash,
      coalesce(d.content_saved_at, d.updated_at), u.username, 1
    FROM documents d LEFT JOIN users u
      ON u.id = iif(d.content_saved_at IS NULL, coalesce(d.saved_by, d.creator_id), d.content_saved_by)
    WHERE d.id = ?1`

const toRevision = (row: RevisionRow): Revision & StoredRevision => ({
  number: row.number,
  author: row.author,
  bytes: row.content_bytes,
  createdAt: row.created_at,
  current: row.current === 1,
  language: row.language,
  languageChosen: row.language_chosen === 1,
  contentKey: row.content_key,
  proofHash: row.proof_hash,
})

/** A document with its revisions, both as they were at the same moment. */
interface FoundRevisions {
  readonly document: Document
  /** Newest first. */
  readonly revisions: (Revision & StoredRevision)[]
}

/**
 * Returns a document and its revisions, its current content included; null if there is no such document by `now`. One
 * call to D1.
 *
 * @param number finds only the revision with this number.
 */
async function findRevisions(
  db: Database,
  id: string,
  { now, number }: { now: number; number?: number },
): Promise<FoundRevisions | null> {
  const list: Statement =
    number === undefined
      ? [`${REVISIONS} ORDER BY number DESC`, id, now]
      : [`SELECT * FROM (${REVISIONS}) WHERE number = ?3`, id, now, number]
  const [documents, rows] = await db.allOf([findVisibleStatement(id, now), list])
  const document = firstDocument(documents)
  return document && { document, revisions: (rows as RevisionRow[]).map(toRevision) }
}

const IS_CREATOR = 'SELECT 1 FROM documents WHERE id = ?1 AND (creator_id = ?2 OR token_hash = ?3)'

/**
 * Deletes the revisions of a document for its creator.
 *
 * @returns the keys of their content; null if the document has another creator by now, or is gone.
 */
async function deleteRevisionsOf(db: Database, id: string, viewer: Viewer): Promise<string[] | null> {
  const parameters = [id, viewer.id, viewer.tokenHash ?? null]
  const [deleted, documents] = await db.idempotentBatch([
    [
      `DELETE FROM revisions WHERE document_id = ?1 AND EXISTS (${IS_CREATOR}) RETURNING content_key`,
      ...parameters,
    ],
    [IS_CREATOR, ...parameters],
  ])
  return documents?.length === 0 ? null : (deleted as { content_key: string }[]).map((row) => row.content_key)
}

export interface RevisionContext {
  /** Who asks. If that is still being looked up, the revisions are read in the meantime. */
  readonly viewer: Viewer | Promise<Viewer>
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Returns the content of a revision. */
const openRevision = (
  store: DocumentStore,
  document: Document,
  { contentKey, bytes, createdAt }: Revision & StoredRevision,
): StoredContent =>
  new StoredContent(store.contents, { ...document, contentKey, contentBytes: bytes, updatedAt: createdAt })

/**
 * Returns a document, its revisions and how they are stored. One call to D1.
 *
 * @throws AppError `not_found` if there is no such document, and for everyone but its creator and its editors.
 */
async function requireRevisions(
  store: DocumentStore,
  id: string,
  { viewer, now }: RevisionContext,
  number?: number,
) {
  const found = isDocumentId(id)
    ? await findRevisions(store.db, id, number === undefined ? { now } : { now, number })
    : null
  if (!found || !mayEdit(found.document, await viewer)) throw documentNotFound()
  return found
}

/** Returns one revision. Throws `not_found` like `requireRevisions`, and if there is no such revision. */
async function requireRevision(store: DocumentStore, id: string, number: number, context: RevisionContext) {
  const { document, revisions } = await requireRevisions(store, id, context, number)
  const [revision] = revisions
  if (!revision) throw documentNotFound()
  return { document, revision }
}

interface RestoreContext extends Pick<EditContext, 'now' | 'checkPrecondition'>, RevisionContext {
  /** An editor proves the present password of an encrypted document with one of these, as for any other edit. */
  readonly password?: string | undefined
  readonly claimToken?: string | undefined
}

/**
 * Makes the content and the language of a revision those of the document. This is an edit: what they were before becomes
 * a revision. Restoring the current content changes nothing.
 *
 * Editors must prove the present password of an encrypted document. Otherwise one who knows only an earlier password
 * could undo its change, and one who knows none could replace content that they can't read. After the restore, the
 * document has the password that it had when the revision was saved.
 *
 * @throws AppError `not_found` like `findRevision`, and what `editDocument` throws.
 */
export async function restoreRevision(
  store: DocumentStore,
  id: string,
  number: number,
  { viewer: asked, now, checkPrecondition, password, claimToken }: RestoreContext,
): Promise<EditedDocument> {
  const find = () => requireRevision(store, id, number, { viewer: asked, now })
  const found = await find()
  const viewer = await asked
  let first: typeof found | null = found
  const makeEdit = async (document: Document, current: StoredContent): Promise<Edit> => {
    const { revision } = first ?? (await find())
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
   * Returns the password that the viewer sent for an encrypted document; undefined to get its JWE. Called once, before
   * a key is derived, so it may count attempts.
   */
  readonly getPassword?: (document: Document) => Promise<string | undefined>
}

interface FoundRevision {
  readonly document: Document
  readonly revision: Revision
}

/**
 * Returns a document and its revisions, newest first. The first is the current content. One call to D1.
 *
 * @throws AppError `not_found` if there is no such document, and for everyone but its creator and its editors: people
 * edit to take things out.
 */
export async function listRevisions(
  store: DocumentStore,
  id: string,
  context: RevisionContext,
): Promise<{ readonly document: Document; readonly revisions: Revision[] }> {
  return requireRevisions(store, id, context)
}

/**
 * Returns a revision without its content. One call to D1.
 *
 * @throws AppError `not_found` like `listRevisions`, and if there is no such revision.
 */
export const findRevision = (
  store: DocumentStore,
  id: string,
  number: number,
  context: RevisionContext,
): Promise<FoundRevision> => requireRevision(store, id, number, context)

/**
 * Returns a revision with its content: the text, or the JWE of an encrypted document unless the viewer sent its password.
 * A JWE needs the password that the document had when the revision was saved. Counts no view.
 *
 * @throws AppError `not_found` like `findRevision`, `bad_request` for a wrong password, `unavailable`.
 */
export async function readRevision(
  store: DocumentStore,
  id: string,
  number: number,
  { viewer, now, getPassword }: ReadContext,
): Promise<FoundRevision & { readonly content: string }> {
  let found = await requireRevision(store, id, number, { viewer, now })
  const password = found.document.encrypted ? await getPassword?.(found.document) : undefined
  for (let attempt = 1; ; attempt++) {
    try {
      const stored = openRevision(store, found.document, found.revision)
      const content = await (password === undefined ? stored.read() : stored.readText(password))
      return { ...found, content }
    } catch (error) {
      if (!(error instanceof StaleDocumentError)) throw error
      if (!(await pauseBeforeRetry(attempt))) throw unavailable(error)
    }
    // Cleanup may have copied the content to another key, or somebody may have deleted the revision.
    found = await requireRevision(store, id, number, { viewer, now })
  }
}

/**
 * Deletes all revisions of a document except its current content.
 *
 * @throws AppError `not_found` like `listRevisions`, `bad_auth` for editors, `unavailable`.
 */
export async function deleteRevisions(
  store: DocumentStore,
  id: string,
  context: RevisionContext,
): Promise<void> {
  const { document } = await requireRevisions(store, id, context)
  const viewer = await context.viewer
  if (!isCreator(document, viewer)) throw revisionsOfCreator()
  const contentKeys = await deleteRevisionsOf(store.db, id, viewer)
  if (contentKeys === null) throw documentNotFound()
  if (contentKeys.length > 0) store.defer(() => deleteContent(store, contentKeys))
}
