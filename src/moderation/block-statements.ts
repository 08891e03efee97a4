import { normalizeDomain } from '../documents/link-domains.ts'
import { type AddressRange, parseAddressRange } from '../platform/addresses.ts'
import { auditStatement } from '../platform/audit-log.ts'
import type { SqlParameter, Statement } from '../shared/statement.ts'

const BLOCK_KINDS = ['address', 'content', 'domain'] as const

export type BlockKind = (typeof BLOCK_KINDS)[number]

export const isBlockKind = (candidate: string): candidate is BlockKind =>
  BLOCK_KINDS.some((kind) => kind === candidate)

interface BlockRule {
  /** In the form that is stored and compared. */
  readonly value: string
  /** Null unless the rule blocks addresses. */
  readonly range: AddressRange | null
}

/** Base64url without padding, 32 bytes. */
const CONTENT_HASH = /^[\w-]{43}$/
const HEX_HASH = /^[0-9a-f]{64}$/i

/** Accepts what `sha256sum` prints, too. */
function parseContentHash(text: string): string | null {
  if (CONTENT_HASH.test(text)) return text
  if (!HEX_HASH.test(text)) return null
  const bytes = Uint8Array.from(text.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace('=', '')
}

/** Returns the rule that a person wrote, or null if it isn't one. */
export function parseBlockRule(kind: BlockKind, text: string): BlockRule | null {
  const trimmed = text.trim()
  switch (kind) {
    case 'address': {
      const range = parseAddressRange(trimmed)
      return range && { value: range.value, range }
    }
    case 'content': {
      const value = parseContentHash(trimmed)
      return value === null ? null : { value, range: null }
    }
    case 'domain': {
      // People copy links. The path says nothing about the domain.
      const host = trimmed.replace(/^https?:\/\//i, '').replace(/^\*\./, '')
      const value = /[\s/?#@:]/.test(host.replace(/\/$/, ''))
        ? null
        : normalizeDomain(host.replace(/\/$/, ''))
      return value === null ? null : { value, range: null }
    }
    default:
      kind satisfies never
      return null
  }
}

/** Says what a rule of this kind looks like, for errors. */
export const BLOCK_FORMATS: Readonly<Record<BlockKind, string>> = {
  address: 'an address or a range such as 192.0.2.0/24 or 2001:db8::/32',
  content: 'the SHA-256 of a text, base64url or hexadecimal',
  domain: 'a domain such as example.org',
}

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

export const TARGET_KINDS = ['account', 'address', 'content'] as const

export type TargetKind = (typeof TARGET_KINDS)[number]

export const isTargetKind = (candidate: string): candidate is TargetKind =>
  TARGET_KINDS.some((kind) => kind === candidate)

/** Which documents to remove. */
export interface RemovalTarget {
  readonly kind: TargetKind
  /** A username, an address range, or the hash of a content. */
  readonly value: string
}

/** Documents that are removed in one transaction. Each one fires triggers and updates indexes. */
export const DOCUMENTS_PER_STEP = 500

/** Shorter texts aren't blocked along with an account or an address: anyone could write them. */
const MIN_BLOCKED_BYTES = 32

/**
 * Returns the statement that finds the next documents to remove.
 *
 * @returns null for an address that isn't one.
 */
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

interface RemoveAllOptions {
  /** The moderator's username, or "operator" for the command line. */
  readonly by: string
  readonly reason: string
  readonly now: number
  readonly deadline: number
  /** Whether nobody may share the removed contents again. */
  readonly blockContent: boolean
}

/**
 * Returns the statements that record the removal of these documents and delete them, for one transaction. Running them
 * again does nothing. The third one returns the keys of the content.
 */
export function removeAllStatements(
  ids: readonly string[],
  { by, reason, now, deadline, blockContent }: RemoveAllOptions,
): readonly [record: Statement, block: Statement, remove: Statement] {
  const list = JSON.stringify(ids)
  const selected = 'id IN (SELECT value FROM json_each(?1))'
  const recorded = `id IN (SELECT document_id FROM removals
    WHERE document_id IN (SELECT value FROM json_each(?1)) AND removed_at = ?2 AND removed_by = ?3)`
  const shared: readonly SqlParameter[] = [list, now, by, reason]
  return [
    [
      `INSERT INTO removals (document_id, creator_id, title, removed_at, removed_by, reason)
        SELECT id, creator_id, title, ?2, ?3, ?4 FROM documents
        WHERE ${selected} AND unixepoch() * 1000 < ?5
        ON CONFLICT (document_id) DO UPDATE
          SET creator_id = excluded.creator_id, title = excluded.title, removed_at = excluded.removed_at,
            removed_by = excluded.removed_by, reason = excluded.reason`,
      ...shared,
      deadline,
    ],
    [
      `INSERT OR IGNORE INTO blocks (kind, value, reason, created_by, created_at)
        SELECT DISTINCT 'content', content_hash, ?4, ?3, ?2 FROM documents
        WHERE ${recorded} AND ?5 = 1 AND content_hash IS NOT NULL AND content_bytes >= ${MIN_BLOCKED_BYTES}`,
      ...shared,
      Number(blockContent),
    ],
    [
      `DELETE FROM documents WHERE ${recorded} AND unixepoch() * 1000 < ?4 RETURNING content_key`,
      list,
      now,
      by,
      deadline,
    ],
  ]
}
