import { invalidBody, invalidCursor, issueAt } from '../errors.ts'
import type { Database } from '../platform/database.ts'
import type { Instant } from '../shared/instant.ts'
import {
  addBlockStatements,
  BLOCK_FORMATS,
  type BlockKind,
  isBlockKind,
  type NewBlock,
  removeBlockStatements,
} from './block-statements.ts'
import { type Page, toPage } from './cursor.ts'

export interface BlockListEntry {
  readonly kind: BlockKind
  readonly value: string
  readonly reason: string
  readonly createdBy: string
  readonly createdAt: Instant
}

/** Blocking it again changes nothing. @throws AppError `bad_request` at `value` if it isn't valid. */
export async function addBlock(db: Database, block: NewBlock): Promise<void> {
  const statements = addBlockStatements(block)
  if (statements === null) throw invalidBody(issueAt(['value'], `Must be ${BLOCK_FORMATS[block.kind]}`))
  await db.idempotentBatch(statements)
}

/** Lifting a block that doesn't exist isn't an error. */
export async function removeBlock(db: Database, block: Omit<NewBlock, 'reason'>): Promise<void> {
  await db.idempotentBatch(removeBlockStatements(block))
}

/** Before the first block: no kind sorts after this one. */
const START = { at: Number.MAX_SAFE_INTEGER, kind: '~', value: '' }

function parseBlockPosition(cursor: string | undefined) {
  if (cursor === undefined) return START
  const [, at, kind = '', value = ''] = /^(\d{1,15})-([a-z]+)-(.+)$/.exec(cursor) ?? []
  if (at === undefined || !isBlockKind(kind)) throw invalidCursor()
  return { at: Number(at), kind, value }
}

/** Newest first. One query. @throws AppError `bad_request` for an invalid cursor. */
export async function listBlocks(
  db: Database,
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<Page<BlockListEntry>> {
  const { at, kind, value } = parseBlockPosition(cursor)
  const found = await db.all<BlockListEntry>([
    `SELECT kind, value, reason, created_by AS createdBy, created_at AS createdAt FROM blocks
      WHERE (created_at, kind, value) < (?1, ?2, ?3)
      ORDER BY created_at DESC, kind DESC, value DESC LIMIT ?4`,
    at,
    kind,
    value,
    limit + 1,
  ])
  return toPage(found, limit, ({ createdAt, kind, value }) => `${createdAt}-${kind}-${value}`)
}
