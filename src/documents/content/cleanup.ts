import type { DocumentStorage } from '../document-store.ts'
import { deleteExpiredDocuments } from '../sql/deletion.ts'
import { findCleanupCursor, findOrphanedContent, saveCleanupCursor } from '../sql/orphaned-content.ts'
import { findPendingDeletions } from '../sql/pending-deletions.ts'
import { CONTENT_MARGIN_MS } from './content-store.ts'
import { deleteContent } from './delete-content.ts'

/** Rows that one statement deletes: well within D1's 30 seconds, and no wall for other queries. */
const EXPIRED_AT_ONCE = 500
/** Keys of KV that are removed side by side; the runtime keeps six connections open and queues the rest. */
const CONTENTS_AT_ONCE = 50
/** KV operations of one run; Workers allows an invocation 1,000. */
const MOST_KV_OPERATIONS = 900
/** Content younger than this may still wait for its row: no request runs that long. */
const ORPHAN_AGE_MS = 60 * 60_000

/**
 * Keys that one run compares with D1; the next one goes on from there. Every five minutes, that is
 * half a million documents a day for 600 list operations, within the free plan's 1,000.
 */
const SWEPT_A_RUN = 2_000

interface CleanupOptions {
  /** Milliseconds since 1970: what has expired, and may be removed, is judged by it. */
  readonly now: number
  /** Milliseconds that the run may take, as far as it can choose. */
  readonly budgetMs: number
  /** The time that passes while the run goes on, in milliseconds. */
  readonly clock: () => number
}

/** What one run did. */
export interface CleanupReport {
  /** Rows of expired documents deleted. */
  expired: number
  /** Contents removed that a row had let go. */
  detached: number
  /** Keys of KV compared with D1. */
  swept: number
  /** Contents removed that never had a row, or lost it without a trace. */
  orphans: number
  /** Whether neither time nor calls ran out. The sweep may go on from its cursor in the next run all the same. */
  complete: boolean
}

/** What is left of a run's time and calls. */
class Budget {
  readonly #end: number
  readonly #clock: () => number
  #kvOperations = MOST_KV_OPERATIONS

  constructor({ budgetMs, clock }: CleanupOptions) {
    this.#clock = clock
    this.#end = clock() + budgetMs
  }

  /** Takes so many KV operations; false when they, or the time, are spent. */
  take(kvOperations: number): boolean {
    if (this.#clock() >= this.#end || kvOperations > this.#kvOperations) return false
    this.#kvOperations -= kvOperations
    return true
  }
}

/** One kind of work. Resolves to whether all of it is done; counts in the report as it goes. */
type Step = (store: DocumentStorage, now: number, budget: Budget, report: CleanupReport) => Promise<boolean>

/**
 * Reclaims what nobody can read any more: rows of expired documents, content that rows have let go,
 * and content that a crash left without a row.
 *
 * Correctness never waits for it. It may run twice at once and be cut off anywhere: every step
 * leaves work for the next run, not garbage. A step that fails does not keep the others from theirs.
 *
 * @throws the first fault of storage, after all steps.
 */
export async function cleanup(store: DocumentStorage, options: CleanupOptions): Promise<CleanupReport> {
  const report: CleanupReport = { expired: 0, detached: 0, swept: 0, orphans: 0, complete: true }
  const budget = new Budget(options)
  const faults: unknown[] = []
  for (const step of [deleteExpiredRows, removeDetachedContents, sweepOrphans] satisfies Step[]) {
    try {
      if (!(await step(store, options.now, budget, report))) report.complete = false
    } catch (error) {
      faults.push(error)
    }
  }
  if (faults.length > 0) throw faults[0]
  return report
}

/**
 * KV drops the content of an expired document by itself a margin later. Rows wait as long, so that
 * nothing is left to do for their content.
 */
const deleteExpiredRows: Step = async ({ db }, now, budget, report) => {
  for (let deleted = EXPIRED_AT_ONCE; deleted === EXPIRED_AT_ONCE; report.expired += deleted) {
    if (!budget.take(0)) return false
    deleted = await deleteExpiredDocuments(db, now - CONTENT_MARGIN_MS, EXPIRED_AT_ONCE)
  }
  return true
}

const removeDetachedContents: Step = async (store, now, budget, report) => {
  for (let removed = CONTENTS_AT_ONCE; removed === CONTENTS_AT_ONCE; report.detached += removed) {
    const keys = await findPendingDeletions(store.db, now, CONTENTS_AT_ONCE)
    removed = keys.length
    if (removed === 0) break
    if (!budget.take(removed)) return false
    await deleteContent(store, keys)
  }
  return true
}

const sweepOrphans: Step = async (store, now, budget, report) => {
  let cursor = await findCleanupCursor(store.db)
  do {
    if (!budget.take(1)) return false
    const page = await listFrom(store, cursor)
    const settled = page.keys.flatMap(({ name, metadata }) =>
      metadata && metadata.putAt <= now - ORPHAN_AGE_MS ? [{ key: name, document: metadata.document }] : [],
    )
    const orphans = await findOrphanedContent(store.db, settled)
    for (let start = 0; start < orphans.length; start += CONTENTS_AT_ONCE) {
      const some = orphans.slice(start, start + CONTENTS_AT_ONCE)
      if (!budget.take(some.length)) return false
      await Promise.all(some.map((key) => store.contents.delete(key)))
      report.orphans += some.length
    }
    report.swept += page.keys.length
    cursor = page.list_complete ? null : page.cursor
    await saveCleanupCursor(store.db, cursor)
  } while (cursor !== null && report.swept < SWEPT_A_RUN)
  return true
}

/** A cursor that KV does not take any more must not stop the sweep for ever: it begins again. */
async function listFrom({ db, contents }: DocumentStorage, cursor: string | null) {
  try {
    return await contents.list(cursor)
  } catch (error) {
    if (cursor === null) throw error
    await saveCleanupCursor(db, null)
    return contents.list(null)
  }
}
