import type { DocumentStorage } from '../document-store.ts'
import { deleteExpiredDocuments } from '../sql/deletion.ts'
import { findCleanupCursor, findOrphanedContent, saveCleanupCursor } from '../sql/orphaned-content.ts'
import { findPendingDeletions } from '../sql/pending-deletions.ts'
import { CONTENT_MARGIN_MS } from './content-store.ts'
import { deleteContent } from './delete-content.ts'

/** Rows per statement: well within D1's limit of 30 seconds, and short enough not to block other queries. */
const EXPIRED_PER_BATCH = 500
/** KV keys deleted in parallel. The runtime opens six connections and queues the rest. */
const DELETIONS_PER_BATCH = 50
/** KV operations per run. Workers allows 1,000 per invocation. */
const MAX_KV_OPERATIONS = 900
/** Younger content may still get its row. No request runs this long. */
const ORPHAN_AGE_MS = 60 * 60_000

/**
 * Keys that one run compares with D1. The next run continues from there. With a run every five minutes, that is
 * half a million documents a day for 600 list operations; the free plan includes 1,000.
 */
const MAX_KEYS_PER_RUN = 2_000

interface CleanupOptions {
  /** Milliseconds since 1970. Decides what has expired. */
  readonly now: number
  /** Roughly how many milliseconds the run may take. */
  readonly budgetMs: number
  /** Returns the current time in milliseconds, to measure the run. */
  readonly clock: () => number
}

/** What one run did. */
export interface CleanupReport {
  /** Rows of expired documents deleted. */
  expired: number
  /** Pending deletions of content carried out. */
  deleted: number
  /** KV keys compared with D1. */
  checked: number
  /** Orphaned content deleted: it never had a row, or lost it without a pending deletion. */
  orphaned: number
  /** Whether the budget was enough. The next run may still continue comparing keys from the cursor. */
  complete: boolean
}

/** The time and KV operations that a run has left. */
class Budget {
  readonly #end: number
  readonly #clock: () => number
  #kvOperations = MAX_KV_OPERATIONS

  constructor({ budgetMs, clock }: CleanupOptions) {
    this.#clock = clock
    this.#end = clock() + budgetMs
  }

  /** Reserves KV operations. Returns false if not enough of them, or no time, are left. */
  take(kvOperations: number): boolean {
    if (this.#clock() >= this.#end || kvOperations > this.#kvOperations) return false
    this.#kvOperations -= kvOperations
    return true
  }
}

/** One kind of work. Counts it in the report, and resolves to whether all of it is done. */
type Step = (store: DocumentStorage, now: number, budget: Budget, report: CleanupReport) => Promise<boolean>

/**
 * Deletes what nobody can read any more: expired documents, content whose deletion is pending, and content that a
 * crash left without a row.
 *
 * Nothing depends on it for correctness. Two runs may overlap, and a run may be interrupted anywhere: every step
 * leaves work for the next run, never garbage. A step that fails doesn't stop the others.
 *
 * @throws the first storage error, after all steps.
 */
export async function cleanup(store: DocumentStorage, options: CleanupOptions): Promise<CleanupReport> {
  const report: CleanupReport = { expired: 0, deleted: 0, checked: 0, orphaned: 0, complete: true }
  const budget = new Budget(options)
  const faults: unknown[] = []
  for (const step of [deleteExpiredRows, processPendingDeletions, deleteOrphanedContent] satisfies Step[]) {
    try {
      if (!(await step(store, options.now, budget, report))) report.complete = false
    } catch (error) {
      faults.push(error)
    }
  }
  if (faults.length > 0) throw faults[0]
  return report
}

/** Deletes rows only after KV's TTL has deleted their content, so there is no content left to delete. */
const deleteExpiredRows: Step = async ({ db }, now, budget, report) => {
  for (let deleted = EXPIRED_PER_BATCH; deleted === EXPIRED_PER_BATCH; report.expired += deleted) {
    if (!budget.take(0)) return false
    deleted = await deleteExpiredDocuments(db, now - CONTENT_MARGIN_MS, EXPIRED_PER_BATCH)
  }
  return true
}

const processPendingDeletions: Step = async (store, now, budget, report) => {
  for (let taken = DELETIONS_PER_BATCH; taken === DELETIONS_PER_BATCH; report.deleted += taken) {
    const keys = await findPendingDeletions(store.db, now, DELETIONS_PER_BATCH)
    taken = keys.length
    if (taken === 0) break
    if (!budget.take(taken)) return false
    await deleteContent(store, keys)
  }
  return true
}

const deleteOrphanedContent: Step = async (store, now, budget, report) => {
  let cursor = await findCleanupCursor(store.db)
  do {
    if (!budget.take(1)) return false
    const page = await listContent(store, cursor)
    const settled = page.keys.flatMap(({ name, metadata }) =>
      metadata && metadata.putAt <= now - ORPHAN_AGE_MS ? [{ key: name, document: metadata.document }] : [],
    )
    const orphans = await findOrphanedContent(store.db, settled)
    for (let start = 0; start < orphans.length; start += DELETIONS_PER_BATCH) {
      const some = orphans.slice(start, start + DELETIONS_PER_BATCH)
      if (!budget.take(some.length)) return false
      await Promise.all(some.map((key) => store.contents.delete(key)))
      report.orphaned += some.length
    }
    report.checked += page.keys.length
    cursor = page.list_complete ? null : page.cursor
    await saveCleanupCursor(store.db, cursor)
  } while (cursor !== null && report.checked < MAX_KEYS_PER_RUN)
  return true
}

/** Returns a page of keys. If KV no longer accepts the cursor, it starts over. */
async function listContent({ db, contents }: DocumentStorage, cursor: string | null) {
  try {
    return await contents.list(cursor)
  } catch (error) {
    if (cursor === null) throw error
    await saveCleanupCursor(db, null)
    return contents.list(null)
  }
}
