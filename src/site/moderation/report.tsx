import { Hono } from 'hono'
import { isDocumentId } from '../../documents/model/ids.ts'
import { requireDocument } from '../../documents/read.ts'
import type { AppEnv } from '../../env.ts'
import { type AppError, routeNotFound } from '../../errors.ts'
import { limitBody } from '../../http/body-limit.ts'
import { requireThisSite } from '../../http/origin-check.ts'
import { clientAddress, limitRate } from '../../http/rate-limits.ts'
import { isReason, MAX_REPORT_CHARACTERS, type Reason, createReport } from '../../moderation/reports.ts'
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
  readonly words?: string
  readonly problem?: ReportProblem
}

const ReportPage = ({ signedIn, ...form }: ReportPageProps) => (
  <Notice title="Report a document" signedIn={signedIn}>
    <p>
      This is about <a href={`/${form.documentId}`}>{form.documentId}</a>. The operator looks at every report,
      and removes what must not be here.
    </p>
    <ReportForm {...form} />
  </Notice>
)

/** Twice the words in their longest encoding: whoever writes too many gets them back. */
const MOST_FORM_BYTES = 64 * 1024

const REPORTS = { limit: 5, period: 60 }

function toReportProblem(error: AppError): ReportProblem {
  for (const at of ['reason', 'words'] as const) {
    const message = findFieldProblem(error, at)
    if (message !== undefined) return { at, message }
  }
  const limited = error.code === 'rate_limited'
  return { at: 'form', message: limited ? `${error.message}.` : 'Your report wasn’t sent. Try again.' }
}

/** Telling the operator about a document. It shows nothing of the document, so it neither counts nor burns. */
export const reportPages = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .get('/:id/report', async (c) => {
    const { id } = await requireDocument(c.var.store, c.req.param('id'), c.var.now)
    return page(c, <ReportPage documentId={id} signedIn={c.var.hasSessionCookie} />, {
      headers: PRIVATE_HEADERS,
    })
  })
  .post('/:id/report', requireThisSite, limitBody(MOST_FORM_BYTES), async (c) => {
    const { now, store } = c.var
    const documentId = c.req.param('id')
    const fields = await readFields(c)
    const chosen = fields.get('reason') ?? ''
    const reason = isReason(chosen) ? chosen : null
    const words = getTrimmedText(fields, 'words')
    return submitForm(c, {
      submit: async () => {
        const tooLong = findLengthProblem(words, MAX_REPORT_CHARACTERS)
        if (reason === null || tooLong !== null) {
          await requireDocument(store, documentId, now)
          throw invalidForm(tooLong === null ? { reason: 'Choose a reason.' } : { words: tooLong })
        }
        await limitRate(c.env.REPORT_LIMIT, clientAddress(c), REPORTS)
        await createReport(store.db, documentId, { reason, comment: words || null, now })
        return seeOther(c, `/${documentId}/report/thanks`)
      },
      handles: (error) => error.code !== 'not_found',
      showAgain: (error, options) => {
        const typed = { documentId, reason, words, problem: toReportProblem(error) }
        return page(c, <ReportPage {...typed} signedIn={c.var.hasSessionCookie} />, options)
      },
    })
  })
  .get('/:id/report/thanks', (c) => {
    const id = c.req.param('id')
    if (!isDocumentId(id)) throw routeNotFound()
    const thanks = (
      <Notice title="Thank you" signedIn={c.var.hasSessionCookie}>
        <p>The operator has your report and will look at the document.</p>
        <p>
          <a href={`/${id}`}>Back to the document</a>
        </p>
      </Notice>
    )
    return page(c, thanks, { headers: PRIVATE_HEADERS })
  })
