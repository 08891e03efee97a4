import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { isAdmin } from '../../accounts/user.ts'
import type { AppEnv, UserEnv } from '../../env.ts'
import { routeNotFound, unreadableForm } from '../../errors.ts'
import { limitBody } from '../../http/body-limit.ts'
import { requireSession } from '../../http/require-session.ts'
import { readForStaff, requireCase, requireDocumentForStaff } from '../../moderation/case.ts'
import { MAX_REASON_CHARACTERS } from '../../moderation/removal-statements.ts'
import { listRemovals, removeDocument } from '../../moderation/removals.ts'
import { dismissReports, listReported } from '../../moderation/reports.ts'
import { answerText, seeOther } from '../layout/answer.ts'
import { answerErrorPage } from '../layout/errors.tsx'
import { findLengthProblem, getTrimmedText, readFields } from '../layout/form.ts'
import { page } from '../layout/page.tsx'
import { PRIVATE_HEADERS } from '../layout/private-page.tsx'
import { findFieldProblem, invalidForm } from '../layout/problem.tsx'
import { submitForm } from '../layout/submit-form.ts'

/** Loads the pages when a moderator opens one: reading a document needs none of them. */
const loadPages = () => import('./moderation-pages.tsx')

/** Answers 404 to everyone who isn't a moderator, so that these pages don't seem to exist. */
const requireAdmin = createMiddleware<UserEnv>(async (c, next) => {
  if (!isAdmin(c.var.user)) throw routeNotFound()
  await next()
})

const PAGE_SIZE = 20

/** Far more than a reason takes: a reason that is too long comes back to be shortened. */
const MAX_FORM_BYTES = 64 * 1024

function findReasonProblem(reason: string): string | null {
  if (reason === '') return 'Enter a reason. The author will see it.'
  return findLengthProblem(reason, MAX_REASON_CHARACTERS)
}

/** Pages for accounts with the admin flag, to review reports and remove documents. */
export const moderation = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .use(requireSession, requireAdmin)
  .get('/', async (c) => {
    const { now, store } = c.var
    const shown = await listReported(store.db, { cursor: c.req.query('cursor'), limit: PAGE_SIZE, now })
    const { ReportedPage } = await loadPages()
    return page(c, <ReportedPage {...shown} />, { headers: PRIVATE_HEADERS })
  })
  .get('/removals', async (c) => {
    const shown = await listRemovals(c.var.store.db, { cursor: c.req.query('cursor'), limit: PAGE_SIZE })
    const { RemovalsPage } = await loadPages()
    return page(c, <RemovalsPage {...shown} />, { headers: PRIVATE_HEADERS })
  })
  .get('/:id', async (c) => {
    const { now, store } = c.var
    const found = await requireCase(store.db, c.req.param('id'), now)
    const { CasePage, RemovalPage } = await loadPages()
    if ('removal' in found) return page(c, <RemovalPage {...found} />, { headers: PRIVATE_HEADERS })
    const views = store.views.current(found.document.id, found.document.views)
    return page(c, <CasePage {...found} views={views} now={now} />, { headers: PRIVATE_HEADERS })
  })
  .get('/:id/text', async (c) => {
    const text = await readForStaff(c.var.store, c.req.param('id'), c.var.now)
    return answerText(c, text, {
      headers: { ...PRIVATE_HEADERS, 'Content-Security-Policy': "default-src 'none'; sandbox" },
    })
  })
  .get('/:id/remove', async (c) => {
    const { id } = await requireDocumentForStaff(c.var.store.db, c.req.param('id'), c.var.now)
    const { RemovePage } = await loadPages()
    return page(c, <RemovePage id={id} />, { headers: PRIVATE_HEADERS })
  })
  .post('/:id/remove', limitBody(MAX_FORM_BYTES), async (c) => {
    const { now, store, user } = c.var
    const id = c.req.param('id')
    const reason = getTrimmedText(await readFields(c), 'reason')
    return submitForm(c, {
      submit: async () => {
        const problem = findReasonProblem(reason)
        if (problem !== null) {
          await requireDocumentForStaff(store.db, id, now)
          throw invalidForm({ reason: problem })
        }
        await removeDocument(store, id, { by: user.username, reason, now })
        return seeOther(c, `/moderation/${id}`)
      },
      handles: (error) => error.code !== 'not_found',
      showAgain: async (error, options) => {
        const { RemovePage } = await loadPages()
        const problem = findFieldProblem(error, 'reason') ?? 'The document couldn’t be removed. Try again.'
        return page(c, <RemovePage id={id} reason={reason} problem={problem} />, options)
      },
    })
  })
  .post('/:id/dismiss', limitBody(MAX_FORM_BYTES), async (c) => {
    const until = (await readFields(c)).get('until') ?? ''
    if (!/^\d{1,15}$/.test(until)) throw unreadableForm()
    await dismissReports(c.var.store.db, c.req.param('id'), Number(until))
    return seeOther(c, '/moderation')
  })
