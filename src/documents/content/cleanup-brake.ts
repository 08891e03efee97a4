import type { CleanupState } from '../sql/cleanup/cleanup-state.ts'

/**
 * A copy in KV of what cleanup last knew about its database. It tells whether the database is the one that belongs
 * to the content, and hasn't been restored to an earlier time.
 */
export interface DatabaseMarker {
  readonly databaseId: string
  /** Milliseconds since 1970. Never later than the database's own `trusted_at`. */
  readonly trustedAt: number
}

/** A crash leaves a handful of orphans at most. More than this share means that rows are missing. */
const MAX_ORPHANED_SHARE = 0.05
/** In a small deployment, a handful is a larger share. */
const MIN_ORPHANS = 10

/** Why cleanup refuses to touch orphaned content: what happened and what to do, in one or two sentences. */
export const REFUSALS = {
  otherDatabase:
    'The database is not the one that the content in KV belongs to, or it is new. Check the binding DB in ' +
    'regent.toml. If the database is right, run: npm run recover',
  rolledBack: 'The database has been restored to an earlier time. Run: npm run recover',
  oldSchema: 'The schema of the database is older than the code. Run: npm run deploy',
} as const

/** Returns why the database doesn't fit the content in KV; null if it does. */
export function checkDatabase(state: CleanupState, marker: DatabaseMarker | null): string | null {
  if (marker === null) return null
  if (state.databaseId !== marker.databaseId) return REFUSALS.otherDatabase
  return (state.trustedAt ?? 0) < marker.trustedAt ? REFUSALS.rolledBack : null
}

/** Returns true for the database's message about a missing table or column. */
export function isOldSchema(error: unknown): boolean {
  return error instanceof Error && /no such (table|column)|has no column/i.test(error.message)
}

interface OrphanCount {
  /** Keys compared since the start of the search. */
  readonly checked: number
  /** How many of them are orphaned. */
  readonly orphaned: number
  /** How much orphaned content this run has found. */
  readonly inThisRun: number
  readonly allowedDeletions: number
}

/** How far orphaned content exceeds what crashes leave behind. */
export type Suspicion = 'none' | 'allowed' | 'refused'

/**
 * Judges the number of orphans: more than a small share, or more than half of what was compared, means that
 * something is wrong with the database, unless the operator has allowed that many deletions.
 */
export function judgeOrphans({ checked, orphaned, inThisRun, allowedDeletions }: OrphanCount): Suspicion {
  const usual = Math.max(MIN_ORPHANS, Math.floor(checked * MAX_ORPHANED_SHARE))
  if (orphaned <= usual && orphaned * 2 <= checked) return 'none'
  return inThisRun <= allowedDeletions ? 'allowed' : 'refused'
}

/** Returns what to tell the operator about too many orphans. */
export const formatTooManyOrphans = ({ checked, orphaned }: Pick<OrphanCount, 'checked' | 'orphaned'>) =>
  `No document refers to ${orphaned} of the ${checked} contents in KV that were checked, so rows may be missing. ` +
  'Nothing was deleted. See docs/recovery.md, or look first: npm run cleanup -- --dry-run'
