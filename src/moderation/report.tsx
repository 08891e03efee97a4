import { Hono } from 'hono'
import { isDocumentId } from '../documents/document.ts'
import { requireDocument } from '../documents/read.ts'
import type { AppContext, AppEnv } from '../env.ts'
import { type AppError, routeNotFound } from '../errors.ts'
import { limitBody } from '../http/bodies.ts'
import { requireThisSite } from '../http/identity.ts'
import { getNetwork, limitRate } from '../http/limits.ts'
import { createEmailSender } from '../platform/mail.ts'
import { answerErrorPage, findFieldProblem, invalidForm } from '../site/layout/errors.tsx'
import { findLengthProblem, getTrimmedText, readFields, submitForm } from '../site/layout/form.ts'
import { PRIVATE_HEADERS, page, seeOther } from '../site/layout/page.tsx'
import type { ReportProblems } from './report-pages.lazy.tsx'
import {
  createReport,
  createReportNotifier,
  isReason,
  MAX_REPORT_CHARACTERS,
  type ReportNotifier,
  sendDueNotices,
} from './reports.ts'

const loadPages = () => import('./report-pages.lazy.tsx')

function getReportNotifier(c: AppContext): ReportNotifier | null {
  const { config, siteUrl } = c.var
  const { reportEmail: email, reportWebhook: webhook } = config.abuse
  if (email === null && webhook === null) return null
  const sendEmail = createEmailSender({ from: config.mailFrom, binding: c.env.EMAIL, siteUrl })
  return createReportNotifier({ email, webhook, sendEmail })
}

/** Far more than a comment takes: one that is too long comes back to be shortened. */
const MAX_FORM_BYTES = 64 * 1024

function toReportProblems(error: AppError): ReportProblems {
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
    const { ReportPage } = await loadPages()
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
      showAgain: async (error, options) => {
        const { ReportPage } = await loadPages()
        const typed = { documentId, reason, comment, problems: toReportProblems(error) }
        return page(c, <ReportPage {...typed} signedIn={c.var.hasSessionCookie} />, options)
      },
    })
  })
  .get('/:id/report/thanks', async (c) => {
    const id = c.req.param('id')
    if (!isDocumentId(id)) throw routeNotFound()
    const { ThanksPage } = await loadPages()
    return page(c, <ThanksPage documentId={id} signedIn={c.var.hasSessionCookie} />, {
      headers: PRIVATE_HEADERS,
    })
  })
