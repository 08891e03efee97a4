import type { Instant } from '../../src/shared/instant.ts'
import { splitBySize } from '../../src/shared/split-by-size.ts'
import type { Statement } from '../../src/shared/statement.ts'
import { CommandError } from './command-error.ts'

/*
 * The parts of D1 and KV that backups and other commands use. They run in Node, and in the tests in the Worker's runtime:
 * these types fit the bindings of both.
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
  readonly putAt: Instant
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
  get(keys: string[], type: 'text'): Promise<Map<string, string | null>>
  put(key: string, value: ArrayBuffer | string, options?: PutOptions): Promise<void>
  delete(key: string): Promise<void>
  list(options: { prefix: string; cursor: string | null }): Promise<KeyPage>
}

export interface Bindings {
  readonly DB: SqlDatabase
  readonly CONTENTS: ContentNamespace
}

/** What a backup needs. */
export interface ReadableStorage {
  readonly DB: SqlDatabase
  readonly CONTENTS: Pick<ContentNamespace, 'get'>
}

const ATTEMPTS = 3
/** A local database is busy while another process writes to it, for longer than a connection is lost. */
const BUSY_ATTEMPTS = 7
const PAUSE_MS = 500

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const isBusy = (error: unknown): boolean => /SQLITE_BUSY|SQLITE_LOCKED|database is locked/.test(String(error))

/** Runs an idempotent call again if it fails. @throws CommandError, or the last error. */
export async function retry<T>(call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call()
    } catch (error) {
      const busy = isBusy(error)
      if (attempt >= (busy ? BUSY_ATTEMPTS : ATTEMPTS)) {
        if (!busy) throw error
        throw new CommandError(
          'The database is busy: another process keeps it. Try again, or stop that process.',
        )
      }
      // Any other error in SQL stays one.
      if (!busy && String(error).includes('SQLITE_')) throw error
      await pause(attempt * PAUSE_MS)
    }
  }
}

/** The largest bulk read. KV allows 100 keys, and 25 MB of JSON, where a character can take six bytes. */
const BULK_KEYS = 100
const BULK_BYTES = 2 * 1024 * 1024
const PARALLEL_READS = 6

export interface ContentReference {
  readonly key: string
  /** The size that the row records. For an encrypted document, it is the size before encryption. */
  readonly bytes: number
  readonly encrypted: boolean
}

/** Reads small ones in bulk. What KV doesn't have isn't in the result. */
export async function readContents(
  contents: ReadableStorage['CONTENTS'],
  references: readonly ContentReference[],
): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  const found = new Map<string, Uint8Array<ArrayBuffer>>()
  const single: ContentReference[] = references.filter(({ bytes }) => bytes > BULK_BYTES)
  const small = references.filter(({ bytes }) => bytes <= BULK_BYTES)
  const groups = splitBySize(small, ({ bytes }) => bytes, { maxItems: BULK_KEYS, maxBytes: BULK_BYTES })
  const encoder = new TextEncoder()
  await forEachParallel(groups, PARALLEL_READS, async (group) => {
    const texts = await retry(() =>
      contents.get(
        group.map(({ key }) => key),
        'text',
      ),
    )
    for (const reference of group) {
      const text = texts.get(reference.key) ?? null
      const bytes = text === null ? null : new Uint8Array(encoder.encode(text))
      // A bulk read drops a byte order mark, and may have missed what a read of its own finds.
      if (bytes === null || (!reference.encrypted && bytes.length !== reference.bytes)) single.push(reference)
      else found.set(reference.key, bytes)
    }
  })
  await forEachParallel(single, PARALLEL_READS, async ({ key }) => {
    const content = await retry(() => contents.get(key, 'arrayBuffer'))
    if (content) found.set(key, new Uint8Array(content))
  })
  return found
}

export async function queryRows<Row>(db: SqlDatabase, sql: string, ...values: SqlValue[]): Promise<Row[]> {
  const statement = db.prepare(sql)
  const { results } = await retry(() =>
    (values.length > 0 ? statement.bind(...values) : statement).all<Row>(),
  )
  return results
}

/** Runs statements as one transaction. They may run twice. */
export const runStatements = (db: SqlDatabase, statements: readonly Statement[]) =>
  retry(() => db.batch(statements.map(([sql, ...values]) => db.prepare(sql).bind(...values))))

export async function* listContent(contents: ContentNamespace): AsyncGenerator<readonly ListedKey[]> {
  let cursor: string | null = null
  do {
    const from: string | null = cursor
    const page: KeyPage = await retry(() => contents.list({ prefix: 'content/', cursor: from }))
    yield page.keys
    cursor = page.list_complete ? null : page.cursor
  } while (cursor !== null)
}

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
