import { getConfig } from '../config.ts'
import type { AppContext } from '../env.ts'
import { withTimeout } from '../platform/database.ts'
import { logFault, toLogged } from '../platform/log.ts'
import { dataSecurityHeaders } from '../platform/security-headers.ts'
import { type Instant, MINUTE_MS } from '../shared/instant.ts'
import { MIGRATIONS } from '../site/assets.generated.ts'

interface StoredContents {
  readonly documents: number
  readonly missing: number
}

interface LastCleanup {
  readonly finishedAt: Instant | null
  readonly outcome: string | null
  readonly migratedAt: Instant
}

interface DatabaseState {
  readonly latest: string | null
  readonly missing: readonly string[]
  /** Null if the schema is too old to tell. */
  readonly cleanup: LastCleanup | null
  readonly contents: StoredContents | null
}

/** Wrangler records in `d1_migrations` what it has applied. */
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
  readonly migratedAt: Instant | null
  readonly finishedAt: Instant | null
  readonly outcome: string | null
  readonly documents: number | null
  readonly missingContents: number
}

const isOlderSchema = (error: unknown): boolean =>
  error instanceof Error && /no such (table|column)/.test(error.message)

const toSchema = ({ latest, missing }: SchemaRow) => ({ latest, missing: JSON.parse(missing) as string[] })

