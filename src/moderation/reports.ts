import { nanoid } from 'nanoid'
import { isDocumentId } from '../documents/model/ids.ts'
import { documentNotFound } from '../errors.ts'
import { auditStatement } from '../platform/audit-log.ts'
import type { Database } from '../platform/database.ts'
import { type Page, parseCursor, toPage } from './cursor.ts'
import { noticeDueStatement } from './report-notices.ts'

/** Reasons for reporting a document. */
export const REASONS = ['spam', 'malware', 'privacy', 'illegal', 'other'] as const

export type Reason = (typeof REASONS)[number]

export const isReason = (candidate: string): candidate is Reason =>
  REASONS.some((reason) => reason === candidate)

export const MAX_REPORT_CHARACTERS = 1_000

/** Rows kept of the reports of a document, so that nobody can fill the database. Further reports are only counted. */
const MAX_REPORTS_PER_DOCUMENT = 100

/** A report of a document. */
export interface Report {
  readonly reason: Reason
  /** Written by the viewer; may contain anything. */
  readonly comment: string | null
  /** When it was made, or the latest of them, in milliseconds since 1970. */
  readonly createdAt: number
  /** How many reports it stands for: more than one where later reports were only counted. */
  readonly times: number
}

/** Selects a document if readers can see it. Takes the parameters of its id and of the time. */
const selectVisible = (id: string, now: string) => `
  SELECT d.id FROM documents d LEFT JOIN users u ON u.id = d.creator_id
  WHERE d.id = ${id} AND d.expires_at > ${now} AND u.suspended_at IS NULL`

const VISIBLE = selectVisible('?2', '?5')

const IS_FULL = `(SELECT count(*) FROM reports WHERE document_id = ?2) >= ${MAX_REPORTS_PER_DOCUMENT}`

/** The report without a comment, and with the same reason, that counts further ones. */
const COUNTING = `
  SELECT id FROM reports WHERE document_id = ?2 AND reason = ?3 AND words IS NULL
  ORDER BY times DESC, created_at DESC, id LIMIT 1`

interface NewReport {
  readonly reason: Reason
  readonly comment: string | null
  readonly now: number
  /** Whether to tell the operator about it. */
  readonly notify?: boolean
}

/**
 * Creates a report of a document. If the document has `MAX_REPORTS_PER_DOCUMENT` already, the report is counted without
 * its comment.
 *
 * @throws AppError `not_found` if there is no such document at `now`, or its creator is suspended.
 */
export async function createReport(
  db: Database,
  documentId: string,
  { reason, comment, now, notify = false }: NewReport,
): Promise<void> {
  if (!isDocumentId(documentId)) throw documentNotFound()
  const parameters = [nanoid(), documentId, reason, comment, now] as const
  const [, , document] = await db.idempotentBatch([
    [
      // The id of the row that counts is that of the latest report, so running this again counts nothing twice.
      `UPDATE reports SET times = times + 1, created_at = max(created_at, ?5), id = ?1
        WHERE id = (${COUNTING}) AND ${IS_FULL} AND EXISTS (${VISIBLE})
          AND NOT EXISTS (SELECT 1 FROM reports WHERE id = ?1)`,
      ...parameters.with(3, null),
    ],
    [
      `INSERT INTO reports (id, document_id, reason, words, created_at)
        SELECT ?1, ?2, ?3, iif(${IS_FULL}, NULL, ?4), ?5
        WHERE EXISTS (${VISIBLE}) AND NOT (${IS_FULL} AND EXISTS (${COUNTING}))
        ON CONFLICT (id) DO NOTHING`,
      ...parameters,
    ],
    [selectVisible('?1', '?2'), documentId, now],
    ...(notify ? [noticeDueStatement(documentId, now)] : []),
  ])
  if (!document?.length) throw documentNotFound()
}

/** Returns the reports of a document, newest first. */
export const findReports = (db: Database, documentId: string): Promise<Report[]> =>
  db.all<Report>([
    `SELECT reason, words AS comment, created_at AS createdAt, times FROM reports
      WHERE document_id = ?1 ORDER BY created_at DESC, id DESC`,
    documentId,
  ])

/** A reported document, as the list shows it. */
export interface ReportedDocument {
  readonly id: string
  readonly title: string | null
  /** A username; null for an anonymous document. */
  readonly creator: string | null
  readonly reports: number
  readonly reasons: readonly Reason[]
  /** From the latest three reports that have one, newest first. */
  readonly comments: readonly string[]
  /** When the document was last reported, in milliseconds since 1970. */
  readonly reportedAt: number
}

type ReportedRow = Omit<ReportedDocument, 'reasons' | 'comments'> & {
  readonly lastReport: string
  /** JSON. */
  readonly reasons: string
  readonly comments: string
}

/** Scans reports from the newest on and keeps the newest one of each document. */
const LIST_REPORTED = `
  SELECT d.id, d.title, u.username AS creator, r.id AS lastReport, r.created_at AS reportedAt,
    (SELECT sum(times) FROM reports WHERE document_id = d.id) AS reports,
    (SELECT json_group_array(DISTINCT reason) FROM reports WHERE document_id = d.id) AS reasons,
    (SELECT json_group_array(words) FROM (
      SELECT words FROM reports WHERE document_id = d.id AND words IS NOT NULL
      ORDER BY created_at DESC, id DESC LIMIT 3)) AS comments
  FROM reports r CROSS JOIN documents d ON d.id = r.document_id LEFT JOIN users u ON u.id = d.creator_id
  WHERE (r.created_at, r.id) < (?1, ?2) AND d.expires_at > ?3
    AND NOT EXISTS (SELECT 1 FROM reports later
      WHERE later.document_id = r.document_id AND (later.created_at, later.id) > (r.created_at, r.id))
  ORDER BY r.created_at DESC, r.id DESC LIMIT ?4`

/**
 * Returns one page of the reported documents, most recently reported first. One query.
 *
 * @param cursor from the previous page; undefined for the first.
 * @throws AppError `bad_request` for an invalid cursor.
 */
export async function listReported(
  db: Database,
  { cursor, limit, now }: { cursor: string | undefined; limit: number; now: number },
): Promise<Page<ReportedDocument>> {
  const { at, id } = parseCursor(cursor)
  const rows = await db.all<ReportedRow>([LIST_REPORTED, at, id, now, limit + 1])
  const page = toPage(rows, limit, (row) => ({ at: row.reportedAt, id: row.lastReport }))
  const items = page.items.map(({ lastReport: _, ...row }) => ({
    ...row,
    reasons: JSON.parse(row.reasons) as Reason[],
    comments: JSON.parse(row.comments) as string[],
  }))
  return { ...page, items }
}

/**
 * Deletes the reports of a document that were made until `until`. Reports made after the moderator loaded the page
 * stay.
 */
export async function dismissReports(
  db: Database,
  documentId: string,
  { until, by, now }: { until: number; by: string; now: number },
): Promise<void> {
  await db.idempotentBatch([
    ['DELETE FROM reports WHERE document_id = ?1 AND created_at <= ?2', documentId, until],
    auditStatement({ actor: by, action: 'reports.dismiss', subject: documentId, now }),
  ])
}
