import { Hono } from 'hono'
import { isDocumentId } from '../../documents/model/ids.ts'
import { requireDocument } from '../../documents/read.ts'
import type { AppEnv } from '../../env.ts'
import { type AppError, methodNotAllowed, routeNotFound } from '../../errors.ts'
import { requireThisSite } from '../../http/origin-check.ts'
import { clientAddress, limitRate } from '../../http/rate-limits.ts'
import { isReason, MAX_REPORT_CHARACTERS, type Reason, reportDocument } from '../../moderation/reports.ts'
import { formFields, formLimit, lengthProblem, writtenText } from '../layout/form.ts'
import { Notice } from '../layout/layout.tsx'
import { OWN } from '../layout/private-page.tsx'
import { answerErrorPage, errorHeaders, page, seeOther, toLoggedError } from '../layout/respond.tsx'
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

const NO_REASON: ReportProblem = { at: 'reason', message: 'Choose what is wrong with it.' }

const reportProblemOf = ({ code, message }: AppError): ReportProblem => ({
  at: 'form',
  message: code === 'rate_limited' ? `${message}.` : 'That did not work, and nothing was sent. Try again.',
})

/** Telling the operator about a document. It shows nothing of the document, so it neither counts nor burns. */
export const reportPages = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .get('/:id/report', async (c) => {
    const { id } = await requireDocument(c.var.store, c.req.param('id'), c.var.now)
    return page(c, <ReportPage documentId={id} signedIn={c.var.hasSessionCookie} />, { headers: OWN })
  })
  .post('/:id/report', requireThisSite, formLimit(MOST_FORM_BYTES), async (c) => {
    const { now, store } = c.var
    const documentId = c.req.param('id')
    const fields = await formFields(c)
    const chosen = fields.get('reason') ?? ''
    const reason = isReason(chosen) ? chosen : null
    const words = writtenText(fields, 'words')
    const again = (problem: ReportProblem, options: { status: number; headers: Record<string, string> }) => {
      const typed = { documentId, reason, words, problem }
      return page(c, <ReportPage {...typed} signedIn={c.var.hasSessionCookie} />, options)
    }
    const tooLong = lengthProblem(words, MAX_REPORT_CHARACTERS)
    if (reason === null || tooLong !== null) {
      await requireDocument(store, documentId, now)
      const problem = tooLong === null ? NO_REASON : ({ at: 'words', message: tooLong } as const)
      return again(problem, { status: 400, headers: OWN })
    }
    try {
      await limitRate(c.env.REPORT_LIMIT, clientAddress(c), REPORTS)
      await reportDocument(store.db, documentId, { reason, words: words || null, now })
    } catch (thrown) {
      const error = toLoggedError(thrown, c.var.requestId)
      if (error.code === 'not_found') throw error
      return again(reportProblemOf(error), { status: error.status, headers: errorHeaders(error) })
    }
    return seeOther(c, `/${documentId}/report/thanks`)
  })
  .all('/:id/report', () => {
    throw methodNotAllowed('GET, HEAD, POST')
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
    return page(c, thanks, { headers: OWN })
  })
