import type { Database } from '../platform/database.ts'
import type { Instant } from '../shared/instant.ts'

/** KV operations per run. Workers allows 1,000 per invocation. */
const MAX_KV_OPERATIONS = 900

export class Budget {
  readonly #end: number
  readonly #clock: () => number
  #kvOperations = MAX_KV_OPERATIONS

  constructor({ budgetMs, clock }: { budgetMs: number; clock: () => number }) {
    this.#clock = clock
    this.#end = clock() + budgetMs
  }

  take(kvOperations: number): boolean {
    if (this.#clock() >= this.#end || kvOperations > this.#kvOperations) return false
    this.#kvOperations -= kvOperations
    return true
  }
}

export type CleanupOutcome = 'complete' | 'unfinished' | 'refused' | 'failed'

/** The state before the first run. */
const NEW_STATE = {
  /** The search for orphaned content continues here in KV's list; null for the start. */
  cursor: null as string | null,
  checked: 0,
  orphaned: 0,
  /** A random value that tells this database from others. */
  databaseId: null as string | null,
  /** The last run that found this to be the database that belongs to the content in KV. */
  trustedAt: null as Instant | null,
  /** Orphaned content that may be deleted although it's suspiciously much. */
  allowedDeletions: 0,
  /** The end of the last whole search for orphaned content. */
  searchedAt: null as Instant | null,
}

export type CleanupState = Readonly<typeof NEW_STATE>

/** How far the search for orphaned content has come. */
export type SearchProgress = Pick<CleanupState, 'cursor' | 'checked' | 'orphaned' | 'searchedAt'>

export async function findCleanupState(db: Database): Promise<CleanupState> {
  const row = await db.first<CleanupState>([
    `SELECT cursor, checked, orphaned, database_id AS databaseId, trusted_at AS trustedAt,
      allowed_deletions AS allowedDeletions, searched_at AS searchedAt FROM sweep_progress`,
  ])
  return row ?? NEW_STATE
}

interface CleanupResult {
  /** The state that the run started with; null if it couldn't be read. */
  readonly before: CleanupState | null
  /** The progress of the search; null if the next run has to repeat this part of it. */
  readonly progress: SearchProgress | null
  /** Is null unless the run found the database in order. */
  readonly trusted: { readonly databaseId: string; readonly at: number } | null
  readonly finishedAt: Instant
  readonly outcome: CleanupOutcome
  /** Tells the operator in one sentence. */
  readonly message: string | null
  /** The share of the allowed deletions. */
  readonly usedAllowance: number
}

/**
 * One row, which the operator's health check reads: `SELECT finished_at, outcome, message FROM sweep_progress`.
 *
 * A run that began before the database was restored to an earlier time doesn't vouch for the restored database:
 * `trusted_at` only moves on from the value that the run read.
 */
export async function saveCleanupResult(db: Database, result: CleanupResult): Promise<void> {
  const { progress, trusted, before } = result
  await db.all([
    `INSERT INTO sweep_progress (only_row, cursor, checked, orphaned, database_id, trusted_at, finished_at,
        outcome, message, searched_at)
      VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?12)
      ON CONFLICT (only_row) DO UPDATE SET
        cursor = iif(?9, excluded.cursor, cursor),
        checked = iif(?9, excluded.checked, checked),
        orphaned = iif(?9, excluded.orphaned, orphaned),
        searched_at = iif(?9, excluded.searched_at, searched_at),
        database_id = coalesce(database_id, excluded.database_id),
        trusted_at = iif(excluded.trusted_at IS NOT NULL AND trusted_at IS ?10,
          max(excluded.trusted_at, coalesce(trusted_at, 0)), trusted_at),
        finished_at = excluded.finished_at,
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
    progress?.searchedAt ?? null,
  ])
}

export async function restartSearch(db: Database): Promise<void> {
  await db.all(['UPDATE sweep_progress SET cursor = NULL, checked = 0, orphaned = 0'])
}

/** A copy in KV. It tells whether the database belongs to the content, and hasn't been restored to an earlier time. */
export interface DatabaseMarker {
  readonly databaseId: string
  /** A time that is never later than the database's own `trusted_at`. */
  readonly trustedAt: Instant
}

/** A crash leaves a handful of orphans at most. More than this share means that rows are missing. */
const MAX_ORPHANED_SHARE = 0.05
/** A handful is a larger share of a small deployment. */
const MIN_ORPHANS = 10

export const REFUSALS = {
  otherDatabase:
    'The database is not the one that the content in KV belongs to, or it is new. Check the binding DB in ' +
    'regent.toml. If the database is right, run: npm run recover',
  rolledBack: 'The database has been restored to an earlier time. Run: npm run recover',
  oldSchema: 'The schema of the database is older than the code. Run: npm run deploy',
} as const

/** Returns null if the database fits the content in KV. */
export function checkDatabase(state: CleanupState, marker: DatabaseMarker | null): string | null {
  if (marker === null) return null
  if (state.databaseId !== marker.databaseId) return REFUSALS.otherDatabase
  return (state.trustedAt ?? 0) < marker.trustedAt ? REFUSALS.rolledBack : null
}

/** Goes by the database's message about a missing table or column. */
export function isOldSchema(error: unknown): boolean {
  return error instanceof Error && /no such (table|column)|has no column/i.test(error.message)
}

interface OrphanCount {
  readonly checked: number
  /** The share of the checked keys. */
  readonly orphaned: number
  readonly inThisRun: number
  readonly allowedDeletions: number
}

/** How far orphaned content exceeds what crashes leave behind. */
type Suspicion = 'none' | 'allowed' | 'refused'

/**
 * Judges the number of orphans: more than a small share, or more than half of what was compared, means that
 * something is wrong with the database, unless the operator has allowed that many deletions.
 */
export function judgeOrphans({ checked, orphaned, inThisRun, allowedDeletions }: OrphanCount): Suspicion {
  const usual = Math.max(MIN_ORPHANS, Math.floor(checked * MAX_ORPHANED_SHARE))
  if (orphaned <= usual && orphaned * 2 <= checked) return 'none'
  return inThisRun <= allowedDeletions ? 'allowed' : 'refused'
}

export const formatTooManyOrphans = ({ checked, orphaned }: Pick<OrphanCount, 'checked' | 'orphaned'>) =>
  `No document refers to ${orphaned} of the ${checked} contents in KV that were checked, so rows may be missing. ` +
  'Nothing was deleted. See docs/recovery.md, or look first: npm run admin -- cleanup --dry-run'
