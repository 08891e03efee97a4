import { type Database, hadNoEffect } from '../platform/database.ts'
import { encodeText } from '../shared/encodings.ts'
import { DAY_MS, HOUR_MS, type Instant } from '../shared/instant.ts'
import {
  Budget,
  type CleanupOutcome,
  findCleanupState,
  isOldSchema,
  REFUSALS,
  saveCleanupResult,
} from './cleanup-state.ts'
import {
  CONTENT_MARGIN_MS,
  deleteContent,
  findPendingDeletions,
  getExtendedContentExpiry,
} from './content-store.ts'
import { deleteExpiredDocuments } from './delete.ts'
import { generateVersion } from './document.ts'
import type { DocumentStorage } from './document-store.ts'
import { findMissingContent } from './missing-content.ts'
import { cleanUpOrphans, DELETIONS_PER_BATCH, MAX_KEYS_PER_RUN, ORPHAN_GRACE_MS } from './orphaned-content.ts'
import { toDay } from './quotas.ts'
import { deleteKeptDocuments } from './removed-documents.ts'

interface ExpiringRevision {
  readonly documentId: string
  readonly number: number
  readonly contentKey: string
  readonly storedAt: Instant
  readonly expiresAt: Instant
}

/** @returns false if the revision has been deleted, or another run was first: nothing then refers to the copy. */
async function replaceContentOfRevision(
  db: Database,
  { documentId, number, contentKey }: ExpiringRevision,
  copy: { readonly contentKey: string; readonly contentExpiresAt: Instant },
): Promise<boolean> {
  const [, found] = await db.idempotentBatch([
    // The document's expiry may have changed since the copy was begun.
    [
      `UPDATE revisions SET content_key = ?4, content_until = ?5,
          outlived = (SELECT ?5 < min(expires_at + 300000, 253402300799999) FROM documents WHERE id = ?1)
        WHERE document_id = ?1 AND number = ?2 AND content_key = ?3`,
      documentId,
      number,
      contentKey,
      copy.contentKey,
      copy.contentExpiresAt,
    ],
    [
      'SELECT 1 FROM revisions WHERE document_id = ?1 AND number = ?2 AND content_key = ?3',
      documentId,
      number,
      copy.contentKey,
    ],
  ])
  return found?.length === 1
}

/** Long enough for days on which cleanup fails, and so late that repeated extensions don't copy each time. */
const COPY_AHEAD_MS = 3 * DAY_MS
/**
 * How much content a run copies. It may be large, and the run has more to do. Each copy is a query of its own, and D1's
 * free plan allows 50 in a run.
 */
const MAX_COPIES = 25
/** The step ends after this many faults in a row, because a copy that fails may already have been written to KV. */
const MAX_FAULTS_IN_A_ROW = 2

/**
 * Copies the content of revisions whose document has been extended past the time at which KV deletes it. One at a time:
 * the content is up to 10 MiB. A run that is interrupted leaves the revision as it was, and at most one copy that
 * nothing refers to, which the search for orphaned content finds.
 *
 * Comes before deletions: it can't wait for much longer than one run.
 */
async function copyExpiringRevisions({ store, now, budget, report }: Run): Promise<boolean> {
  // KV has deleted their content before it could be copied.
  await store.db.all(['DELETE FROM revisions WHERE outlived = 1 AND content_until <= ?1', now])
  // The most urgent first.
  const due = await store.db.all<ExpiringRevision>([
    `SELECT r.document_id AS documentId, r.number, r.content_key AS contentKey, d.updated_at AS storedAt,
        d.expires_at AS expiresAt
      FROM revisions r JOIN documents d ON d.id = r.document_id
      WHERE r.outlived = 1 AND r.content_until > ?1 AND r.content_until < ?2 AND d.expires_at > ?1
      ORDER BY r.content_until LIMIT ?3`,
    now,
    now + COPY_AHEAD_MS,
    MAX_COPIES,
  ])
  const faults: unknown[] = []
  let inARow = 0
  for (const revision of due) {
    if (inARow === MAX_FAULTS_IN_A_ROW) break
    // A read, a write, and the deletion of a copy that nothing refers to.
    if (!budget.take(3)) return false
    try {
      if (await copyContent(store, revision, now)) report.copied += 1
      inARow = 0
    } catch (error) {
      faults.push(error)
      inARow += 1
    }
  }
  if (faults.length > 0) throw faults[0]
  return due.length < MAX_COPIES
}

async function copyContent(
  { db, contents }: DocumentStorage,
  revision: ExpiringRevision,
  now: Instant,
): Promise<boolean> {
  const { documentId, contentKey, storedAt, expiresAt } = revision
  const content = await contents.get(contentKey, { cache: false, storedAt })
  // Somebody has just deleted the revision, or KV doesn't show its content yet: the next run tries again.
  if (content === null) return false
  const contentExpiresAt = getExtendedContentExpiry(expiresAt, now)
  const copy = await contents.put({ documentId, bytes: encodeText(content), contentExpiresAt, now })
  const replaced = await replaceContentOfRevision(db, revision, {
    contentKey: copy,
    contentExpiresAt,
  }).catch(async (error: unknown) => {
    if (hadNoEffect(error)) await contents.delete(copy)
    throw error
  })
  if (!replaced) await contents.delete(copy)
  return replaced
}

/** Rows per statement: well within D1's limit of 30 seconds, and short enough not to block other queries. */
const EXPIRED_PER_BATCH = 500

