import { getSqliteCode, type Row, type SqliteFile } from './sqlite.ts'

/**
 * Stands in for KV, over a file of SQLite, which holds the content of documents. A value is stored in parts, so that a
 * stream never holds more of it than one.
 */

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS entries (
    -- An id never comes back, so that a stream can tell that its entry is gone.
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    -- JSON.
    metadata TEXT,
    -- Seconds since 1970. Null: never.
    expires_at INTEGER
  ) STRICT;
  CREATE INDEX IF NOT EXISTS entries_by_expiry ON entries (expires_at) WHERE expires_at IS NOT NULL;
  CREATE TABLE IF NOT EXISTS parts (
    entry_id INTEGER NOT NULL REFERENCES entries (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    PRIMARY KEY (entry_id, number)
  ) STRICT, WITHOUT ROWID;
`

const PART_BYTES = 256 * 1024

/** Deleting as much takes 50 to 100 ms. */
const MAX_DELETED_BYTES = 10 * 1024 * 1024

/** KV's own limits. */
const MAX_VALUE_BYTES = 25 * 1024 * 1024
const MAX_NAME_BYTES = 512
const MAX_METADATA_BYTES = 1024
const MIN_TTL_SECONDS = 60
const MAX_LISTED = 1000

const fail = (operation: string, text: string): never => {
  throw new Error(`KV ${operation} failed: ${text}`)
}

function checkName(operation: string, name: string): void {
  if (name === '') throw new TypeError('Key name cannot be empty.')
  if (name === '.' || name === '..') throw new TypeError(`"${name}" is not allowed as a key name.`)
  const bytes = Buffer.byteLength(name)
  if (bytes > MAX_NAME_BYTES)
    fail(operation, `414 UTF-8 encoded length of ${bytes} exceeds key length limit of ${MAX_NAME_BYTES}.`)
}

type Value = string | ArrayBuffer | ArrayBufferView | ReadableStream

async function toBytes(value: Value): Promise<Uint8Array> {
  if (typeof value === 'string') return Buffer.from(value)
  if (value instanceof ArrayBuffer) return new Uint8Array(value)
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
  const chunks: Uint8Array[] = []
  for await (const chunk of value) chunks.push(chunk)
  return Buffer.concat(chunks)
}

interface PutOptions {
  readonly expiration?: number
  readonly expirationTtl?: number
  readonly metadata?: unknown
}

/** Returns seconds since 1970, or null for never. */
function getExpiry({ expiration, expirationTtl }: PutOptions): number | null {
  const now = Math.floor(Date.now() / 1_000)
  if (expirationTtl !== undefined) {
    if (!Number.isInteger(expirationTtl) || expirationTtl <= 0)
      fail('PUT', `400 Invalid expiration_ttl of ${expirationTtl}. Please specify integer greater than 0.`)
    if (expirationTtl < MIN_TTL_SECONDS)
      fail(
        'PUT',
        `400 Invalid expiration_ttl of ${expirationTtl}. Expiration TTL must be at least ${MIN_TTL_SECONDS}.`,
      )
    return now + expirationTtl
  }
  if (expiration === undefined) return null
  if (!Number.isInteger(expiration) || expiration <= now)
    fail(
      'PUT',
      `400 Invalid expiration of ${expiration}. Please specify integer greater than the current number of seconds since the UNIX epoch.`,
    )
  if (expiration < now + MIN_TTL_SECONDS)
    fail(
      'PUT',
      `400 Invalid expiration of ${expiration}. Expiration times must be at least ${MIN_TTL_SECONDS} seconds in the future.`,
    )
  return expiration
}

type ReadType = 'text' | 'json' | 'arrayBuffer' | 'stream'
type ReadOptions = ReadType | { readonly type?: ReadType; readonly cacheTtl?: number } | undefined

const getType = (options: ReadOptions): ReadType =>
  typeof options === 'string' ? options : (options?.type ?? 'text')

interface ListOptions {
  readonly prefix?: string | null
  readonly cursor?: string | null
  readonly limit?: number
}

interface Entry {
  readonly id: number
  readonly name: string
}

interface Found extends Entry {
  readonly metadata: unknown
}

const NOT_EXPIRED = '(expires_at IS NULL OR expires_at > ?2)'

const nowInSeconds = () => Math.floor(Date.now() / 1_000)

export class SqliteNamespace<Metadata = unknown> {
  readonly #file: SqliteFile

  constructor(file: SqliteFile) {
    this.#file = file
    file.exec(SCHEMA)
  }

  get(name: string, options: 'arrayBuffer'): Promise<ArrayBuffer | null>
  get(names: readonly string[], options: 'text'): Promise<Map<string, string | null>>
  get(names: string | readonly string[], options?: ReadOptions): Promise<unknown>
  async get(names: string | readonly string[], options?: ReadOptions): Promise<unknown> {
    const { value } = await this.#getAll(names, options, ({ value }) => value)
    return value
  }

  async getWithMetadata(names: string | readonly string[], options?: ReadOptions): Promise<unknown> {
    const { value } = await this.#getAll(names, options, (found) => ({ ...found, cacheStatus: null }))
    return value
  }

  async put(name: string, value: Value, options: PutOptions = {}): Promise<void> {
    checkName('PUT', name)
    const expiresAt = getExpiry(options)
    const metadata = options.metadata == null ? null : JSON.stringify(options.metadata)
    const metadataBytes = Buffer.byteLength(metadata ?? '')
    if (metadataBytes > MAX_METADATA_BYTES)
      fail('PUT', `413 Metadata length of ${metadataBytes} exceeds limit of ${MAX_METADATA_BYTES}.`)
    const bytes = await toBytes(value)
    if (bytes.byteLength > MAX_VALUE_BYTES)
      fail('PUT', `413 Value length of ${bytes.byteLength} exceeds limit of ${MAX_VALUE_BYTES}.`)
    await this.#write('PUT', () => {
      this.#file.prepare('DELETE FROM entries WHERE name = ?1').run(name)
      const { lastInsertRowid: id } = this.#file
        .prepare('INSERT INTO entries (name, metadata, expires_at) VALUES (?1, ?2, ?3)')
        .run(name, metadata, expiresAt)
      const insert = this.#file.prepare('INSERT INTO parts (entry_id, number, bytes) VALUES (?1, ?2, ?3)')
      for (let start = 0, number = 0; start < bytes.byteLength; start += PART_BYTES, number += 1)
        insert.run(id, number, bytes.subarray(start, start + PART_BYTES))
    })
  }

  async delete(name: string): Promise<void> {
    checkName('DELETE', name)
    await this.#write('DELETE', () => this.#file.prepare('DELETE FROM entries WHERE name = ?1').run(name))
  }

  async list({ prefix, cursor, limit = MAX_LISTED }: ListOptions = {}) {
    if (!Number.isInteger(limit) || limit < 1)
      fail('GET', `400 Invalid key_count_limit of ${limit}. Please specify an integer greater than 0.`)
    const count = Math.min(limit, MAX_LISTED)
    const after = cursor ? Buffer.from(cursor, 'base64').toString() : ''
    const start = prefix ?? ''
    // SQLite compares texts by their bytes, as KV does. No text comes after this one with the same start.
    const rows = this.#file
      .prepare(
        `SELECT name, metadata, expires_at FROM entries
          WHERE name > ?1 AND ${NOT_EXPIRED} AND name >= ?3 AND name < ?3 || char(1114111)
          ORDER BY name LIMIT ?4`,
      )
      .all(after, nowInSeconds(), start, count + 1)
    const keys = rows.slice(0, count).map((row) => ({
      name: String(row.name),
      ...(row.expires_at !== null && { expiration: Number(row.expires_at) }),
      ...(row.metadata !== null && { metadata: parseMetadata(row) as Metadata }),
    }))
    const last = rows.length > count ? keys.at(-1) : undefined
    return last === undefined
      ? { keys, list_complete: true as const, cacheStatus: null }
      : {
          keys,
          list_complete: false as const,
          cursor: Buffer.from(last.name).toString('base64'),
          cacheStatus: null,
        }
  }

  /**
   * Frees what has expired. Reads leave it out anyway. Deletes at most `limit` entries and 10 MiB, or one larger entry,
   * because no request is answered meanwhile. Returns how many entries it deleted.
   */
  async deleteExpired(limit: number): Promise<number> {
    return this.#file.write(() => {
      const expired = this.#file.prepare(
        `SELECT id, (SELECT sum(length(bytes)) FROM parts WHERE entry_id = id) AS bytes FROM entries
          WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ?2`,
      )
      const ids: number[] = []
      let bytes = 0
      for (const row of expired.iterate(nowInSeconds(), limit)) {
        bytes += Number(row.bytes)
        if (ids.length > 0 && bytes > MAX_DELETED_BYTES) break
        ids.push(Number(row.id))
      }
      const remove = this.#file.prepare('DELETE FROM entries WHERE id = ?1')
      for (const id of ids) remove.run(id)
      return ids.length
    })
  }

  /** Gives space that nothing uses back to the disk: at most this many pages. */
  async shrink(maxPages: number): Promise<void> {
    await this.#file.write(() => this.#file.exec(`PRAGMA incremental_vacuum(${maxPages})`))
  }

  /** Errors name SQLite's code, as those of the database do: the app reads when to try again. */
  async #write(operation: string, work: () => void): Promise<void> {
    try {
      await this.#file.write(work)
    } catch (error) {
      const code = getSqliteCode(error)
      throw code === null || !(error instanceof Error)
        ? error
        : new Error(`KV ${operation} failed: ${error.message}: ${code}`, { cause: error })
    }
  }

  async #getAll<T>(
    names: string | readonly string[],
    options: ReadOptions,
    pick: (found: { value: unknown; metadata: unknown }) => T,
  ): Promise<{ value: T | Map<string, T> }> {
    const type = getType(options)
    if (typeof names === 'string') return { value: pick(this.#read(names, type)) }
    if (type !== 'text' && type !== 'json') fail('GET_BULK', `400 "${type}" is not a valid type.`)
    return { value: new Map(names.map((name) => [name, pick(this.#read(name, type))])) }
  }

  #read(name: string, type: ReadType): { value: unknown; metadata: unknown } {
    checkName('GET', name)
    return this.#file.read(() => {
      const found = this.#find(name)
      if (found === null) return { value: null, metadata: null }
      return { value: this.#readValue(found, type), metadata: found.metadata }
    })
  }

  #find(name: string): Found | null {
    const row = this.#file
      .prepare(`SELECT id, metadata FROM entries WHERE name = ?1 AND ${NOT_EXPIRED}`)
      .get(name, nowInSeconds())
    return row === undefined ? null : { id: Number(row.id), name, metadata: parseMetadata(row) }
  }

  #readValue(entry: Entry, type: ReadType): unknown {
    if (type === 'stream') return this.#stream(entry)
    const rows = this.#file
      .prepare('SELECT bytes FROM parts WHERE entry_id = ?1 ORDER BY number')
      .all(entry.id)
    const parts = rows.map(({ bytes }) => bytes as Uint8Array<ArrayBuffer>)
    if (type === 'arrayBuffer') {
      const [part] = parts
      return parts.length === 1 && part ? part.buffer : join(parts).buffer
    }
    const text = join(parts).toString('utf8')
    return type === 'json' ? JSON.parse(text) : text
  }

  /** Checks the name, too: in a file that an earlier version made, another entry can get the id. */
  #findPart({ id, name }: Entry, number: number): Uint8Array<ArrayBuffer> | null {
    const row = this.#file
      .prepare(
        `SELECT bytes FROM parts WHERE entry_id = ?1 AND number = ?2
          AND EXISTS (SELECT 1 FROM entries WHERE id = ?1 AND name = ?3)`,
      )
      .get(id, number, name)
    return row === undefined ? null : (row.bytes as Uint8Array<ArrayBuffer>)
  }

  #stream(entry: Entry): ReadableStream<Uint8Array> {
    // Read now, so that a deletion before somebody reads doesn't remove it.
    let next = this.#findPart(entry, 0)
    let number = 0
    const last = this.#file
      .prepare('SELECT max(number) AS number FROM parts WHERE entry_id = ?1')
      .get(entry.id)
    return new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          const part = next ?? (number <= Number(last?.number ?? -1) ? this.#findPart(entry, number) : null)
          next = null
          if (part !== null) controller.enqueue(part)
          else if (number <= Number(last?.number ?? -1))
            return controller.error(new Error('KV GET failed: the value was deleted while it was read'))
          number += 1
          if (number > Number(last?.number ?? -1)) controller.close()
        },
      },
      { highWaterMark: 0 },
    )
  }
}

/** Copies bytes into memory of their own, since Node takes small buffers from one that they share. */
function join(parts: readonly Uint8Array[]): Buffer<ArrayBuffer> {
  const bytes = parts.reduce((sum, part) => sum + part.byteLength, 0)
  const joined = Buffer.from(new ArrayBuffer(bytes))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.byteLength
  }
  return joined
}

const parseMetadata = ({ metadata }: Row): unknown =>
  metadata === null || metadata === undefined ? null : JSON.parse(String(metadata))
