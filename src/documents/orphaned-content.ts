import type { Database } from '../platform/database.ts'
import { DAY_MS, HOUR_MS, type Instant } from '../shared/instant.ts'
import {
  type Budget,
  type CleanupState,
  checkDatabase,
  formatTooManyOrphans,
  judgeOrphans,
  restartSearch,
  type SearchProgress,
} from './cleanup-state.ts'
import type { DocumentStorage } from './document-store.ts'

interface StoredKey {
  readonly key: string
  readonly document: string
}

interface OrphanedContent {
  readonly key: string
  /** Is null if it's new. */
  readonly foundAt: Instant | null
}

async function findOrphanedContent(db: Database, contents: readonly StoredKey[]): Promise<OrphanedContent[]> {
  return db.all<OrphanedContent>([
    `SELECT content.value ->> 'key' AS key, found_at AS foundAt
      FROM json_each(?1) AS content
        LEFT JOIN orphaned_contents ON content_key = content.value ->> 'key'
      WHERE NOT EXISTS (
        SELECT 1 FROM documents
        WHERE id = content.value ->> 'document' AND content_key = content.value ->> 'key')
      AND NOT EXISTS (
        SELECT 1 FROM revisions
        WHERE document_id = content.value ->> 'document' AND content_key = content.value ->> 'key')
      AND NOT EXISTS (
        SELECT 1 FROM removed_documents
        WHERE id = content.value ->> 'document' AND content_key = content.value ->> 'key')
      AND NOT EXISTS (SELECT 1 FROM detached_contents WHERE content_key = content.value ->> 'key')`,
    JSON.stringify(contents),
  ])
}

/** KV keys deleted in parallel. The runtime opens six connections and queues the rest. */
export const DELETIONS_PER_BATCH = 50
/** The age from which content can be orphaned. Younger content may still get its row: no request runs this long. */
const ORPHAN_AGE_MS = HOUR_MS
/** Lets an operator notice that rows are missing. */
export const ORPHAN_GRACE_MS = 7 * DAY_MS
/**
 * How long orphaned content is remembered. That's much longer than the grace period: older records are of content that
 * KV has expired itself.
 */
const MAX_NOTE_AGE_MS = 60 * DAY_MS
/** The marker in KV is this much older than the database at most. KV's free plan includes 1,000 writes a day. */
const MARKER_INTERVAL_MS = HOUR_MS

/** Half a million documents a day, for 600 list operations; the free plan has 1,000. */
export const MAX_KEYS_PER_RUN = 2_000

interface OrphanCleanup {
  readonly store: DocumentStorage
  readonly state: CleanupState
  readonly now: Instant
  readonly graceMs: number
  readonly maxKeys: number
  readonly budget: Budget
  /** KV's list may still show them. */
  readonly deletedKeys: ReadonlySet<string>
}

/**
 * The pause between two searches. Comparing a key reads the row of its document, or all revisions of it, so searching in
 * each run would use up the 5 million rows that D1's free plan includes a day.
 */
const SEARCH_INTERVAL_MS = DAY_MS

/** A time in the future is of a clock that was ahead. */
const isSearchDue = ({ cursor, searchedAt }: CleanupState, now: Instant): boolean =>
  cursor !== null || searchedAt === null || Math.abs(now - searchedAt) >= SEARCH_INTERVAL_MS

