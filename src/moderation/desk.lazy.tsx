import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import { type Document, isDocumentId } from '../documents/document.ts'
import type { UserEnv } from '../env.ts'
import { unreadableForm } from '../errors.ts'
import { answerText } from '../http/answers.ts'
import { formatAge, formatDateTime } from '../shared/format.ts'
import type { Instant } from '../shared/instant.ts'
import { CancelButton, ConfirmationDialog, Dialog, MenuButton } from '../site/components/confirmation.tsx'
import { EmptyState } from '../site/components/empty-state.tsx'
import { Age, Facts } from '../site/components/facts.tsx'
import { Field, Form, Item, Items, Quote } from '../site/components/fields.tsx'
import { Icon, type IconName } from '../site/components/icons.tsx'
import { findFieldProblem, invalidForm } from '../site/layout/errors.tsx'
import { readFields, submitForm } from '../site/layout/form.ts'
import { Notice } from '../site/layout/layout.tsx'
import { PRIVATE_HEADERS, privatePage, seeOther } from '../site/layout/page.tsx'
import { readForStaff, requireDocumentForStaff, requireReportedDocument, type StaffFacts } from './desk.ts'
import {
  findReasonProblem,
  formatReason,
  type ListProps,
  ModerationPage,
  Older,
  ReasonFields,
  readReason,
  type WrittenReason,
} from './frame.tsx'
import type { TargetKind } from './removal-statements.ts'
import { listRemovals, type Removal, takeDownDocument } from './removals.ts'
import { REASON_LABELS } from './report.tsx'
import { dismissReports, listReported, type Report, type ReportSummary } from './reports.ts'

const PAGE_SIZE = 50

type DeskContext = Context<UserEnv>

// The queue

interface Queue extends ListProps<ReportSummary> {
  /** Of this page of the queue; undefined for the first. */
  readonly here: string | undefined
}

const getCasePath = (id: string, { here }: Queue): string =>
  `/moderation/${id}${here === undefined ? '' : `?${new URLSearchParams({ cursor: here })}`}`

const countReports = (count: number): string => `${count} ${count === 1 ? 'report' : 'reports'}`

const QueueList = ({ queue, open, now }: { queue: Queue; open: string; now: Instant }) => (
  <nav class="queue card" aria-label="Reported documents">
    <ol>
      {queue.items.map(({ id, title, creator, reports, reasons, reportedAt }) => (
        <li>
          <a href={getCasePath(id, queue)} aria-current={id === open ? 'true' : undefined}>
            <strong>
              <bdi>{title ?? id}</bdi>
            </strong>
            <span class="facts-line">
              <span>{reasons.map((reason) => REASON_LABELS[reason]).join(', ')}</span>
              {reports > 1 && <span>{countReports(reports)}</span>}
              {creator && <span>{creator}</span>}
              <time datetime={new Date(reportedAt).toISOString()} title={formatDateTime(reportedAt)}>
                {formatAge(reportedAt, now)}
              </time>
            </span>
          </a>
        </li>
      ))}
    </ol>
    <Older path="/moderation" cursor={queue.cursor} />
  </nav>
)

// The case

/** The start of the text, as far as moderators see it without asking. */
interface Preview {
  readonly lines: readonly string[]
  readonly isWhole: boolean
}

interface Case {
  readonly document: Document
  readonly views: number
  readonly reports: readonly Report[]
  readonly facts: StaffFacts
  /** Null for text that is shown only on request. */
  readonly preview: Preview | null
}

interface CaseProps extends Case {
  readonly queue: Queue
  readonly now: Instant
}

const findNeighbours = ({ items }: Queue, id: string) => {
  const place = items.findIndex((item) => item.id === id)
  return { place, previous: items[place - 1], next: items[place + 1] }
}

const Step = ({
  to,
  icon,
  name,
  shortcut,
}: {
  to: string | undefined
  icon: IconName
  name: string
  shortcut: string
}) =>
  to === undefined ? null : (
    <a
      href={to}
      class="button quiet"
      data-key={shortcut}
      aria-label={name}
      title={`${name} (${shortcut.toUpperCase()})`}
    >
      <Icon name={icon} />
    </a>
  )

