import { AppError, unavailable } from '../errors.ts'
import type { Statement } from './statement.ts'

/** A storage call that did not answer in time. Whether it took effect is not known. */
class StorageTimeout extends Error {
  override readonly name = 'StorageTimeout'
}

/**
 * Waits for a storage call, at most `timeoutMs`.
 *
 * @throws AppError `unavailable` when it takes longer, or fails in a way that passes.
 */
export async function withinTime<T>(call: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | null = null
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new StorageTimeout(`no answer within ${timeoutMs} ms`)), timeoutMs)
  })
  try {
    return await Promise.race([call, timeout])
  } finally {
    clearTimeout(timer)
  }
}

/** D1's words for a call whose outcome nobody knows: it may have taken effect. */
const OUTCOME_UNKNOWN =
  /network connection lost|object to be reset|object storage operation exceeded timeout|transient issue on remote node|because its code was updated/i

/** D1's words for a database that has too much to do: another try now makes it worse. */
const OVERLOADED = /overloaded|too many requests|\b429\b/i

const isOutcomeUnknown = (error: unknown) =>
  error instanceof StorageTimeout || (error instanceof Error && OUTCOME_UNKNOWN.test(error.message))

/** SQLite's and D1's words for a statement that was refused before it changed anything. */
const REFUSED = /SQLITE_|constraint failed|overloaded|maximum DB size/i

/** Whether a change that failed has certainly not taken place. In doubt it may have. */
export function certainlyFailed(error: unknown): boolean {
  const cause = error instanceof AppError ? error.cause : error
  return cause instanceof Error && !isOutcomeUnknown(cause) && REFUSED.test(cause.message)
}

/** Turns a fault of a storage call into the error that the client is told. */
export function storageFault(error: unknown): unknown {
  if (error instanceof AppError) return error
  if (isOutcomeUnknown(error)) return unavailable(error)
  if (error instanceof Error && OVERLOADED.test(error.message)) return unavailable(error, 5)
  return error
}

/** How far the clocks of a Worker and of D1 may be apart. */
const CLOCKS_APART_MS = 5_000

/**
 * D1 with a time limit on every call, and the one retry that is safe.
 *
 * Methods throw AppError `unavailable` for faults that pass, and what D1 threw for all others.
 */
export class Database {
  readonly #d1: D1Database
  readonly #timeoutMs: number

  constructor(d1: D1Database, timeoutMs: number) {
    this.#d1 = d1
    this.#timeoutMs = timeoutMs
  }

  /** The first row of one read. D1 itself retries reads. */
  async first<Row>(statement: Statement): Promise<Row | null> {
    return this.#run(() => this.#prepare(statement).first<Row>())
  }

  /** All rows of one statement. */
  async all<Row>(statement: Statement): Promise<Row[]> {
    return this.#run(async () => (await this.#prepare(statement).all<Row>()).results)
  }

  /**
   * A transaction that may run twice: when its outcome is unknown it is tried once more. Its caller
   * writes it so that the second run does nothing further and still tells what the first one did.
   *
   * @returns the rows of each statement, in their order.
   */
  async idempotentBatch(statements: readonly Statement[]): Promise<unknown[][]> {
    const attempt = async () => {
      const results = await this.#d1.batch(statements.map((statement) => this.#prepare(statement)))
      return results.map((result) => result.results)
    }
    return this.#run(attempt, { retry: true })
  }

  /**
   * When a statement that runs late must do nothing any more, in milliseconds since 1970 by the clock of
   * D1: a call that timed out may still be under way, and whoever made it has given up, or asked again and
   * gone on. Changes that would do harm then are made conditional on it.
   */
  deadline(): number {
    return Date.now() + 2 * this.#timeoutMs + CLOCKS_APART_MS
  }

  #prepare([sql, ...parameters]: Statement): D1PreparedStatement {
    const prepared = this.#d1.prepare(sql)
    return parameters.length === 0 ? prepared : prepared.bind(...parameters)
  }

  async #run<T>(call: () => Promise<T>, { retry = false } = {}): Promise<T> {
    try {
      return await withinTime(call(), this.#timeoutMs)
    } catch (error) {
      if (!retry || !isOutcomeUnknown(error)) throw storageFault(error)
      return this.#run(call).catch(() => {
        // Whatever the second try said: the first one may have taken effect.
        throw unavailable(error)
      })
    }
  }
}
