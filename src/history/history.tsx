import { Hono } from 'hono'
import type { AppEnv } from '../env.ts'
import { limitBody } from '../http/bodies.ts'
import { requireThisSite } from '../http/origin.ts'
import { answerDocumentError } from '../site/documents/document.tsx'
import { MAX_PASSWORD_FORM_BYTES } from '../site/layout/form.ts'

/** Loads the pages and the code that compares when someone opens one: reading a document doesn't need them. */
const loadPages = () => import('./show-history.lazy.tsx')
const loadChanges = () => import('./change-history.lazy.tsx')

/** The history of a document, for its creator and its editors. For everybody else there's no document here. */
export const history = new Hono<AppEnv>()
  .onError(answerDocumentError)
  .get('/:id/history', async (c) => (await loadPages()).showHistory(c))
  .get('/:id/history/compare', async (c) => (await loadPages()).showComparison(c))
  .get('/:id/history/:number', async (c) => (await loadPages()).showVersion(c))
  .use('/:id/history/*', requireThisSite, limitBody(MAX_PASSWORD_FORM_BYTES))
  .post('/:id/history/delete', async (c) => (await loadChanges()).deleteHistory(c))
  .post('/:id/history/keep', async (c) => (await loadChanges()).keepHistory(c, true))
  .post('/:id/history/stop', async (c) => (await loadChanges()).keepHistory(c, false))
  .post('/:id/history/:number/restore', async (c) => (await loadChanges()).restoreVersion(c))