interface CleanupOptions {
  readonly now: Instant
  readonly budgetMs: number
  readonly clock: () => number
  readonly orphanGraceMs?: number
  /** How many KV keys a run compares with D1. It leaves the rest to the next one. */
  readonly maxKeys?: number
}

/** Creates the report of a run, which counts what has been done. */
const createCleanupReport = () => ({
  expired: 0,
  copied: 0,
  deleted: 0,
  checked: 0,
  /** Keys that this run found first. They are deleted once the grace period is over. */
  found: 0,
  /** Content that was deleted because it never had a row, or lost it without a pending deletion. */
  orphaned: 0,
  /** Content that KV lacks; null if it wasn't looked for. */
  missing: null as number | null,
  /** The reason why orphaned content wasn't deleted, and what the operator should do; null if all is well. */
  refused: null as string | null,
  /** Is false if the budget wasn't enough. If it was, the next run may still continue comparing keys from the cursor. */
  complete: true,
})

export type CleanupReport = ReturnType<typeof createCleanupReport>

interface Run {
  readonly store: DocumentStorage
  readonly now: Instant
  readonly budget: Budget
  readonly report: CleanupReport
  readonly deletedKeys: Set<string>
}

/**
 * Deletes what has expired or isn't needed any more. Nothing depends on it for correctness. Two runs may overlap, and a
 * run may be interrupted anywhere: every step leaves work for the next run, never garbage. A step that fails doesn't
 * stop the others. The outcome is recorded in `sweep_progress`, for health checks.
 *
 * @throws the first storage error, after all steps.
 */
export async function cleanup(store: DocumentStorage, options: CleanupOptions): Promise<CleanupReport> {
  const { now, orphanGraceMs = ORPHAN_GRACE_MS, maxKeys = MAX_KEYS_PER_RUN } = options
  const report = createCleanupReport()
  const run: Run = { store, now, budget: new Budget(options), report, deletedKeys: new Set() }
  const faults: unknown[] = []
  const attempt = async <Result>(step: () => Promise<Result>): Promise<Result | null> => {
    try {
      return await step()
    } catch (error) {
      if (isOldSchema(error)) report.refused = REFUSALS.oldSchema
      faults.push(error)
      return null
    }
  }

  for (const step of [lookForContent, copyExpiringRevisions, deleteExpiredRows, processPendingDeletions]) {
    if ((await attempt(() => step(run))) === false) report.complete = false
  }
  await attempt(() => resetFutureDays(run))
  const state = await attempt(() => findCleanupState(store.db))
  const orphans =
    state && (await attempt(() => cleanUpOrphans({ ...run, state, graceMs: orphanGraceMs, maxKeys })))
  if (orphans) {
    Object.assign(report, { checked: orphans.checked, found: orphans.found, orphaned: orphans.deleted })
    report.refused ??= orphans.refusal
    if (orphans.progress === null && orphans.refusal === null) report.complete = false
  }
  await attempt(() =>
    saveCleanupResult(store.db, {
      before: state,
      progress: orphans?.progress ?? null,
      trusted: orphans?.trusted ? { databaseId: state?.databaseId ?? generateVersion(), at: now } : null,
      finishedAt: now,
      outcome: getOutcome(report, faults),
      message: report.refused,
      usedAllowance: orphans?.usedAllowance ?? 0,
    }),
  )
  if (faults.length > 0) throw faults[0]
  return report
}

function getOutcome({ refused, complete }: CleanupReport, faults: readonly unknown[]): CleanupOutcome {
  if (refused !== null) return 'refused'
  if (faults.length > 0) return 'failed'
  return complete ? 'complete' : 'unfinished'
}

/** Looks for missing content. This comes first, because it takes little time: nothing else notices that content is gone. */
async function lookForContent(run: Run): Promise<boolean> {
  run.report.missing = await findMissingContent(run)
  return run.report.missing !== null
}

/** Deletes the rows of what has expired, but only after KV's TTL has deleted its content. */
async function deleteExpiredRows({ store: { db }, now, budget, report }: Run): Promise<boolean> {
  for (const deleteRows of [deleteExpiredDocuments, deleteKeptDocuments]) {
    for (let deleted = EXPIRED_PER_BATCH; deleted === EXPIRED_PER_BATCH; report.expired += deleted) {
      if (!budget.take(0)) return false
      deleted = await deleteRows(db, now - CONTENT_MARGIN_MS, EXPIRED_PER_BATCH)
    }
  }
  return true
}

/**
 * Deletes content that is due to be deleted. Nothing slows this down: people who delete a document are promised that
 * its content goes within minutes.
 */
async function processPendingDeletions({ store, now, budget, report, deletedKeys }: Run): Promise<boolean> {
  for (let taken = DELETIONS_PER_BATCH; taken === DELETIONS_PER_BATCH; report.deleted += taken) {
    const keys = await findPendingDeletions(store.db, now, DELETIONS_PER_BATCH)
    taken = keys.length
    if (taken === 0) break
    if (!budget.take(taken)) return false
    for (const key of keys) deletedKeys.add(key)
    await deleteContent(store, keys)
  }
  return true
}

/**
 * Counts writes again after a clock that was ahead: none is counted on a day before the latest one. Each write counts for
 * the whole server too, so its row tells whether there is a later day.
 */
async function resetFutureDays({ store: { db }, now }: Run): Promise<void> {
  const latest = await db.first<{ day: number }>(["SELECT day FROM usage WHERE account_id = ''"])
  // Clocks of several Workers may differ by seconds.
  if (!latest || latest.day <= toDay(now + HOUR_MS)) return
  await db.all(['UPDATE usage SET day = ?1, created = 0 WHERE day > ?1', toDay(now)])
}
