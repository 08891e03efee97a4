import { CommandError } from '../support/command-error.ts'
import { type BackupRecord, type ContentRecord, FORMAT_VERSION, hash, LINE_FEED } from './format.ts'

class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>
  #chunk: Uint8Array = new Uint8Array()

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** Returns null at the end of the stream. */
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
        throw new CommandError('The file ends in the middle of a line.')
      }
    }
  }

  async readBytes(count: number): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = new Uint8Array(count)
    for (let filled = 0; filled < count; ) {
      if (this.#chunk.length === 0 && !(await this.#next())) {
        throw new CommandError('The file ends in the middle of a document.')
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
    throw new CommandError('The file holds a line that is not JSON.')
  }
}

export type OpenBackup = () => AsyncIterable<Uint8Array>

export interface ReadRecord {
  readonly record: BackupRecord
  readonly content: Uint8Array<ArrayBuffer> | null
}

/**
 * Reads records, with at most one document in memory.
 *
 * @throws CommandError for a file that is damaged, incomplete or too new.
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
        throw new CommandError(`Part ${part} of the file is damaged.`)
      }
      previous = record.sha256
      lines = ''
    } else {
      lines += `${line}\n`
    }
    if (record.type === 'end') ended = true
    yield { record, content: record.type === 'content' ? await readContent(reader, record) : null }
  }
  if (!ended || lines !== '') throw new CommandError('The backup is incomplete.')
}

function requireHeader(record: BackupRecord): void {
  if (record.type !== 'backup') throw new CommandError('The file is not a backup of Regent.')
  if (record.version > FORMAT_VERSION) {
    throw new CommandError('The backup was made by a newer version of Regent. Upgrade first.')
  }
}

async function readContent(reader: ByteReader, record: ContentRecord): Promise<Uint8Array<ArrayBuffer>> {
  const content = await reader.readBytes(record.bytes)
  const separator = await reader.readBytes(1)
  if (separator[0] !== LINE_FEED || (await hash(content)) !== record.sha256) {
    throw new CommandError(`The content of document ${record.document} is damaged.`)
  }
  return content
}
