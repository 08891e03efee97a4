import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { isAdmin } from '../accounts/user.ts'
import type { AppEnv, UserEnv } from '../env.ts'
import { routeNotFound } from '../errors.ts'
import { rejectOtherMethods } from '../http/answers.ts'
import { limitBody } from '../http/bodies.ts'
import { requireSession, requireThisSite } from '../http/identity.ts'
import { answerErrorPage } from '../ui/errors.tsx'
import {
  dismissFromForm,
  removeFromForm,
  restoreFromForm,
  showDesk,
  showRemovals,
  showRemove,
  showTextToStaff,
} from './desk-forms.tsx'
import {
  addBlockFromForm,
  liftBlock,
  restoreAccountFromForm,
  showAccounts,
  showAuditLog,
  showBlocks,
  suspendAccountFromForm,
} from './enforcement.tsx'
import { removeAllFromForm, showRemoveAll } from './remove-all.tsx'
import { reportFromForm, showReportForm, showThanks } from './report.tsx'

/** Lets only admins pass. To everyone else, these pages don't seem to exist. */
const requireAdmin = createMiddleware<UserEnv>(async (c, next) => {
  if (!isAdmin(c.var.user)) throw routeNotFound()
  await next()
})

/** The limit is far more than a reason or a comment takes: one that is too long comes back to be shortened. */
const limitForm = limitBody(64 * 1024)

const moderation = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .use(requireSession, requireAdmin)
  .get('/', (c) => showDesk(c))
  .get('/removals', showRemovals)
  .get('/blocks', (c) => showBlocks(c))
  .post('/blocks', limitForm, addBlockFromForm)
  .post('/blocks/lift', limitForm, liftBlock)
  .get('/remove-all', (c) => showRemoveAll(c))
  .post('/remove-all', limitForm, removeAllFromForm)
  .get('/accounts', (c) => showAccounts(c))
  .post('/accounts/suspend', limitForm, suspendAccountFromForm)
  .post('/accounts/restore', limitForm, restoreAccountFromForm)
  .get('/audit', showAuditLog)
  .get('/:id', (c) => showDesk(c, c.req.param('id')))
  .get('/:id/text', (c) => showTextToStaff(c, c.req.param('id')))
  .get('/:id/remove', (c) => showRemove(c, c.req.param('id')))
  .post('/:id/remove', limitForm, (c) => removeFromForm(c, c.req.param('id')))
  .post('/:id/restore', limitForm, (c) => restoreFromForm(c, c.req.param('id')))
  .post('/:id/dismiss', limitForm, (c) => dismissFromForm(c, c.req.param('id')))

const reportPages = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .get('/:id/report', (c) => showReportForm(c, c.req.param('id')))
  .post('/:id/report', requireThisSite, limitForm, (c) => reportFromForm(c, c.req.param('id')))
  .get('/:id/report/thanks', (c) => showThanks(c, c.req.param('id')))

export const routes = new Hono<AppEnv>()
  .route('/moderation', rejectOtherMethods(moderation))
  .route('/', rejectOtherMethods(reportPages))
