import { type Instant, MINUTE_MS } from '../shared/instant.ts'
import { type Database, MAX_CLOCK_SKEW_MS, type Query, query, type Reads } from './database.ts'

/** A copy that has the record is like the primary was at that moment, or newer. */
export async function recordHeartbeat(db: Database, now: Instant): Promise<void> {
  await db.idempotentBatch([
    [
      `INSERT INTO heartbeat (only_row, beat_at) VALUES (1, ?1)
        ON CONFLICT (only_row) DO UPDATE SET beat_at = excluded.beat_at`,
      now,
    ],
  ])
}

/** How long something may still be shown after it was removed or changed: twice the time between two heartbeats. */
export const MAX_LAG_MS = 2 * MINUTE_MS

/** A copy that takes longer is no faster than the primary. */
const TIMEOUT_MS = 2_000

/** How long an isolate asks only the primary after a copy failed or was too far behind. */
const PAUSE_MS = 10_000

/**
 * How long a heartbeat isn't read again: until then, a session that starts from the state with it is behind by less
 * than MAX_LAG_MS, whichever copy answers.
 */
const TRUST_MS = MAX_LAG_MS / 2

export interface CopyMemory {
  /** The primary answers in place of the copies until then. */
  avoidedUntil: Instant
  /** A state of the database, and the heartbeat that it has. */
  known?: { readonly bookmark: string; readonly beatAt: Instant }
}

interface CopyOptions {
  readonly bookmark: string | null
  readonly memory: CopyMemory
  readonly now: Instant
}

/** Reads when the primary was last known to be like the copy that answers. */
const heartbeat = query(
  ['SELECT beat_at FROM heartbeat'],
  ([row]: { readonly beat_at: number }[]) => row?.beat_at ?? null,
)

/** Asks the primary if the fastest copy fails or is too far behind. Read nothing here that must be exact. */
export class NearestCopy implements Reads {
  readonly #primary: Database
  readonly #options: CopyOptions

  constructor(primary: Database, options: CopyOptions) {
    this.#primary = primary
    this.#options = options
  }

  readonly ask: Reads['ask'] = async (...queries) =>
    (await this.#askCopy(queries)) ?? this.#primary.ask(...queries)

  async askUnless<Result>(query: Query<Result>, isUnusable: (result: Result) => boolean): Promise<Result> {
    const [near] = (await this.#askCopy([query])) ?? []
    if (near !== undefined && !isUnusable(near)) return near
    const [exact] = await this.#primary.ask(query)
    return exact
  }

  /** Returns null if the copy doesn't answer, or is too far behind. */
  async #askCopy<Queries extends readonly Query<unknown>[]>(queries: Queries) {
    const { bookmark, memory, now } = this.#options
    const { known } = memory
    if (now < memory.avoidedUntil || queries.every(({ statements }) => statements.length === 0)) return null
    try {
      if (known && known.beatAt <= now && now < known.beatAt + TRUST_MS) {
        // Bookmarks sort by time.
        const start = bookmark !== null && bookmark > known.bookmark ? bookmark : known.bookmark
        return await this.#primary.openNearest(start, TIMEOUT_MS).ask(...queries)
      }
      const copy = this.#primary.openNearest(bookmark, TIMEOUT_MS)
      const [beatAt, ...results] = await copy.ask(heartbeat, ...queries)
      if (this.#isRecent(beatAt)) {
        const reached = copy.getBookmark()
        // A bookmark of a client may be made up.
        if (bookmark === null && reached !== null) memory.known = { bookmark: reached, beatAt }
        return results
      }
    } catch {
      // The primary answers instead, and its errors count.
    }
    // A client could send a bookmark from the future to make the copies look broken.
    if (bookmark === null) memory.avoidedUntil = Date.now() + PAUSE_MS
    return null
  }

  /** A time from the future says nothing: some clock is wrong. */
  #isRecent(beatAt: Instant | null): beatAt is Instant {
    const { now } = this.#options
    return beatAt !== null && beatAt > now - MAX_LAG_MS && beatAt < now + MAX_CLOCK_SKEW_MS
  }
}
