import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { isAdmin } from '../../accounts/user.ts'
import { requireDocument } from '../../documents/read.ts'
import type { AppEnv } from '../../env.ts'
import { methodNotAllowed, routeNotFound, unreadableForm } from '../../errors.ts'
import { requireSession } from '../../http/require-session.ts'
import { requireCase } from '../../moderation/case.ts'
import { listRemovals, removeByOperator } from '../../moderation/removals.ts'
import { dismissReports, listReported } from '../../moderation/reports.ts'
import { MAX_REASON_CHARACTERS } from '../../moderation/statements.ts'
import { formFields, formLimit, lengthProblem, writtenText } from '../layout/form.ts'
import { OWN } from '../layout/private-page.tsx'
import { answerErrorPage, errorHeaders, page, seeOther, toLoggedError } from '../layout/respond.tsx'
import { CasePage, RemovalPage, RemovalsPage, RemovePage, ReportedPage } from './moderation-pages.tsx'

/** To everybody else these pages do not exist. */
const requireAdmin = createMiddleware<AppEnv>(async (c, next) => {
  if (!isAdmin(c.get('user'))) throw routeNotFound()
  await next()
})

const PAGE_SIZE = 20

/** Far more than a reason takes: whoever writes too much gets it back. */
const MOST_FORM_BYTES = 64 * 1024

function findProblem(reason: string): string | null {
  if (reason === '') return 'Say why: the creator is told.'
  return lengthProblem(reason, MAX_REASON_CHARACTERS)
}

const onlyRead = () => {
  throw methodNotAllowed('GET, HEAD')
}

/** What accounts with the admin flag decide about documents of others. */
export const moderation = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .use(requireSession, requireAdmin)
  .get('/', async (c) => {
    const { now, store } = c.var
    const shown = await listReported(store.db, { cursor: c.req.query('cursor'), limit: PAGE_SIZE, now })
    return page(c, <ReportedPage {...shown} />, { headers: OWN })
  })
  .get('/removals', async (c) => {
    const shown = await listRemovals(c.var.store.db, { cursor: c.req.query('cursor'), limit: PAGE_SIZE })
    return page(c, <RemovalsPage {...shown} />, { headers: OWN })
  })
  .get('/:id', async (c) => {
    const { now, store } = c.var
    const found = await requireCase(store.db, c.req.param('id'), now)
    if ('removal' in found) return page(c, <RemovalPage {...found} />, { headers: OWN })
    const views = store.views.current(found.document.id, found.document.views)
    return page(c, <CasePage {...found} views={views} now={now} />, { headers: OWN })
  })
  .get('/:id/remove', async (c) => {
    const { id } = await requireDocument(c.var.store, c.req.param('id'), c.var.now)
    return page(c, <RemovePage id={id} />, { headers: OWN })
  })
  .post('/:id/remove', formLimit(MOST_FORM_BYTES), async (c) => {
    const { now, store, user } = c.var
    const id = c.req.param('id')
    const reason = writtenText(await formFields(c), 'reason')
    const problem = findProblem(reason)
    if (problem !== null) {
      await requireDocument(store, id, now)
      return page(c, <RemovePage id={id} reason={reason} problem={problem} />, { status: 400, headers: OWN })
    }
    try {
      await removeByOperator(store, id, { by: user.username, reason, now })
    } catch (thrown) {
      const error = toLoggedError(thrown, c.var.requestId)
      if (error.code === 'not_found') throw error
      const failed = 'That did not work. Try again.'
      const again = <RemovePage id={id} reason={reason} problem={failed} />
      return page(c, again, { status: error.status, headers: errorHeaders(error) })
    }
    return seeOther(c, `/moderation/${id}`)
  })
  .all('/:id/remove', () => {
    throw methodNotAllowed('GET, HEAD, POST')
  })
  .post('/:id/dismiss', formLimit(MOST_FORM_BYTES), async (c) => {
    const until = (await formFields(c)).get('until') ?? ''
    if (!/^\d{1,15}$/.test(until)) throw unreadableForm()
    await dismissReports(c.var.store.db, c.req.param('id'), Number(until))
    return seeOther(c, '/moderation')
  })
  .all('/:id/dismiss', () => {
    throw methodNotAllowed('POST')
  })
  .all('/', onlyRead)
  .all('/:id', onlyRead)
