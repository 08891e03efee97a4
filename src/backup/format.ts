import type { Instant } from '../shared/instant.ts'
import type { SqlValue } from './bindings.ts'
import type { BackupKind, Reference } from './tables.ts'

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
  readonly started_at: Instant
  /** Whether documents that burn after reading are in the backup. */
  readonly burn_after_reading: boolean
  readonly tables: Readonly<Record<string, readonly string[]>>
  /** By table. Files of earlier releases don't say. */
  readonly references?: Readonly<Record<string, readonly Reference[]>>
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
  readonly until: Instant
  readonly bytes: number
  readonly sha256: string
}

/** Content that a row refers to and KV doesn't have. Nothing of it can be restored. */
export interface MissingRecord {
  readonly type: 'missing'
  readonly document: string
  /** The number of a revision; null for the document itself, whose revisions aren't in the file then either. */
  readonly revision: number | null
  readonly key: string
  /** The row: for a document, all that is left of it. */
  readonly values: RowValues
}

/** Ends a part. A file consists of whole parts, each compressed by itself. */
interface PartRecord {
  readonly type: 'part'
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
  /** Files of earlier releases don't say. */
  readonly missing?: MissingCounts
}

export interface MissingCounts {
  readonly documents: number
  readonly revisions: number
}

export type BackupRecord = HeaderRecord | RowRecord | ContentRecord | MissingRecord | PartRecord | EndRecord

/** The message is for people. */
export class BackupFileError extends Error {
  override readonly name = 'BackupFileError'
}

export const encoder = new TextEncoder()
export const LINE_FEED = 10

/** SHA-256 in hexadecimal. */
export async function hash(data: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = typeof data === 'string' ? encoder.encode(data) : data
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