async function findDatabaseState(db: D1Database): Promise<DatabaseState> {
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

/** A service that takes longer doesn't work for its users. */
const CHECK_TIMEOUT_MS = 3_000

/** Six runs of the scheduled jobs: a monitor must not report one that was late. */
const MAX_CLEANUP_AGE_MS = 30 * MINUTE_MS

/** No document has this key, so the answer is always "nothing there". */
const KV_KEY = 'health'

interface StorageHealth {
  readonly status: 'ok' | 'failed'
  readonly durationMs: number
}

interface SchemaHealth {
  readonly status: 'ok' | 'outdated' | 'unknown'
  readonly latest: string | null
  readonly missing: readonly string[]
}

interface CleanupHealth {
  /** `late`: it hasn't run for half an hour. `refused`: it found something wrong and deletes nothing. */
  readonly status: 'ok' | 'late' | 'refused' | 'failed' | 'unknown'
  readonly finishedAt: Instant | null
  readonly ageSeconds: number | null
}

interface ContentsHealth {
  /** `incomplete`: some content is missing. `lost`: so much that something is wrong with KV or its binding. */
  readonly status: 'ok' | 'incomplete' | 'lost' | 'unknown'
  readonly missing: number | null
}

interface CheckedHealth {
  /** `degraded`: everything works, but documents have lost their content. */
  readonly status: 'ok' | 'degraded' | 'failing'
  readonly d1: StorageHealth
  readonly kv: StorageHealth
  readonly schema: SchemaHealth
  readonly cleanup: CleanupHealth
  readonly contents: ContentsHealth
}

interface Attempt<Value> {
  readonly value: Value | null
  readonly error: unknown
  readonly durationMs: number
}

async function attempt<Value>(call: () => Promise<Value>): Promise<Attempt<Value>> {
  const startedAt = Date.now()
  const run = async () => call()
  try {
    const value = await withTimeout(run(), CHECK_TIMEOUT_MS)
    return { value, error: null, durationMs: Date.now() - startedAt }
  } catch (error) {
    return { value: null, error, durationMs: Date.now() - startedAt }
  }
}

const toStorageHealth = ({ error, durationMs }: Attempt<unknown>): StorageHealth => ({
  status: error === null ? 'ok' : 'failed',
  durationMs,
})

/** Before the first run, its time counts from the last migration. */
export function judgeCleanup({ finishedAt, outcome, migratedAt }: LastCleanup, now: Instant): CleanupHealth {
  const ageSeconds = finishedAt === null ? null : Math.max(0, Math.floor((now - finishedAt) / 1_000))
  const judge = (): CleanupHealth['status'] => {
    if (now - Math.max(finishedAt ?? 0, migratedAt) > MAX_CLEANUP_AGE_MS) return 'late'
    return outcome === 'refused' || outcome === 'failed' ? outcome : 'ok'
  }
  return { status: judge(), finishedAt, ageSeconds }
}

/** A single document may lose its content by a fault that is long over. So many at once don't. */
const MANY_MISSING = 10

/** Missing content is an exception, unless it's at least half of a small service's. */
function judgeContents({ documents, missing }: StoredContents): ContentsHealth {
  if (missing === 0) return { status: 'ok', missing }
  return { status: missing >= MANY_MISSING || missing * 2 >= documents ? 'lost' : 'incomplete', missing }
}

const UNKNOWN_SCHEMA: SchemaHealth = { status: 'unknown', latest: null, missing: [] }
const UNKNOWN_CLEANUP: CleanupHealth = { status: 'unknown', finishedAt: null, ageSeconds: null }
const UNKNOWN_CONTENTS: ContentsHealth = { status: 'unknown', missing: null }

async function checkHealth(env: Env) {
  const [database, contents] = await Promise.all([
    attempt(() => findDatabaseState(env.DB)),
    attempt(() => env.CONTENTS.get(KV_KEY, { cacheTtl: 30 })),
  ])
  const state = database.value
  const checks = {
    d1: toStorageHealth(database),
    kv: toStorageHealth(contents),
    schema: state
      ? ({
          status: state.missing.length === 0 ? 'ok' : 'outdated',
          latest: state.latest,
          missing: state.missing,
        } as const)
      : UNKNOWN_SCHEMA,
    cleanup: state?.cleanup ? judgeCleanup(state.cleanup, Date.now()) : UNKNOWN_CLEANUP,
  }
  const contentsHealth = state?.contents ? judgeContents(state.contents) : UNKNOWN_CONTENTS
  const works = Object.values(checks).every((check) => check.status === 'ok')
  const status = works ? (contentsHealth.missing ? 'degraded' : 'ok') : 'failing'
  const errors = [database, contents].flatMap(({ error }) => (error === null ? [] : [toLogged(error)]))
  const health: CheckedHealth = { status, ...checks, contents: contentsHealth }
  return { health, errors }
}

/** However many people ask, storage is asked once in this time. */
const MAX_AGE_MS = 5_000

const POLL_MS = 20

interface Health extends CheckedHealth {
  readonly checkedAt: Instant
}

interface Memory {
  last: Health | null
  startedAt: Instant | null
}

const memories = new WeakMap<object, Memory>()

/** A check takes at most this long. One that takes longer was cut off with its request. */
const MAX_CHECK_MS = 10_000

/** The others look again and again: a request can't wait for the storage calls of another one. */
async function recentHealth(env: Env, requestId: string): Promise<Health> {
  const memory = memories.get(env) ?? { last: null, startedAt: null }
  memories.set(env, memory)
  for (;;) {
    const { last, startedAt } = memory
    if (last !== null && Date.now() - last.checkedAt < MAX_AGE_MS) return last
    if (startedAt === null || Date.now() - startedAt >= MAX_CHECK_MS) break
    await new Promise((wait) => setTimeout(wait, POLL_MS))
  }
  memory.startedAt = Date.now()
  try {
    const { health, errors } = await checkHealth(env)
    memory.last = { ...health, checkedAt: Date.now() }
    // Cleanup logs what is missing.
    if (health.status === 'failing')
      logFault('health check failed', { request_id: requestId, ...health, errors })
    return memory.last
  } finally {
    memory.startedAt = null
  }
}

function isConfigured(env: Env): boolean {
  try {
    getConfig(env)
    return true
  } catch {
    return false
  }
}

const ADVICE =
  'Check the binding CONTENTS in regent.toml, and run npm run admin -- cleanup --dry-run --remote. See docs/recovery.md.'

const toBody = ({ status, checkedAt, d1, kv, schema, cleanup, contents }: Health, configured: boolean) => ({
  status: configured ? status : 'failing',
  checked_at: new Date(checkedAt).toISOString(),
  configuration: { status: configured ? 'ok' : 'invalid' },
  d1: { status: d1.status, duration_ms: d1.durationMs },
  kv: { status: kv.status, duration_ms: kv.durationMs },
  schema: { status: schema.status, latest_migration: schema.latest, missing_migrations: schema.missing },
  cleanup: {
    status: cleanup.status,
    finished_at: cleanup.finishedAt === null ? null : new Date(cleanup.finishedAt).toISOString(),
    age_seconds: cleanup.ageSeconds,
  },
  contents: { ...contents, ...(contents.missing && { advice: ADVICE }) },
})

/** A monitor that alerts until an operator has dealt with single documents would hide everything else meanwhile. */
const getStatus = ({ status, contents }: ReturnType<typeof toBody>): number =>
  status === 'ok' || (status === 'degraded' && contents.status === 'incomplete') ? 200 : 503

/** Says nothing that an attacker could use. */
export async function answerHealth(c: AppContext): Promise<Response> {
  const requestId = crypto.randomUUID()
  const health = await recentHealth(c.env, requestId)
  const body = toBody(health, isConfigured(c.env))
  return new Response(`${JSON.stringify(body, null, 2)}\n`, {
    status: getStatus(body),
    headers: {
      ...dataSecurityHeaders(c.req.url),
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      'X-Request-Id': requestId,
      'X-Robots-Tag': 'noindex',
    },
  })
}
