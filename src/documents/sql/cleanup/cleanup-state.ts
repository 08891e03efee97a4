import type { Database } from '../../../platform/database.ts'

/** How a run of cleanup ended. */
export type CleanupOutcome = 'complete' | 'unfinished' | 'refused' | 'failed'

/** What cleanup remembers between runs. Times are milliseconds since 1970. */
export interface CleanupState {
  /** Where the search for orphaned content continues in KV's list; null for the start. */
  readonly cursor: string | null
  /** Keys compared since the start of the search. */
  readonly checked: number
  /** How many of them were orphaned. */
  readonly orphaned: number
  /** Random; null before the first run. */
  readonly databaseId: string | null
  /** The last run that found this to be the database that belongs to the content in KV. */
  readonly trustedAt: number | null
  /** How much orphaned content may be deleted although it's suspiciously much. */
  readonly allowedDeletions: number
}

const NEW_STATE: CleanupState = {
  cursor: null,
  checked: 0,
  orphaned: 0,
  databaseId: null,
  trustedAt: null,
  allowedDeletions: 0,
}

export async function findCleanupState(db: Database): Promise<CleanupState> {
  const row = await db.first<CleanupState>([
    `SELECT cursor, checked, orphaned, database_id AS databaseId, trusted_at AS trustedAt,
      allowed_deletions AS allowedDeletions FROM sweep_progress`,
  ])
  return row ?? NEW_STATE
}

interface CleanupResult {
  /** The state that the run started with; null if it couldn't be read. */
  readonly before: CleanupState | null
  /** The progress of the search; null if the next run has to repeat this part of it. */
  readonly progress: Pick<CleanupState, 'cursor' | 'checked' | 'orphaned'> | null
  /** Null unless the run found the database in order. */
  readonly trusted: { readonly databaseId: string; readonly at: number } | null
  readonly finishedAt: number
  readonly outcome: CleanupOutcome
  /** For the operator, in one sentence; null if there is nothing to say. */
  readonly message: string | null
  /** How many of the allowed deletions this run used. */
  readonly usedAllowance: number
}

/**
 * Records a run. One row, which the operator's health check reads: `SELECT finished_at, outcome, message FROM
 * sweep_progress`.
 *
 * A run that began before the database was restored to an earlier time doesn't vouch for the restored database:
 * `trusted_at` only moves on from the value that the run read.
 */
export async function saveCleanupResult(db: Database, result: CleanupResult): Promise<void> {
  const { progress, trusted, before } = result
  await db.all([
    `INSERT INTO sweep_progress (only_row, cursor, checked, orphaned, database_id, trusted_at, finished_at,
        outcome, message)
      VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
      ON CONFLICT (only_row) DO UPDATE SET
        cursor = iif(?9, excluded.cursor, cursor),
        checked = iif(?9, excluded.checked, checked),
        orphaned = iif(?9, excluded.orphaned, orphaned),
        database_id = coalesce(database_id, excluded.database_id),
        trusted_at = iif(excluded.trusted_at IS NOT NULL AND trusted_at IS ?10,
          max(excluded.trusted_at, coalesce(trusted_at, 0)), trusted_at),
        finished_at = max(excluded.finished_at, coalesce(finished_at, 0)),
        outcome = excluded.outcome,
        message = excluded.message,
        allowed_deletions = max(allowed_deletions - ?11, 0)`,
    progress?.cursor ?? null,
    progress?.checked ?? 0,
    progress?.orphaned ?? 0,
    trusted?.databaseId ?? null,
    trusted?.at ?? null,
    result.finishedAt,
    result.outcome,
    result.message,
    Number(progress !== null),
    before?.trustedAt ?? null,
    result.usedAllowance,
  ])
}

/** Makes the search for orphaned content start over. */
export async function restartSearch(db: Database): Promise<void> {
  await db.all(['UPDATE sweep_progress SET cursor = NULL, checked = 0, orphaned = 0'])
}

/**
 * Gives the database a new id, so that an earlier copy of it can be told from it, and starts the search over.
 *
 * @param databaseId random.
 */
export async function renewDatabaseId(db: Database, databaseId: string, now: number): Promise<void> {
  await db.idempotentBatch([
    [
      `INSERT INTO sweep_progress (only_row, database_id, trusted_at) VALUES (1, ?1, ?2)
        ON CONFLICT (only_row) DO UPDATE SET cursor = NULL, checked = 0, orphaned = 0,
          database_id = excluded.database_id, trusted_at = excluded.trusted_at, allowed_deletions = 0`,
      databaseId,
      now,
    ],
  ])
}

/** Allows cleanup to delete this much orphaned content even if it's suspiciously much. 0 withdraws that. */
export async function allowDeletions(db: Database, count: number): Promise<void> {
  await db.idempotentBatch([
    [
      `INSERT INTO sweep_progress (only_row, allowed_deletions) VALUES (1, ?1)
        ON CONFLICT (only_row) DO UPDATE SET allowed_deletions = excluded.allowed_deletions`,
      count,
    ],
  ])
}
