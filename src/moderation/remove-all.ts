import { deleteContent } from '../documents/content-store.ts'
import type { DocumentStore } from '../documents/document-store.ts'
import { invalidBody, issueAt } from '../errors.ts'
import { auditStatement } from '../platform/audit-log.ts'
import type { Database } from '../platform/database.ts'
import { addBlockStatements, BLOCK_FORMATS, parseBlockRule } from './block-statements.ts'
import {
  DOCUMENTS_PER_STEP,
  findTargetsStatement,
  type RemovalTarget,
  removeAllStatements,
} from './removal-statements.ts'

/** Far below D1's limit of 1,000 queries in one request. */
const MAX_STEPS = 20
/** KV deletions made right away. Cleanup makes the rest. */
const MAX_CONTENT_DELETIONS = 50

/** Counted up to here, so that counting never takes long. */
export const MAX_COUNTED = MAX_STEPS * DOCUMENTS_PER_STEP

const invalidTarget = (message: string) => invalidBody(issueAt(['value'], message))

/** In the form that is stored. @throws AppError `bad_request` at `value`. */
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

export const countTargets = async (db: Database, target: RemovalTarget): Promise<number> =>
  (await findTargets(db, target, MAX_COUNTED)).length

/**
 * Expired documents go, too, and a content is blocked even if no document has it. A request removes at most
 * `MAX_COUNTED`.
 *
 * @throws AppError `unavailable`. What was removed until then stays removed.
 */
export async function removeAll(
  store: DocumentStore,
  target: RemovalTarget,
  { by, reason, now, blockContent }: { by: string; reason: string; now: number; blockContent: boolean },
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
