import { normalizeDomain } from '../documents/link-domains.lazy.ts'
import { parseAddressRange } from '../platform/addresses.ts'
import { auditStatement } from '../platform/audit-log.ts'
import { encodeBase64Url } from '../shared/hashing.ts'
import type { Instant } from '../shared/instant.ts'
import type { Statement } from '../shared/statement.ts'

export const BLOCK_FORMATS = {
  address: 'an address or a range such as 192.0.2.0/24 or 2001:db8::/32',
  content: 'the SHA-256 of a text, base64url or hexadecimal',
  domain: 'a domain such as example.org',
} as const

export type BlockKind = keyof typeof BLOCK_FORMATS

export const isBlockKind = (candidate: string): candidate is BlockKind =>
  Object.hasOwn(BLOCK_FORMATS, candidate)

/** Base64url without padding, 32 bytes. */
const CONTENT_HASH = /^[\w-]{43}$/
const HEX_HASH = /^[0-9a-f]{64}$/i

/** Accepts what `sha256sum` prints, too. */
function parseContentHash(text: string): string | null {
  if (CONTENT_HASH.test(text)) return text
  if (!HEX_HASH.test(text)) return null
  return encodeBase64Url(Uint8Array.from(text.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16)))
}

/** People copy links. The path says nothing about the domain. */
function parseDomain(text: string): string | null {
  const host = text
    .replace(/^https?:\/\//i, '')
    .replace(/^\*\./, '')
    .replace(/\/$/, '')
  return /[\s/?#@:]/.test(host) ? null : normalizeDomain(host)
}

/** Returns the value of the block, and the first and the last address of a range. */
export function parseBlockRule(kind: BlockKind, text: string) {
  const trimmed = text.trim()
  if (kind === 'address') return parseAddressRange(trimmed)
  const value = { content: parseContentHash, domain: parseDomain }[kind](trimmed)
  return value === null ? null : { value, first: null, last: null }
}

export interface NewBlock {
  readonly kind: BlockKind
  readonly value: string
  readonly reason: string
  /** The moderator's username, or "operator" for the command line. */
  readonly by: string
  readonly now: Instant
}

interface Recorded {
  /** The name in the audit log, if that isn't `by`. */
  readonly actor?: string
}

/**
 * Returns statements that block a value, or null if it isn't valid. If it's blocked already, the first reason stays.
 * The command line uses them, too.
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
  const { value, first, last } = rule
  return [
    [
      `INSERT OR IGNORE INTO blocks (kind, value, first_address, last_address, reason, created_by, created_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)`,
      kind,
      value,
      first,
      last,
      reason,
      by,
      now,
    ],
    auditStatement({ actor, action: 'block.add', subject: `${kind} ${value}`, detail: reason, now }),
  ]
}

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
