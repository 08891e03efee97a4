import { type Config, getConfig } from '../config.ts'
import type { AppContext } from '../env.ts'
import { withTimeout } from '../platform/database.ts'
import { logFault, toLogged } from '../platform/log.ts'
import { dataSecurityHeaders } from '../platform/security-headers.ts'
import { type Instant, MINUTE_MS } from '../shared/instant.ts'
import { oncePer } from '../shared/once-per.ts'
import { MIGRATIONS } from '../ui/assets.generated.ts'

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

const NO_MIGRATIONS: SchemaRow = { latest: null, missing: JSON.stringify(MIGRATIONS) }

/** Returns null if the schema is too old to tell. */
async function queryState<Row>(db: D1Database, sql: string): Promise<Row | null> {
  try {
    const row = await db.prepare(sql).bind(JSON.stringify(MIGRATIONS)).first<Row>()
    if (!row) throw new Error('D1 returned no row')
    return row
  } catch (error) {
    if (error instanceof Error && /no such (table|column)/.test(error.message)) return null
    throw error
  }
}

async function findDatabaseState(db: D1Database) {
  const state = await queryState<StateRow>(db, STATE)
  return { state, schema: state ?? (await queryState<SchemaRow>(db, SCHEMA)) ?? NO_MIGRATIONS }
}

/** A service that takes longer doesn't work for its users. */
const CHECK_TIMEOUT_MS = 3_000

/** Six runs of the scheduled jobs: a monitor must not report one that was late. */
const MAX_CLEANUP_AGE_MS = 30 * MINUTE_MS

/** No document has this key, so the answer is always "nothing there". */
const KV_KEY = 'health'

async function attempt<Value>(call: () => Promise<Value>) {
  const startedAt = Date.now()
  const run = async () => call()
  try {
    const value = await withTimeout(run(), CHECK_TIMEOUT_MS)
    return { value, error: null, durationMs: Date.now() - startedAt }
  } catch (error) {
    return { value: null, error, durationMs: Date.now() - startedAt }
  }
}

// What each check returns is a part of the answer.

const judgeStorage = ({ error, durationMs }: { error: unknown; durationMs: number }) => ({
  status: error === null ? 'ok' : 'failed',
  duration_ms: durationMs,
})

function judgeSchema({ latest, missing }: SchemaRow) {
  const names = JSON.parse(missing) as string[]
  return {
    status: names.length === 0 ? 'ok' : 'outdated',
    latest_migration: latest,
    missing_migrations: names,
  }
}

/**
 * `paused`: the server is read-only. `late`: it hasn't run for half an hour. `refused`: it found something wrong and
 * deletes nothing. Before the first run, its time counts from the last migration. A time in the future comes from a
 * clock that was ahead, and tells nothing.
 */
export function judgeCleanup(
  { finishedAt, outcome, migratedAt }: Pick<StateRow, 'finishedAt' | 'outcome' | 'migratedAt'>,
  now: Instant,
  readOnly = false,
) {
  const judge = () => {
    if (readOnly) return 'paused'
    const isRecent = (time: Instant | null) => time !== null && Math.abs(now - time) <= MAX_CLEANUP_AGE_MS
    if (!isRecent(finishedAt) && !isRecent(migratedAt)) return 'late'
    return outcome === 'refused' || outcome === 'failed' ? outcome : 'ok'
  }
  return {
    status: judge(),
    finished_at: finishedAt === null ? null : new Date(finishedAt).toISOString(),
    age_seconds: finishedAt === null ? null : Math.max(0, Math.floor((now - finishedAt) / 1_000)),
  }
}

/** A single document may lose its content by a fault that is long over. So many at once show that a fault goes on. */
const MANY_MISSING = 10

const ADVICE =
  'Check the binding CONTENTS in regent.toml, and run npm run admin -- cleanup --dry-run, with --remote if it is deployed. See docs/recovery.md.'

/**
 * `incomplete`: some content is missing. `lost`: so much that something is wrong with KV or its binding. Missing content
 * is an exception, unless it's at least half of a small service's.
 */