const Steps = ({ queue, document: { id } }: CaseProps) => {
  const { place, previous, next } = findNeighbours(queue, id)
  return (
    <div class="row steps">
      <a href="/moderation" class="button quiet to-queue">
        All reports
      </a>
      {place >= 0 && (
        <span class="quiet-text">
          {place + 1} of {queue.items.length}
          {queue.cursor !== null && '+'}
        </span>
      )}
      <Step
        to={previous && getCasePath(previous.id, queue)}
        icon="arrow-up"
        name="Previous report"
        shortcut="k"
      />
      <Step to={next && getCasePath(next.id, queue)} icon="arrow-down" name="Next report" shortcut="j" />
    </div>
  )
}

const Menu = ({ id, name, children }: { id: string; name: Child; children: Child }) => (
  <div>
    <button type="button" class="quiet" popovertarget={id}>
      {name}
      <Icon name="chevron-down" />
    </button>
    <div class="menu" id={id} popover="auto">
      {children}
    </div>
  </div>
)

const MenuLink = ({ icon, to, children }: { icon: IconName; to: string; children: Child }) => (
  <a href={to} class="menu-item">
    <Icon name={icon} />
    <span>{children}</span>
  </a>
)

const getRemoveAllPath = (kind: TargetKind, value: string): string =>
  `/moderation/remove-all?${new URLSearchParams({ kind, value })}`

interface EnforcementDialogProps {
  readonly id: string
  readonly title: string
  readonly button: string
  readonly action: string
  readonly hidden: Readonly<Record<string, string>>
  readonly suggested: string
  readonly children: Child
}

/** Only moderators see the reason. */
const EnforcementDialog = ({ suggested, children, ...dialog }: EnforcementDialogProps) => (
  <ConfirmationDialog {...dialog}>
    <p>{children}</p>
    <Field
      label="Reason"
      id={`${dialog.id}-reason`}
      name="reason"
      value={suggested}
      hint="Only admins see it."
    />
  </ConfirmationDialog>
)

/** What concerns more than this document: its author, its text elsewhere, and where it came from. */
const Menus = ({ document: { id, creator }, facts, reports }: CaseProps) => {
  const suggested = REASON_LABELS[reports[0]?.reason ?? 'other']
  const block = (kind: 'content' | 'address', value: string) => ({
    action: '/moderation/blocks',
    hidden: { kind, value, case: id },
    suggested,
  })
  return (
    <>
      {creator && (
        <Menu id="author-menu" name="Author">
          <p>{creator.username}</p>
          <MenuLink
            icon="user"
            to={`/moderation/accounts?${new URLSearchParams({ username: creator.username })}`}
          >
            Account
          </MenuLink>
          {!facts.suspended && <MenuButton icon="lock" name="Suspend…" opens="suspend" />}
          <MenuLink icon="trash" to={getRemoveAllPath('account', creator.username)}>
            Remove all documents…
          </MenuLink>
        </Menu>
      )}
      {facts.contentHash && (
        <Menu id="text-menu" name="Same text">
          <p class="value">SHA-256 {facts.contentHash}</p>
          <MenuButton icon="shield" name="Block this text…" opens="block-text" />
          <MenuLink icon="trash" to={getRemoveAllPath('content', facts.contentHash)}>
            Remove all copies…
          </MenuLink>
        </Menu>
      )}
      {facts.address && (
        <Menu id="network-menu" name="Network">
          <p>{facts.address}</p>
          <MenuButton icon="shield" name="Block this network…" opens="block-network" />
          <MenuLink icon="trash" to={getRemoveAllPath('address', facts.address)}>
            Remove all documents…
          </MenuLink>
        </Menu>
      )}
      {creator && !facts.suspended && (
        <EnforcementDialog
          id="suspend"
          title={`Suspend ${creator.username}?`}
          button="Suspend account"
          action="/moderation/accounts/suspend"
          hidden={{ username: creator.username, case: id }}
          suggested={suggested}
        >
          {SUSPENSION}
        </EnforcementDialog>
      )}
      {facts.contentHash && (
        <EnforcementDialog
          id="block-text"
          title="Block this text?"
          button="Block text"
          {...block('content', facts.contentHash)}
        >
          Nobody can share the same text again. Documents that have it stay.
        </EnforcementDialog>
      )}
      {facts.address && (
        <EnforcementDialog
          id="block-network"
          title="Block this network?"
          button="Block network"
          {...block('address', facts.address)}
        >
          Nobody can share from {facts.address}. Documents that came from it stay.
        </EnforcementDialog>
      )}
    </>
  )
}

