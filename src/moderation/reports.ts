import { nanoid } from 'nanoid'
import { isDocumentId } from '../documents/model/ids.ts'
import { documentNotFound } from '../errors.ts'
import type { Database } from '../platform/database.ts'
import { fromCursor, type Page, toPage } from './cursor.ts'

/** What a document can be reported for. */
export const REASONS = ['spam', 'malware', 'privacy', 'illegal', 'other'] as const

export type Reason = (typeof REASONS)[number]

export const isReason = (candidate: string): candidate is Reason =>
  REASONS.some((reason) => reason === candidate)

export const MAX_REPORT_CHARACTERS = 1_000

/** Enough to know what is the matter; nobody fills the database with more. */
const MOST_REPORTS = 100

/** What somebody told about a document. The words are theirs, whatever they are. */
export interface Report {
  readonly reason: Reason
  readonly words: string | null
  /** Milliseconds since 1970. */
  readonly createdAt: number
}

/**
 * Keeps what somebody tells about a document; of one that has a hundred reports already, nothing further.
 *
 * @throws AppError `not_found` when there is no such document, or it has expired by `now`.
 */
export async function reportDocument(
  db: Database,
  documentId: string,
  { reason, words, now }: { reason: Reason; words: string | null; now: number },
): Promise<void> {
  if (!isDocumentId(documentId)) throw documentNotFound()
  const [, document] = await db.idempotentBatch([
    [
      `INSERT INTO reports (id, document_id, reason, words, created_at)
        SELECT ?1, id, ?3, ?4, ?5 FROM documents
        WHERE id = ?2 AND expires_at > ?5
          AND (SELECT count(*) FROM reports WHERE document_id = ?2) < ${MOST_REPORTS}
        ON CONFLICT (id) DO NOTHING`,
      nanoid(),
      documentId,
      reason,
      words,
      now,
    ],
    ['SELECT 1 FROM documents WHERE id = ?1 AND expires_at > ?2', documentId, now],
  ])
  if (!document?.length) throw documentNotFound()
}

/** The reports of a document, the latest first. */
export const findReports = (db: Database, documentId: string): Promise<Report[]> =>
  db.all<Report>([
    `SELECT reason, words, created_at AS createdAt FROM reports
      WHERE document_id = ?1 ORDER BY created_at DESC, id DESC`,
    documentId,
  ])

/** A document that was reported, as a list shows it. */
export interface ReportedDocument {
  readonly id: string
  readonly title: string | null
  /** A username; null for an anonymous document. */
  readonly creator: string | null
  readonly reports: number
  readonly reasons: readonly Reason[]
  /** Of the latest three reports that have any, the latest first. */
  readonly words: readonly string[]
  /** When it was last reported, in milliseconds since 1970. */
  readonly reportedAt: number
}

type ReportedRow = Omit<ReportedDocument, 'reasons' | 'words'> & {
  readonly lastReport: string
  /** JSON. */
  readonly reasons: string
  readonly words: string
}

/** Goes through the reports from the latest on, and stays with those that are the last of their document. */
const LIST_REPORTED = `
  SELECT d.id, d.title, u.username AS creator, r.id AS lastReport, r.created_at AS reportedAt,
    (SELECT count(*) FROM reports WHERE document_id = d.id) AS reports,
    (SELECT json_group_array(DISTINCT reason) FROM reports WHERE document_id = d.id) AS reasons,
    (SELECT json_group_array(words) FROM (
      SELECT words FROM reports WHERE document_id = d.id AND words IS NOT NULL
      ORDER BY created_at DESC, id DESC LIMIT 3)) AS words
  FROM reports r CROSS JOIN documents d ON d.id = r.document_id LEFT JOIN users u ON u.id = d.creator_id
  WHERE (r.created_at, r.id) < (?1, ?2) AND d.expires_at > ?3
    AND NOT EXISTS (SELECT 1 FROM reports later
      WHERE later.document_id = r.document_id AND (later.created_at, later.id) > (r.created_at, r.id))
  ORDER BY r.created_at DESC, r.id DESC LIMIT ?4`

/**
 * One page of the documents that were reported, the most recently reported first. One query.
 *
 * @param cursor of the page before; undefined for the first.
 * @throws AppError `bad_request` for a cursor that no page gave.
 */
export async function listReported(
  db: Database,
  { cursor, limit, now }: { cursor: string | undefined; limit: number; now: number },
): Promise<Page<ReportedDocument>> {
  const { at, id } = fromCursor(cursor)
  const rows = await db.all<ReportedRow>([LIST_REPORTED, at, id, now, limit + 1])
  const page = toPage(rows, limit, (row) => ({ at: row.reportedAt, id: row.lastReport }))
  const items = page.items.map(({ lastReport: _, ...row }) => ({
    ...row,
    reasons: JSON.parse(row.reasons) as Reason[],
    words: JSON.parse(row.words) as string[],
  }))
  return { ...page, items }
}

/**
 * Drops the reports of a document that were made up to an instant: those that came since somebody looked
 * wait to be looked at.
 */
export async function dismissReports(db: Database, documentId: string, until: number): Promise<void> {
  await db.idempotentBatch([
    ['DELETE FROM reports WHERE document_id = ?1 AND created_at <= ?2', documentId, until],
  ])
}
