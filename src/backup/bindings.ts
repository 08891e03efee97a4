/**
 * The parts of D1 and KV that backups and recovery use. The commands run in Node and the tests in the Worker's
 * runtime: these types fit the bindings of both.
 */
export type SqlValue = string | number | null

export interface SqlStatement {
  bind(...values: SqlValue[]): SqlStatement
  all<Row>(): Promise<{ results: Row[] }>
}

export interface SqlDatabase {
  prepare(sql: string): SqlStatement
  batch<Row>(statements: SqlStatement[]): Promise<{ results: Row[] }[]>
}

/** Stored in KV beside content. */
export interface ContentMetadata {
  readonly document: string
  /** Milliseconds since 1970. */
  readonly putAt: number
}

interface PutOptions {
  metadata?: ContentMetadata
  /** Seconds since 1970. */
  expiration?: number
}

interface ListedKey {
  readonly name: string
  readonly metadata?: ContentMetadata
}

export type KeyPage =
  | { readonly list_complete: false; readonly keys: ListedKey[]; readonly cursor: string }
  | { readonly list_complete: true; readonly keys: ListedKey[] }

export interface ContentNamespace {
  get(key: string, type: 'arrayBuffer'): Promise<ArrayBuffer | null>
  put(key: string, value: ArrayBuffer | string, options?: PutOptions): Promise<void>
  delete(key: string): Promise<void>
  list(options: { prefix: string; cursor: string | null }): Promise<KeyPage>
}

/** The storage of a service. */
export interface Bindings {
  readonly DB: SqlDatabase
  readonly CONTENTS: ContentNamespace
}

const ATTEMPTS = 3
const PAUSE_MS = 500

/** Runs an idempotent storage call again if it fails. Throws the last error. */
export async function retry<T>(call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call()
    } catch (error) {
      // An error in SQL stays one.
      if (attempt === ATTEMPTS || String(error).includes('SQLITE_')) throw error
      await new Promise((resolve) => setTimeout(resolve, attempt * PAUSE_MS))
    }
  }
}

/** Returns the rows of one statement. */
export async function query<Row>(db: SqlDatabase, sql: string, ...values: SqlValue[]): Promise<Row[]> {
  const statement = db.prepare(sql)
  const { results } = await retry(() =>
    (values.length > 0 ? statement.bind(...values) : statement).all<Row>(),
  )
  return results
}

/** Lists all content in KV, page by page. */
export async function* listContent(contents: ContentNamespace): AsyncGenerator<readonly ListedKey[]> {
  let cursor: string | null = null
  do {
    const from: string | null = cursor
    const page: KeyPage = await retry(() => contents.list({ prefix: 'content/', cursor: from }))
    yield page.keys
    cursor = page.list_complete ? null : page.cursor
  } while (cursor !== null)
}

/** Calls `work` for each item, for at most `limit` items at the same time. */
export async function forEachParallel<Item>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = items.values()
  await Promise.all(
    Array.from({ length: Math.min(limit, items.length) }, async () => {
      for (const item of rest) await work(item)
    }),
  )
}
