import type { ErrorHandler } from 'hono'
import { isDocumentId } from '../../documents/model/ids.ts'
import type { AppContext, AppEnv } from '../../env.ts'
import { AppError } from '../../errors.ts'
import { errorOptions } from '../../http/answers/error-text.ts'
import { findRemoval, type Removal } from '../../moderation/removals.ts'
import { Time } from '../components/time.tsx'
import { answerErrorPage } from '../layout/errors.tsx'
import { Notice } from '../layout/layout.tsx'
import { page } from '../layout/page.tsx'

const RemovedPage = ({ removal }: { removal: Removal }) => (
  <Notice title="Your document was removed" signedIn>
    <p>
      The operator removed {removal.title === null ? 'this document' : <q>{removal.title}</q>} on{' '}
      <Time at={removal.removedAt} />, for this reason:
    </p>
    <blockquote class="quote">{removal.reason}</blockquote>
  </Notice>
)

/** Returns the removal of a missing document if the viewer created it. Other viewers aren't told, and need no query. */
async function findOwnRemoval(c: AppContext): Promise<Removal | null> {
  const id = c.req.param('id') ?? c.req.param('address')?.split('.', 1)[0]
  if (id === undefined || !isDocumentId(id) || !c.var.hasSessionCookie) return null
  const user = await c.var.identity.ask()
  if (!user) return null
  const removal = await findRemoval(c.var.store.db, id)
  return removal?.creatorId === user.id ? removal : null
}

/** Answers any error with a page. The creator of a removed document is told why it was removed. */
export const answerDocumentError: ErrorHandler<AppEnv> = async (thrown, c) => {
  if (!(thrown instanceof AppError && thrown.code === 'not_found')) return answerErrorPage(thrown, c)
  const removal = await findOwnRemoval(c)
  if (!removal) return answerErrorPage(thrown, c)
  return page(c, <RemovedPage removal={removal} />, errorOptions(thrown))
}
