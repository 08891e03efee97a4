import type { Database } from '../../platform/database.ts'
import type { Account } from '../model/document.ts'

/**
 * Documents in one part. A Worker may make 1,000 storage calls in a request (50 queries on the free plan), and each
 * document takes at least one.
 */
export const MAX_PART_DOCUMENTS = 400

/** Bytes of text in one part, so that a download that breaks off doesn't have to start from nothing. */
const MAX_PART_BYTES = 200 * 1024 * 1024

/** One of the downloads that an account's documents are divided into, oldest documents first. */
export interface ExportPart {
  /** The position after which it starts; null for the first part. */
  readonly after: ExportPosition | null
  readonly documents: number
  /** Bytes of the documents' text, before encryption. */
  readonly bytes: number
}

/** A place in the order of an account's documents, by time of creation and id. */
export interface ExportPosition {
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly id: string
}

interface SizeRow {
  readonly createdAt: number
  readonly id: string
  readonly bytes: number
}

/** Divides an account's documents into parts. There is always at least one. One query. */
export async function findExportParts(db: Database, account: Account, now: number): Promise<ExportPart[]> {
  const rows = await db.all<SizeRow>([
    `SELECT created_at AS createdAt, id, content_bytes AS bytes FROM documents
      WHERE creator_id = ?1 AND expires_at > ?2 ORDER BY created_at, id`,
    account.id,
    now,
  ])
  const parts: ExportPart[] = []
  let part: ExportPart = { after: null, documents: 0, bytes: 0 }
  let last: ExportPosition | null = null
  for (const { createdAt, id, bytes } of rows) {
    if (isFull(part, bytes)) {
      parts.push(part)
      part = { after: last, documents: 0, bytes: 0 }
    }
    part = { ...part, documents: part.documents + 1, bytes: part.bytes + bytes }
    last = { createdAt, id }
  }
  return [...parts, part]
}

/** Returns true if a part can't take another document of this size. Every part takes at least one. */
export const isFull = ({ documents, bytes }: Omit<ExportPart, 'after'>, more: number): boolean =>
  documents >= MAX_PART_DOCUMENTS || (documents > 0 && bytes + more > MAX_PART_BYTES)