export const SUSPENSION =
  'Suspending signs the account out, stops its API keys, and hides its documents from everyone but admins. You can lift it.'

const REMOVE_TITLE = 'Remove this document?'
const REMOVE_WARNING = 'This deletes the document and its reports. You can’t undo this.'

const getRemoveAction = (id: string): string => `/moderation/${id}/remove`

/** Where the decision leads: to the next case. */
const getNext = (queue: Queue, id: string): string => {
  const { next, previous } = findNeighbours(queue, id)
  return (next ?? previous)?.id ?? ''
}

const Decision = ({ queue, document: { id }, reports }: CaseProps) => {
  const next = getNext(queue, id)
  return (
    <div class="row">
      {reports[0] && (
        <Form
          action={`/moderation/${id}/dismiss`}
          layout="inline"
          // Reports made after this page was loaded stay.
          hidden={{ until: String(reports[0].createdAt), next }}
        >
          <button type="submit" class="quiet" data-key="d">
            Dismiss <kbd aria-hidden="true">D</kbd>
          </button>
        </Form>
      )}
      <button
        type="button"
        class="danger"
        data-key="r"
        command="show-modal"
        commandfor="remove"
        popovertarget="remove"
      >
        Remove… <kbd aria-hidden="true">R</kbd>
      </button>
      <Dialog id="remove" title={REMOVE_TITLE}>
        <Form
          action={getRemoveAction(id)}
          hidden={{ next }}
          button="Remove document"
          look="danger"
          cancel={<CancelButton id="remove" />}
        >
          <ReasonFields id={id} written={{ preset: reports[0]?.reason ?? null, words: '' }} />
          <p class="quiet-text">{REMOVE_WARNING}</p>
        </Form>
      </Dialog>
    </div>
  )
}

const Reports = ({ reports, now }: CaseProps) => (
  <section aria-labelledby="reports" class="stack">
    <h3 id="reports">{reports.length === 0 ? 'No open reports' : 'Reports'}</h3>
    {reports.length > 0 && (
      <Items>
        {reports.map(({ reason, comment, createdAt, times }) => (
          <Item
            title={REASON_LABELS[reason]}
            text={
              <>
                {times > 1 && `${countReports(times)}, the last `}
                <Age at={createdAt} now={now} />
              </>
            }
            quote={comment}
          />
        ))}
      </Items>
    )}
  </section>
)

const Text = ({ document, preview }: CaseProps) => {
  const { id, encrypted, burnAfterReading } = document
  if (encrypted) return <p>It’s encrypted, so you need its password to read it.</p>
  const path = `/moderation/${id}/text`
  if (preview === null) {
    return (
      <p>
        {burnAfterReading && 'It’s deleted after the first read. '}
        <a href={path}>Show the text</a>. This counts no view and deletes nothing.
      </p>
    )
  }
  return (
    <section aria-label="Text" class="card case-text">
      <pre tabindex={0} translate="no" dir="auto">
        <code>
          {preview.lines.map((line) => (
            <span class="line">{`${line}\n`}</span>
          ))}
        </code>
      </pre>
      {!preview.isWhole && (
        <p>
          The first {preview.lines.length} lines. <a href={path}>Show the whole text</a>
        </p>
      )}
    </section>
  )
}

const OpenCase = (props: CaseProps) => {
  const { document, views, facts, now } = props
  return (
    <article class="case stack" tabindex={-1} aria-labelledby="case-title">
      <header class="case-head stack">
        <Steps {...props} />
        <div class="row apart">
          <h2 id="case-title">
            <a href={`/${document.id}`} dir="auto">
              {document.title ?? document.id}
            </a>
          </h2>
          <Decision {...props} />
        </div>
      </header>
      <Facts document={document} views={views} burned={false} now={now} />
      {facts.suspended && <p>Its author is suspended, so only admins can see it.</p>}
      <div class="row">
        <Menus {...props} />
      </div>
      <Reports {...props} />
      <Text {...props} />
    </article>
  )
}

