import { auditStatement } from '../platform/audit-log.ts'
import type { Statement } from '../platform/statement.ts'
import { type BlockKind, parseBlockRule } from './block-rules.ts'

export interface NewBlock {
  readonly kind: BlockKind
  /** As a person wrote it. */
  readonly value: string
  readonly reason: string
  /** The moderator's username, or "operator" for the command line. */
  readonly by: string
  /** Milliseconds since 1970. */
  readonly now: number
}

interface Recorded {
  /** Who the audit log names, if not `by`. */
  readonly actor?: string
}

/**
 * Returns the statements that block something, and record it. If it's blocked already, the first reason stays. Both the
 * site and the command line use them.
 *
 * @returns null if the value isn't valid.
 */
export function addBlockStatements({
  kind,
  value: text,
  reason,
  by,
  now,
  actor = by,
}: NewBlock & Recorded): readonly Statement[] | null {
  const rule = parseBlockRule(kind, text)
  if (rule === null) return null
  const { value, range } = rule
  return [
    [
      `INSERT OR IGNORE INTO blocks (kind, value, first_address, last_address, reason, created_by, created_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)`,
      kind,
      value,
      range?.first ?? null,
      range?.last ?? null,
      reason,
      by,
      now,
    ],
    auditStatement({ actor, action: 'block.add', subject: `${kind} ${value}`, detail: reason, now }),
  ]
}

/** Returns the statements that lift a block, and record it. */
export const removeBlockStatements = ({
  kind,
  value,
  by,
  now,
  actor = by,
}: Omit<NewBlock, 'reason'> & Recorded): readonly Statement[] => [
  ['DELETE FROM blocks WHERE kind = ?1 AND value = ?2', kind, value],
  auditStatement({ actor, action: 'block.remove', subject: `${kind} ${value}`, now }),
]
