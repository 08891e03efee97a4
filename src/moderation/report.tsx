import { Hono } from 'hono'
import { isDocumentId } from '../documents/document.ts'
import { requireDocument } from '../documents/read.ts'
import type { AppContext, AppEnv } from '../env.ts'
import { type AppError, routeNotFound } from '../errors.ts'
import { limitBody } from '../http/bodies.ts'
import { requireThisSite } from '../http/identity.ts'
import { getNetwork, limitRate } from '../http/limits.ts'
import { createEmailSender } from '../platform/mail.ts'
import { SCRIPTS } from '../site/assets.generated.ts'
import { Choices, Form, TextArea } from '../site/components/fields.tsx'
import { answerErrorPage, findFieldProblem, invalidForm } from '../site/layout/errors.tsx'
import { findLengthProblem, getTrimmedText, readFields, submitForm } from '../site/layout/form.ts'
import { Notice } from '../site/layout/layout.tsx'
import { PRIVATE_HEADERS, page, seeOther } from '../site/layout/page.tsx'
import {
  createReport,
  createReportNotifier,
  isReason,
  MAX_REPORT_CHARACTERS,
  type Reason,
  type ReportNotifier,
  sendDueNotices,
} from './reports.ts'

export const REASON_LABELS: Readonly<Record<Reason, string>> = {
  spam: 'Spam',
  malware: 'Malware or phishing',
  privacy: 'Private information',
  illegal: 'Illegal content',
  other: 'Something else',
}

interface ReportPageProps {
  readonly documentId: string
  readonly signedIn: boolean
  readonly reason?: Reason | null
  readonly comment?: string
  readonly problems?: Readonly<Partial<Record<'reason' | 'comment' | 'form', string>>>
}

const ReportPage = ({
  documentId,
  signedIn,
  reason = null,
  comment = '',
  problems = {},
}: ReportPageProps) => (
  <Notice title="Report a document" signedIn={signedIn} scripts={[SCRIPTS.submitOnce]}>
    <p>
      You’re reporting <a href={`/${documentId}`}>{documentId}</a>. We review every report.
    </p>
    <Form action={`/${documentId}/report`} problem={problems.form} button="Send report">
      <Choices
        legend="What’s wrong with it?"
        name="reason"
        value={reason}
        options={REASON_LABELS}
        problem={problems.reason}
      />
      <TextArea
        label="Details (optional)"
        name="comment"
        rows={4}
        value={comment}
        hint={`At most ${MAX_REPORT_CHARACTERS} characters. Only moderators read this.`}
        problem={problems.comment}
      />
    </Form>
  </Notice>
)

function getReportNotifier(c: AppContext): ReportNotifier | null {
  const { config, siteUrl } = c.var
  const { reportEmail: email, reportWebhook: webhook } = config.abuse
  if (email === null && webhook === null) return null
  const sendEmail = createEmailSender({ from: config.mailFrom, binding: c.env.EMAIL, siteUrl })
  return createReportNotifier({ email, webhook, sendEmail })
}

/** Far more than a comment takes: one that is too long comes back to be shortened. */
const MAX_FORM_BYTES = 64 * 1024

function toReportProblems(error: AppError): NonNullable<ReportPageProps['problems']> {
  const [reason, comment] = ['reason', 'comment'].map((field) => findFieldProblem(error, field))
  if (reason !== undefined) return { reason }
  if (comment !== undefined) return { comment }
  const limited = error.code === 'rate_limited'
  return {
    form: limited
      ? 'You’ve sent too many reports. Try again in a minute.'
      : 'Your report wasn’t sent. Try again.',
  }
}

/** Shows nothing of the document, so no view is counted and nothing is burned. */
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
        const typed = { documentId, reason, comment, problems: toReportProblems(error) }
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
