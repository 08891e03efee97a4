import { ADMIN_FLAG } from '../accounts/user.ts'
import type { Document } from '../documents/document.ts'
import type { DocumentStorage } from '../documents/document-store.ts'
import { anyDocument, requireFound, StaleDocumentError, StoredContent } from '../documents/read.ts'
import { AppError, invalidBody, issueAt, unavailable, userNotFound } from '../errors.ts'
import { formatAddress, parseAddressRange } from '../platform/addresses.ts'
import { type AuditAction, auditStatement } from '../platform/audit-log.ts'
import type { Database } from '../platform/database.ts'
import { isDocumentId } from '../shared/document-ids.ts'
import { HOUR_MS, type Instant } from '../shared/instant.ts'
import {
  addBlockStatements,
  BLOCK_FORMATS,
  type BlockKind,
  type NewBlock,
  removeBlockStatements,
} from './block-statements.ts'
import { type ListPage, type ListPageOptions, listPage } from './list-page.ts'
import { findRemoval, type Removal } from './removals.ts'
import { findReports, type Report } from './reports.ts'

export interface ReportedDocument {
  readonly document: Document
  readonly reports: readonly Report[]
  readonly facts: Awaited<ReturnType<typeof findFacts>>
}

async function findFacts(db: Database, id: string) {
  const row = await db.first<{ suspended: number; address: string | null; contentHash: string | null }>([
    `SELECT u.suspended_at IS NOT NULL AS suspended, d.creator_address AS address, d.content_hash AS contentHash
      FROM documents d LEFT JOIN users u ON u.id = d.creator_id WHERE d.id = ?1`,
    id,
  ])
  const range = row?.address ? parseAddressRange(formatAddress(row.address)) : null
  return {
    /** This hides the document from everyone but staff. */
    suspended: row?.suspended === 1,
    /** The network that created it without an account; null if that isn't known any more. */
    address: range?.value ?? null,
    /** Is null for encrypted documents, and for old ones. */
    contentHash: row?.contentHash ?? null,
  }
}

/** Makes at most two queries in sequence. Returns null if there is neither a document nor a removal. */
export async function findReportedDocument(
  db: Database,
  id: string,
  now: number,
): Promise<ReportedDocument | { readonly removal: Removal } | null> {
  if (!isDocumentId(id)) return null
  const [[document], reports, facts] = await Promise.all([
    db.ask(anyDocument(id, now)),
    findReports(db, id),
    findFacts(db, id),
  ])
  if (document) return { document, reports, facts }
  const removal = await findRemoval(db, id)
  return removal && { removal }
}

export async function requireDocumentForStaff(db: Database, id: string, now: number): Promise<Document> {
  const [document] = await db.ask(anyDocument(id, now))
  return requireFound(document)
}

/** A moderator who looks at a case again and again leaves one entry in the audit log an hour. */
const isFirstLook = `NOT EXISTS (SELECT 1 FROM audit_log
  WHERE actor = ?3 AND action = ?4 AND subject IS ?5 AND at > ?2 - ${HOUR_MS})`

interface Look {
  readonly by: string
  readonly action: AuditAction
  readonly subject?: string
  readonly now: Instant
}

/** Leaves an entry in the audit log, before anything is shown. */
export async function recordLook(db: Database, { by, ...look }: Look): Promise<void> {
  await db.idempotentBatch([auditStatement({ actor: by, ...look }, isFirstLook)])
}

/**
 * Counts no view and burns nothing, but leaves an entry in the audit log.
 *
 * @param maxBytes reads no more than the start of the text.
 */
export async function readForStaff(
  { db, contents }: DocumentStorage,
  document: Document,
  { by, now, maxBytes = document.contentBytes }: { by: string; now: number; maxBytes?: number },
): Promise<string> {
  try {
    const text = await new StoredContent(contents, document).readStart(maxBytes)
    await recordLook(db, { by, action: 'text.read', subject: document.id, now })
    return text
  } catch (error) {
    // Somebody edited the document at the same moment. Staff can load the page again.
    throw error instanceof StaleDocumentError ? unavailable(error) : error
  }
}

