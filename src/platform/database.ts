import { AppError, unavailable } from '../errors.ts'
import type { Statement } from '../shared/statement.ts'

/** Thrown when a storage call doesn't answer in time. It may still have taken effect. */
class StorageTimeoutError extends Error {
  override readonly name = 'StorageTimeoutError'
}

/**
 * Waits for a call, at most `timeoutMs`.
 *
 * @throws StorageTimeoutError if it takes longer, and what the call throws.
 */
export async function withTimeout<T>(call: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | null = null
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new StorageTimeoutError(`no answer within ${timeoutMs} ms`)), timeoutMs)
  })
  try {
    return await Promise.race([call, timeout])
  } finally {
    clearTimeout(timer)
  }
}

/** D1's messages for calls with an unknown outcome: they may have taken effect. */
const UNKNOWN_OUTCOME =
  /network connection lost|object to be reset|and was reset|object storage operation exceeded timeout|transient issue on remote node|because its code was updated|internal error|failed to parse body|SQLITE_(IOERR|CORRUPT|NOTADB)/i

/** D1's messages for an overloaded database: a retry would make it worse. */
const OVERLOADED = /overloaded|too many requests|\b429\b/i

/** SQLite's messages when another program holds the file of a local database. Nothing has changed, so any call may be retried. */
const BUSY = /SQLITE_(BUSY|LOCKED)|database (table )?is locked/i

/** What D1 says locally when it can't open its file, often because it's busy. Calls that are safe to repeat are. */
const INTERNAL = /internal error/i

/** D1's messages when it can't store anything until the operator does something. */
const UNUSABLE = /SQLITE_(FULL|CANTOPEN|READONLY|PERM|NOMEM|PROTOCOL)|maximum DB size/i

/** How long a busy call waits before each new attempt. */
const BUSY_DELAYS_MS = [100, 300, 600]

const matches = (error: unknown, pattern: RegExp) => error instanceof Error && pattern.test(error.message)

const hasUnknownOutcome = (error: unknown) =>
  error instanceof StorageTimeoutError || matches(error, UNKNOWN_OUTCOME)

/** SQLite's and D1's messages for statements that they refused before changing anything. */
const REFUSED = /SQLITE_|constraint failed|overloaded|maximum DB size|is locked/i

/** Returns true if a failed change certainly didn't take effect, false if it may have. */
export function hadNoEffect(error: unknown): boolean {
  const cause = error instanceof AppError ? error.cause : error
  return !hasUnknownOutcome(cause) && matches(cause, REFUSED)
}

/** Converts an error of a storage call to `unavailable` if the fault is the storage's, and not the statement's. */
export function toStorageError(error: unknown): unknown {
  if (error instanceof AppError) return error
  if (hasUnknownOutcome(error) || matches(error, BUSY)) return unavailable(error)
  if (matches(error, OVERLOADED)) return unavailable(error, 5)
  if (matches(error, UNUSABLE)) return unavailable(error, 60)
  return error
}

/** Called after each storage call with the milliseconds that it took, whether or not it succeeded. */
export type OnStorageCall = (durationMs: number) => void

/** How much the clocks of a Worker and of D1 may differ. */
export const MAX_CLOCK_SKEW_MS = 5_000

/** What a database and a session of it have in common. */
type Source = Pick<D1Database, 'prepare' | 'batch'>

/** Reads of a database. Methods throw AppError `unavailable` for temporary errors, and what D1 throws for all others. */
export interface DatabaseReads {
  /** Returns the first row of a read. D1 itself retries reads. */
  readonly first: <Row>(statement: Statement) => Promise<Row | null>
  /** Returns all rows of one statement. */
  readonly all: <Row>(statement: Statement) => Promise<Row[]>
}

let writes = 0

/**
 * Returns a number that changes when this isolate begins or ends to write. What it has read before may be outdated then.
 * Views don't count.
 */
export const getWriteMark = (): number => writes

const isRead = ([sql]: Statement): boolean => /^\s*SELECT\b/i.test(sql)

interface AllOptions {
  /** Whether the statement changes nothing but views. */
  readonly onlyViews?: boolean
}

/** Reads that wait for others, to travel with them. */
interface WaitingRead {
  readonly statements: readonly Statement[]
  readonly resolve: (rows: unknown[][]) => void
  readonly reject: (error: unknown) => void
}

/** D1 with a timeout on every call, and with retries where they're safe. Asks the primary. */
export class Database implements DatabaseReads {
  readonly #d1: D1Database
  readonly #timeoutMs: number
  readonly #onCall: OnStorageCall | undefined
  #bookmark: string | null = null
  /** The reads that `together` collects; null outside of it. */
  #waiting: WaitingRead[] | null = null

  constructor(d1: D1Database, timeoutMs: number, onCall?: OnStorageCall) {
    this.#d1 = d1
    this.#timeoutMs = timeoutMs
    this.#onCall = onCall
  }

  /** The state of the database after the last write; null before the first. A session can start from it. */
  get bookmark(): string | null {
    return this.#bookmark
  }

