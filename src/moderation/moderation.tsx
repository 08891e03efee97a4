import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { isAdmin } from '../accounts/user.ts'
import type { AppEnv, UserEnv } from '../env.ts'
import { routeNotFound, unreadableForm } from '../errors.ts'
import { answerText } from '../http/answers.ts'
import { limitBody } from '../http/bodies.ts'
import { requireSession } from '../http/identity.ts'
import { answerErrorPage, findFieldProblem, invalidForm } from '../site/layout/errors.tsx'
import { findLengthProblem, getTrimmedText, readFields, submitForm } from '../site/layout/form.ts'
import { PRIVATE_HEADERS, page, seeOther } from '../site/layout/page.tsx'
import { MAX_REASON_CHARACTERS } from './removal-statements.ts'
import { listRemovals, takeDownDocument } from './removals.ts'
import { readForStaff, requireDocumentForStaff, requireReportedDocument } from './reported-document.ts'
import { dismissReports, listReported } from './reports.ts'

export function findReasonProblem(
  reason: string,
  empty = 'Enter a reason. The author will see it.',
): string | null {
  if (reason === '') return empty
  return findLengthProblem(reason, MAX_REASON_CHARACTERS)
}

const loadPages = () => import('./moderation-pages.lazy.tsx')

const loadDesk = () => import('./desk.lazy.tsx')

/** To everyone else, these pages don't seem to exist. */
const requireAdmin = createMiddleware<UserEnv>(async (c, next) => {
  if (!isAdmin(c.var.user)) throw routeNotFound()
  await next()
})

const PAGE_SIZE = 20

/** Far more than a reason takes: one that is too long comes back to be shortened. */
const MAX_FORM_BYTES = 64 * 1024

export const moderation = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .use(requireSession, requireAdmin)
  .get('/', async (c) => {
    const { now, store } = c.var
    const shown = await listReported(store.db, { cursor: c.req.query('cursor'), limit: PAGE_SIZE, now })
    const { ReportedDocumentsPage } = await loadPages()
    return page(c, <ReportedDocumentsPage {...shown} />, { headers: PRIVATE_HEADERS })
  })
  .get('/removals', async (c) => {
    const shown = await listRemovals(c.var.store.db, { cursor: c.req.query('cursor'), limit: PAGE_SIZE })
    const { RemovalsPage } = await loadPages()
    return page(c, <RemovalsPage {...shown} />, { headers: PRIVATE_HEADERS })
  })
  .get('/blocks', async (c) => (await loadDesk()).showBlocks(c))
  .post('/blocks', limitBody(MAX_FORM_BYTES), async (c) => (await loadDesk()).addBlockFromForm(c))
  .post('/blocks/lift', limitBody(MAX_FORM_BYTES), async (c) => (await loadDesk()).liftBlock(c))
  .get('/remove-all', async (c) => (await loadDesk()).showRemoveAll(c))
  .post('/remove-all', limitBody(MAX_FORM_BYTES), async (c) => (await loadDesk()).removeAllFromForm(c))
  .get('/accounts', async (c) => (await loadDesk()).showAccounts(c))
  .post('/accounts/suspend', limitBody(MAX_FORM_BYTES), async (c) => (await loadDesk()).suspendFromForm(c))
  .post('/accounts/restore', limitBody(MAX_FORM_BYTES), async (c) => (await loadDesk()).restoreFromForm(c))
  .get('/audit', async (c) => (await loadDesk()).showAuditLog(c))
  .get('/:id', async (c) => {
    const { now, store } = c.var
    const found = await requireReportedDocument(store.db, c.req.param('id'), now)
    const { ReportedDocumentPage, RemovalPage } = await loadPages()
    if ('removal' in found) return page(c, <RemovalPage {...found} />, { headers: PRIVATE_HEADERS })
    const views = store.views.current(found.document.id, found.document.views)
    return page(c, <ReportedDocumentPage {...found} views={views} now={now} />, { headers: PRIVATE_HEADERS })
  })
  .get('/:id/text', async (c) => {
    const { now, store, user } = c.var
    const text = await readForStaff(store, c.req.param('id'), { by: user.username, now })
    return answerText(c, text, {
      headers: { ...PRIVATE_HEADERS, 'Content-Security-Policy': "default-src 'none'; sandbox" },
    })
  })
  .get('/:id/remove', async (c) => {
    const { id } = await requireDocumentForStaff(c.var.store.db, c.req.param('id'), c.var.now)
    const { RemovePage } = await loadPages()
    return page(c, <RemovePage documentId={id} />, { headers: PRIVATE_HEADERS })
  })
  .post('/:id/remove', limitBody(MAX_FORM_BYTES), async (c) => {
    const { now, store, user } = c.var
    const id = c.req.param('id')
    const fields = await readFields(c)
    const reason = getTrimmedText(fields, 'reason')
    const blockContent = fields.has('block_content')
    const typed = { documentId: id, reason, blockContent }
    return submitForm(c, {
      submit: async () => {
        const problem = findReasonProblem(reason)
        if (problem !== null) {
          await requireDocumentForStaff(store.db, id, now)
          throw invalidForm({ reason: problem })
        }
        await takeDownDocument(store, id, { by: user.username, reason, now, blockContent })
        return seeOther(c, `/moderation/${id}`)
      },
      handles: (error) => error.code !== 'not_found',
      showAgain: async (error, options) => {
        const { RemovePage } = await loadPages()
        const problem = findFieldProblem(error, 'reason') ?? 'The document couldn’t be removed. Try again.'
        return page(c, <RemovePage {...typed} problem={problem} />, options)
      },
    })
  })
  .post('/:id/dismiss', limitBody(MAX_FORM_BYTES), async (c) => {
    const until = (await readFields(c)).get('until') ?? ''
    if (!/^\d{1,15}$/.test(until)) throw unreadableForm()
    const { now, store, user } = c.var
    await dismissReports(store.db, c.req.param('id'), { until: Number(until), by: user.username, now })
    return seeOther(c, '/moderation')
  })
