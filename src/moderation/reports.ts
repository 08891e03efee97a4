import { nanoid } from 'nanoid'
import { countReportEmail } from '../accounts/sign-in/email-limits.ts'
import type { Config, ReportWebhook } from '../config.ts'
import { documentNotFound } from '../errors.ts'
import { auditStatement } from '../platform/audit-log.ts'
import type { Database } from '../platform/database.ts'
import { logError } from '../platform/log.ts'
import { createEmailSender, type EmailSender } from '../platform/mail.ts'
import { fetchOutside } from '../platform/outgoing.ts'
import { isDocumentId } from '../shared/document-ids.ts'
import { encodeText } from '../shared/encodings.ts'
import { formatCount } from '../shared/format.ts'
import { HOUR_MS, type Instant, MINUTE_MS } from '../shared/instant.ts'
import type { Statement } from '../shared/statement.ts'
import { type ListPage, type ListPageOptions, listPage } from './list-page.ts'

export const REASON_LABELS = {
  spam: 'Spam',
  malware: 'Malware or phishing',
  privacy: 'Private information',
  illegal: 'Illegal content',
  other: 'Something else',
} as const

export type Reason = keyof typeof REASON_LABELS

export const isReason = (candidate: string): candidate is Reason => Object.hasOwn(REASON_LABELS, candidate)

export const MAX_REPORT_CHARACTERS = 1_000

/** Rows kept of the reports of a document, so that nobody can fill the database. Further reports are only counted. */
const MAX_REPORTS_PER_DOCUMENT = 100

export interface Report {
  readonly reason: Reason
  /** The viewer's own words, which may contain anything. */
  readonly comment: string | null
  readonly createdAt: Instant
  /** More than one where later reports were only counted. */
  readonly times: number
}

const selectVisible = (id: string, now: string) => `
  SELECT d.id FROM documents d LEFT JOIN users u ON u.id = d.creator_id
  WHERE d.id = ${id} AND d.expires_at > ${now} AND u.suspended_at IS NULL`

const VISIBLE = selectVisible('?2', '?5')

const IS_FULL = `(SELECT count(*) FROM reports WHERE document_id = ?2) >= ${MAX_REPORTS_PER_DOCUMENT}`

/** The report that counts further ones with the same reason. */
const COUNTING = `
  SELECT id FROM reports WHERE document_id = ?2 AND reason = ?3 AND words IS NULL
  ORDER BY times DESC, created_at DESC, id LIMIT 1`

interface NewReport {
  readonly reason: Reason
  readonly comment: string | null
  readonly now: Instant
  readonly notify?: boolean
}

/** Stores a report. Beyond `MAX_REPORTS_PER_DOCUMENT`, it's counted without its comment. @throws AppError `not_found`. */
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

export const findReports = (db: Database, documentId: string): Promise<Report[]> =>
  db.all<Report>([
    `SELECT reason, words AS comment, created_at AS createdAt, times FROM reports
      WHERE document_id = ?1 ORDER BY created_at DESC, id DESC`,
    documentId,
  ])

export interface ReportSummary {
  readonly id: string
  readonly title: string | null
  readonly creator: string | null
  readonly reports: number
  readonly reasons: readonly Reason[]
  readonly reportedAt: Instant
}

type ReportedRow = Omit<ReportSummary, 'reports' | 'reasons'> & { readonly counted: string }

/** Lists reported documents, the most recently reported first. @throws AppError `bad_request` for an invalid cursor. */
export async function listReported(
  db: Database,
  { now, ...page }: ListPageOptions & { readonly now: Instant },
): Promise<ListPage<ReportSummary>> {
  const { items, cursor } = await listPage<ReportedRow>(db, {
    ...page,
    columns: `d.id, d.title, u.username AS creator, r.created_at AS reportedAt,
      (SELECT json_object('reports', sum(times), 'reasons', json_group_array(DISTINCT reason))
        FROM reports WHERE document_id = d.id) AS counted`,
    from: `reports r CROSS JOIN documents d ON d.id = r.document_id
      LEFT JOIN users u ON u.id = d.creator_id`,
    order: ['r.created_at', 'r.id'],
    // Scans from the newest report on and keeps the newest one of each document.
    where: `d.expires_at > ?4 AND NOT EXISTS (SELECT 1 FROM reports later
      WHERE later.document_id = r.document_id AND (later.created_at, later.id) > (r.created_at, r.id))`,
    parameters: [now],
  })
  const toSummary = ({ counted, ...row }: ReportedRow): ReportSummary => ({
    ...row,
    ...(JSON.parse(counted) as Pick<ReportSummary, 'reports' | 'reasons'>),
  })
  return { items: items.map(toSummary), cursor }
}

