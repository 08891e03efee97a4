import type { User } from '../../accounts/user.ts'
import type { Document, Viewer } from '../../documents/model/document.ts'
import { listRevisions, type Revision } from '../../documents/revisions/revisions.ts'
import type { AppContext } from '../../env.ts'
import { documentNotFound } from '../../errors.ts'
import { toViewer } from '../../http/identity/document-token.ts'

export interface HistoryViewer {
  /** The signed-in account; null without one. */
  readonly user: User | null
  readonly viewer: Viewer
}

/**
 * Returns who asks. Nobody is sent to sign in: that would tell a document that exists from one that doesn't, or ask
 * somebody to sign in for nothing.
 */
export async function findHistoryViewer(c: AppContext): Promise<HistoryViewer> {
  const user = await c.var.identity.session()
  return { user, viewer: await toViewer(c, user) }
}

export interface FoundHistory extends HistoryViewer {
  readonly document: Document
  /** Newest first. */
  readonly revisions: readonly Revision[]
}

/** Returns the history of the document in the address. Throws `not_found` for readers. */
export async function requireHistory(c: AppContext<'/:id/*'>): Promise<FoundHistory> {
  const found = await findHistoryViewer(c)
  const { now, store } = c.var
  return { ...found, ...(await listRevisions(store, c.req.param('id'), { viewer: found.viewer, now })) }
}

/** Returns the revision with a number from the address. Throws `not_found` if there is none. */
export function requireVersion(revisions: readonly Revision[], number: string | undefined): Revision {
  const revision = revisions.find((candidate) => String(candidate.number) === number)
  if (!revision) throw documentNotFound()
  return revision
}
