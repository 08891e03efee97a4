import { deleteContent } from '../documents/content-store.ts'
import type { DocumentStore } from '../documents/document-store.ts'
import { outlastRowMemory } from '../documents/recent-documents.ts'
import { invalidBody, issueAt, unreadableForm } from '../errors.ts'
import type { AnswerOptions } from '../http/answers.ts'
import { auditStatement } from '../platform/audit-log.ts'
import type { Database } from '../platform/database.ts'
import { formatCount } from '../shared/format.ts'
import { DAY_MS, type Instant } from '../shared/instant.ts'
import { getProblems } from '../ui/errors.tsx'
import { BackLink, Checkbox, Item, Items, Quote } from '../ui/fields.tsx'
import { Form } from '../ui/form.tsx'
import { Notice } from '../ui/layout.tsx'
import { ShortTime } from '../ui/list.tsx'
import { privatePage } from '../ui/page.tsx'
import { readFields, submitForm } from '../ui/submitted-form.ts'
import { addBlockStatements, BLOCK_FORMATS, parseBlockRule } from './block-statements.ts'
import { recordLook } from './desk.ts'
import { getRemoveAllPath, type ModerationContext } from './moderation-page.tsx'
import {
  DOCUMENTS_PER_STEP,
  findTargetsStatement,
  isTargetKind,
  type RemovalTarget,
  type RemoveAllOptions,
  type RemovedRow,
  removeAllStatements,
} from './removal-statements.ts'
import { getContentToDelete } from './removals.ts'
import {
  describeRemoval,
  getSuggested,
  KINDS,
  RuleForm,
  readTyped,
  requireReason,
  type Typed,
} from './rule-form.tsx'

/** The number of steps in a request, far below D1's limit of 1,000 queries. */
const MAX_STEPS = 20
/** KV deletions made right away. Cleanup makes the rest. */
const MAX_CONTENT_DELETIONS = 50

/** Documents are counted up to this number, so that counting never takes long. */
const MAX_COUNTED = MAX_STEPS * DOCUMENTS_PER_STEP

const invalidTarget = (message: string) => invalidBody(issueAt(['value'], message))

