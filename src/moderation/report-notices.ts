import type { Database } from '../platform/database.ts'
import type { Statement } from '../platform/statement.ts'
import type { ReportNotifier } from './report-notifier.ts'

/** At most one notice about a document in this time. */
const INTERVAL_MS = 60 * 60_000
/** The first pause after a failure; each further one is twice as long. */
const RETRY_MS = 60_000
/** With the pauses above, they take about two hours. */
const MAX_ATTEMPTS = 8
/** Notices per run of the scheduled job. */
const MAX_NOTICES = 50

/** Returns the statement that makes a notice about a document due, unless there was one within the hour. */
export const noticeDueStatement = (documentId: string, now: number): Statement => [
  `INSERT INTO report_notices (document_id, due_at)
    SELECT document_id, ?2 FROM reports WHERE document_id = ?1 LIMIT 1
    ON CONFLICT (document_id) DO UPDATE
      SET due_at = coalesce(due_at, max(?2, ifnull(sent_at, 0) + ${INTERVAL_MS})),
        attempts = iif(due_at IS NULL, 0, attempts)`,
  documentId,
  now,
]

interface SendOptions {
  readonly db: Database
  readonly notify: ReportNotifier
  /** Where links start; null if unknown. */
  readonly siteUrl: string | null
  readonly now: number
  /** Asked before each notice: a webhook may take ten seconds. */
  readonly hasTime?: () => boolean
}

/** Claims the notice that has been due the longest. Until the pause is over, no other run sends it. */
const claimNotice = (db: Database, now: number) =>
  db.all<{ documentId: string }>([
    `UPDATE report_notices SET attempts = attempts + 1,
        due_at = iif(attempts + 1 >= ${MAX_ATTEMPTS}, NULL, ?1 + ${RETRY_MS} * (1 << attempts))
      WHERE document_id IN (
        SELECT document_id FROM report_notices WHERE due_at <= ?1 ORDER BY due_at LIMIT 1)
      RETURNING document_id AS documentId`,
    now,
  ])

const findCounts = (db: Database, documentId: string) =>
  db.first<{ reports: number | null; reasons: string }>([
    `SELECT sum(times) AS reports, json_group_array(DISTINCT reason) AS reasons
      FROM reports WHERE document_id = ?1`,
    documentId,
  ])

/** Records that a notice was sent. Reports that came in meanwhile get the next one. */
const recordSent = (db: Database, documentId: string, now: number) =>
  db.idempotentBatch([
    [
      `UPDATE report_notices SET sent_at = ?2, attempts = 0,
          due_at = iif(EXISTS (SELECT 1 FROM reports WHERE document_id = ?1 AND created_at > ?2),
            ?2 + ${INTERVAL_MS}, NULL)
        WHERE document_id = ?1`,
      documentId,
      now,
    ],
  ])

/**
 * Sends the notices that are due while there is time. One that fails is sent again later, up to `MAX_ATTEMPTS` times.
 *
 * @returns how many it sent.
 * @throws the first error, after all notices.
 */
export async function sendDueNotices({
  db,
  notify,
  siteUrl,
  now,
  hasTime = () => true,
}: SendOptions): Promise<number> {
  const errors: unknown[] = []
  let sent = 0
  for (let claimed = 0; claimed < MAX_NOTICES && hasTime(); claimed++) {
    const [notice] = await claimNotice(db, now)
    if (!notice) break
    const { documentId } = notice
    try {
      const { reports = 0, reasons = '[]' } = (await findCounts(db, documentId)) ?? {}
      // Nothing to say once somebody has dismissed the reports.
      if (reports) {
        const url = siteUrl === null ? null : `${siteUrl}/moderation/${documentId}`
        const details = { reports, reasons: JSON.parse(reasons) as string[], url, now }
        await notify({ documentId, ...details, id: `${documentId}-${now}` })
        sent += 1
      }
      await recordSent(db, documentId, now)
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
  return sent
}
