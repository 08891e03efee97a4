import { combine, type Database, mapQuery, type Query, query } from '../platform/database.ts'
import type { Instant } from '../shared/instant.ts'
import type { Budget } from './cleanup-state.ts'
import { ARRIVAL_MS, CONTENT_MARGIN_MS } from './content-store.ts'
import { generateId } from './document.ts'
import type { DocumentStorage } from './document-store.ts'

interface ReferredContent {
  readonly key: string
  readonly documentId: string
}

interface SampledRow extends ReferredContent {
  /** When the content was stored, or a later time. */
  readonly storedAt: Instant
  readonly contentUntil: Instant
}

/** 7,200 of KV's reads a day; the free plan includes 100,000. A day finds the loss of one document in a thousand. */
const SAMPLES = [
  {
    size: 20,
    select: (condition: string) => `
      SELECT id AS documentId, content_key AS key, updated_at AS storedAt, content_until AS contentUntil
      FROM documents WHERE id ${condition} ?1 ORDER BY id LIMIT ?2`,
  },
  {
    size: 5,
    select: (condition: string) => `
      SELECT document_id AS documentId, content_key AS key, created_at AS storedAt, content_until AS contentUntil
      FROM revisions WHERE document_id ${condition} ?1 ORDER BY document_id, number LIMIT ?2`,
  },
]

/** Ids are random, so those that follow a random one are a sample, at the same cost however large the tables. */
const selectSample = (start: string): Query<SampledRow[]> =>
  mapQuery(
    combine(
      ...SAMPLES.flatMap(({ size, select }) =>
        // At the end of the table, the sample continues at its beginning.
        ['>=', '<'].map((condition) => query([select(condition), start, size], (rows: SampledRow[]) => rows)),
      ),
    ),
    (found) =>
      SAMPLES.flatMap(({ size }, index) =>
        found
          .slice(2 * index, 2 * index + 2)
          .flat()
          .slice(0, size),
      ),
  )

/** Reads the content that earlier runs found to be missing. */
const MISSED = query(
  ['SELECT content_key AS key, document_id AS documentId FROM missing_contents'],
  (rows: ReferredContent[]) => rows,
)

/** Forgets content that no row refers to any more, in one transaction: it may have gone while KV was asked. */
async function recordMissingContents(
  db: Database,
  { present, missing }: { present: readonly string[]; missing: readonly ReferredContent[] },
  now: Instant,
): Promise<number> {
  const [, , , counted] = await db.idempotentBatch([
    [
      'DELETE FROM missing_contents WHERE content_key IN (SELECT value FROM json_each(?1))',
      JSON.stringify(present),
    ],
    [
      `INSERT OR IGNORE INTO missing_contents (content_key, document_id, found_at)
        SELECT value ->> 'key', value ->> 'documentId', ?2 FROM json_each(?1)`,
      JSON.stringify(missing),
      now,
    ],
    [
      `DELETE FROM missing_contents
        WHERE NOT EXISTS (SELECT 1 FROM documents
          WHERE id = missing_contents.document_id AND content_key = missing_contents.content_key AND expires_at > ?1)
        AND NOT EXISTS (SELECT 1 FROM revisions
          WHERE document_id = missing_contents.document_id AND content_key = missing_contents.content_key
            AND content_until > ?1)`,
      now,
    ],
    ['SELECT count(*) AS missing FROM missing_contents'],
  ])
  return (counted as { missing: number }[])[0]?.missing ?? 0
}

/** More records would say nothing new. */
const MAX_REMEMBERED = 50

interface Search {
  readonly store: DocumentStorage
  readonly now: Instant
  readonly budget: Budget
}

/**
 * Looks for a random sample, and for all content that earlier runs have missed. Missing content stays recorded until it's
 * back or nothing refers to it, so that one document out of many is noticed once and for all. Returns null if there was no
 * time.
 */
export async function findMissingContent({ store, now, budget }: Search): Promise<number | null> {
  const [known, sample] = await store.db.ask(MISSED, selectSample(generateId('standard')))
  const settled = sample.filter(
    // KV may not show younger content everywhere yet, and may already have deleted what is about to expire.
    ({ storedAt, contentUntil }) => storedAt <= now - ARRIVAL_MS && contentUntil > now + CONTENT_MARGIN_MS,
  )
  const knownKeys = new Set(known.map(({ key }) => key))
  const contents = [...known, ...settled.filter(({ key }) => !knownKeys.has(key))]
  if (!budget.take(contents.length)) return null
  const found = await Promise.all(contents.map(({ key }) => store.contents.has(key)))
  const missing = contents.filter((_, index) => !found[index]).slice(0, MAX_REMEMBERED)
  if (missing.length === 0 && known.length === 0) return 0
  const present = contents.filter((_, index) => found[index]).map(({ key }) => key)
  return recordMissingContents(store.db, { present, missing }, now)
}
