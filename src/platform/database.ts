import { AppError, ReadOnlyError, unavailable } from '../errors.ts'
import type { Statement } from '../shared/statement.ts'

/** The call may still have taken effect. */
class StorageTimeoutError extends Error {
  override readonly name = 'StorageTimeoutError'
}

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

/** SQLite's messages when another program holds the file of a local database. Nothing has changed: retry any call. */
const BUSY = /SQLITE_(BUSY|LOCKED)|database (table )?is locked/i

/**
 * D1's message on a local machine when it can't open its file, often because it's busy. Calls that are safe to repeat
 * are.
 */
const INTERNAL = /internal error/i

/** D1's messages when it can't store anything until the operator does something. */
const UNUSABLE = /SQLITE_(FULL|IOERR|CORRUPT|NOTADB|CANTOPEN|READONLY|PERM|NOMEM|PROTOCOL)|maximum DB size/i

const BUSY_DELAYS_MS = [100, 300, 600]

const matches = (error: unknown, pattern: RegExp) => error instanceof Error && pattern.test(error.message)

const hasUnknownOutcome = (error: unknown) =>
  error instanceof StorageTimeoutError || matches(error, UNKNOWN_OUTCOME)

/** SQLite's and D1's messages for statements that they refused before changing anything. */
const REFUSED = /SQLITE_|constraint failed|overloaded|maximum DB size|is locked/i

/** Returns `outcome` in place of a result if a value that must be unique is taken. */
export const unlessTaken = <Result, Outcome>(saving: Promise<Result>, outcome: Outcome) =>
  saving.catch((error: unknown): Outcome => {
    if (matches(error, /UNIQUE constraint failed/)) return outcome
    throw error
  })

/** Tells whether a failed change surely had no effect. Returns false if it may have taken effect. */
export function hadNoEffect(error: unknown): boolean {
  const cause = error instanceof AppError ? error.cause : error
  return !hasUnknownOutcome(cause) && matches(cause, REFUSED)
}

/** `unavailable` if the fault is the storage's, and not the statement's. */
export function toStorageError(error: unknown): unknown {
  if (error instanceof AppError) return error
  if (matches(error, UNUSABLE)) return unavailable(error, 60)
  if (hasUnknownOutcome(error) || matches(error, BUSY)) return unavailable(error)
  if (matches(error, OVERLOADED)) return unavailable(error, 5)
  return error
}

/** Is called after each call of the storage, whether or not it succeeded. */
export type OnStorageCall = (durationMs: number) => void

/** How much the clocks of a Worker and of D1 may differ. */
export const MAX_CLOCK_SKEW_MS = 5_000

/** A database or a session of it. */
type Source = Pick<D1Database, 'prepare' | 'batch'>

/**
 * Statements that read, and a function that makes sense of their rows. Queries that are asked together take one round
 * trip.
 */
export interface Query<Result> {
  readonly statements: readonly Statement[]
  readonly parse: (...rows: unknown[][]) => Result
}

export const query = <Row, Result>(
  statement: Statement,
  toResult: (rows: Row[]) => Result,
): Query<Result> => ({
  statements: [statement],
  parse: (rows) => toResult(rows as Row[]),
})

export const answered = <Result>(result: Result): Query<Result> => ({ statements: [], parse: () => result })

export const mapQuery = <From, To>(
  { statements, parse }: Query<From>,
  map: (result: From) => To,
): Query<To> => ({ statements, parse: (...rows) => map(parse(...rows)) })

export type Results<Queries extends readonly Query<unknown>[]> = {
  -readonly [Index in keyof Queries]: Queries[Index] extends Query<infer Result> ? Result : never
}

/** @throws AppError `unavailable` for temporary errors, and what D1 throws for all others. */
export interface Reads {
  /**
   * Takes one round trip. D1 itself retries reads.
   *
   * @example
   * const [user, document] = await db.ask(selectUserBySession(tokenHash, now), visibleDocument(id, now))
   */
  readonly ask: <Queries extends readonly Query<unknown>[]>(...queries: Queries) => Promise<Results<Queries>>
}

export const combine = <Queries extends readonly Query<unknown>[]>(
  ...queries: Queries
): Query<Results<Queries>> => ({
  statements: queries.flatMap(({ statements }) => statements),
  parse: (...rows) => {
    let start = 0
    const results = queries.map(({ statements, parse }) => {
      const end = start + statements.length
      const result = parse(...rows.slice(start, end))
      start = end
      return result
    })
    return results as Results<Queries>
  },
})

const isRead = ([sql]: Statement): boolean => /^\s*SELECT\b/i.test(sql)

interface DatabaseOptions {
  readonly onCall?: OnStorageCall
  /** Makes every call that isn't a read throw a `ReadOnlyError`. Views are ignored. */
  readonly readOnly?: boolean
}

