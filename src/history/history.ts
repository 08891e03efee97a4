import { Hono } from 'hono'
import type { AppEnv } from '../env.ts'
import { rejectOtherMethods } from '../http/answers.ts'
import { limitBody } from '../http/bodies.ts'
import { requireThisSite } from '../http/identity.ts'
import { answerDocumentError } from '../moderation/removed-page.tsx'
import { MAX_PASSWORD_FORM_BYTES } from '../ui/submitted-form.ts'
import {
  deleteHistory,
  keepHistory,
  restoreVersion,
  showComparison,
  showHistory,
  showVersion,
} from './show-history.tsx'

/** Only the creator and the editors find a document here. */
export const routes = rejectOtherMethods(
  new Hono<AppEnv>()
    .onError(answerDocumentError)
    .get('/:id/history', showHistory)
    .get('/:id/history/compare', showComparison)
    .get('/:id/history/:number', showVersion)
    .use('/:id/history/*', requireThisSite, limitBody(MAX_PASSWORD_FORM_BYTES))
    .post('/:id/history/delete', deleteHistory)
    .post('/:id/history/keep', (c) => keepHistory(c, true))
    .post('/:id/history/stop', (c) => keepHistory(c, false))
    .post('/:id/history/:number/restore', restoreVersion),
)
