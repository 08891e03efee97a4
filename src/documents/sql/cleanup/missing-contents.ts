import type { Database } from '../../../platform/database.ts'

/** Content that a document or a revision refers to. */
export interface ReferredContent {
  readonly key: string
  readonly documentId: string
}

interface SampledRow extends ReferredContent {
  /** When the content was stored, or a later time. */
  readonly storedAt: number
  /** When KV deletes it. */
  readonly contentUntil: number
}

interface Sample {
  /** Content that an earlier run has missed. */
  readonly known: readonly ReferredContent[]
  readonly documents: readonly SampledRow[]
  readonly revisions: readonly SampledRow[]
}

interface SampleSize {
  readonly documents: number
  readonly revisions: number
}

/**
 * Returns random documents and revisions, and all content that is known to be missing. Document ids are random, so the
 * rows that follow a random id are a random sample. Reading them costs the same however large the tables are.
 *
 * @param start a random document id.
 */
export async function findContentSample(db: Database, start: string, size: SampleSize): Promise<Sample> {
  const documents = (condition: string) =>
    `SELECT id AS documentId, content_key AS key, updated_at AS storedAt, content_until AS contentUntil
      FROM documents WHERE id ${condition} ?1 ORDER BY id LIMIT ?2`
  const revisions = (condition: string) =>
    `SELECT document_id AS documentId, content_key AS key, created_at AS storedAt, content_until AS contentUntil
      FROM revisions WHERE document_id ${condition} ?1 ORDER BY document_id, number LIMIT ?2`
  const [known = [], ...found] = await db.allOf([
    ['SELECT content_key AS key, document_id AS documentId FROM missing_contents'],
    [documents('>='), start, size.documents],
    // At the end of the table, the sample continues at its beginning.
    [documents('<'), start, size.documents],
    [revisions('>='), start, size.revisions],
    [revisions('<'), start, size.revisions],
  ])
  const [after = [], before = [], revisionsAfter = [], revisionsBefore = []] = found as SampledRow[][]
  return {
    known: known as ReferredContent[],
    documents: [...after, ...before].slice(0, size.documents),
    revisions: [...revisionsAfter, ...revisionsBefore].slice(0, size.revisions),
  }
}

interface ContentFindings {
  /** Content that KV has. */
  readonly present: readonly string[]
  /** Content that KV doesn't have. */
  readonly missing: readonly ReferredContent[]
}

/**
 * Records which content is missing, and forgets what is back. In the same transaction, it forgets content that no row
 * refers to any more: the document may have been edited, deleted or burned while KV was asked.
 *
 * @returns how much content is missing.
 */
export async function recordMissingContents(
  db: Database,
  { present, missing }: ContentFindings,
  now: number,
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
