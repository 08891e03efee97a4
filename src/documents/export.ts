import type { DocumentStorage } from './document-store.ts'
import type { Account, Document } from './model/document.ts'
import { findDocument } from './sql/document-statements.ts'
import { type ExportPosition, isFull } from './sql/export-parts.ts'
import { findPage } from './sql/lists.ts'

/** Rows that are read at once. */
const PAGE_SIZE = 100

/** How often content is looked for, if an edit replaces it in the meantime. */
const ATTEMPTS = 3

/** A document with its content as KV sends it: the text, or the JWE of an encrypted document. */
export interface ExportedDocument {
  readonly document: Document
  /** Null if KV doesn't have it. */
  readonly content: ReadableStream | null
}

/**
 * Returns the documents of one part of an account's export, oldest first. Counts no views and burns nothing. Holds no
 * content in memory: it is read when the caller reads the stream, one document after the other.
 *
 * @param after the position after which the part starts; null for the first part.
 */
export async function* exportDocuments(
  store: DocumentStorage,
  account: Account,
  { after, now }: { after: ExportPosition | null; now: number },
): AsyncGenerator<ExportedDocument> {
  let position = after && { key: after.createdAt, id: after.id }
  let taken = { documents: 0, bytes: 0 }
  while (true) {
    const page = await findPage(store.db, {
      scope: 'created',
      viewer: account,
      sort: 'oldest',
      search: null,
      after: position,
      limit: PAGE_SIZE,
      now,
    })
    for (const document of page) {
      if (isFull(taken, document.contentBytes)) return
      taken = { documents: taken.documents + 1, bytes: taken.bytes + document.contentBytes }
      const exported = await openDocument(store, document, now)
      if (exported) yield exported
    }
    const last = page.at(-1)
    if (page.length < PAGE_SIZE || !last) return
    position = { key: last.createdAt, id: last.id }
  }
}

/**
 * Opens the content of a document. Returns null if the document has been deleted, has expired or belongs to somebody else
 * since its row was read.
 */
export async function openDocument(
  { db, contents }: DocumentStorage,
  found: Document,
  now: number,
): Promise<ExportedDocument | null> {
  let document: Document | null = found
  for (let attempt = 1; document && attempt <= ATTEMPTS; attempt++) {
    const content = await contents.stream(document.contentKey, { storedAt: document.updatedAt })
    if (content) return { document, content }
    const current: Document | null = await findDocument(db, document.id, now)
    document = current && hasSameCreator(current, found) ? current : null
  }
  return document && { document, content: null }
}

const hasSameCreator = (one: Document, other: Document): boolean =>
  one.creator?.id === other.creator?.id && one.tokenHash === other.tokenHash
