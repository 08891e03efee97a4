import { hadNoEffect } from '../../platform/database.ts'
import type { DocumentStorage } from '../document-store.ts'
import { encodeText } from '../model/content.ts'
import {
  deleteLostRevisions,
  findOutlivedRevisions,
  type OutlivedRevision,
  replaceContentOfRevision,
} from '../sql/cleanup/outlived-revisions.ts'
import type { Budget } from './cleanup-budget.ts'
import { getContentExpiry } from './content-store.ts'

/**
 * How long before KV deletes content it is copied. Long enough for days on which cleanup fails, and late enough that
 * extending a document again and again doesn't copy its revisions each time.
 */
const COPY_AHEAD_MS = 3 * 24 * 60 * 60_000
/** Revisions copied in one run. Their content may be large, and the run has more to do. */
const MAX_COPIES = 100

interface CopyRun {
  readonly store: DocumentStorage
  /** Milliseconds since 1970. */
  readonly now: number
  readonly budget: Budget
}

/**
 * Copies the content of revisions whose document has been extended past the time at which KV deletes it. One at a time:
 * the content is up to 10 MiB. A run that is interrupted leaves the revision as it was, and at most one copy that
 * nothing refers to, which the search for orphaned content finds.
 *
 * @returns how many it copied, and whether that was all.
 */
export async function copyOutlivedRevisions({
  store,
  now,
  budget,
}: CopyRun): Promise<{ copied: number; complete: boolean }> {
  await deleteLostRevisions(store.db, now)
  const due = await findOutlivedRevisions(store.db, { now, before: now + COPY_AHEAD_MS, limit: MAX_COPIES })
  let copied = 0
  const faults: unknown[] = []
  for (const revision of due) {
    // A read, a write, and the deletion of a copy that nothing refers to.
    if (!budget.take(3)) return { copied, complete: false }
    try {
      if (await copyContent(store, revision, now)) copied += 1
    } catch (error) {
      faults.push(error)
    }
  }
  if (faults.length > 0) throw faults[0]
  return { copied, complete: due.length < MAX_COPIES }
}

async function copyContent(
  { db, contents }: DocumentStorage,
  revision: OutlivedRevision,
  now: number,
): Promise<boolean> {
  const { documentId, contentKey, storedAt, expiresAt } = revision
  const content = await contents.get(contentKey, { cache: false, storedAt })
  // Somebody has just deleted the revision, or KV doesn't show its content yet: the next run tries again.
  if (content === null) return false
  const copy = await contents.put({ documentId, bytes: encodeText(content), expiresAt, now })
  const replaced = await replaceContentOfRevision(db, revision, {
    contentKey: copy,
    contentExpiresAt: getContentExpiry(expiresAt),
  }).catch(async (error: unknown) => {
    if (hadNoEffect(error)) await contents.delete(copy)
    throw error
  })
  if (!replaced) await contents.delete(copy)
  return replaced
}