interface DeskPageProps {
  readonly queue: Queue
  readonly opened: Case | null
  /** Whether the address names the case. If not, narrow windows show the queue. */
  readonly chosen: boolean
  readonly done: Child
  readonly now: Instant
}

const DeskPage = ({ queue, opened, chosen, done, now }: DeskPageProps) => (
  <ModerationPage list="/moderation" done={done}>
    {opened === null ? (
      <EmptyState icon="inbox" title="No reports">
        <p>Reported documents appear here.</p>
      </EmptyState>
    ) : (
      <div class={chosen ? 'desk chosen' : 'desk'}>
        <QueueList queue={queue} open={opened.document.id} now={now} />
        <OpenCase {...opened} queue={queue} now={now} />
      </div>
    )}
    {opened && (
      <p class="quiet-text desk-keys">
        <kbd>J</kbd> <kbd>K</kbd> next and previous, <kbd>R</kbd> remove, <kbd>D</kbd> dismiss
      </p>
    )}
  </ModerationPage>
)

const MAX_PREVIEW_LINES = 60
const MAX_PREVIEW_BYTES = 32 * 1024
/** Longer lines are cut, so that a text of one line shows more than itself. */
const MAX_LINE_CHARACTERS = 600

function toPreview(text: string, { contentBytes }: Document): Preview {
  const all = text.replace(/\r?\n$/, '').split(/\r?\n/)
  const lines = all
    .slice(0, MAX_PREVIEW_LINES)
    .map((line) => (line.length > MAX_LINE_CHARACTERS ? `${line.slice(0, MAX_LINE_CHARACTERS)}…` : line))
  const isCut = all.length > lines.length || lines.some((line, index) => line !== all[index])
  return { lines, isWhole: !isCut && contentBytes <= MAX_PREVIEW_BYTES }
}

/** Somebody must have reported the document. One that only its first reader may see is shown on request, too. */
async function findPreview(c: DeskContext, document: Document, reports: readonly Report[]) {
  if (document.encrypted || document.burnAfterReading || reports.length === 0) return null
  const { now, store, user } = c.var
  const text = await readForStaff(store, document, { by: user.username, now, maxBytes: MAX_PREVIEW_BYTES })
  return toPreview(text, document)
}

/** What the last form did. The ids in the address may be anything. */
function describeDone(c: DeskContext): Child {
  const { removed, dismissed, done } = c.req.query()
  if (removed && isDocumentId(removed)) {
    return (
      <>
        Removed <a href={`/moderation/${removed}`}>{removed}</a>.
      </>
    )
  }
  if (dismissed && isDocumentId(dismissed)) {
    return (
      <>
        Dismissed the reports of <a href={`/moderation/${dismissed}`}>{dismissed}</a>.
      </>
    )
  }
  if (done === 'suspended') return 'Account suspended.'
  return done === 'blocked' ? 'Blocked.' : null
}

/** Without an id, it opens the first document of the queue. */
export async function showDesk(c: DeskContext, id?: string): Promise<Response> {
  const { now, store } = c.var
  const cursor = c.req.query('cursor')
  const queue = { ...(await listReported(store.db, { cursor, limit: PAGE_SIZE, now })), here: cursor }
  const openId = id ?? queue.items[0]?.id
  const done = describeDone(c)
  if (openId === undefined) {
    return privatePage(c, <DeskPage queue={queue} opened={null} chosen={false} done={done} now={now} />)
  }
  const found = await requireReportedDocument(store.db, openId, now)
  if ('removal' in found) return privatePage(c, <RemovalPage {...found} />)
  const { document, reports } = found
  const opened = {
    ...found,
    views: store.views.current(document.id, document.views),
    preview: await findPreview(c, document, reports),
  }
  return privatePage(
    c,
    <DeskPage queue={queue} opened={opened} chosen={id !== undefined} done={done} now={now} />,
  )
}

export async function showText(c: DeskContext, id: string): Promise<Response> {
  const { now, store, user } = c.var
  const document = await requireDocumentForStaff(store.db, id, now)
  const text = await readForStaff(store, document, { by: user.username, now })
  return answerText(c, text, {
    headers: { ...PRIVATE_HEADERS, 'Content-Security-Policy': "default-src 'none'; sandbox" },
  })
}

