import { requireDocument } from '../documents/read.ts'
import type { AppContext } from '../env.ts'
import { type AppError, routeNotFound } from '../errors.ts'
import type { AnswerOptions } from '../http/answers.ts'
import { limitRate } from '../http/limits.ts'
import { getNetwork } from '../http/network.ts'
import { isDocumentId } from '../shared/document-ids.ts'
import { SCRIPTS } from '../ui/assets.generated.ts'
import { getProblems, invalidForm, type Problems } from '../ui/errors.tsx'
import { BackLink, Choices, TextArea } from '../ui/fields.tsx'
import { Form } from '../ui/form.tsx'
import { Notice } from '../ui/layout.tsx'
import { PRIVATE_HEADERS, page, seeOther } from '../ui/page.tsx'
import { findLengthProblem, getTrimmedText, readFields, submitForm } from '../ui/submitted-form.ts'
import {
  createReport,
  createReportNotifier,
  isReason,
  MAX_REPORT_CHARACTERS,
  REASON_LABELS,
  type Reason,
  sendDueNotices,
} from './reports.ts'

// These pages show nothing of the document, so no view is counted and nothing is burned.

interface ShownForm {
  readonly reason?: Reason | null
  readonly comment?: string
  readonly problems?: Problems
}

const answerForm = (
  c: AppContext,
  id: string,
  { reason = null, comment = '', problems = {} }: ShownForm = {},
  options: AnswerOptions = { headers: PRIVATE_HEADERS },
) =>
  page(
    c,
    <Notice title="Report a document" scripts={[SCRIPTS.form]}>
      <p>
        You’re reporting <a href={`/${id}`}>{id}</a>. We review every report.
      </p>
      <Form action={`/${id}/report`} problem={problems.form} button="Send report">
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
    </Notice>,
    options,
  )

export async function showReportForm(c: AppContext, documentId: string): Promise<Response> {
  const { id } = await requireDocument(c.var.store, documentId, c.var.now)
  return answerForm(c, id)
}

function getReportProblems(error: AppError): Problems {
  if (error.issues) return getProblems(error)
  const isLimited = error.code === 'rate_limited'
  return {
    form: isLimited
      ? 'You’ve sent too many reports. Try again in a minute.'
      : 'Your report wasn’t sent. Try again.',
  }
}

export async function reportFromForm(c: AppContext, id: string): Promise<Response> {
  const { config, now, siteUrl, store } = c.var
  const fields = await readFields(c)
  const chosen = fields.get('reason') ?? ''
  const reason = isReason(chosen) ? chosen : null
  const comment = getTrimmedText(fields, 'comment')
  return submitForm(c, {
    submit: async () => {
      const tooLong = findLengthProblem(comment, MAX_REPORT_CHARACTERS)
      if (reason === null || tooLong !== null) {
        await requireDocument(store, id, now)
        throw invalidForm(tooLong === null ? { reason: 'Choose a reason.' } : { comment: tooLong })
      }
      await limitRate(c, 'reports', getNetwork(c))
      const notify = createReportNotifier(config, { db: store.db, binding: c.env.EMAIL, siteUrl })
      await createReport(store.db, id, { reason, comment: comment || null, now, notify: notify !== null })
      if (notify) store.defer(() => sendDueNotices({ db: store.db, notify, siteUrl, now }))
      return seeOther(c, `/${id}/report/thanks`)
    },
    handles: (error) => error.code !== 'not_found',
    showAgain: (error, options) =>
      answerForm(c, id, { reason, comment, problems: getReportProblems(error) }, options),
  })
}

export function showThanks(c: AppContext, id: string): Promise<Response> {
  if (!isDocumentId(id)) throw routeNotFound()
  return page(
    c,
    <Notice icon="check" title="Thank you">
      <p>We’ve received your report and will review the document.</p>
      <BackLink to={`/${id}`}>Back to the document</BackLink>
    </Notice>,
    { headers: PRIVATE_HEADERS },
  )
}
