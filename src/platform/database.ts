import { AppError, unavailable } from '../errors.ts'
import type { Statement } from './statement.ts'

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
  /network connection lost|object to be reset|object storage operation exceeded timeout|transient issue on remote node|because its code was updated/i

/** D1's messages for an overloaded database: a retry would make it worse. */
const OVERLOADED = /overloaded|too many requests|\b429\b/i

const hasUnknownOutcome = (error: unknown) =>
  error instanceof StorageTimeoutError || (error instanceof Error && UNKNOWN_OUTCOME.test(error.message))

/** SQLite's and D1's messages for statements that they refused before changing anything. */
const REFUSED = /SQLITE_|constraint failed|overloaded|maximum DB size/i

/** Returns true if a failed change certainly didn't take effect, false if it may have. */
export function hadNoEffect(error: unknown): boolean {
  const cause = error instanceof AppError ? error.cause : error
  return cause instanceof Error && !hasUnknownOutcome(cause) && REFUSED.test(cause.message)
}

/** Converts an error of a storage call to `unavailable` if it's temporary. */
export function toStorageError(error: unknown): unknown {
  if (error instanceof AppError) return error
  if (hasUnknownOutcome(error)) return unavailable(error)
  if (error instanceof Error && OVERLOADED.test(error.message)) return unavailable(error, 5)
  return error
}

/** Called after each storage call with the milliseconds that it took, whether or not it succeeded. */
export type OnStorageCall = (durationMs: number) => void

/** How much the clocks of a Worker and of D1 may differ. */
const MAX_CLOCK_SKEW_MS = 5_000

/**
 * D1 with a timeout on every call, and with retries where they're safe.
 *
 * Methods throw AppError `unavailable` for temporary errors, and what D1 throws for all others.
 */
export class Database {
  readonly #d1: D1Database
  readonly #timeoutMs: number
  readonly #onCall: OnStorageCall | undefined

  constructor(d1: D1Database, timeoutMs: number, onCall?: OnStorageCall) {
    this.#d1 = d1
    this.#timeoutMs = timeoutMs
    this.#onCall = onCall
  }

  /** Returns the first row of a read. D1 itself retries reads. */
  async first<Row>(statement: Statement): Promise<Row | null> {
    return this.#run(() => this.#prepare(statement).first<Row>())
  }

  /** Returns all rows of one statement. */
  async all<Row>(statement: Statement): Promise<Row[]> {
    return this.#run(async () => (await this.#prepare(statement).all<Row>()).results)
  }

  /** Runs several reads in one round trip, and returns the rows of each, in order. D1 itself retries reads. */
  async allOf(statements: readonly Statement[]): Promise<unknown[][]> {
    return this.#run(() => this.#batch(statements))
  }

  /**
   * Runs a transaction, and runs it again if its outcome is unknown. The statements must be idempotent: a second run
   * changes nothing more and still returns what the first one did.
   *
   * @returns the rows of each statement, in order.
   */
  async idempotentBatch(statements: readonly Statement[]): Promise<unknown[][]> {
    return this.#run(() => this.#batch(statements), { retry: true })
  }

  /**
   * Returns the time, by D1's clock, after which a statement must do nothing. A call that timed out may still run, when
   * its caller has long given up or tried again. Statements that would then do harm compare the time with this. In
   * milliseconds since 1970.
   */
  deadline(): number {
    return Date.now() + 2 * this.#timeoutMs + MAX_CLOCK_SKEW_MS
  }

  async #batch(statements: readonly Statement[]): Promise<unknown[][]> {
    const results = await this.#d1.batch(statements.map((statement) => this.#prepare(statement)))
    return results.map((result) => result.results)
  }

  #prepare([sql, ...parameters]: Statement): D1PreparedStatement {
    const prepared = this.#d1.prepare(sql)
    return parameters.length === 0 ? prepared : prepared.bind(...parameters)
  }

  async #run<T>(call: () => Promise<T>, { retry = false } = {}): Promise<T> {
    const startedAt = Date.now()
    try {
      return await withTimeout(call(), this.#timeoutMs).finally(() => this.#onCall?.(Date.now() - startedAt))
    } catch (error) {
      if (!retry || !hasUnknownOutcome(error)) throw toStorageError(error)
      return this.#run(call).catch(() => {
        // Whatever error the retry got: the first try may have taken effect.
        throw unavailable(error)
      })
    }
  }
}
