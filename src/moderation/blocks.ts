import { invalidBody, invalidCursor, issueAt } from '../errors.ts'
import type { Database } from '../platform/database.ts'
import { BLOCK_FORMATS, type BlockKind, isBlockKind } from './block-rules.ts'
import { addBlockStatements, type NewBlock, removeBlockStatements } from './block-statements.ts'
import type { Page } from './cursor.ts'

/** A rule of the block lists. */
export interface Block {
  readonly kind: BlockKind
  readonly value: string
  readonly reason: string
  /** The moderator's username, or "operator" for the command line. */
  readonly createdBy: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
}

/**
 * Blocks an address range, a content or a domain. Creates and edits that it matches are refused from now on. Blocking it
 * again changes nothing.
 *
 * @throws AppError `bad_request` at `value` if it isn't valid.
 */
export async function addBlock(db: Database, block: NewBlock): Promise<void> {
  const statements = addBlockStatements(block)
  if (statements === null) throw invalidBody(issueAt(['value'], `Must be ${BLOCK_FORMATS[block.kind]}`))
  await db.idempotentBatch(statements)
}

/** Lifts a block. Lifting one that doesn't exist isn't an error. */
export async function removeBlock(db: Database, block: Omit<NewBlock, 'reason'>): Promise<void> {
  await db.idempotentBatch(removeBlockStatements(block))
}

/** Before the first block: no kind sorts after this one. */
const START = { at: Number.MAX_SAFE_INTEGER, kind: '~', value: '' }

function parsePosition(cursor: string | undefined) {
  if (cursor === undefined) return START
  const [, at, kind = '', value = ''] = /^(\d{1,15})-([a-z]+)-(.+)$/.exec(cursor) ?? []
  if (at === undefined || !isBlockKind(kind)) throw invalidCursor()
  return { at: Number(at), kind, value }
}

/**
 * Returns one page of the blocks, newest first. One query.
 *
 * @throws AppError `bad_request` for an invalid cursor.
 */
export async function listBlocks(
  db: Database,
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<Page<Block>> {
  const { at, kind, value } = parsePosition(cursor)
  const found = await db.all<Block>([
    `SELECT kind, value, reason, created_by AS createdBy, created_at AS createdAt FROM blocks
      WHERE (created_at, kind, value) < (?1, ?2, ?3)
      ORDER BY created_at DESC, kind DESC, value DESC LIMIT ?4`,
    at,
    kind,
    value,
    limit + 1,
  ])
  const items = found.slice(0, limit)
  const last = items.at(-1)
  const hasMore = found.length > limit && last !== undefined
  return { items, cursor: hasMore ? `${last.createdAt}-${last.kind}-${last.value}` : null }
}
