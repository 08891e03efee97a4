import { CONTENT_MARGIN_MS } from './contents.ts'
import {
  deleteExpired,
  findDetached,
  findOrphans,
  readSweepCursor,
  removeDetached,
  writeSweepCursor,
} from './detached.ts'
import type { DocumentStore } from './store.ts'

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
  /** Whether nothing was left that could be done now. */
  complete: boolean
}

/**
 * Reclaims what nobody can read any more: rows of expired documents, content that rows have let go,
 * and content that a crash left without a row.
 *
 * Correctness never waits for it. It may run twice at once and be cut off anywhere: every step
 * leaves work for the next run, not garbage.
 *
 * @throws AppError `unavailable`, and what storage threw.
 */
export async function cleanup(
  store: Pick<DocumentStore, 'db' | 'contents'>,
  { now, budgetMs, clock }: CleanupOptions,
): Promise<CleanupReport> {
  const report: CleanupReport = { expired: 0, detached: 0, swept: 0, orphans: 0, complete: true }
  const end = clock() + budgetMs
  let operations = MOST_KV_OPERATIONS
  const spent = () => clock() >= end

  // KV drops the content of an expired document by itself a margin later. Rows wait as long, so that
  // nothing is left to do for their content.
  for (let deleted = EXPIRED_AT_ONCE; deleted === EXPIRED_AT_ONCE; ) {
    if (spent()) return { ...report, complete: false }
    deleted = await deleteExpired(store.db, now - CONTENT_MARGIN_MS, EXPIRED_AT_ONCE)
    report.expired += deleted
  }

  for (let removed = CONTENTS_AT_ONCE; removed === CONTENTS_AT_ONCE; ) {
    if (spent() || operations < CONTENTS_AT_ONCE) return { ...report, complete: false }
    const detached = await findDetached(store.db, now, CONTENTS_AT_ONCE)
    removed = detached.length
    if (removed === 0) break
    await removeDetached(store, detached)
    operations -= removed
    report.detached += removed
  }

  let cursor = await readSweepCursor(store.db)
  do {
    if (spent() || operations < CONTENTS_AT_ONCE) return { ...report, complete: false }
    const page = await store.contents.list(cursor)
    operations -= 1
    const settled = page.keys.flatMap(({ name, metadata }) =>
      metadata && metadata.putAt <= now - ORPHAN_AGE_MS ? [{ key: name, document: metadata.document }] : [],
    )
    const orphans = await findOrphans(store.db, settled)
    for (let start = 0; start < orphans.length; start += CONTENTS_AT_ONCE) {
      if (spent() || operations < CONTENTS_AT_ONCE) return { ...report, complete: false }
      const some = orphans.slice(start, start + CONTENTS_AT_ONCE)
      await Promise.all(some.map((key) => store.contents.delete(key)))
      operations -= some.length
      report.orphans += some.length
    }
    report.swept += page.keys.length
    cursor = page.list_complete ? null : page.cursor
    await writeSweepCursor(store.db, cursor)
  } while (cursor !== null && report.swept < SWEPT_A_RUN)
  return report
}
