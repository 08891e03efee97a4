import { addBlockStatements, BLOCK_FORMATS, parseBlockRule } from '../../src/moderation/block-statements.ts'
import {
  DOCUMENTS_PER_STEP,
  findTargetsStatement,
  type RemovalTarget,
  removeAllStatements,
} from '../../src/moderation/remove-all-statements.ts'
import { inlineParameters, SQL, type StorageClient } from '../support/database.ts'
import { CommandError } from '../support/wrangler.ts'
import { auditSql, getCommandActor } from './audit-entry.ts'

/** How long after being sent the statements still take effect, in milliseconds. */
const TIMEOUT_MS = 60_000

async function requireTarget(storage: StorageClient, { kind, value }: RemovalTarget): Promise<RemovalTarget> {
  if (kind === 'account') {
    const [found] = await storage.execute(SQL`SELECT username FROM users WHERE username = ${value};`)
    const username = found?.[0]?.username
    if (username === undefined) throw new CommandError(`No account has this username: ${value}`)
    return { kind, value: String(username) }
  }
  const rule = parseBlockRule(kind, value)
  if (rule === null) throw new CommandError(`--${kind} must be ${BLOCK_FORMATS[kind]}.`)
  return { kind, value: rule.value }
}

/**
 * Removes all documents of an account, an address or a content as the operator. Returns how many. If it's interrupted,
 * run it again. The next cleanup deletes their content.
 */
export async function removeAllDocuments(
  storage: StorageClient,
  wanted: RemovalTarget,
  { reason, blockContent }: { reason: string; blockContent: boolean },
): Promise<{ readonly target: RemovalTarget; readonly removed: number }> {
  const target = await requireTarget(storage, wanted)
  const now = Date.now()
  if (blockContent && target.kind === 'content') {
    const block = {
      ...target,
      kind: 'content',
      reason,
      by: 'operator',
      actor: getCommandActor(),
      now,
    } as const
    const statements = addBlockStatements(block) ?? []
    await storage.execute(statements.map(inlineParameters).join('\n'))
  }
  const find = findTargetsStatement(target, DOCUMENTS_PER_STEP)
  let removed = 0
  for (let found = DOCUMENTS_PER_STEP; find && found === DOCUMENTS_PER_STEP; ) {
    const [rows = []] = await storage.execute(inlineParameters(find))
    const ids = rows.map(({ id }) => String(id))
    found = ids.length
    if (found === 0) break
    const options = { by: 'operator', reason, now, deadline: Date.now() + TIMEOUT_MS, blockContent }
    await storage.execute(removeAllStatements(ids, options).map(inlineParameters).join('\n'))
    removed += found
  }
  const subject = `${target.kind} ${target.value}`
  const detail = `${removed} documents: ${reason}`
  await storage.execute(auditSql({ action: 'documents.remove-all', subject, detail }))
  return { target, removed }
}