  async first<Row>(statement: Statement): Promise<Row | null> {
    if (!this.#waiting) return this.#first(this.#d1, statement)
    const [rows = []] = await this.allOf([statement])
    return (rows[0] as Row | undefined) ?? null
  }

  async all<Row>(statement: Statement, { onlyViews = false }: AllOptions = {}): Promise<Row[]> {
    const read = () => this.#all<Row>(this.#d1, statement)
    if (!this.#waiting) return onlyViews || isRead(statement) ? read() : this.#write(read)
    const [rows = []] = await this.allOf([statement])
    return rows as Row[]
  }

  /** Runs several reads in one round trip, and returns the rows of each, in order. D1 itself retries reads. */
  async allOf(statements: readonly Statement[]): Promise<unknown[][]> {
    if (!this.#waiting) return this.#run(() => batch(this.#d1, statements), { repeatable: 'read' })
    const waiting = this.#waiting
    return new Promise((resolve, reject) => waiting.push({ statements, resolve, reject }))
  }

  /**
   * Sends all reads that a function starts in one round trip: those that it starts before it waits for anything. Nothing
   * else may be started in it.
   *
   * @example
   * const [user, document] = db.together(() => [findUser(db, key), findDocument(db, id)])
   */
  together<Result>(start: () => Result): Result {
    const waiting: WaitingRead[] = []
    this.#waiting = waiting
    try {
      return start()
    } finally {
      this.#waiting = null
      this.#send(waiting)
    }
  }

  /**
   * Returns the copy of the database that answers fastest. It may be behind the primary.
   *
   * @param bookmark a state that the copy must have reached; null for any.
   */
  openNearest(bookmark: string | null, maxTimeoutMs: number): DatabaseReads {
    const session = this.#d1.withSession(bookmark ?? 'first-unconstrained')
    const timeoutMs = Math.min(this.#timeoutMs, maxTimeoutMs)
    return {
      first: (statement) => this.#first(session, statement, timeoutMs),
      all: (statement) => this.#all(session, statement, timeoutMs),
    }
  }

  /**
   * Runs a transaction, and runs it again if its outcome is unknown. The statements must be idempotent: a second run
   * changes nothing more and still returns what the first one did.
   *
   * @returns the rows of each statement, in order.
   */
  async idempotentBatch(statements: readonly Statement[]): Promise<unknown[][]> {
    const send = async () => {
      // Only sessions tell their bookmark. This one is never used again: after its first call, replicas may answer.
      const session = this.#d1.withSession('first-primary')
      const rows = await batch(session, statements)
      const bookmark = session.getBookmark()
      // Bookmarks sort by time.
      if (bookmark !== null && bookmark > (this.#bookmark ?? '')) this.#bookmark = bookmark
      return rows
    }
    return this.#write(() => this.#run(send, { repeatable: 'write' }))
  }

  /**
   * Returns the time, by D1's clock, after which a statement must do nothing. A call that timed out may still run, when
   * its caller has long given up or tried again. Statements that would then do harm compare the time with this. In
   * milliseconds since 1970.
   */
  deadline(): number {
    return Date.now() + 2 * this.#timeoutMs + MAX_CLOCK_SKEW_MS
  }

  async #write<Result>(write: () => Promise<Result>): Promise<Result> {
    writes += 1
    try {
      return await write()
    } finally {
      writes += 1
    }
  }

  /** Sends reads in one call, and gives each its rows. */
  async #send(waiting: readonly WaitingRead[]): Promise<void> {
    const statements = waiting.flatMap((read) => read.statements)
    if (statements.length === 0) return
    try {
      const rows = await this.allOf(statements)
      let start = 0
      for (const read of waiting) {
        const end = start + read.statements.length
        read.resolve(rows.slice(start, end))
        start = end
      }
    } catch (error) {
      for (const { reject } of waiting) reject(error)
    }
  }

  #first<Row>(source: Source, statement: Statement, timeoutMs?: number): Promise<Row | null> {
    return this.#run(() => prepare(source, statement).first<Row>(), {
      repeatable: isRead(statement) ? 'read' : 'no',
      timeoutMs,
    })
  }

  #all<Row>(source: Source, statement: Statement, timeoutMs?: number): Promise<Row[]> {
    return this.#run(async () => (await prepare(source, statement).all<Row>()).results, {
      repeatable: isRead(statement) ? 'read' : 'no',
      timeoutMs,
    })
  }

  async #run<T>(call: () => Promise<T>, { repeatable, timeoutMs = this.#timeoutMs }: RunOptions): Promise<T> {
    /** The first error of an attempt that may have taken effect. Errors of later attempts don't replace it. */
    let lost: unknown = null
    for (let attempt = 0; ; attempt++) {
      const startedAt = Date.now()
      try {
        return await withTimeout(call(), timeoutMs).finally(() => this.#onCall?.(Date.now() - startedAt))
      } catch (error) {
        if (hasUnknownOutcome(error)) lost ??= error
        const isBusy = matches(error, BUSY) || (repeatable !== 'no' && matches(error, INTERNAL))
        const retryOnce = repeatable === 'write' && hasUnknownOutcome(error) && attempt === 0
        const delayMs = isBusy ? BUSY_DELAYS_MS[attempt] : retryOnce ? 0 : undefined
        if (delayMs === undefined) throw toStorageError(lost ?? error)
        if (delayMs > 0) await new Promise((wait) => setTimeout(wait, delayMs))
      }
    }
  }
}

interface RunOptions {
  /** What a call may do after an unknown outcome. D1 itself retries a `read` whose connection is lost. */
  readonly repeatable: 'no' | 'read' | 'write'
  readonly timeoutMs?: number | undefined
}

function prepare(source: Source, [sql, ...parameters]: Statement): D1PreparedStatement {
  const prepared = source.prepare(sql)
  return parameters.length === 0 ? prepared : prepared.bind(...parameters)
}

async function batch(source: Source, statements: readonly Statement[]): Promise<unknown[][]> {
  const results = await source.batch(statements.map((statement) => prepare(source, statement)))
  return results.map((result) => result.results)
}
