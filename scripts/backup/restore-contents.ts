import type { Instant } from '../../src/shared/instant.ts'
import {
  type Bindings,
  forEachParallel,
  listContent,
  queryRows,
  retry,
  runStatements,
} from '../support/storage.ts'
import type { ContentRecord } from './format.ts'
import { type OpenBackup, readRecords } from './read-records.ts'
import {
  GROUP_BYTES,
  isExpired,
  type Missing,
  putContents,
  requireFullBackup,
  restoreEntry,
  type StoredContent,
} from './restore-backup.ts'

interface Options {
  readonly now: Instant
  /** The name of the person who does it, for the audit log. */
  readonly actor: string
}

/** A row that refers to missing content. The revision is null for the document's own content. */
interface Row extends Missing {
  readonly key: string
  readonly until: Instant
}

/** The rows that refer to these keys. */
const findRows = (
  db: Bindings['DB'],
  contents: readonly Pick<ContentRecord, 'document' | 'key'>[],
): Promise<Row[]> =>
  queryRows<Row>(
    db,
    `SELECT d.id AS document, NULL AS revision, d.content_key AS key, d.content_until AS until
      FROM json_each(?1) AS content JOIN documents AS d
        ON d.id = content.value ->> 0 AND d.content_key = content.value ->> 1
      UNION ALL
      SELECT r.document_id, r.number, r.content_key, r.content_until
      FROM json_each(?1) AS content JOIN revisions AS r
        ON r.document_id = content.value ->> 0 AND r.content_key = content.value ->> 1`,
    JSON.stringify(contents.map(({ document, key }) => [document, key])),
  )

/** KV lists a thousand keys in one call, which takes less than fetching content to see whether it's there. */
async function listKeys(contents: Bindings['CONTENTS']): Promise<Set<string>> {
  const keys = new Set<string>()
  for await (const page of listContent(contents)) for (const { name } of page) keys.add(name)
  return keys
}

/**
 * Stores the content that rows of the service refer to and KV has lost. Changes no row. If it's interrupted, run it again.
 *
 * @throws CommandError before anything has changed, and what the storage throws.
 */
export async function restoreContents(bindings: Bindings, open: OpenBackup, { now, actor }: Options) {
  const { header } = await requireFullBackup(bindings, open, now)
  const record = (detail: string) =>
    runStatements(bindings.DB, [restoreEntry(header, { actor, now, detail: `lost content only: ${detail}` })])
  await record('begun')
  const report = await putBackContents(bindings, open, now)
  await record(`put back that of ${report.documents} documents and ${report.revisions} revisions`)
  return report
}

export async function putBackContents({ DB, CONTENTS }: Bindings, open: OpenBackup, now: Instant) {
  const stored = await listKeys(CONTENTS)
  const report = { documents: 0, revisions: 0, stillMissing: [] as Missing[] }

  const putGroup = async (group: readonly StoredContent[]): Promise<void> => {
    const records = group.map(({ record }) => record)
    const rows = new Map((await findRows(DB, records)).map((row) => [row.key, row]))
    const put = group.flatMap(({ record, content }) => {
      const row = rows.get(record.key)
      // The row may have been given a later expiry.
      return row && !isExpired(row.until, now) ? [{ record: { ...record, until: row.until }, content }] : []
    })
    await putContents(CONTENTS, put, now)
    // Somebody may have deleted the document meanwhile, whose content must not stay.
    const still = new Set((await findRows(DB, records)).map(({ key }) => key))
    await forEachParallel(
      put.filter(({ record }) => !still.has(record.key)),
      1,
      ({ record }) => retry(() => CONTENTS.delete(record.key)),
    )
    for (const { record } of put.filter(({ record: { key } }) => still.has(key)))
      report[rows.get(record.key)?.revision === null ? 'documents' : 'revisions'] += 1
  }

  let group: StoredContent[] = []
  let bytes = 0
  for await (const { record, content } of readRecords(open())) {
    if (record.type === 'missing' && !stored.has(record.key)) {
      const rows = await findRows(DB, [record])
      for (const { document, revision, until } of rows)
        if (!isExpired(until, now)) report.stillMissing.push({ document, revision })
    }
    if (record.type !== 'content' || !content || stored.has(record.key)) continue
    group.push({ record, content })
    bytes += content.length
    if (bytes < GROUP_BYTES && group.length < 100) continue
    await putGroup(group)
    group = []
    bytes = 0
  }
  await putGroup(group)
  return report
}
