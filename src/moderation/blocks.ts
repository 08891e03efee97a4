import type { DocumentStore } from '../documents/document-store.ts'
import { deleteContent } from '../documents/pending-deletions.ts'
import { invalidBody, invalidCursor, issueAt } from '../errors.ts'
import { auditStatement } from '../platform/audit-log.ts'
import type { Database } from '../platform/database.ts'
import {
  addBlockStatements,
  BLOCK_FORMATS,
  type BlockKind,
  DOCUMENTS_PER_STEP,
  findTargetsStatement,
  isBlockKind,
  type NewBlock,
  parseBlockRule,
  type RemovalTarget,
  removeAllStatements,
  removeBlockStatements,
} from './block-statements.ts'
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

/** Steps in one request. Far below D1's limit of 1,000 queries. */
const MAX_STEPS = 20
/** KV deletions made right away. Cleanup makes the rest. */
const MAX_CONTENT_DELETIONS = 50

/** Counted up to here, so that counting never takes long. */
export const MAX_COUNTED = MAX_STEPS * DOCUMENTS_PER_STEP

const invalidTarget = (message: string) => invalidBody(issueAt(['value'], message))

/**
 * Returns the target with its value in the form that is stored.
 *
 * @throws AppError `bad_request` at `value` if it's invalid, or if no account has this username.
 */
export async function requireTarget(db: Database, { kind, value }: RemovalTarget): Promise<RemovalTarget> {
  if (kind === 'account') {
    const row = await db.first<{ username: string }>([
      'SELECT username FROM users WHERE username = ?1',
      value.trim(),
    ])
    if (!row) throw invalidTarget('No account has this username')
    return { kind, value: row.username }
  }
  const rule = parseBlockRule(kind, value)
  if (!rule) throw invalidTarget(`Must be ${BLOCK_FORMATS[kind]}`)
  return { kind, value: rule.value }
}

async function findTargets(db: Database, target: RemovalTarget, limit: number): Promise<string[]> {
  const statement = findTargetsStatement(target, limit)
  if (statement === null) return []
  return (await db.all<{ id: string }>(statement)).map(({ id }) => id)
}

/** Returns how many documents a target has, at most `MAX_COUNTED`. */
export const countTargets = async (db: Database, target: RemovalTarget): Promise<number> =>
  (await findTargets(db, target, MAX_COUNTED)).length

interface RemoveAllRequest {
  /** The moderator's username. */
  readonly by: string
  readonly reason: string
  readonly now: number
  /** Whether nobody may share the removed contents again. */
  readonly blockContent: boolean
}

/**
 * Removes all documents of an account, an address or a content, and records each removal. Expired documents go, too.
 * Removing the documents of a content always blocks it if `blockContent` is set, even if there are none.
 *
 * @returns how many were removed, and whether there are more: a request removes at most `MAX_COUNTED`.
 * @throws AppError `unavailable`. What was removed until then stays removed.
 */
export async function removeAll(
  store: DocumentStore,
  target: RemovalTarget,
  { by, reason, now, blockContent }: RemoveAllRequest,
): Promise<{ readonly removed: number; readonly complete: boolean }> {
  const { db } = store
  if (blockContent && target.kind === 'content') {
    const statements = addBlockStatements({ kind: 'content', value: target.value, reason, by, now })
    if (statements) await db.idempotentBatch(statements)
  }
  let removed = 0
  let complete = false
  const contentKeys: string[] = []
  for (let step = 0; step < MAX_STEPS && !complete; step++) {
    const ids = await findTargets(db, target, DOCUMENTS_PER_STEP)
    complete = ids.length < DOCUMENTS_PER_STEP
    if (ids.length === 0) break
    const options = { by, reason, now, deadline: db.deadline(), blockContent }
    const [, , deleted] = await db.idempotentBatch(removeAllStatements(ids, options))
    contentKeys.push(...(deleted as { content_key: string }[]).map((row) => row.content_key))
    removed += ids.length
  }
  const detail = `${removed} documents: ${reason}`
  const subject = `${target.kind} ${target.value}`
  await db.idempotentBatch([
    auditStatement({ actor: by, action: 'documents.remove-all', subject, detail, now }),
  ])
  if (contentKeys.length > 0 && contentKeys.length <= MAX_CONTENT_DELETIONS) {
    store.defer(() => deleteContent(store, contentKeys))
  }
  return { removed, complete }
}
