import type { Database } from '../platform/database.ts'
import type { Instant } from '../shared/instant.ts'
import type { Account, Document } from './document.ts'
import type { DocumentStorage } from './document-store.ts'
import { pageOfDocuments } from './lists.ts'
import { visibleDocument } from './read.ts'

/** A Worker may make 1,000 storage calls in a request (50 queries on the free plan). A document takes one or more. */
export const MAX_PART_DOCUMENTS = 400

/** A download that breaks off shouldn't have to start from nothing. */
const MAX_PART_BYTES = 200 * 1024 * 1024

/** One of the downloads that an account's documents are divided into. */
interface ExportPart {
  /** Null for the first part. */
  readonly after: ExportPosition | null
  readonly documents: number
  /** Before encryption. */
  readonly bytes: number
}

export interface ExportPosition {
  readonly createdAt: Instant
  readonly id: string
}

interface SizeRow {
  readonly createdAt: Instant
  readonly id: string
  readonly bytes: number
}

/** There is always at least one part. One query. */
export async function findExportParts(db: Database, account: Account, now: Instant): Promise<ExportPart[]> {
  const rows = await db.all<SizeRow>([
    `SELECT created_at AS createdAt, id, content_bytes AS bytes FROM documents
      WHERE creator_id = ?1 AND expires_at > ?2 ORDER BY created_at, id`,
    account.id,
    now,
  ])
  const parts: ExportPart[] = []
  let part: ExportPart = { after: null, documents: 0, bytes: 0 }
  let last: ExportPosition | null = null
  for (const { createdAt, id, bytes } of rows) {
    if (isFull(part, bytes)) {
      parts.push(part)
      part = { after: last, documents: 0, bytes: 0 }
    }
    part = { ...part, documents: part.documents + 1, bytes: part.bytes + bytes }
    last = { createdAt, id }
  }
  return [...parts, part]
}

export const isFull = ({ documents, bytes }: Omit<ExportPart, 'after'>, more: number): boolean =>
  documents >= MAX_PART_DOCUMENTS || (documents > 0 && bytes + more > MAX_PART_BYTES)

const PAGE_SIZE = 100

/** If an edit replaces the content in the meantime. */
const ATTEMPTS = 3

/** As KV sends it: the text, or the JWE of an encrypted document. */
export interface ExportedDocument {
  readonly document: Document
  /** Null if KV doesn't have it. */
  readonly content: ReadableStream | null
}

/** Counts no views and burns nothing. Content is read when the caller reads the stream, so memory holds none. */
export async function* exportDocuments(
  store: DocumentStorage,
  account: Account,
  { after, now }: { after: ExportPosition | null; now: Instant },
): AsyncGenerator<ExportedDocument> {
  let position = after && { key: after.createdAt, id: after.id }
  let taken = { documents: 0, bytes: 0 }
  while (true) {
    const [page] = await store.db.ask(
      pageOfDocuments({
        scope: 'created',
        viewer: account,
        sort: 'oldest',
        search: null,
        after: position,
        limit: PAGE_SIZE,
        now,
      }),
    )
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

/** Null if the document is gone or belongs to somebody else by now. */
export async function openDocument(
  { db, contents }: DocumentStorage,
  found: Document,
  now: Instant,
): Promise<ExportedDocument | null> {
  let document: Document | null = found
  for (let attempt = 1; document && attempt <= ATTEMPTS; attempt++) {
    const content = await contents.stream(document.contentKey, { storedAt: document.updatedAt })
    if (content) return { document, content }
    const [current]: [Document | null] = await db.ask(visibleDocument(document.id, now))
    document = current && hasSameCreator(current, found) ? current : null
  }
  return document && { document, content: null }
}

const hasSameCreator = (one: Document, other: Document): boolean =>
  one.creator?.id === other.creator?.id && one.tokenHash === other.tokenHash
