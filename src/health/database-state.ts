import { MIGRATIONS } from '../site/assets.generated.ts'

/** How much content there is, and how much of it cleanup has missed in KV. */
export interface StoredContents {
  readonly documents: number
  readonly missing: number
}

interface DatabaseState {
  /** The newest migration that was applied; null if none was. */
  readonly latest: string | null
  /** Migrations that this code needs and the database doesn't have. */
  readonly missing: readonly string[]
  /** Null if the schema is too old to tell. */
  readonly cleanup: {
    readonly finishedAt: number | null
    readonly outcome: string | null
    readonly migratedAt: number
  } | null
  /** Null if the schema is too old to tell. */
  readonly contents: StoredContents | null
}

/** Wrangler records here which migrations it has applied. */
const SCHEMA = `SELECT
  (SELECT max(name) FROM d1_migrations) AS latest,
  (SELECT json_group_array(value) FROM json_each(?1)
    WHERE value NOT IN (SELECT name FROM d1_migrations)) AS missing`

const STATE = `${SCHEMA},
  (SELECT unixepoch(max(applied_at)) * 1000 FROM d1_migrations) AS migratedAt,
  (SELECT finished_at FROM sweep_progress) AS finishedAt,
  (SELECT outcome FROM sweep_progress) AS outcome,
  (SELECT documents FROM usage WHERE account_id = '') AS documents,
  (SELECT count(*) FROM missing_contents) AS missingContents`

interface SchemaRow {
  readonly latest: string | null
  readonly missing: string
}

interface StateRow extends SchemaRow {
  readonly migratedAt: number | null
  readonly finishedAt: number | null
  readonly outcome: string | null
  readonly documents: number | null
  readonly missingContents: number
}

const isOlderSchema = (error: unknown): boolean =>
  error instanceof Error && /no such (table|column)/.test(error.message)

const toSchema = ({ latest, missing }: SchemaRow) => ({ latest, missing: JSON.parse(missing) as string[] })

/** Returns what the database says about itself. Throws what D1 throws, but not because of an old schema. */
export async function findDatabaseState(db: D1Database): Promise<DatabaseState> {
  const query = <Row>(sql: string) => db.prepare(sql).bind(JSON.stringify(MIGRATIONS)).first<Row>()
  try {
    const row = await query<StateRow>(STATE)
    if (!row) throw new Error('D1 returned no row')
    const { finishedAt, outcome, migratedAt, documents, missingContents } = row
    return {
      ...toSchema(row),
      cleanup: { finishedAt, outcome, migratedAt: migratedAt ?? 0 },
      contents: { documents: documents ?? 0, missing: missingContents },
    }
  } catch (error) {
    if (!isOlderSchema(error)) throw error
  }
  try {
    const row = await query<SchemaRow>(SCHEMA)
    if (!row) throw new Error('D1 returned no row')
    return { ...toSchema(row), cleanup: null, contents: null }
  } catch (error) {
    if (!isOlderSchema(error)) throw error
    return { latest: null, missing: MIGRATIONS, cleanup: null, contents: null }
  }
}