export interface ModeratedAccount {
  readonly username: string
  readonly isAdmin: boolean
  readonly suspendedAt: Instant | null
  readonly createdAt: Instant
  readonly documents: number
}

/** Finds an account by its name, ignoring case. */
export async function findModeratedAccount(db: Database, username: string): Promise<ModeratedAccount | null> {
  const row = await db.first<Omit<ModeratedAccount, 'isAdmin'> & { flags: number }>([
    `SELECT username, flags, suspended_at AS suspendedAt, created_at AS createdAt,
        (SELECT count(*) FROM documents WHERE creator_id = users.id) AS documents
      FROM users WHERE username = ?1`,
    username,
  ])
  if (!row) return null
  const { flags, ...account } = row
  return { ...account, isAdmin: (flags & ADMIN_FLAG) !== 0 }
}

async function requireModeratedAccount(db: Database, username: string): Promise<ModeratedAccount> {
  const account = await findModeratedAccount(db, username)
  if (!account) throw userNotFound()
  return account
}

type Decision = Pick<NewBlock, 'by' | 'reason' | 'now'>

/** @throws AppError `not_found`, or `bad_auth` for an admin: only the command line can suspend those. */
export async function suspendAccount(
  db: Database,
  username: string,
  { by, reason, now }: Decision,
): Promise<void> {
  const account = await requireModeratedAccount(db, username)
  if (account.isAdmin) throw new AppError('bad_auth', "You can't suspend an admin here. Use the command line")
  const one = `username = ?1 AND (flags & ${ADMIN_FLAG}) = 0`
  await db.idempotentBatch([
    [`UPDATE users SET suspended_at = coalesce(suspended_at, ?2) WHERE ${one}`, username, now],
    [
      'DELETE FROM sessions WHERE user_id = (SELECT id FROM users WHERE username = ?1 AND suspended_at IS NOT NULL)',
      username,
    ],
    auditStatement({ actor: by, action: 'account.suspend', subject: account.username, detail: reason, now }),
  ])
}

export async function restoreAccount(
  db: Database,
  username: string,
  { by, now }: Omit<Decision, 'reason'>,
): Promise<void> {
  const account = await requireModeratedAccount(db, username)
  await db.idempotentBatch([
    ['UPDATE users SET suspended_at = NULL WHERE username = ?1', username],
    auditStatement({ actor: by, action: 'account.restore', subject: account.username, now }),
  ])
}

interface AuditLogEntry {
  readonly id: string
  readonly at: Instant
  /** A username, or `cli:` and the name of the computer's user. */
  readonly actor: string
  readonly action: AuditAction
  readonly subject: string | null
  readonly detail: string | null
  readonly network: string | null
}

export const listAuditLog = (db: Database, page: ListPageOptions): Promise<ListPage<AuditLogEntry>> =>
  listPage(db, {
    ...page,
    columns: 'id, at, actor, action, subject, detail, address AS network',
    from: 'audit_log',
    order: ['at', 'id'],
  })

interface BlockListEntry {
  readonly kind: BlockKind
  readonly value: string
  readonly reason: string
  readonly createdBy: string
  readonly createdAt: Instant
}

/** Blocking it again changes nothing. @throws AppError `bad_request` at `value` if it isn't valid. */
export async function addBlock(db: Database, block: NewBlock): Promise<void> {
  const statements = addBlockStatements(block)
  if (statements === null) throw invalidBody(issueAt(['value'], `Must be ${BLOCK_FORMATS[block.kind]}`))
  await db.idempotentBatch(statements)
}

/** Lifting a block that doesn't exist isn't an error. */
export async function removeBlock(db: Database, block: Omit<NewBlock, 'reason'>): Promise<void> {
  await db.idempotentBatch(removeBlockStatements(block))
}

export const listBlocks = (db: Database, page: ListPageOptions): Promise<ListPage<BlockListEntry>> =>
  listPage(db, {
    ...page,
    columns: 'kind, value, reason, created_by AS createdBy, created_at AS createdAt',
    from: 'blocks',
    order: ['created_at', "kind || '-' || value"],
  })