/** Returns it in the form that is stored. @throws AppError `bad_request` at `value`. */
async function requireTarget(db: Database, { kind, value }: RemovalTarget): Promise<RemovalTarget> {
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

/**
 * Expired documents go, too, and a content is blocked even if no document has it. A request removes at most `MAX_COUNTED`.
 *
 * @throws AppError `unavailable`. Documents that were removed until then stay removed.
 */
async function removeAll(
  store: DocumentStore,
  target: RemovalTarget,
  { by, reason, now, blockContent, keepMs }: Omit<RemoveAllOptions, 'deadline'> & { blockContent: boolean },
): Promise<{ readonly removed: number; readonly complete: boolean }> {
  const { db } = store
  if (blockContent && target.kind === 'content') {
    const statements = addBlockStatements({ kind: 'content', value: target.value, reason, by, now })
    if (statements) await db.idempotentBatch(statements)
  }
  const subject = `${target.kind} ${target.value}`
  const audit = (documents: number) => {
    const detail = `${documents} documents: ${reason}`
    return auditStatement({ actor: by, action: 'documents.remove-all', subject, detail, now })
  }
  let removed = 0
  let complete = false
  const contentKeys: string[] = []
  for (let step = 0; step < MAX_STEPS && !complete; step++) {
    const ids = await findTargets(db, target, DOCUMENTS_PER_STEP)
    complete = ids.length < DOCUMENTS_PER_STEP
    if (ids.length === 0) break
    const options = { by, reason, now, deadline: db.deadline(), blockContent, keepMs }
    const [, , , found] = await db.idempotentBatch([...removeAllStatements(ids, options), audit(ids.length)])
    contentKeys.push(...getContentToDelete(found as RemovedRow[]))
    removed += ids.length
  }
  if (removed === 0) await db.idempotentBatch([audit(0)])
  if (contentKeys.length > 0 && contentKeys.length <= MAX_CONTENT_DELETIONS) {
    store.defer(() => deleteContent(store, contentKeys))
  }
  if (removed > 0) await outlastRowMemory()
  return { removed, complete }
}

const REMOVE_ALL_PATH = '/moderation/remove-all'

export const showRemoveAll = (
  c: ModerationContext,
  typed: Typed = getSuggested(c),
  options?: AnswerOptions,
): Promise<Response> =>
  privatePage(
    c,
    <Notice title="Remove many documents">
      <p>
        Every document of an account, from a network, or with the same text. You’ll see how many there are
        first.
      </p>
      <RuleForm
        action={REMOVE_ALL_PATH}
        button="Continue"
        typed={typed}
        kinds={['account', 'address', 'content']}
        label="Whose documents"
        reasonHint="The authors will see it."
      >
        <Checkbox name="block_content" value="on" checked={typed.blockContent}>
          Refuse these texts if someone shares them again
        </Checkbox>
      </RuleForm>
      <BackLink to="/moderation/blocks">Cancel</BackLink>
    </Notice>,
    options,
  )

/** How many documents are shown before they are removed. */
const MAX_SHOWN = 10

const findNewest = (db: Database, ids: readonly string[]) =>
  db.all<{ id: string; title: string | null; createdAt: Instant }>([
    `SELECT id, title, created_at AS createdAt FROM documents
      WHERE id IN (SELECT value FROM json_each(?1)) ORDER BY created_at DESC, id LIMIT ${MAX_SHOWN}`,
    JSON.stringify(ids),
  ])

/** Asks the moderator to confirm. Nothing is changed yet. */
async function askToConfirm(
  c: ModerationContext,
  { kind, value }: RemovalTarget,
  { reason, blockContent }: Typed,
): Promise<Response> {
  const { now, store, user } = c.var
  const ids = await findTargets(store.db, { kind, value }, MAX_COUNTED)
  const count = ids.length
  const first = await findNewest(store.db, ids)
  const subject = `${kind} ${value}`
  await recordLook(store.db, { by: user.username, action: 'documents.list', subject, now })
  return privatePage(
    c,
    <Notice title={`Remove ${count === MAX_COUNTED ? 'at least ' : ''}${formatCount(count, 'document')}?`}>
      <p>
        {KINDS[kind].label} <strong>{value}</strong>. {describeRemoval(c, 'documents')}
      </p>
      {blockContent && <p>These texts can’t be shared again.</p>}
      {first.length > 0 && (
        <>
          <p>{count > first.length ? 'The newest of them:' : 'These are:'}</p>
          <Items>
            {first.map(({ id, title, createdAt }) => (
              <Item
                title={<a href={`/moderation/${id}`}>{title ?? id}</a>}
                text={[id, <ShortTime at={createdAt} now={now} />]}
              />
            ))}
          </Items>
        </>
      )}
      <p>The authors will see the reason:</p>
      <Quote>{reason}</Quote>
      <Form
        action={REMOVE_ALL_PATH}
        hidden={{ kind, value, reason, ...(blockContent && { block_content: 'on' }), confirmed: 'yes' }}
        button="Remove all"
        look="danger"
      />
      <BackLink to={getRemoveAllPath(kind, value)}>Cancel</BackLink>
    </Notice>,
  )
}

async function removeConfirmed(
  c: ModerationContext,
  target: RemovalTarget,
  { reason, blockContent }: Typed,
): Promise<Response> {
  const { config, now, store, user } = c.var
  const { kind, value } = target
  const options = { by: user.username, reason, now, blockContent, keepMs: config.removalDays * DAY_MS }
  const { removed, complete } = await removeAll(store, target, options)
  return privatePage(
    c,
    <Notice title={`Removed ${formatCount(removed, 'document')}`}>
      <p>
        {KINDS[kind].label} {value}.{' '}
        {complete ? 'There are no more.' : 'There are more. Remove them again to continue.'}
      </p>
      <BackLink to={complete ? '/moderation' : getRemoveAllPath(kind, value)}>
        {complete ? 'Back to the reports' : 'Continue'}
      </BackLink>
    </Notice>,
  )
}

/** Asks for confirmation first, with the number of documents. */
export async function removeAllFromForm(c: ModerationContext): Promise<Response> {
  const typed = await readTyped(c)
  const isConfirmed = (await readFields(c)).get('confirmed') === 'yes'
  const { kind, value } = typed
  return submitForm(c, {
    submit: async () => {
      if (!isTargetKind(kind)) throw unreadableForm()
      const target = await requireTarget(c.var.store.db, { kind, value })
      const checked = { ...typed, reason: requireReason(typed) }
      return isConfirmed ? removeConfirmed(c, target, checked) : askToConfirm(c, target, checked)
    },
    showAgain: (error, options) => showRemoveAll(c, { ...typed, problems: getProblems(error) }, options),
  })
}