// Decisions

interface RemovePageProps {
  readonly documentId: string
  readonly written: WrittenReason
  readonly blockContent?: boolean
  readonly problem?: string
}

/** For use without dialogs, and for a reason with a problem. */
const RemovePage = ({ documentId: id, ...fields }: RemovePageProps) => (
  <Notice title={REMOVE_TITLE} signedIn>
    <p>
      Document <a href={`/moderation/${id}`}>{id}</a>. {REMOVE_WARNING}
    </p>
    <Form action={getRemoveAction(id)} button="Remove document" look="danger">
      <ReasonFields id={id} {...fields} />
    </Form>
  </Notice>
)

export async function showRemove(c: DeskContext, documentId: string): Promise<Response> {
  const { id } = await requireDocumentForStaff(c.var.store.db, documentId, c.var.now)
  return privatePage(c, <RemovePage documentId={id} written={{ preset: null, words: '' }} />)
}

/** Leads to the next case, which the form names. */
function seeNext(c: DeskContext, next: string, done: Readonly<Record<string, string>>): Response {
  const path = isDocumentId(next) ? `/moderation/${next}` : '/moderation'
  return seeOther(c, `${path}?${new URLSearchParams(done)}`)
}

export async function removeFromForm(c: DeskContext, id: string): Promise<Response> {
  const { now, store, user } = c.var
  const fields = await readFields(c)
  const written = readReason(fields)
  const reason = formatReason(written)
  const blockContent = fields.has('block_content')
  const next = fields.get('next')
  return submitForm(c, {
    submit: async () => {
      const problem = findReasonProblem(reason)
      if (problem !== null) {
        await requireDocumentForStaff(store.db, id, now)
        throw invalidForm({ reason: problem })
      }
      await takeDownDocument(store, id, { by: user.username, reason, now, blockContent })
      return next === undefined ? seeOther(c, `/moderation/${id}`) : seeNext(c, next, { removed: id })
    },
    handles: (error) => error.code !== 'not_found',
    showAgain: (error, options) => {
      const problem = findFieldProblem(error, 'reason') ?? 'The document couldn’t be removed. Try again.'
      const typed = { documentId: id, written, blockContent, problem }
      return privatePage(c, <RemovePage {...typed} />, options)
    },
  })
}

export async function dismissFromForm(c: DeskContext, id: string): Promise<Response> {
  const fields = await readFields(c)
  const until = fields.get('until') ?? ''
  if (!/^\d{1,15}$/.test(until)) throw unreadableForm()
  const { now, store, user } = c.var
  await dismissReports(store.db, id, { until: Number(until), by: user.username, now })
  return seeNext(c, fields.get('next') ?? '', { dismissed: id })
}

// Removed documents

const RemovalItem = ({ removal }: { removal: Removal }) => {
  const { documentId, title, creator, removedBy, removedAt, reason } = removal
  return (
    <Item
      title={<a href={`/moderation/${documentId}`}>{title ?? documentId}</a>}
      text={
        <span class="facts-line">
          <span>{documentId}</span>
          <span>by {creator ?? 'nobody with an account'}</span>
          <span>removed by {removedBy}</span>
          <span>{formatDateTime(removedAt)}</span>
        </span>
      }
      quote={reason}
    />
  )
}

const RemovalPage = ({ removal }: { removal: Removal }) => (
  <ModerationPage list="/moderation/removals" title="Removed document">
    <Items>
      <RemovalItem removal={removal} />
    </Items>
  </ModerationPage>
)

export async function showRemovals(c: DeskContext): Promise<Response> {
  const { items, cursor } = await listRemovals(c.var.store.db, {
    cursor: c.req.query('cursor'),
    limit: PAGE_SIZE,
  })
  return privatePage(
    c,
    <ModerationPage list="/moderation/removals">
      {items.length === 0 ? (
        <EmptyState icon="inbox" title="No removals yet">
          <p>Documents that you or other admins remove appear here, with the reason.</p>
        </EmptyState>
      ) : (
        <Items>
          {items.map((removal) => (
            <RemovalItem removal={removal} />
          ))}
        </Items>
      )}
      <Older path="/moderation/removals" cursor={cursor} />
    </ModerationPage>,
  )
}