/** Finds orphaned content once a day and records it. Days later, it's deleted if still no row refers to it. */
export async function cleanUpOrphans(run: OrphanCleanup) {
  const { store, state, now, budget } = run
  const report = {
    checked: 0,
    found: 0,
    deleted: 0,
    refusal: null as string | null,
    trusted: false,
    /** Is null if the next run has to repeat this part of the search. */
    progress: null as SearchProgress | null,
    usedAllowance: 0,
  }
  if (!budget.take(1)) return report
  const marker = await store.contents.readMarker()
  report.refusal = checkDatabase(state, marker)
  if (report.refusal !== null) return report
  report.trusted = true
  if (!isSearchDue(state, now)) {
    await writeMarker(run, marker)
    report.progress = state
    return report
  }

  const part = await findNextOrphans(run)
  report.checked = part.checked
  const counts = {
    checked: part.before.checked + part.checked,
    orphaned: part.before.orphaned + part.orphans.length,
  }
  const suspicion = judgeOrphans({
    ...counts,
    inThisRun: part.orphans.length,
    allowedDeletions: state.allowedDeletions,
  })
  if (suspicion === 'refused') {
    report.refusal = formatTooManyOrphans(counts)
  } else {
    report.found = await noteNewOrphans(run, part.orphans)
    const due = part.orphans.filter(({ foundAt }) => (foundAt ?? now) <= now - run.graceMs)
    report.deleted = await deleteOrphans(run, due)
    if (suspicion === 'allowed') report.usedAllowance = report.deleted
    if (report.deleted < due.length) return report
  }
  await writeMarker(run, marker)
  if (part.reached) {
    report.progress =
      part.cursor === null
        ? // One that was refused is repeated in each run, until the operator has done something about it.
          { ...START, searchedAt: suspicion === 'refused' ? state.searchedAt : now }
        : { cursor: part.cursor, ...counts, searchedAt: state.searchedAt }
    if (part.cursor === null) {
      await store.db.all(['DELETE FROM orphaned_contents WHERE found_at < ?1', now - MAX_NOTE_AGE_MS])
    }
  }
  return report
}

const START = { cursor: null, checked: 0, orphaned: 0 }

async function findNextOrphans({ store, state, now, maxKeys, budget, deletedKeys }: OrphanCleanup) {
  let { cursor } = state
  let before: Pick<CleanupState, 'checked' | 'orphaned'> = state
  let checked = 0
  let reached = false
  const orphans: OrphanedContent[] = []
  while (checked < maxKeys && budget.take(1)) {
    const page = await store.contents.list(cursor).catch(async (error: unknown) => {
      if (cursor === null) throw error
      // KV may no longer accept the cursor.
      await restartSearch(store.db)
      before = START
      return store.contents.list(null)
    })
    const settled = page.keys.flatMap(({ name, metadata }) =>
      metadata && metadata.putAt <= now - ORPHAN_AGE_MS && !deletedKeys.has(name)
        ? [{ key: name, document: metadata.document }]
        : [],
    )
    orphans.push(...(await findOrphanedContent(store.db, settled)))
    checked += page.keys.length
    reached = true
    cursor = page.list_complete ? null : page.cursor
    if (cursor === null) break
  }
  return { before, checked, orphans, reached, cursor }
}

async function noteNewOrphans(
  { store, now }: OrphanCleanup,
  orphans: readonly OrphanedContent[],
): Promise<number> {
  const found = orphans.filter(({ foundAt }) => foundAt === null).map(({ key }) => key)
  if (found.length > 0) {
    await store.db.all([
      'INSERT OR IGNORE INTO orphaned_contents (content_key, found_at) SELECT value, ?2 FROM json_each(?1)',
      JSON.stringify(found),
      now,
    ])
  }
  return found.length
}

async function deleteOrphans(
  { store, budget }: OrphanCleanup,
  orphans: readonly OrphanedContent[],
): Promise<number> {
  let deleted = 0
  while (deleted < orphans.length) {
    const keys = orphans.slice(deleted, deleted + DELETIONS_PER_BATCH).map(({ key }) => key)
    if (!budget.take(keys.length)) break
    await Promise.all(keys.map((key) => store.contents.delete(key)))
    await store.db.all([
      'DELETE FROM orphaned_contents WHERE content_key IN (SELECT value FROM json_each(?1))',
      JSON.stringify(keys),
    ])
    deleted += keys.length
  }
  return deleted
}

async function writeMarker(
  { store, state, budget }: OrphanCleanup,
  marker: { readonly trustedAt: Instant } | null,
): Promise<void> {
  const { databaseId, trustedAt } = state
  if (databaseId === null || trustedAt === null) return
  if (marker !== null && trustedAt - marker.trustedAt < MARKER_INTERVAL_MS) return
  if (budget.take(1)) await store.contents.writeMarker({ databaseId, trustedAt })
}
