import type { User } from '../../accounts/user.ts'
import type { Document, Viewer } from '../../documents/model/document.ts'
import { listRevisions, type Revision } from '../../documents/revisions/revisions.ts'
import type { AppContext } from '../../env.ts'
import { documentNotFound } from '../../errors.ts'
import { askAlongside } from '../../http/identity/ask-alongside.ts'

export interface HistoryViewer {
  /** The signed-in account; null without one. */
  readonly user: User | null
  readonly viewer: Viewer
}

/**
 * Returns who asks, and reads what they ask for in the same round trip. Nobody is sent to sign in: that would tell a document that exists from one that doesn't, or ask
 * somebody to sign in for nothing.
 */
export const findHistoryViewer = <Found>(
  c: AppContext,
  read: (viewer: Promise<Viewer>) => Promise<Found>,
): Promise<HistoryViewer & { readonly found: Promise<Found> }> =>
  askAlongside(c, read, (identity) => identity.session())

export interface FoundHistory extends HistoryViewer {
  readonly document: Document
  /** Newest first. */
  readonly revisions: readonly Revision[]
}

/** Returns the history of the document in the address. Throws `not_found` for readers. */
export async function requireHistory(c: AppContext<'/:id/*'>): Promise<FoundHistory> {
  const { now, store } = c.var
  const { user, viewer, found } = await findHistoryViewer(c, (asking) =>
    listRevisions(store, c.req.param('id'), { viewer: asking, now }),
  )
  return { user, viewer, ...(await found) }
}

/** Returns the revision with a number from the address. Throws `not_found` if there is none. */
export function requireVersion(revisions: readonly Revision[], number: string | undefined): Revision {
  const revision = revisions.find((candidate) => String(candidate.number) === number)
  if (!revision) throw documentNotFound()
  return revision
}