/** Reports made after the moderator loaded the page stay. */
export async function dismissReports(
  db: Database,
  documentId: string,
  { until, by, now }: { until: Instant; by: string; now: Instant },
): Promise<void> {
  await db.idempotentBatch([
    ['DELETE FROM reports WHERE document_id = ?1 AND created_at <= ?2', documentId, until],
    auditStatement({ actor: by, action: 'reports.dismiss', subject: documentId, now }),
  ])
}

/** The facts that the operator learns: neither the document's title nor what anyone wrote is among them. */
interface ReportNotice {
  /** The id of this notice, which is the same when it's sent again, unless further reports have come in. */
  readonly id: string
  readonly documentId: string
  readonly reports: number
  readonly reasons: readonly string[]
  /** Is null if the server doesn't know its own address. */
  readonly url: string | null
  readonly now: Instant
}

/** Returns false if nobody was told, because the server has sent all the emails that it may within an hour. */
type ReportNotifier = (notice: ReportNotice) => Promise<boolean>

/** Signs a webhook as https://www.standardwebhooks.com says. */
async function signWebhook(key: Uint8Array<ArrayBuffer>, id: string, seconds: number, body: string) {
  const hmac = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const signature = await crypto.subtle.sign('HMAC', hmac, encodeText(`${id}.${seconds}.${body}`))
  return {
    'Webhook-Id': id,
    'Webhook-Timestamp': String(seconds),
    'Webhook-Signature': `v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`,
  }
}

async function sendWebhook({ url, key }: ReportWebhook, notice: ReportNotice): Promise<void> {
  const { id, documentId, reports, reasons, now } = notice
  const body = JSON.stringify({
    type: 'document.reported',
    timestamp: new Date(now).toISOString(),
    data: { document_id: documentId, reports, reasons, url: notice.url },
  })
  const { status } = await fetchOutside(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(await signWebhook(key, id, Math.floor(now / 1000), body)),
    },
    body,
  })
  if (status < 200 || status > 299) throw new Error(`the webhook for reports answered ${status}`)
}

async function sendNotice(sendEmail: EmailSender, to: string, notice: ReportNotice): Promise<void> {
  const { documentId, reports, reasons, url } = notice
  const lines = [
    `Document ${documentId} has ${formatCount(reports, 'report')}: ${reasons.join(', ')}.`,
    url === null ? 'Open /moderation on your site to decide.' : `Decide: ${url}`,
    'You get at most one email an hour about a document.',
  ]
  await sendEmail({
    to,
    subject: `Reported document ${documentId}`,
    text: lines.join('\n\n'),
    // Ids, reasons and the site's own address contain nothing that needs escaping.
    html: lines.map((line) => `<p>${line}</p>`).join('\n'),
  })
}

/** Returns null if the operator wants none, or only emails where none are sent. */
export function createReportNotifier(
  { abuse, mailFrom, maxEmailsPerHour }: Pick<Config, 'abuse' | 'mailFrom' | 'maxEmailsPerHour'>,
  { db, binding, siteUrl }: NotifierOptions,
): ReportNotifier | null {
  const { reportEmail: to, reportWebhook: webhook } = abuse
  const sendEmail = to === null ? null : createEmailSender({ from: mailFrom, binding, siteUrl })
  if (!sendEmail && webhook === null) return null
  const email = async (notice: ReportNotice): Promise<boolean> => {
    if (to === null || !sendEmail) return false
    if (!(await countReportEmail(db, maxEmailsPerHour, notice.now))) return false
    await sendNotice(sendEmail, to, notice)
    return true
  }
  return async (notice) => {
    const results = await Promise.allSettled([
      webhook !== null && sendWebhook(webhook, notice).then(() => true),
      email(notice),
    ])
    // One of them is enough: there is one email an hour.
    const isTold = results.some((result) => result.status === 'fulfilled' && result.value)
    for (const result of results) {
      if (result.status === 'fulfilled') continue
      if (!isTold) throw result.reason
      logError('report notice failed', '', result.reason)
    }
    return isTold
  }
}

