import { type Document, isDocumentId } from '../documents/document.ts'
import type { DocumentStorage } from '../documents/document-store.ts'
import { anyDocument, requireFound, StaleDocumentError, StoredContent } from '../documents/read.ts'
import { documentNotFound, unavailable } from '../errors.ts'
import { formatAddress, parseAddressRange } from '../platform/addresses.ts'
import { auditStatement } from '../platform/audit-log.ts'
import type { Database } from '../platform/database.ts'
import { findRemoval, type Removal } from './removals.ts'
import { findReports, type Report } from './reports.ts'

export interface StaffFacts {
  /** This hides the document from everyone but staff. */
  readonly suspended: boolean
  /** Who created it without an account; null if that isn't known any more. */
  readonly address: string | null
  /** Null for encrypted documents, and for old ones. */
  readonly contentHash: string | null
}

interface ReportedDocument {
  readonly document: Document
  readonly reports: readonly Report[]
  readonly facts: StaffFacts
}

async function findFacts(db: Database, id: string): Promise<StaffFacts> {
  const row = await db.first<{ suspended: number; address: string | null; contentHash: string | null }>([
    `SELECT u.suspended_at IS NOT NULL AS suspended, d.creator_address AS address, d.content_hash AS contentHash
      FROM documents d LEFT JOIN users u ON u.id = d.creator_id WHERE d.id = ?1`,
    id,
  ])
  const range = row?.address ? parseAddressRange(formatAddress(row.address)) : null
  return {
    suspended: row?.suspended === 1,
    address: range?.value ?? null,
    contentHash: row?.contentHash ?? null,
  }
}

/** Two queries in sequence at most. @throws AppError `not_found` if there is neither a document nor a removal. */
export async function requireReportedDocument(
  db: Database,
  id: string,
  now: number,
): Promise<ReportedDocument | { readonly removal: Removal }> {
  if (!isDocumentId(id)) throw documentNotFound()
  const [[document], reports, facts] = await Promise.all([
    db.ask(anyDocument(id, now)),
    findReports(db, id),
    findFacts(db, id),
  ])
  if (document) return { document, reports, facts }
  const removal = await findRemoval(db, id)
  if (!removal) throw documentNotFound()
  return { removal }
}

/** Throws AppError `not_found`. */
export async function requireDocumentForStaff(db: Database, id: string, now: number): Promise<Document> {
  const [document] = await db.ask(anyDocument(id, now))
  return requireFound(document)
}

/** Counts no view and burns nothing, but leaves an entry in the audit log. @throws AppError `not_found`. */
export async function readForStaff(
  { db, contents }: DocumentStorage,
  id: string,
  { by, now }: { by: string; now: number },
): Promise<string> {
  const document = await requireDocumentForStaff(db, id, now)
  try {
    const text = await new StoredContent(contents, document).read()
    await db.idempotentBatch([auditStatement({ actor: by, action: 'text.read', subject: id, now })])
    return text
  } catch (error) {
    // Somebody edited the document at the same moment. Staff can load the page again.
    throw error instanceof StaleDocumentError ? unavailable(error) : error
  }
}
