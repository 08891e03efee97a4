import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { isAdmin } from '../accounts/user.ts'
import type { AppEnv, UserEnv } from '../env.ts'
import { routeNotFound } from '../errors.ts'
import { limitBody } from '../http/bodies.ts'
import { requireSession, requireThisSite } from '../http/identity.ts'
import { answerErrorPage } from '../ui/errors.tsx'

const loadDesk = () => import('./desk.lazy.tsx')

const loadEnforcement = () => import('./enforcement.lazy.tsx')

const loadRemoveAll = () => import('./remove-all.lazy.tsx')

const loadReport = () => import('./report.lazy.tsx')

/** To everyone else, these pages don't seem to exist. */
const requireAdmin = createMiddleware<UserEnv>(async (c, next) => {
  if (!isAdmin(c.var.user)) throw routeNotFound()
  await next()
})

/** Far more than a reason or a comment takes: one that is too long comes back to be shortened. */
const limitForm = limitBody(64 * 1024)

export const moderation = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .use(requireSession, requireAdmin)
  .get('/', async (c) => (await loadDesk()).showDesk(c))
  .get('/removals', async (c) => (await loadDesk()).showRemovals(c))
  .get('/blocks', async (c) => (await loadEnforcement()).showBlocks(c))
  .post('/blocks', limitForm, async (c) => (await loadEnforcement()).addBlockFromForm(c))
  .post('/blocks/lift', limitForm, async (c) => (await loadEnforcement()).liftBlock(c))
  .get('/remove-all', async (c) => (await loadRemoveAll()).showRemoveAll(c))
  .post('/remove-all', limitForm, async (c) => (await loadRemoveAll()).removeAllFromForm(c))
  .get('/accounts', async (c) => (await loadEnforcement()).showAccounts(c))
  .post('/accounts/suspend', limitForm, async (c) => (await loadEnforcement()).suspendFromForm(c))
  .post('/accounts/restore', limitForm, async (c) => (await loadEnforcement()).restoreFromForm(c))
  .get('/audit', async (c) => (await loadEnforcement()).showAuditLog(c))
  .get('/:id', async (c) => (await loadDesk()).showDesk(c, c.req.param('id')))
  .get('/:id/text', async (c) => (await loadDesk()).showText(c, c.req.param('id')))
  .get('/:id/remove', async (c) => (await loadDesk()).showRemove(c, c.req.param('id')))
  .post('/:id/remove', limitForm, async (c) => (await loadDesk()).removeFromForm(c, c.req.param('id')))
  .post('/:id/restore', limitForm, async (c) => (await loadDesk()).restoreFromForm(c, c.req.param('id')))
  .post('/:id/dismiss', limitForm, async (c) => (await loadDesk()).dismissFromForm(c, c.req.param('id')))

export const reportPages = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .get('/:id/report', async (c) => (await loadReport()).showReportForm(c, c.req.param('id')))
  .post('/:id/report', requireThisSite, limitForm, async (c) =>
    (await loadReport()).reportFromForm(c, c.req.param('id')),
  )
  .get('/:id/report/thanks', async (c) => (await loadReport()).showThanks(c, c.req.param('id')))