interface NotifierOptions {
  readonly db: Database
  readonly binding: SendEmail | undefined
  readonly siteUrl: string
}

/** The time in which there is at most one notice about a document. */
const INTERVAL_MS = HOUR_MS
/** The first pause after a failure; each further one is twice as long. */
const RETRY_MS = 60_000
/** The number of attempts, which take about two hours with the pauses above. */
const MAX_ATTEMPTS = 8
const MAX_NOTICES = 50
/** The pause while the server may not send emails. */
const NO_EMAILS_MS = 10 * MINUTE_MS

/** Makes a notice due about a reported document that can be read, unless there was one within the hour. */
const noticeDueStatement = (documentId: string, now: Instant): Statement => [
  `INSERT INTO report_notices (document_id, due_at)
    SELECT ?1, ?2 WHERE EXISTS (SELECT 1 FROM reports WHERE document_id = ?1) AND EXISTS (${selectVisible('?1', '?2')})
    ON CONFLICT (document_id) DO UPDATE
      SET due_at = coalesce(due_at, max(?2, ifnull(sent_at, 0) + ${INTERVAL_MS})),
        attempts = iif(due_at IS NULL, 0, attempts)`,
  documentId,
  now,
]

interface SendOptions {
  readonly db: Database
  readonly notify: ReportNotifier
  readonly siteUrl: string | null
  readonly now: Instant
  /** Is asked before each notice: a webhook may take ten seconds. */
  readonly hasTime?: () => boolean
}

/** Claims the notice that has been due the longest. Until the pause is over, no other run sends it. */
const claimNotice = (db: Database, now: Instant) =>
  db.all<{ documentId: string; sentAt: Instant | null; attempts: number }>([
    `UPDATE report_notices SET attempts = attempts + 1,
        due_at = iif(attempts + 1 >= ${MAX_ATTEMPTS}, NULL, ?1 + ${RETRY_MS} * (1 << attempts))
      WHERE document_id IN (
        SELECT document_id FROM report_notices WHERE due_at <= ?1 ORDER BY due_at LIMIT 1)
      RETURNING document_id AS documentId, sent_at AS sentAt, attempts`,
    now,
  ])

const findCounts = (db: Database, documentId: string) =>
  db.first<{ reports: number | null; reasons: string }>([
    `SELECT sum(times) AS reports, json_group_array(DISTINCT reason) AS reasons
      FROM reports WHERE document_id = ?1`,
    documentId,
  ])

/** Reports that came in meanwhile get the next notice. */
const recordSent = (db: Database, documentId: string, now: Instant) =>
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

/** Waits without counting as an attempt. */
const postponeNotice = (
  db: Database,
  { documentId, attempts }: { documentId: string; attempts: number },
  dueAt: Instant,
) =>
  db.all([
    'UPDATE report_notices SET due_at = ?2, attempts = ?3 WHERE document_id = ?1',
    documentId,
    dueAt,
    attempts - 1,
  ])

/** A notice that fails is sent again later, up to `MAX_ATTEMPTS` times. @throws the first error, after all notices. */
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
    const { documentId, sentAt } = notice
    try {
      const { reports = 0, reasons = '[]' } = (await findCounts(db, documentId)) ?? {}
      // Nothing to say once somebody has dismissed the reports.
      if (reports) {
        const url = siteUrl === null ? null : `${siteUrl}/moderation/${documentId}`
        const details = { reports, reasons: JSON.parse(reasons) as string[], url, now }
        if (!(await notify({ documentId, ...details, id: `${documentId}-${sentAt ?? 0}-${reports}` }))) {
          await postponeNotice(db, notice, now + NO_EMAILS_MS)
          break
        }
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
