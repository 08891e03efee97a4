import type { Database } from '../platform/database.ts'
import { NEVER } from '../shared/expiry.ts'
import type { Instant } from '../shared/instant.ts'
import { splitBySize } from '../shared/split-by-size.ts'
import { type Account, DOCUMENTS, type Document, type DocumentRow, toDocument } from './document.ts'
import type { DocumentStorage } from './document-store.ts'
import { visibleDocument } from './read.ts'

/** A Worker may make 1,000 storage calls in a request (50 queries on the free plan). A document takes one or more. */
export const MAX_PART_DOCUMENTS = 400

/** A download that breaks off shouldn't have to start from nothing. */
const MAX_PART_BYTES = 200 * 1024 * 1024

/** Divides documents into the parts of a download. There is always at least one, which may be empty. */
export function divideIntoParts<Item extends Pick<Document, 'contentBytes'>>(items: readonly Item[]) {
  const limits = { maxItems: MAX_PART_DOCUMENTS, maxBytes: MAX_PART_BYTES }
  const groups = splitBySize(items, ({ contentBytes }) => contentBytes, limits)
  return (groups.length === 0 ? [[]] : groups).map((part) => ({
    items: part,
    documents: part.length,
    /** The size of the texts, before encryption. */
    bytes: part.reduce((sum, { contentBytes }) => sum + contentBytes, 0),
  }))
}

export type ExportPosition = Pick<Document, 'createdAt' | 'id'>

/** The documents after a position, and up to another one. */
export interface ExportRange {
  /** Is null for the first part. */
  readonly after: ExportPosition | null
  /** Is null if the part ends when it is full. */
  readonly until: ExportPosition | null
}

/** Divides the documents of an account into parts, with one query. */
export async function findExportParts(db: Database, account: Account, now: Instant) {
  const rows = await db.all<ExportPosition & Pick<Document, 'contentBytes'>>([
    `SELECT created_at AS createdAt, id, content_bytes AS contentBytes FROM documents
      WHERE creator_id = ?1 AND expires_at > ?2 ORDER BY created_at, id`,
    account.id,
    now,
  ])
  const parts = divideIntoParts(rows)
  return parts.map((part, index) => ({
    ...part,
    after: parts[index - 1]?.items.at(-1) ?? null,
    until: part.items.at(-1) ?? null,
  }))
}

const PAGE_SIZE = 100

/** How often content is looked for, since an edit may replace it in the meantime. */
const ATTEMPTS = 3

type ExportedDocument = NonNullable<Awaited<ReturnType<typeof openDocument>>>

/**
 * Counts no views and burns nothing. Content is read when the caller reads the stream, so memory holds none. A part whose
 * documents have grown since, or to which others have come, still ends where the next one begins.
 *
 * @throws Error if so many have come that a Worker can't read them all.
 */
export async function* exportDocuments(
  store: DocumentStorage,
  account: Account,
  { after, until, now }: ExportRange & { readonly now: Instant },
): AsyncGenerator<ExportedDocument> {
  let position = after ?? { createdAt: 0, id: '' }
  const end = until ?? { createdAt: NEVER, id: '' }
  let [documents, bytes] = [0, 0]
  while (true) {
    const rows = await store.db.all<DocumentRow>([
      `${DOCUMENTS} WHERE d.creator_id = ?1 AND d.expires_at > ?2 AND (d.created_at, d.id) > (?3, ?4)
          AND (d.created_at, d.id) <= (?5, ?6)
        ORDER BY d.created_at, d.id LIMIT ${PAGE_SIZE}`,
      account.id,
      now,
      position.createdAt,
      position.id,
      end.createdAt,
      end.id,
    ])
    const page = rows.map(toDocument)
    for (const document of page) {
      const { contentBytes } = document
      const isFull =
        documents === MAX_PART_DOCUMENTS || (documents > 0 && bytes + contentBytes > MAX_PART_BYTES)
      if (until === null && isFull) return
      if (documents === 2 * MAX_PART_DOCUMENTS)
        throw new Error('this part of a download has too many documents')
      documents += 1
      bytes += contentBytes
      const exported = await openDocument(store, document, now)
      if (exported) yield exported
    }
    const last = page.at(-1)
    if (page.length < PAGE_SIZE || !last) return
    position = last
  }
}

/**
 * Opens a document with its content as KV sends it: the text, or the JWE of an encrypted document. Returns null if the
 * document is gone or belongs to somebody else by now; the content is null if KV doesn't have it.
 */
export async function openDocument({ db, contents }: DocumentStorage, found: Document, now: Instant) {
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
