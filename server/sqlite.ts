import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'

export type SqlValue = SQLInputValue
export type Row = Record<string, unknown>

/** The names of SQLite's primary result codes (https://www.sqlite.org/rescode.html). */
const CODES: Readonly<Record<number, string>> = {
  1: 'ERROR',
  3: 'PERM',
  4: 'ABORT',
  5: 'BUSY',
  6: 'LOCKED',
  7: 'NOMEM',
  8: 'READONLY',
  9: 'INTERRUPT',
  10: 'IOERR',
  11: 'CORRUPT',
  13: 'FULL',
  14: 'CANTOPEN',
  15: 'PROTOCOL',
  17: 'SCHEMA',
  18: 'TOOBIG',
  19: 'CONSTRAINT',
  20: 'MISMATCH',
  21: 'MISUSE',
  23: 'AUTH',
  25: 'RANGE',
  26: 'NOTADB',
}

/** Returns the name of SQLite's code, such as `SQLITE_FULL`, or null for an error that SQLite hasn't caused. */
export function getSqliteCode(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if (!('errcode' in error)) return getSqliteCode(error.cause)
  const code = Number(error.errcode)
  // The bits above tell kinds of the same error apart.
  return `SQLITE_${CODES[code & 0xff] ?? code}`
}

/** How long a write waits for another process, such as a command. Nothing else happens meanwhile. */
const BUSY_TIMEOUT_MS = 500
/** SQLite keeps the write-ahead log at its largest size otherwise. */
const MAX_LOG_BYTES = 64 * 1024 * 1024
const MAX_STATEMENTS = 500
/** If more requests arrive than can be answered, each turn of the event loop brings another write. */
const MAX_TURNS = 16

interface Unit {
  readonly run: () => void
  readonly settle: (error: unknown) => void
}

/**
 * A file of SQLite with one writer. A write that has been acknowledged is on the disk. Writes that wait at the same time
 * share a transaction, because putting it on the disk takes longer than most of them do. One that fails changes nothing,
 * and doesn't affect the others.
 */
export class SqliteFile {
  readonly #db: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  #waiting: Unit[] = []

  constructor(path: string, { autoVacuum = false }: { readonly autoVacuum?: boolean } = {}) {
    this.#db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS })
    try {
      // It has an effect only before the first table.
      if (autoVacuum) this.#db.exec('PRAGMA auto_vacuum = INCREMENTAL')
      this.#db.exec(`
        PRAGMA journal_mode = WAL;
        PRAGMA synchronous = FULL;
        PRAGMA foreign_keys = ON;
        PRAGMA journal_size_limit = ${MAX_LOG_BYTES};
      `)
    } catch (error) {
      this.#db.close()
      throw error
    }
  }

  /** Keeps the statement for the next time: preparing one takes longer than most of them run. */
  prepare(sql: string): StatementSync {
    const kept = this.#statements.get(sql)
    const statement = kept ?? this.#db.prepare(sql)
    // The ones that were used last are at the end.
    if (kept !== undefined) this.#statements.delete(sql)
    this.#statements.set(sql, statement)
    if (this.#statements.size > MAX_STATEMENTS) {
      const [oldest = ''] = this.#statements.keys()
      this.#statements.delete(oldest)
    }
    return statement
  }

  exec(sql: string): void {
    this.#db.exec(sql)
  }

  /** Shows the work one state of the file, though another process may write. */
  read<T>(work: () => T): T {
    // Work of a group runs in its transaction.
    if (this.#db.isTransaction) return work()
    this.#db.exec('BEGIN')
    try {
      return work()
    } finally {
      this.#db.exec('ROLLBACK')
    }
  }

  /** Resolves once the changes are on the disk. */
  write<T>(work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      let result: T
      const unit: Unit = {
        run: () => {
          result = work()
        },
        settle: (error) => (error === null ? resolve(result) : reject(error)),
      }
      if (this.#waiting.push(unit) === 1) this.#commitSoon(1, MAX_TURNS)
    })
  }

  /** Waits while each turn of the event loop brings another write. Several turns bring all that connections have sent. */
  #commitSoon(count: number, turns: number): void {
    setImmediate(() => {
      const { length } = this.#waiting
      if (length > count && turns > 1) this.#commitSoon(length, turns - 1)
      else this.#commitWaiting()
    })
  }

  /** Writes what waits, and closes the file. */
  close(): void {
    this.#commitWaiting()
    this.#statements.clear()
    this.#db.close()
  }

  #commitWaiting(): void {
    const units = this.#waiting
    this.#waiting = []
    while (units.length > 0) this.#commitSome(units)
  }

  /** Takes units until one of them ends the transaction, as a full disk does. */
  #commitSome(units: Unit[]): void {
    const done: Unit[] = []
    try {
      this.#db.exec('BEGIN IMMEDIATE')
      for (let unit = units.shift(); unit !== undefined; unit = units.shift()) {
        this.#db.exec('SAVEPOINT unit')
        try {
          unit.run()
          this.#db.exec('RELEASE unit')
          done.push(unit)
        } catch (error) {
          if (!this.#db.isTransaction) {
            done.push(unit)
            throw error
          }
          this.#db.exec('ROLLBACK TO unit; RELEASE unit')
          unit.settle(error)
        }
      }
      this.#db.exec('COMMIT')
    } catch (error) {
      if (this.#db.isOpen && this.#db.isTransaction) this.#db.exec('ROLLBACK')
      // If the transaction couldn't begin, none of them ran.
      for (const unit of [...done, ...(done.length === 0 ? units.splice(0) : [])]) unit.settle(error)
      return
    }
    for (const unit of done) unit.settle(null)
  }
}
