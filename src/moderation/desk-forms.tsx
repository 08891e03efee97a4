import type { Child } from 'hono/jsx'
import type { Document } from '../documents/document.ts'
import { outlastRowMemory } from '../documents/recent-documents.ts'
import { documentNotFound, unreadableForm } from '../errors.ts'
import { type AnswerOptions, answerText } from '../http/answers.ts'
import { isDocumentId } from '../shared/document-ids.ts'
import { DAY_MS, type Instant } from '../shared/instant.ts'
import { toShownLines } from '../shared/lines.ts'
import { getProblems, isInvalidForm } from '../ui/errors.tsx'
import { BackLink, Item, Items } from '../ui/fields.tsx'
import { Form } from '../ui/form.tsx'
import { EmptyState, Notice } from '../ui/layout.tsx'
import { ShortTime } from '../ui/list.tsx'
import { PRIVATE_HEADERS, privatePage, seeOther } from '../ui/page.tsx'
import { readFields, submitForm } from '../ui/submitted-form.ts'
import { findReportedDocument, readForStaff, recordLook, requireDocumentForStaff } from './desk.ts'
import { type CasePreview, OpenCase, QueueList, REMOVE_TITLE, RemoveForm } from './desk-page.tsx'
import { Entries, getPageOptions, type ModerationContext, ModerationPage } from './moderation-page.tsx'
import { listRemovals, type Removal, restoreDocument, takeDownDocument } from './removals.ts'
import { dismissReports, listReported, type Report } from './reports.ts'
import { describeRemoval, getSuggested, readTyped, requireReason, type Typed } from './rule-form.tsx'

const MAX_PREVIEW_LINES = 60
const MAX_PREVIEW_BYTES = 32 * 1024
/** Longer lines are cut, so that a text of one line shows more than itself. */
const MAX_LINE_CHARACTERS = 600

function toCasePreview(text: string, { contentBytes }: Document): CasePreview {
  const all = toShownLines(text)
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
  const lines = all
    .slice(0, MAX_PREVIEW_LINES)
    .map((line) => (line.length > MAX_LINE_CHARACTERS ? `${line.slice(0, MAX_LINE_CHARACTERS)}…` : line))
  const isCut = all.length > lines.length || lines.some((line, index) => line !== all[index])
  return { lines, isWhole: !isCut && contentBytes <= MAX_PREVIEW_BYTES }
}

/** Somebody must have reported the document. One that only its first reader may see is shown on request, too. */
async function findPreview(c: ModerationContext, document: Document, reports: readonly Report[]) {
  if (document.encrypted || document.burnAfterReading || reports.length === 0) return null
  const { now, store, user } = c.var
  const text = await readForStaff(store, document, { by: user.username, now, maxBytes: MAX_PREVIEW_BYTES })
  return toCasePreview(text, document)
}

/** Says what the last form did. The ids in the address may be anything. */
function describeDone(c: ModerationContext): Child {
  const { removed, dismissed, done } = c.req.query()
  const id = removed ?? dismissed ?? ''
  if (isDocumentId(id)) {
    return (
      <>
        {removed ? 'Removed ' : 'Dismissed the reports of '}
        <a href={`/moderation/${id}`}>{id}</a>.
      </>
    )
  }
  if (done === 'restored') return 'Document restored.'
  if (done === 'suspended') return 'Account suspended.'
  return done === 'blocked' ? 'Blocked.' : null
}

/** Shows a document of the queue. Without an id, it's the first one, and narrow windows show the queue. */
export async function showDesk(c: ModerationContext, id?: string): Promise<Response> {
  const { now, store, user } = c.var
  const pageOptions = getPageOptions(c)
  const queue = { ...(await listReported(store.db, { ...pageOptions, now })), here: pageOptions.cursor }
  await recordLook(store.db, { by: user.username, action: 'reports.list', now })
  const openId = id ?? queue.items[0]?.id
  const answerDesk = (children: Child) =>
    privatePage(
      c,
      <ModerationPage list="/moderation" done={describeDone(c)}>
        {children}
      </ModerationPage>,
    )
  if (openId === undefined) return answerDesk(<EmptyState icon="inbox" title="No reports" children={null} />)
  const found = await findReportedDocument(store.db, openId, now)
  const { removed, dismissed } = c.req.query()
  // The next case may be gone by the time of a decision.
  if (id !== undefined && (removed ?? dismissed) !== undefined && (found === null || 'removal' in found))
    return seeOther(c, `/moderation${new URL(c.req.url).search}`)
  if (found === null) throw documentNotFound()
  const look = { by: user.username, action: 'document.view', subject: openId, now } as const
  if ('removal' in found) {
    await recordLook(store.db, look)
    return privatePage(c, <RemovalPage {...found} now={now} />)
  }
  const { document, reports } = found
  const preview = await findPreview(c, document, reports)
  // Reading the text has left an entry.
  if (preview === null) await recordLook(store.db, look)
  const views = store.views.current(document.id, document.views)
  return answerDesk(
    <div class={id === undefined ? 'desk' : 'desk chosen'}>
      <QueueList queue={queue} open={document.id} now={now} />
      <OpenCase
        {...found}
        views={views}
        preview={preview}
        queue={queue}
        warning={describeRemoval(c)}
        now={now}
      />
    </div>,
  )
}

