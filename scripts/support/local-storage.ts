import { createHash, createHmac } from 'node:crypto'
import { access, readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Target, withBindings } from './bindings.ts'
import { getLocalIds, readConfig } from './config.ts'
import { DATABASES, DEFAULT_FOLDER, NAMESPACES } from './data-folder.ts'
import { CommandError } from './script.ts'
import type { ReadableStorage, SqlDatabase, SqlStatement, SqlValue } from './storage.ts'

/** How long a write waits for another process. Reads don't wait. */
const BUSY_TIMEOUT_MS = 10_000

/** Names the file of a database or a namespace as the simulators do. */
function getFileName(kind: string, id: string): string {
  const key = createHash('sha256').update(kind).digest()
  const hmac = (data: string | Buffer) => createHmac('sha256', key).update(data).digest().subarray(0, 16)
  const name = hmac(id)
  return `${Buffer.concat([name, hmac(name)]).toString('hex')}.sqlite`
}

class LocalStatement implements SqlStatement {
  readonly #run: (values: readonly SqlValue[]) => unknown[]
  readonly #values: readonly SqlValue[]

  constructor(run: (values: readonly SqlValue[]) => unknown[], values: readonly SqlValue[] = []) {
    this.#run = run
    this.#values = values
  }

  bind(...values: SqlValue[]): LocalStatement {
    return new LocalStatement(this.#run, values)
  }

  async all<Row>(): Promise<{ results: Row[] }> {
    return { results: this.#run(this.#values) as Row[] }
  }
}

function openDatabase(db: DatabaseSync): SqlDatabase {
  const runAll = async <Row>(statements: readonly SqlStatement[]) => {
    const results: { results: Row[] }[] = []
    for (const statement of statements) results.push(await statement.all<Row>())
    return results
  }
  return {
    prepare: (sql) => new LocalStatement((values) => db.prepare(sql).all(...values)),
    batch: async <Row>(statements: SqlStatement[]) => {
      db.exec('BEGIN IMMEDIATE')
      try {
        const results = await runAll<Row>(statements)
        db.exec('COMMIT')
        return results
      } catch (error) {
        db.exec('ROLLBACK')
        throw error
      }
    },
  }
}

interface StoredEntry {
  readonly blob: string
  readonly expiration: number | null
}

/** The simulator keeps each content in a file, and deletes the file when the content is deleted. */
function openContents(db: DatabaseSync | null, blobs: string): ReadableStorage['CONTENTS'] {
  const read = async (key: string): Promise<Buffer | null> => {
    const entry = db?.prepare('SELECT blob_id AS blob, expiration FROM _mf_entries WHERE key = ?').get(key) as
      | StoredEntry
      | undefined
    if (entry === undefined || (entry.expiration !== null && entry.expiration <= Date.now())) return null
    return readFile(join(blobs, entry.blob)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    })
  }
  function get(key: string, type: 'arrayBuffer'): Promise<ArrayBuffer | null>
  function get(keys: string[], type: 'text'): Promise<Map<string, string | null>>
  async function get(keys: string | string[]): Promise<ArrayBuffer | null | Map<string, string | null>> {
    if (typeof keys === 'string') {
      const bytes = await read(keys)
      return bytes && new Uint8Array(bytes).buffer
    }
    const texts = new Map<string, string | null>()
    for (const key of keys) texts.set(key, (await read(key))?.toString('utf8') ?? null)
    return texts
  }
  return { get }
}

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

/**
 * Opens the storage of a service for reading, and for single writes to the database. The files of a local service are read
 * directly, beside a server that writes to them: SQLite gives each statement the state at its start, without waiting.
 * Through the simulators, which write when they open a database, it would fail while the server is busy.
 */
export async function withReadableStorage<T>(
  target: Target,
  work: (storage: ReadableStorage) => Promise<T>,
): Promise<T> {
  if (target.remote || target.data !== undefined) return withBindings(target, work)
  const folder = resolve(target.persistTo ?? DEFAULT_FOLDER)
  const ids = getLocalIds(readConfig())
  const getPath = (parent: string, id: string) => join(folder, parent, getFileName(basename(parent), id))
  const database = getPath(DATABASES, ids.DB)
  const namespace = getPath(NAMESPACES, ids.CONTENTS)
  if (!(await isThere(database))) {
    throw new CommandError(`There is no service in ${folder}. Check --persist-to, or start one: npm run dev`)
  }
  const options = { timeout: BUSY_TIMEOUT_MS }
  using db = new DatabaseSync(database, options)
  // The simulator creates it with the first content.
  using entries = (await isThere(namespace)) ? new DatabaseSync(namespace, options) : null
  return await work({
    DB: openDatabase(db),
    CONTENTS: openContents(entries, join(folder, 'v3/kv', ids.CONTENTS, 'blobs')),
  })
}
