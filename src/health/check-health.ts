import { withTimeout } from '../platform/database.ts'
import { toLogged } from '../platform/logging.ts'
import { findDatabaseState, type StoredContents } from './database-state.ts'

/** How long D1 and KV may each take. A service that takes longer doesn't work for its users. */
const CHECK_TIMEOUT_MS = 3_000

/** Six runs of the scheduled jobs: a monitor must not report one that was late. */
const MAX_CLEANUP_AGE_MS = 30 * 60_000

/** No document has this key, so the answer is always "nothing there". */
const KV_KEY = 'health'

interface StorageHealth {
  readonly status: 'ok' | 'failed'
  readonly durationMs: number
}

interface SchemaHealth {
  /** `outdated`: the code needs migrations that the database doesn't have. */
  readonly status: 'ok' | 'outdated' | 'unknown'
  readonly latest: string | null
  readonly missing: readonly string[]
}

interface CleanupHealth {
  /** `late`: it hasn't run for half an hour. `refused`: it found something wrong and deletes nothing. */
  readonly status: 'ok' | 'late' | 'refused' | 'failed' | 'unknown'
  /** Milliseconds since 1970; null before the first run. */
  readonly finishedAt: number | null
  readonly ageSeconds: number | null
}

interface ContentsHealth {
  /** `incomplete`: some content is missing. `lost`: so much that something is wrong with KV or its binding. */
  readonly status: 'ok' | 'incomplete' | 'lost' | 'unknown'
  /** How much content cleanup has missed; null if unknown. */
  readonly missing: number | null
}

export interface CheckedHealth {
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

/** Makes a storage call within the time limit. A missing binding counts as an error of the call. */
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

interface LastCleanup {
  /** Milliseconds since 1970; null before the first run. */
  readonly finishedAt: number | null
  readonly outcome: string | null
  /** When the database was created or upgraded. */
  readonly migratedAt: number
}

/** Decides whether cleanup works. Before its first run, its time counts from the last migration. */
export function judgeCleanup({ finishedAt, outcome, migratedAt }: LastCleanup, now: number): CleanupHealth {
  const ageSeconds = finishedAt === null ? null : Math.max(0, Math.floor((now - finishedAt) / 1_000))
  const judge = (): CleanupHealth['status'] => {
    if (now - Math.max(finishedAt ?? 0, migratedAt) > MAX_CLEANUP_AGE_MS) return 'late'
    return outcome === 'refused' || outcome === 'failed' ? outcome : 'ok'
  }
  return { status: judge(), finishedAt, ageSeconds }
}

/** A single document may lose its content by a fault that is long over. So many at once don't. */
const MANY_MISSING = 10

/** Decides whether content that is missing is an exception, or at least half of a small service's. */
export function judgeContents({ documents, missing }: StoredContents): ContentsHealth {
  if (missing === 0) return { status: 'ok', missing }
  return { status: missing >= MANY_MISSING || missing * 2 >= documents ? 'lost' : 'incomplete', missing }
}

const UNKNOWN_SCHEMA: SchemaHealth = { status: 'unknown', latest: null, missing: [] }
const UNKNOWN_CLEANUP: CleanupHealth = { status: 'unknown', finishedAt: null, ageSeconds: null }
const UNKNOWN_CONTENTS: ContentsHealth = { status: 'unknown', missing: null }

/** Checks D1, KV, the schema, the last cleanup and what it found missing, with one query and one read. Never throws. */
export async function checkHealth(env: Env) {
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
