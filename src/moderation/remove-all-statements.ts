import { parseAddressRange } from '../platform/addresses.ts'
import type { Statement } from '../shared/statement.ts'

export const TARGET_KINDS = ['account', 'address', 'content'] as const

export type TargetKind = (typeof TARGET_KINDS)[number]

export const isTargetKind = (candidate: string): candidate is TargetKind =>
  TARGET_KINDS.some((kind) => kind === candidate)

export interface RemovalTarget {
  readonly kind: TargetKind
  /** A username, an address range, or the hash of a content. */
  readonly value: string
}

/** In one transaction. Each one fires triggers and updates indexes. */
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
