import { Hono } from 'hono'
import { isDocumentId } from '../../documents/model/ids.ts'
import { requireDocument } from '../../documents/read.ts'
import type { AppContext, AppEnv } from '../../env.ts'
import { type AppError, routeNotFound } from '../../errors.ts'
import { limitBody } from '../../http/bodies/body-limit.ts'
import { getNetwork, limitRate } from '../../http/limits/rate-limits.ts'
import { requireThisSite } from '../../http/origin-check.ts'
import { sendDueNotices } from '../../moderation/report-notices.ts'
import { createReportNotifier, type ReportNotifier } from '../../moderation/report-notifier.ts'
import { createReport, isReason, MAX_REPORT_CHARACTERS, type Reason } from '../../moderation/reports.ts'
import { createEmailSender } from '../../platform/email.ts'
import { seeOther } from '../layout/answer.ts'
import { answerErrorPage } from '../layout/errors.tsx'
import { findLengthProblem, getTrimmedText, readFields } from '../layout/form.ts'
import { Notice } from '../layout/layout.tsx'
import { page } from '../layout/page.tsx'
import { PRIVATE_HEADERS } from '../layout/private-page.tsx'
import { findFieldProblem, invalidForm } from '../layout/problem.tsx'
import { submitForm } from '../layout/submit-form.ts'
import { ReportForm, type ReportProblem } from './report-form.tsx'

interface ReportPageProps {
  readonly documentId: string
  readonly signedIn: boolean
  readonly reason?: Reason | null
  readonly comment?: string
  readonly problem?: ReportProblem
}

const ReportPage = ({ signedIn, ...form }: ReportPageProps) => (
  <Notice title="Report a document" signedIn={signedIn}>
    <p>
      You’re reporting <a href={`/${form.documentId}`}>{form.documentId}</a>. The operator of this site
      reviews every report.
    </p>
    <ReportForm {...form} />
  </Notice>
)

/** Returns what tells the operator about reports; null if they want to hear nothing. */
function getReportNotifier(c: AppContext): ReportNotifier | null {
  const { config, siteUrl } = c.var
  const { reportEmail: email, reportWebhook: webhook } = config.abuse
  if (email === null && webhook === null) return null
  const sendEmail = createEmailSender({ from: config.mailFrom, binding: c.env.EMAIL, siteUrl })
  return createReportNotifier({ email, webhook, sendEmail })
}

/** Far more than a comment takes: a comment that is too long comes back to be shortened. */
const MAX_FORM_BYTES = 64 * 1024

function toReportProblem(error: AppError): ReportProblem {
  for (const at of ['reason', 'comment'] as const) {
    const message = findFieldProblem(error, at)
    if (message !== undefined) return { at, message }
  }
  const limited = error.code === 'rate_limited'
  return {
    at: 'form',
    message: limited
      ? 'You’ve sent too many reports. Try again in a minute.'
      : 'Your report wasn’t sent. Try again.',
  }
}

/** Reports a document. Shows nothing of it, so no view is counted and nothing is burned. */
export const reportPages = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .get('/:id/report', async (c) => {
    const { id } = await requireDocument(c.var.store, c.req.param('id'), c.var.now)
    return page(c, <ReportPage documentId={id} signedIn={c.var.hasSessionCookie} />, {
      headers: PRIVATE_HEADERS,
    })
  })
  .post('/:id/report', requireThisSite, limitBody(MAX_FORM_BYTES), async (c) => {
    const { now, store } = c.var
    const documentId = c.req.param('id')
    const fields = await readFields(c)
    const chosen = fields.get('reason') ?? ''
    const reason = isReason(chosen) ? chosen : null
    const comment = getTrimmedText(fields, 'comment')
    return submitForm(c, {
      submit: async () => {
        const tooLong = findLengthProblem(comment, MAX_REPORT_CHARACTERS)
        if (reason === null || tooLong !== null) {
          await requireDocument(store, documentId, now)
          throw invalidForm(tooLong === null ? { reason: 'Choose a reason.' } : { comment: tooLong })
        }
        await limitRate(c, 'reports', getNetwork(c))
        const notify = getReportNotifier(c)
        await createReport(store.db, documentId, {
          reason,
          comment: comment || null,
          now,
          notify: notify !== null,
        })
        if (notify) store.defer(() => sendDueNotices({ db: store.db, notify, siteUrl: c.var.siteUrl, now }))
        return seeOther(c, `/${documentId}/report/thanks`)
      },
      handles: (error) => error.code !== 'not_found',
      showAgain: (error, options) => {
        const typed = { documentId, reason, comment, problem: toReportProblem(error) }
        return page(c, <ReportPage {...typed} signedIn={c.var.hasSessionCookie} />, options)
      },
    })
  })
  .get('/:id/report/thanks', (c) => {
    const id = c.req.param('id')
    if (!isDocumentId(id)) throw routeNotFound()
    const thanks = (
      <Notice icon="check" title="Thank you" signedIn={c.var.hasSessionCookie}>
        <p>We’ve received your report and will review the document.</p>
        <p>
          <a href={`/${id}`}>Back to the document</a>
        </p>
      </Notice>
    )
    return page(c, thanks, { headers: PRIVATE_HEADERS })
  })
