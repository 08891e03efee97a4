import { Hono } from 'hono'
import type { AppEnv } from '../env.ts'
import { limitBody } from '../http/bodies.ts'
import { requireThisSite } from '../http/identity.ts'
import { answerDocumentError } from '../moderation/removed-page.tsx'
import { MAX_PASSWORD_FORM_BYTES } from '../ui/submitted-form.ts'

const load = () => import('./history.lazy.tsx')

/** For the creator and the editors. For everybody else there's no document here. */
export const history = new Hono<AppEnv>()
  .onError(answerDocumentError)
  .get('/:id/history', async (c) => (await load()).showHistory(c))
  .get('/:id/history/compare', async (c) => (await load()).showComparison(c))
  .get('/:id/history/:number', async (c) => (await load()).showVersion(c))
  .use('/:id/history/*', requireThisSite, limitBody(MAX_PASSWORD_FORM_BYTES))
  .post('/:id/history/delete', async (c) => (await load()).deleteHistory(c))
  .post('/:id/history/keep', async (c) => (await load()).keepHistory(c, true))
  .post('/:id/history/stop', async (c) => (await load()).keepHistory(c, false))
  .post('/:id/history/:number/restore', async (c) => (await load()).restoreVersion(c))
