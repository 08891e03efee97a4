import type { ErrorHandler } from 'hono'
import { isDocumentId } from '../../documents/model/ids.ts'
import type { AppContext, AppEnv } from '../../env.ts'
import { AppError } from '../../errors.ts'
import { findRemoval, type Removal } from '../../moderation/removals.ts'
import { Time } from '../components/time.tsx'
import { answerErrorPage, errorOptions } from '../layout/errors.tsx'
import { Notice } from '../layout/layout.tsx'
import { page } from '../layout/page.tsx'

const RemovedPage = ({ removal }: { removal: Removal }) => (
  <Notice title="Your document was removed" signedIn>
    <p>
      The operator removed {removal.title === null ? 'this document' : <q>{removal.title}</q>} on{' '}
      <Time at={removal.removedAt} />. Nobody can read it any more. The reason given:
    </p>
    <blockquote class="quote">{removal.reason}</blockquote>
  </Notice>
)

/** The removal of the document that is not there, if whoever asks made it: nobody else is told, or pays for the query. */
async function findOwnRemoval(c: AppContext): Promise<Removal | null> {
  const id = c.req.param('id')
  if (id === undefined || !isDocumentId(id) || !c.var.hasSessionCookie) return null
  const user = await c.var.identity.ask()
  if (!user) return null
  const removal = await findRemoval(c.var.store.db, id)
  return removal?.creatorId === user.id ? removal : null
}

/** Answers whatever was thrown as a page; of a document that was removed, its creator learns why. */
export const answerDocumentError: ErrorHandler<AppEnv> = async (thrown, c) => {
  if (!(thrown instanceof AppError && thrown.code === 'not_found')) return answerErrorPage(thrown, c)
  const removal = await findOwnRemoval(c)
  if (!removal) return answerErrorPage(thrown, c)
  return page(c, <RemovedPage removal={removal} />, errorOptions(thrown))
}
