import type { SqlValue } from './bindings.ts'
import type { BackupKind } from './tables.ts'

/** Increases when an older program can't read the files. */
export const FORMAT_VERSION = 1

/** A row by its columns. Bytes are written in hexadecimal. */
export type RowValues = Readonly<Record<string, SqlValue>>

export interface HeaderRecord {
  readonly type: 'backup'
  readonly version: number
  /** Random. Tells a restore which backup it has begun. */
  readonly id: string
  readonly kind: BackupKind
  /** Milliseconds since 1970. Documents created later aren't in a full backup. */
  readonly started_at: number
  /** Whether documents that burn after reading are in the backup. */
  readonly burn_after_reading: boolean
  readonly tables: Readonly<Record<string, readonly string[]>>
}

interface RowRecord {
  readonly type: 'row'
  readonly table: string
  readonly values: RowValues
}

/** Followed by the bytes themselves and a line feed. The row of its document comes next. */
export interface ContentRecord {
  readonly type: 'content'
  readonly key: string
  readonly document: string
  /** When KV deletes it, in milliseconds since 1970. */
  readonly until: number
  readonly bytes: number
  readonly sha256: string
}

/** Ends a part. A file consists of whole parts, each compressed by itself. */
interface PartRecord {
  readonly type: 'part'
  /** Counts from 1. */
  readonly number: number
  /** Of the lines of this part and the checksum of the part before, without the bytes of content. */
  readonly sha256: string
}

/** The last record but one: what the whole file holds. */
export interface EndRecord {
  readonly type: 'end'
  readonly rows: Readonly<Record<string, number>>
  readonly contents: number
  readonly content_bytes: number
}

export type BackupRecord = HeaderRecord | RowRecord | ContentRecord | PartRecord | EndRecord

/** Something is wrong with a backup file. The message is for people. */
export class BackupFileError extends Error {
  override readonly name = 'BackupFileError'
}

const encoder = new TextEncoder()
const LINE_FEED = 10

/** Returns a SHA-256 in hexadecimal. */
export async function hash(data: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = typeof data === 'string' ? encoder.encode(data) : data
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Collects the records of a part. */
export class PartWriter {
  readonly #chunks: Uint8Array[] = []
  #lines = ''
  #bytes = 0
  #rows = 0

  get bytes(): number {
    return this.#bytes
  }

  get rows(): number {
    return this.#rows
  }

  add(record: BackupRecord, content?: Uint8Array): void {
    if (record.type === 'row') this.#rows += 1
    const line = `${JSON.stringify(record)}\n`
    this.#lines += line
    this.#push(encoder.encode(line))
    if (content) {
      this.#push(content)
      this.#push(Uint8Array.of(LINE_FEED))
    }
  }

  /** Ends the part. Returns its bytes and its checksum. */
  async end(number: number, previous: string): Promise<{ chunks: readonly Uint8Array[]; sha256: string }> {
    const sha256 = await hash(previous + this.#lines)
    this.add({ type: 'part', number, sha256 })
    return { chunks: this.#chunks, sha256 }
  }

  #push(bytes: Uint8Array): void {
    this.#chunks.push(bytes)
    this.#bytes += bytes.length
  }
}

/** Reads lines and counted bytes from a stream of bytes. */
class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>
  #chunk: Uint8Array = new Uint8Array()

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** Returns the next line; null at the end of the stream. */
  async readLine(): Promise<string | null> {
    const pieces: Uint8Array[] = []
    for (;;) {
      const end = this.#chunk.indexOf(LINE_FEED)
      if (end !== -1) {
        pieces.push(this.#chunk.subarray(0, end))
        this.#chunk = this.#chunk.subarray(end + 1)
        return decodePieces(pieces)
      }
      pieces.push(this.#chunk)
      if (!(await this.#next())) {
        if (pieces.every(({ length }) => length === 0)) return null
        throw new BackupFileError('The file ends in the middle of a line.')
      }
    }
  }

  async readBytes(count: number): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = new Uint8Array(count)
    for (let filled = 0; filled < count; ) {
      if (this.#chunk.length === 0 && !(await this.#next())) {
        throw new BackupFileError('The file ends in the middle of a document.')
      }
      const piece = this.#chunk.subarray(0, count - filled)
      bytes.set(piece, filled)
      filled += piece.length
      this.#chunk = this.#chunk.subarray(piece.length)
    }
    return bytes
  }

  async #next(): Promise<boolean> {
    const { value, done } = await this.#source.next()
    this.#chunk = done ? new Uint8Array() : value
    return !done
  }
}

function decodePieces(pieces: readonly Uint8Array[]): string {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  return pieces.map((piece) => decoder.decode(piece, { stream: true })).join('') + decoder.decode()
}

function parseRecord(line: string): BackupRecord {
  try {
    return JSON.parse(line) as BackupRecord
  } catch {
    throw new BackupFileError('The file holds a line that is not JSON.')
  }
}

/** Opens a backup from its beginning and returns its decompressed bytes. */
export type OpenBackup = () => AsyncIterable<Uint8Array>

export interface ReadRecord {
  readonly record: BackupRecord
  /** The bytes of a content record. */
  readonly content: Uint8Array<ArrayBuffer> | null
}

/**
 * Reads a decompressed backup and checks every checksum. At most one document is in memory.
 *
 * @throws BackupFileError for a file that is damaged, incomplete or too new.
 */
export async function* readRecords(source: AsyncIterable<Uint8Array>): AsyncGenerator<ReadRecord> {
  const reader = new ByteReader(source)
  let lines = ''
  let [part, previous] = [0, '']
  let [begun, ended] = [false, false]
  for (;;) {
    const line = await reader.readLine()
    if (line === null) break
    const record = parseRecord(line)
    if (!begun) requireHeader(record)
    begun = true
    if (record.type === 'part') {
      part += 1
      if (record.number !== part || record.sha256 !== (await hash(previous + lines))) {
        throw new BackupFileError(`Part ${part} of the file is damaged.`)
      }
      previous = record.sha256
      lines = ''
    } else {
      lines += `${line}\n`
    }
    if (record.type === 'end') ended = true
    yield { record, content: record.type === 'content' ? await readContent(reader, record) : null }
  }
  if (!ended || lines !== '') throw new BackupFileError('The backup is incomplete.')
}

function requireHeader(record: BackupRecord): void {
  if (record.type !== 'backup') throw new BackupFileError('The file is not a backup of Regent.')
  if (record.version > FORMAT_VERSION) {
    throw new BackupFileError('The backup was made by a newer version of Regent. Upgrade first.')
  }
}

async function readContent(reader: ByteReader, record: ContentRecord): Promise<Uint8Array<ArrayBuffer>> {
  const content = await reader.readBytes(record.bytes)
  const separator = await reader.readBytes(1)
  if (separator[0] !== LINE_FEED || (await hash(content)) !== record.sha256) {
    throw new BackupFileError(`The content of document ${record.document} is damaged.`)
  }
  return content
}