/** D1 with a timeout on every call, and with retries where they're safe. Asks the primary. */
export class Database implements Reads {
  readonly #d1: D1Database
  readonly #timeoutMs: number
  readonly #onCall: OnStorageCall | undefined
  readonly #readOnly: boolean
  #bookmark: string | null = null

  constructor(d1: D1Database, timeoutMs: number, { onCall, readOnly = false }: DatabaseOptions = {}) {
    this.#d1 = d1
    this.#timeoutMs = timeoutMs
    this.#onCall = onCall
    this.#readOnly = readOnly
  }

  /** The state after the last write; null before the first. A session can start from it. */
  get bookmark(): string | null {
    return this.#bookmark
  }

  async first<Row>(statement: Statement): Promise<Row | null> {
    this.#refuseWrites(statement)
    return this.#run(() => prepare(this.#d1, statement).first<Row>(), {
      repeatable: isRead(statement) ? 'read' : 'no',
    })
  }

  async all<Row>(statement: Statement, { onlyViews = false }: { onlyViews?: boolean } = {}): Promise<Row[]> {
    if (onlyViews && this.#readOnly) return []
    this.#refuseWrites(statement)
    const repeatable = isRead(statement) ? 'read' : 'no'
    return this.#run(async () => (await prepare(this.#d1, statement).all<Row>()).results, { repeatable })
  }

  async ask<Queries extends readonly Query<unknown>[]>(...queries: Queries): Promise<Results<Queries>> {
    return this.#ask(this.#d1, queries)
  }

  /** The copy that answers fastest. It may be behind the primary, but not behind the bookmark. */
  openNearest(bookmark: string | null, maxTimeoutMs: number): Reads & { getBookmark: () => string | null } {
    const session = this.#d1.withSession(bookmark ?? 'first-unconstrained')
    const timeoutMs = Math.min(this.#timeoutMs, maxTimeoutMs)
    return {
      ask: (...queries) => this.#ask(session, queries, timeoutMs),
      getBookmark: () => session.getBookmark(),
    }
  }

  /**
   * Runs again if its outcome is unknown: a second run must change nothing more and return what the first one did.
   *
   * @param onRepeat called before that, for callers that can't tell from the rows whether the first run took effect.
   */
  async idempotentBatch(statements: readonly Statement[], onRepeat?: () => void): Promise<unknown[][]> {
    this.#refuseWrites(...statements)
    const send = async () => {
      // Only sessions tell their bookmark. This one is never used again: after its first call, replicas may answer.
      const session = this.#d1.withSession('first-primary')
      const rows = await batch(session, statements)
      const bookmark = session.getBookmark()
      // Bookmarks sort by time.
      if (bookmark !== null && bookmark > (this.#bookmark ?? '')) this.#bookmark = bookmark
      return rows
    }
    return this.#run(send, { repeatable: 'write', onRepeat })
  }

  /**
   * A call that starts now can't run after this time of D1's clock. One that timed out may run until then, so a statement that would
   * do harm later does nothing after it.
   */
  deadline(): number {
    return Date.now() + 2 * this.#timeoutMs + MAX_CLOCK_SKEW_MS
  }

  #refuseWrites(...statements: readonly Statement[]): void {
    if (this.#readOnly && !statements.every(isRead)) throw new ReadOnlyError()
  }

  async #ask<Queries extends readonly Query<unknown>[]>(
    source: Source,
    queries: Queries,
    timeoutMs?: number,
  ): Promise<Results<Queries>> {
    const { statements, parse } = combine(...queries)
    const [statement] = statements
    if (statement === undefined) return parse()
    // A batch of one statement would take longer.
    const read = async () =>
      statements.length === 1 ? [(await prepare(source, statement).all()).results] : batch(source, statements)
    return parse(...(await this.#run(read, { repeatable: 'read', timeoutMs })))
  }

  async #run<T>(
    call: () => Promise<T>,
    { repeatable, timeoutMs = this.#timeoutMs, onRepeat }: RunOptions,
  ): Promise<T> {
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
        if (lost !== null) onRepeat?.()
        if (delayMs > 0) await new Promise((wait) => setTimeout(wait, delayMs))
      }
    }
  }
}

interface RunOptions {
  /** Says how a call may be repeated after an unknown outcome. D1 itself retries a `read` whose connection is lost. */
  readonly repeatable: 'no' | 'read' | 'write'
  readonly timeoutMs?: number | undefined
  readonly onRepeat?: (() => void) | undefined
}

function prepare(source: Source, [sql, ...parameters]: Statement): D1PreparedStatement {
  const prepared = source.prepare(sql)
  return parameters.length === 0 ? prepared : prepared.bind(...parameters)
}

async function batch(source: Source, statements: readonly Statement[]): Promise<unknown[][]> {
  const results = await source.batch(statements.map((statement) => prepare(source, statement)))
  return results.map((result) => result.results)
}
