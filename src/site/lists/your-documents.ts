import { Hono } from 'hono'
import type { AppEnv } from '../../env.ts'
import { limitBody } from '../../http/bodies.ts'
import { requireSession } from '../../http/identity.ts'
import { limitListSearches } from '../../http/limits.ts'
import { answerErrorPage } from '../../ui/errors.tsx'
import { refuseOtherAccounts } from '../../ui/submitted-form.ts'
import { deleteSelected, showYourDocuments } from './your-documents-page.tsx'

/** The limit is more than the ids of several pages take. */
const MAX_FORM_BYTES = 64 * 1024

export const yourDocuments = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .use(requireSession)
  .get('/', limitListSearches, showYourDocuments)
  .post('/delete', limitBody(MAX_FORM_BYTES), refuseOtherAccounts, deleteSelected)