function judgeContents({ documents, missingContents: missing }: StateRow) {
  if (missing === 0) return { status: 'ok', missing }
  const isLost = missing >= MANY_MISSING || missing * 2 >= (documents ?? 0)
  return { status: isLost ? 'lost' : 'incomplete', missing, advice: ADVICE }
}

const UNKNOWN = {
  schema: { status: 'unknown', latest_migration: null, missing_migrations: [] },
  cleanup: { status: 'unknown', finished_at: null, age_seconds: null },
  contents: { status: 'unknown', missing: null },
}

/** `degraded`: everything works, but documents have lost their content. */
async function checkHealth(env: Env, readOnly: boolean) {
  const [database, kv] = await Promise.all([
    attempt(() => findDatabaseState(env.DB)),
    attempt(() => env.CONTENTS.get(KV_KEY, { cacheTtl: 30 })),
  ])
  const { schema = null, state = null } = database.value ?? {}
  const checks = {
    d1: judgeStorage(database),
    kv: judgeStorage(kv),
    schema: schema ? judgeSchema(schema) : UNKNOWN.schema,
    cleanup: state ? judgeCleanup(state, Date.now(), readOnly) : UNKNOWN.cleanup,
  }
  const contents = state ? judgeContents(state) : UNKNOWN.contents
  const works = Object.values(checks).every(({ status }) => status === 'ok' || status === 'paused')
  const status = works ? (contents.missing ? 'degraded' : 'ok') : 'failing'
  const errors = [database, kv].flatMap(({ error }) => (error === null ? [] : [toLogged(error)]))
  return { health: { status, ...checks, contents }, errors }
}

/** However many people ask, storage is asked once in this time. */
const MAX_AGE_MS = 5_000

const POLL_MS = 20

type Health = Awaited<ReturnType<typeof checkHealth>>['health'] & { readonly checkedAt: Instant }

interface HealthMemory {
  last: Health | null
  startedAt: Instant | null
}

const getHealthMemory = oncePer((_: Env): HealthMemory => ({ last: null, startedAt: null }))

/** A check takes at most this long. One that takes longer was cut off with its request. */
const MAX_CHECK_MS = 10_000

/** The others look again and again: a request can't wait for the storage calls of another one. */
async function recentHealth(env: Env, requestId: string): Promise<Health> {
  const memory = getHealthMemory(env)
  for (;;) {
    const { last, startedAt } = memory
    if (last !== null && Date.now() - last.checkedAt < MAX_AGE_MS) return last
    if (startedAt === null || Date.now() - startedAt >= MAX_CHECK_MS) break
    await new Promise((wait) => setTimeout(wait, POLL_MS))
  }
  memory.startedAt = Date.now()
  try {
    const { health, errors } = await checkHealth(env, isReadOnly(env))
    memory.last = { ...health, checkedAt: Date.now() }
    // Cleanup logs what is missing.
    if (health.status === 'failing')
      logFault('health check failed', { request_id: requestId, ...health, errors })
    return memory.last
  } finally {
    memory.startedAt = null
  }
}

/** Returns null if it's invalid. */
function findConfig(env: Env): Config | null {
  try {
    return getConfig(env)
  } catch {
    return null
  }
}

const isReadOnly = (env: Env): boolean => findConfig(env)?.readOnly ?? false

const toBody = ({ status, checkedAt, ...checks }: Health, env: Env) => ({
  status: findConfig(env) ? status : 'failing',
  mode: isReadOnly(env) ? 'read-only' : 'normal',
  checked_at: new Date(checkedAt).toISOString(),
  configuration: { status: findConfig(env) ? 'ok' : 'invalid' },
  ...checks,
})

/** A monitor that alerts until an operator has dealt with single documents would hide everything else meanwhile. */
const getStatus = ({ status, contents }: ReturnType<typeof toBody>): number =>
  status === 'ok' || (status === 'degraded' && contents.status === 'incomplete') ? 200 : 503

/** Says nothing that an attacker could use. */
export async function answerHealth(c: AppContext): Promise<Response> {
  const requestId = crypto.randomUUID()
  const health = await recentHealth(c.env, requestId)
  const body = toBody(health, c.env)
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
