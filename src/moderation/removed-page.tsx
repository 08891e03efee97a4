import type { ErrorHandler } from 'hono'
import type { AppContext, AppEnv } from '../env.ts'
import { AppError } from '../errors.ts'
import { errorOptions } from '../http/answers.ts'
import { askSession, NOTHING } from '../http/identity.ts'
import { isDocumentId } from '../shared/document-ids.ts'
import { answerErrorPage } from '../ui/errors.tsx'
import { Time } from '../ui/facts.tsx'
import { Form } from '../ui/form.tsx'
import { Notice } from '../ui/layout.tsx'
import { page } from '../ui/page.tsx'
import { findRemoval, type Removal } from './removals.ts'

const RemovedPage = ({ removal, isKept }: { removal: Removal; isKept: boolean }) => (
  <Notice icon="flag" title="Your document was removed">
    <p>
      We removed {removal.title === null ? 'this document' : <q>{removal.title}</q>} on{' '}
      <Time at={removal.removedAt} />, for this reason:
    </p>
    <blockquote class="quote">{removal.reason}</blockquote>
    {isKept && (
      <>
        <p>Nobody can open it, but we can bring it back for a while.</p>
        <Form action={`/${removal.documentId}/delete`} button="Delete it for good" look="quiet" />
      </>
    )}
    <p>
      <a href="/abuse#appeal" class="button">
        What you can do
      </a>
    </p>
  </Notice>
)

/** Other viewers aren't told of a removal, and need no query. */
async function findOwnRemoval(c: AppContext): Promise<Removal | null> {
  const id = c.req.param('id') ?? c.req.param('address')?.split('.', 1)[0]
  if (id === undefined || !isDocumentId(id)) return null
  const { user } = await askSession(c, NOTHING)
  if (!user) return null
  const removal = await findRemoval(c.var.store.db, id)
  return removal?.creatorId === user.id ? removal : null
}

/** The creator of a removed document is told why it was removed. */
export const answerDocumentError: ErrorHandler<AppEnv> = async (thrown, c) => {
  if (!(thrown instanceof AppError && thrown.code === 'not_found')) return answerErrorPage(thrown, c)
  const removal = await findOwnRemoval(c)
  if (!removal) return answerErrorPage(thrown, c)
  const isKept = removal.keptUntil !== null && removal.keptUntil > c.var.now
  return page(c, <RemovedPage removal={removal} isKept={isKept} />, errorOptions(thrown))
}
