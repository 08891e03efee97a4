import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ROOT } from '../../scripts/support/wrangler.ts'
import { NEVER } from '../../src/shared/expiry.ts'
import { DATABASE_BYTES } from './platform.ts'

const ROWS = 50_000
const ROW_KINDS = [
  { kind: 'anonymous, 7 days', creator: null, days: 7, header: null },
  { kind: 'with a creator, 7 days', creator: 'k3v9w2m5t8xb', days: 7, header: null },
  { kind: 'with a creator, never expires', creator: 'k3v9w2m5t8xb', days: null, header: null },
  {
    kind: 'encrypted, burn after reading, 7 days',
    creator: 'k3v9w2m5t8xb',
    days: 7,
    header: 'e'.repeat(190),
  },
]
/** Knuth's multiplicative hash scatters the ids like random ones, but the same way each time. */
const FILL = `
  WITH RECURSIVE rows (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM rows WHERE n < ${ROWS}),
    ids AS (SELECT printf('%08x', n * 2654435761 & 0xffffffff) AS word, 1800000000000 + n * 10 AS at FROM rows)
  INSERT INTO documents (id, creator_id, content_key, content_bytes, content_until, language, image_embed,
    instant_delete, encrypted, public, envelope_header, claim_hash, views, version, created_at, updated_at, expires_at)
  SELECT word, $creator, 'content/' || word || word || word, 1024, at + 605100000, 'plaintext', 0, $header IS NOT NULL,
    $header IS NOT NULL, 0, $header, substr($header, 1, 43), 9, word || '1234', at, at,
    ifnull(at + $days * 86400000, ${NEVER})
  FROM ids`

/** Measures the bytes of a document's row and its indexes in SQLite, with `schema.sql`. */
export async function measureRowSizes() {
  const schema = await readFile(join(ROOT, 'schema.sql'), 'utf8')
  return ROW_KINDS.map(({ kind, ...row }) => {
    const database = new DatabaseSync(':memory:')
    database.exec(
      `${schema}; INSERT INTO users (id, username, email, created_at) VALUES ('k3v9w2m5t8xb', 'u', 'u', 0)`,
    )
    const pages = () => Number(database.prepare('PRAGMA page_count').get()?.page_count)
    const before = pages()
    database.prepare(FILL).run(row)
    const bytesEach = ((pages() - before) * 4096) / ROWS
    const documents = DATABASE_BYTES / bytesEach
    // Documents that expire reach a steady state. Documents that never expire fill the database in the end.
    const sustainedCreatesPerSecond = row.days === null ? null : documents / (row.days * 86_400)
    return { kind, bytesEach, documents, sustainedCreatesPerSecond }
  })
}