export async function showTextToStaff(c: ModerationContext, id: string): Promise<Response> {
  const { now, store, user } = c.var
  const document = await requireDocumentForStaff(store.db, id, now)
  const text = await readForStaff(store, document, { by: user.username, now })
  return answerText(c, text, {
    headers: { ...PRIVATE_HEADERS, 'Content-Security-Policy': "default-src 'none'; sandbox" },
  })
}

// Decisions

/** Answers where there are no dialogs, or where the reason has a problem. */
const answerRemove = (c: ModerationContext, id: string, typed: Typed, options?: AnswerOptions) =>
  privatePage(
    c,
    <Notice title={REMOVE_TITLE}>
      <p>
        Document <a href={`/moderation/${id}`}>{id}</a>. {describeRemoval(c)}
      </p>
      <RemoveForm id={id} typed={typed} />
      <BackLink to={`/moderation/${id}`}>Cancel</BackLink>
    </Notice>,
    options,
  )

export async function showRemove(c: ModerationContext, documentId: string): Promise<Response> {
  const { id } = await requireDocumentForStaff(c.var.store.db, documentId, c.var.now)
  return answerRemove(c, id, getSuggested(c))
}

/** Leads to the next case, which the form names with its page of the queue. */
function seeNext(
  c: ModerationContext,
  fields: ReadonlyMap<string, string>,
  done: Readonly<Record<string, string>>,
): Response {
  const [next = '', cursor] = [fields.get('next'), fields.get('cursor')]
  if (!isDocumentId(next)) return seeOther(c, `/moderation?${new URLSearchParams(done)}`)
  const query = new URLSearchParams({ ...done, ...(cursor !== undefined && { cursor }) })
  return seeOther(c, `/moderation/${next}?${query}`)
}

export async function removeFromForm(c: ModerationContext, id: string): Promise<Response> {
  const { config, now, store, user } = c.var
  const typed = await readTyped(c)
  const fields = await readFields(c)
  return submitForm(c, {
    submit: async () => {
      const reason = requireReason(typed, 'Enter a reason, or choose one.')
      const { blockContent } = typed
      const keepMs = config.removalDays * DAY_MS
      await takeDownDocument(store, id, { by: user.username, reason, now, blockContent, keepMs })
      await outlastRowMemory()
      return fields.has('next') ? seeNext(c, fields, { removed: id }) : seeOther(c, `/moderation/${id}`)
    },
    handles: (error) => error.code !== 'not_found',
    showAgain: async (error, options) => {
      if (isInvalidForm(error)) await requireDocumentForStaff(store.db, id, now)
      const { reason = 'The document couldn’t be removed. Try again.' } = getProblems(error)
      return answerRemove(c, id, { ...typed, problems: { reason } }, options)
    },
  })
}

export async function dismissFromForm(c: ModerationContext, id: string): Promise<Response> {
  const fields = await readFields(c)
  const until = fields.get('until') ?? ''
  if (!/^\d{1,15}$/.test(until)) throw unreadableForm()
  const { now, store, user } = c.var
  await dismissReports(store.db, id, { until: Number(until), by: user.username, now })
  return seeNext(c, fields, { dismissed: id })
}

// Removed documents

const RemovalItem = ({ removal, now }: { removal: Removal; now: Instant }) => {
  const { documentId, title, creator, removedBy, removedAt, reason, keptUntil } = removal
  return (
    <Item
      title={<a href={`/moderation/${documentId}`}>{title ?? documentId}</a>}
      text={[
        documentId,
        creator && `by ${creator}`,
        [`removed by ${removedBy} `, <ShortTime at={removedAt} now={now} />],
      ]}
      quote={reason}
    >
      {keptUntil !== null && keptUntil > now && (
        <Form
          action={`/moderation/${documentId}/restore`}
          layout="inline"
          button="Restore"
          label={`Restore ${title ?? documentId}`}
          look="quiet"
        />
      )}
    </Item>
  )
}

const RemovalPage = (props: { removal: Removal; now: Instant }) => (
  <ModerationPage list="/moderation/removals" title="Removed document">
    <Items>
      <RemovalItem {...props} />
    </Items>
  </ModerationPage>
)

export async function restoreFromForm(c: ModerationContext, id: string): Promise<Response> {
  const { now, store, user } = c.var
  await restoreDocument(store, id, { by: user.username, now })
  return seeOther(c, `/moderation/${id}?done=restored`)
}

export async function showRemovals(c: ModerationContext): Promise<Response> {
  const { now, store, user } = c.var
  const found = await listRemovals(store.db, getPageOptions(c))
  await recordLook(store.db, { by: user.username, action: 'removals.list', now })
  return privatePage(
    c,
    <ModerationPage list="/moderation/removals">
      <Entries
        list="/moderation/removals"
        page={found}
        empty="No removals yet"
        toItem={(removal) => <RemovalItem removal={removal} now={now} />}
      />
    </ModerationPage>,
  )
}
