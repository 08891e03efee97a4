import { getSqliteCode, type Row, type SqliteFile, type SqlValue } from './sqlite.ts'

/** Stands in for D1, over a file of SQLite, which is the database of the app. */

/** Errors as D1 reports them. `src/platform/database.ts` reads their texts. */
class D1Error extends Error {
  constructor(text: string, cause: unknown) {
    super(`D1_ERROR: ${text}`, { cause })
  }
}

function toD1Error(error: unknown): unknown {
  const code = getSqliteCode(error)
  return code === null || !(error instanceof Error) ? error : new D1Error(`${error.message}: ${code}`, error)
}

const MAX_PARAMETERS = 100

function toSqlValue(value: unknown): SqlValue {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value
  if (typeof value === 'boolean') return Number(value)
  if (value instanceof ArrayBuffer) return new Uint8Array(value)
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
  if (Array.isArray(value)) return Uint8Array.from(value)
  throw new TypeError(`D1_TYPE_ERROR: Type '${typeof value}' not supported for value '${String(value)}'`)
}

/** JavaScript's numbers for all integers, and lists of numbers for blobs. */
function toD1Value(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  return value instanceof Uint8Array ? Array.from(value) : value
}

const isRead = (sql: string): boolean => /^\s*(?:SELECT|EXPLAIN|VALUES)\b/i.test(sql)

const isOutOfRange = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_OUT_OF_RANGE'

interface Meta {
  readonly served_by: string
  readonly duration: number
  readonly changes: number
  readonly last_row_id: number
  readonly changed_db: boolean
  readonly size_after: number
  readonly rows_read: number
  readonly rows_written: number
}

interface Outcome {
  readonly rows: Row[]
  readonly meta: Meta & Record<string, unknown>
}

interface Result<T> {
  readonly success: true
  readonly results: T[]
  readonly meta: Outcome['meta']
}

class SqliteStatement {
  readonly #file: SqliteFile
  readonly #sql: string
  readonly #values: readonly SqlValue[]

  constructor(file: SqliteFile, sql: string, values: readonly SqlValue[] = []) {
    this.#file = file
    this.#sql = sql
    this.#values = values
  }

  get isRead(): boolean {
    return isRead(this.#sql)
  }

  bind(...values: unknown[]): SqliteStatement {
    if (values.length > MAX_PARAMETERS) throw new D1Error('too many SQL variables: SQLITE_ERROR', null)
    return new SqliteStatement(this.#file, this.#sql, values.map(toSqlValue))
  }

  first<T = unknown>(column: string): Promise<T | null>
  first<T = Row>(): Promise<T | null>
  async first(column?: string): Promise<unknown> {
    const { rows } = await this.execute()
    const [row] = rows
    if (row === undefined) return null
    if (column === undefined) return row
    if (!Object.hasOwn(row, column)) throw new D1Error(`Column not found (${column})`, null)
    return row[column]
  }

  async all<T = Row>(): Promise<Result<T>> {
    return toResult<T>(await this.execute())
  }

  run<T = Row>(): Promise<Result<T>> {
    return this.all<T>()
  }

  raw<T = unknown[]>(options: { columnNames: true }): Promise<[string[], ...T[]]>
  raw<T = unknown[]>(options?: { columnNames?: false }): Promise<T[]>
  async raw({ columnNames = false }: { columnNames?: boolean } = {}): Promise<unknown[]> {
    const names = this.#prepare()
      .columns()
      .map(({ name }) => name)
    const { rows } = await this.execute()
    const lists = rows.map((row) => names.map((name) => row[name]))
    return columnNames ? [names, ...lists] : lists
  }

  /** Runs in a transaction of its own. @throws as D1 does. */
  async execute(): Promise<Outcome> {
    try {
      return this.isRead ? this.runNow() : await this.#file.write(() => this.runNow())
    } catch (error) {
      throw toD1Error(error)
    }
  }

  /** Runs in the transaction that there is. */
  runNow(): Outcome {
    const startedAt = performance.now()
    const { isRead } = this
    const rows = isRead ? this.#read() : this.#runOnce()
    const counts = isRead ? { changes: 0, id: 0 } : this.#count()
    const duration = performance.now() - startedAt
    const { changes } = counts
    return {
      rows,
      meta: {
        served_by: 'regent',
        duration,
        changes,
        last_row_id: counts.id,
        changed_db: changes > 0,
        size_after: 0,
        rows_read: rows.length,
        rows_written: changes,
      },
    }
  }

  #prepare() {
    return this.#file.prepare(this.#sql)
  }

  #read(): Row[] {
    const statement = this.#prepare()
    try {
      return this.#convert(statement.all(...this.#values))
    } catch (error) {
      if (!isOutOfRange(error)) throw error
      return this.#runOnce()
    }
  }

  /** Reads integers as what holds any of them: a change can't be repeated because a number is too big. */
  #runOnce(): Row[] {
    const statement = this.#prepare()
    statement.setReadBigInts(true)
    try {
      return this.#convert(statement.all(...this.#values))
    } finally {
      statement.setReadBigInts(false)
    }
  }

  #convert(rows: Row[]): Row[] {
    for (const row of rows) {
      for (const name in row) {
        const value = row[name]
        if (typeof value === 'object' || typeof value === 'bigint') row[name] = toD1Value(value)
      }
    }
    return rows
  }

  #count(): { changes: number; id: number } {
    const row = this.#file.prepare('SELECT changes() AS changes, last_insert_rowid() AS id').get()
    return { changes: Number(row?.changes), id: Number(row?.id) }
  }
}

const toResult = <T>({ rows, meta }: Outcome): Result<T> => ({
  success: true,
  results: rows as T[],
  meta,
})

/** Fits `D1Database`, whose type only the app's own configuration of the compiler has. */
export class SqliteDatabase {
  readonly #file: SqliteFile

  constructor(file: SqliteFile) {
    this.#file = file
  }

  prepare(sql: string): SqliteStatement {
    return new SqliteStatement(this.#file, sql)
  }

  /** Runs all of them in one transaction, or none. */
  async batch<T = unknown>(statements: readonly object[]): Promise<Result<T>[]> {
    const own = statements.map((statement) => {
      if (statement instanceof SqliteStatement) return statement
      throw new TypeError('This statement is of another database')
    })
    const runAll = () => own.map((statement) => toResult<T>(statement.runNow()))
    try {
      const isRead = own.every((statement) => statement.isRead)
      return isRead ? this.#file.read(runAll) : await this.#file.write(runAll)
    } catch (error) {
      throw toD1Error(error)
    }
  }

  async exec(sql: string): Promise<{ count: number; duration: number }> {
    const startedAt = performance.now()
    try {
      await this.#file.write(() => this.#file.exec(sql))
    } catch (error) {
      throw toD1Error(error)
    }
    const count = sql.split('\n').filter((line) => line.trim() !== '').length
    return { count, duration: performance.now() - startedAt }
  }

  /** There is one copy, which is never behind itself. So nobody needs a bookmark. */
  withSession() {
    return {
      prepare: (sql: string) => this.prepare(sql),
      batch: <T>(statements: readonly object[]) => this.batch<T>(statements),
      getBookmark: () => null,
    }
  }

  dump(): Promise<ArrayBuffer> {
    throw new D1Error('dump() is deprecated, and not supported', null)
  }
}
