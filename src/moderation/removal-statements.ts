import { parseAddressRange } from '../platform/addresses.ts'
import { auditStatement } from '../platform/audit-log.ts'
import type { Instant } from '../shared/instant.ts'
import type { SqlParameter, Statement } from '../shared/statement.ts'
import { keepContentStatement, keepStatement } from './undo-statements.ts'

export const MAX_REASON_CHARACTERS = 500

/** Shorter texts aren't blocked along with an account or an address: anyone could write them. */
const MIN_BLOCKED_BYTES = 32

export interface RemoveAllOptions {
  readonly by: string
  readonly reason: string
  readonly now: Instant
  readonly deadline: Instant
  /** If true, nobody may share the same content again. Encrypted content can't be recognized. */
  readonly blockContent?: boolean
  /** The hash of the content, for documents that were stored without one. */
  readonly contentHash?: string | null
  readonly minBlockedBytes?: number
  readonly withExpired?: boolean
  /** How long the documents can be restored, in milliseconds; 0 if they can't be. */
  readonly keepMs: number
}

/** The rows that the statement `remove` returns. */
export interface RemovedRow {
  readonly content_key: string
  /** 1 if the content stays, because the document can be restored. */
  readonly kept: number
}

/** Running them again does nothing. The fourth one returns a `RemovedRow` for each document. */
export function removeAllStatements(
  ids: readonly string[],
  {
    by,
    reason,
    now,
    deadline,
    blockContent = false,
    contentHash = null,
    minBlockedBytes = MIN_BLOCKED_BYTES,
    withExpired = true,
    keepMs,
  }: RemoveAllOptions,
): readonly [
  record: Statement,
  block: Statement,
  keep: Statement,
  remove: Statement,
  keepContent: Statement,
] {
  const list = JSON.stringify(ids)
  const selected = 'id IN (SELECT value FROM json_each(?1))'
  const recorded = `id IN (SELECT document_id FROM removals
    WHERE document_id IN (SELECT value FROM json_each(?1)) AND removed_at = ?2 AND removed_by = ?3)`
  const shared: readonly SqlParameter[] = [list, now, by, reason]
  return [
    [
      // Ids of deleted documents may be reused. The record is about the last document that had the id.
      `INSERT INTO removals (document_id, creator_id, title, removed_at, removed_by, reason)
        SELECT id, creator_id, title, ?2, ?3, ?4 FROM documents
        WHERE ${selected} AND (?6 = 1 OR expires_at > ?2) AND unixepoch() * 1000 < ?5
        ON CONFLICT (document_id) DO UPDATE
          SET creator_id = excluded.creator_id, title = excluded.title, removed_at = excluded.removed_at,
            removed_by = excluded.removed_by, reason = excluded.reason`,
      ...shared,
      deadline,
      Number(withExpired),
    ],
    [
      `INSERT OR IGNORE INTO blocks (kind, value, reason, created_by, created_at)
        SELECT DISTINCT 'content', coalesce(content_hash, ?6), ?4, ?3, ?2 FROM documents
        WHERE ${recorded} AND ?5 = 1 AND coalesce(content_hash, ?6) IS NOT NULL AND content_bytes >= ?7`,
      ...shared,
      Number(blockContent),
      contentHash,
      minBlockedBytes,
    ],
    keepStatement(`${recorded} AND unixepoch() * 1000 < ?4`, [list, now, by, deadline], {
      now,
      keepMs,
      contentHash,
    }),
    [
      `DELETE FROM documents WHERE ${recorded} AND unixepoch() * 1000 < ?4
        RETURNING content_key, EXISTS (
          SELECT 1 FROM removed_documents AS kept
            WHERE kept.id = documents.id AND kept.content_key = documents.content_key) AS kept`,
      list,
      now,
      by,
      deadline,
    ],
    keepContentStatement(ids),
  ]
}

interface RemovalOptions extends Omit<RemoveAllOptions, 'minBlockedBytes' | 'withExpired'> {
  /** The name in the audit log, if that isn't `by`. */
  readonly actor?: string
}

/** Returns statements like `removeAllStatements`, for one document that hasn't expired. The command line uses them, too. */
export const removalStatements = (
  documentId: string,
  { actor, ...options }: RemovalOptions,
): readonly [
  record: Statement,
  block: Statement,
  keep: Statement,
  remove: Statement,
  keepContent: Statement,
  audit: Statement,
] => {
  const { by, reason, now } = options
  return [
    ...removeAllStatements([documentId], { ...options, minBlockedBytes: 0, withExpired: false }),
    auditStatement(
      { actor: actor ?? by, action: 'document.remove', subject: documentId, detail: reason, now },
      'EXISTS (SELECT 1 FROM removals WHERE document_id = ?5 AND removed_at = ?2)',
    ),
  ]
}

export const TARGET_KINDS = ['account', 'content', 'address'] as const

export type TargetKind = (typeof TARGET_KINDS)[number]

export const isTargetKind = (candidate: string): candidate is TargetKind =>
  TARGET_KINDS.some((kind) => kind === candidate)

export interface RemovalTarget {
  readonly kind: TargetKind
  /** A username, an address range, or the hash of a content. */
  readonly value: string
}

/** One transaction removes so many: each one fires triggers and updates indexes. */
export const DOCUMENTS_PER_STEP = 500

export function findTargetsStatement({ kind, value }: RemovalTarget, limit: number): Statement | null {
  switch (kind) {
    case 'account':
      return [
        `SELECT id FROM documents
          WHERE creator_id = (SELECT id FROM users WHERE username = ?1) LIMIT ?2`,
        value,
        limit,
      ]
    case 'address': {
      const range = parseAddressRange(value)
      return (
        range && [
          `SELECT id FROM documents INDEXED BY documents_by_address
            WHERE creator_address BETWEEN ?1 AND ?2 LIMIT ?3`,
          range.first,
          range.last,
          limit,
        ]
      )
    }
    case 'content':
      // Reads the whole table. An index would cost another row with every create, for something so rare.
      return ['SELECT id FROM documents WHERE content_hash = ?1 LIMIT ?2', value, limit]
    default:
      kind satisfies never
      return null
  }
}
