import { type Instant, MINUTE_MS } from '../shared/instant.ts'
import type { Statement } from '../shared/statement.ts'
import { type Database, type DatabaseReads, MAX_CLOCK_SKEW_MS } from './database.ts'

/** Records a moment in the database. A copy that has the record is like the primary was then, or newer. */
export async function recordHeartbeat(db: Database, now: Instant): Promise<void> {
  await db.idempotentBatch([
    [
      `INSERT INTO heartbeat (only_row, beat_at) VALUES (1, ?1)
        ON CONFLICT (only_row) DO UPDATE SET beat_at = excluded.beat_at`,
      now,
    ],
  ])
}

/**
 * The copy that answers may be behind the primary by this much, so nothing that was removed or changed is shown for
 * longer. Twice the time between two heartbeats.
 */
export const MAX_LAG_MS = 2 * MINUTE_MS

/** A copy that takes longer is no faster than the primary. */
const TIMEOUT_MS = 2_000

/** How long an isolate asks only the primary after a copy failed or was too far behind. */
const PAUSE_MS = 10_000

export interface CopyMemory {
  /** Until then, the primary answers in their place. */
  avoidedUntil: Instant
}

interface CopyOptions {
  /** A state that the copy must have reached; null for any. */
  readonly bookmark: string | null
  readonly memory: CopyMemory
  readonly now: Instant
}

interface WithHeartbeat {
  readonly heartbeat_at: number | null
}

/** Adds when the primary was last known to be like the copy that answers. */
const withHeartbeat = ([sql, ...parameters]: Statement): Statement => [
  sql.replace('SELECT ', 'SELECT (SELECT beat_at FROM heartbeat) AS heartbeat_at, '),
  ...parameters,
]

/**
 * Reads from the copy that answers fastest. Asks the primary if the copy finds nothing, fails, or is too far behind. It
 * may be behind by MAX_LAG_MS, so read nothing here that must be exact.
 */
export class NearestCopy implements DatabaseReads {
  readonly #primary: Database
  readonly #options: CopyOptions
  #copy: DatabaseReads | undefined

  constructor(primary: Database, options: CopyOptions) {
    this.#primary = primary
    this.#options = options
  }

  /** The primary is asked again unless `mayUse` accepts the row of the copy. */
  async first<Row>(statement: Statement, mayUse: (row: Row) => boolean = () => true): Promise<Row | null> {
    const row = await this.#readCopy((copy) => copy.first<Row & WithHeartbeat>(withHeartbeat(statement)))
    return row && this.#isRecent(row) && mayUse(row) ? row : this.#primary.first(statement)
  }

  async all<Row>(statement: Statement): Promise<Row[]> {
    const rows = await this.#readCopy((copy) => copy.all<Row & WithHeartbeat>(withHeartbeat(statement)))
    return rows?.[0] && this.#isRecent(rows[0]) ? rows : this.#primary.all(statement)
  }

  async #readCopy<Answer>(read: (copy: DatabaseReads) => Promise<Answer>): Promise<Answer | null> {
    const { bookmark, memory, now } = this.#options
    if (now < memory.avoidedUntil) return null
    try {
      this.#copy ??= this.#primary.openNearest(bookmark, TIMEOUT_MS)
      return await read(this.#copy)
    } catch {
      this.#avoid()
      return null
    }
  }

  /** A time from the future says nothing: some clock is wrong. */
  #isRecent({ heartbeat_at: at }: WithHeartbeat): boolean {
    const { now } = this.#options
    const recent = at !== null && at > now - MAX_LAG_MS && at < now + MAX_CLOCK_SKEW_MS
    if (!recent) this.#avoid()
    return recent
  }

  /** Ignores what happens with a bookmark: a client could send one from the future to make the copies look broken. */
  #avoid(): void {
    const { bookmark, memory } = this.#options
    if (bookmark === null) memory.avoidedUntil = Date.now() + PAUSE_MS
  }
}
