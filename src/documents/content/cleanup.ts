import type { DocumentStorage } from '../document-store.ts'
import { generateVersion } from '../model/ids.ts'
import { type CleanupOutcome, findCleanupState, saveCleanupResult } from '../sql/cleanup/cleanup-state.ts'
import { findPendingDeletions } from '../sql/cleanup/pending-deletions.ts'
import { deleteExpiredDocuments } from '../sql/deletion.ts'
import { isOldSchema, REFUSALS } from './cleanup-brake.ts'
import { Budget } from './cleanup-budget.ts'
import { CONTENT_MARGIN_MS } from './content-store.ts'
import { copyOutlivedRevisions } from './copy-revisions.ts'
import { deleteContent } from './delete-content.ts'
import { findMissingContent } from './missing-content.ts'
import {
  DELETIONS_PER_BATCH,
  MAX_KEYS_PER_RUN,
  ORPHAN_GRACE_MS,
  sweepOrphanedContent,
} from './orphan-sweep.ts'

/** Rows per statement: well within D1's limit of 30 seconds, and short enough not to block other queries. */
const EXPIRED_PER_BATCH = 500

interface CleanupOptions {
  /** Milliseconds since 1970. Decides what has expired. */
  readonly now: number
  /** Roughly how many milliseconds the run may take. */
  readonly budgetMs: number
  /** Returns the current time in milliseconds, to measure the run. */
  readonly clock: () => number
  /** How long orphaned content is kept after it was found. */
  readonly orphanGraceMs?: number
  /** After comparing this many KV keys with D1, a run leaves the rest to the next one. */
  readonly maxKeys?: number
}

/** What one run did. */
export interface CleanupReport {
  /** Rows of expired documents deleted. */
  expired: number
  /** Revisions whose content was copied, because their document now expires later. */
  copied: number
  /** Pending deletions of content carried out. */
  deleted: number
  /** KV keys compared with D1. */
  checked: number
  /** Orphaned content found for the first time. It's deleted once the grace period is over. */
  found: number
  /** Orphaned content deleted: it never had a row, or lost it without a pending deletion. */
  orphaned: number
  /** How much content of documents and revisions is known to be missing in KV; null if it wasn't looked for. */
  missing: number | null
  /** Why orphaned content wasn't deleted, and what the operator should do; null if all is well. */
  refused: string | null
  /** Whether the budget was enough. The next run may still continue comparing keys from the cursor. */
  complete: boolean
}

interface Run {
  readonly store: DocumentStorage
  readonly now: number
  readonly budget: Budget
  readonly report: CleanupReport
  /** The keys that this run has deleted from KV. */
  readonly deletedKeys: Set<string>
}

/**
 * Deletes what nobody can read any more: expired documents, content whose deletion is pending, and content that a
 * crash left without a row.
 *
 * Nothing depends on it for correctness. Two runs may overlap, and a run may be interrupted anywhere: every step
 * leaves work for the next run, never garbage. A step that fails doesn't stop the others. The outcome is recorded in
 * `sweep_progress`, for health checks.
 *
 * @throws the first storage error, after all steps.
 */
export async function cleanup(store: DocumentStorage, options: CleanupOptions): Promise<CleanupReport> {
  const { now, orphanGraceMs = ORPHAN_GRACE_MS, maxKeys = MAX_KEYS_PER_RUN } = options
  const report: CleanupReport = {
    expired: 0,
    copied: 0,
    deleted: 0,
    checked: 0,
    found: 0,
    orphaned: 0,
    missing: null,
    refused: null,
    complete: true,
  }
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

  for (const step of [lookForContent, copyRevisions, deleteExpiredRows, processPendingDeletions]) {
    if ((await attempt(() => step(run))) === false) report.complete = false
  }
  const state = await attempt(() => findCleanupState(store.db))
  const sweep =
    state && (await attempt(() => sweepOrphanedContent({ ...run, state, graceMs: orphanGraceMs, maxKeys })))
  if (sweep) {
    Object.assign(report, { checked: sweep.checked, found: sweep.found, orphaned: sweep.deleted })
    report.refused ??= sweep.refusal
    if (sweep.progress === null && sweep.refusal === null) report.complete = false
  }
  await attempt(() =>
    saveCleanupResult(store.db, {
      before: state,
      progress: sweep?.progress ?? null,
      trusted: sweep?.trusted ? { databaseId: state?.databaseId ?? generateVersion(), at: now } : null,
      finishedAt: now,
      outcome: getOutcome(report, faults),
      message: report.refused,
      usedAllowance: sweep?.usedAllowance ?? 0,
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

/** Comes before all that may use up the time, because it takes little: nothing else notices that content is gone. */
async function lookForContent(run: Run): Promise<boolean> {
  run.report.missing = await findMissingContent(run)
  return run.report.missing !== null
}

/** Comes before deletions: it can't wait for much longer than one run. */
async function copyRevisions(run: Run): Promise<boolean> {
  const { copied, complete } = await copyOutlivedRevisions(run)
  run.report.copied = copied
  return complete
}

/** Deletes rows only after KV's TTL has deleted their content, so there is no content left to delete. */
async function deleteExpiredRows({ store: { db }, now, budget, report }: Run): Promise<boolean> {
  for (let deleted = EXPIRED_PER_BATCH; deleted === EXPIRED_PER_BATCH; report.expired += deleted) {
    if (!budget.take(0)) return false
    deleted = await deleteExpiredDocuments(db, now - CONTENT_MARGIN_MS, EXPIRED_PER_BATCH)
  }
  return true
}

/**
 * Deletes content whose deletion is pending, without a brake: people who delete a document are promised that its
 * content goes within minutes.
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
