import type { Child } from 'hono/jsx'
import type { Document } from '../documents/document.ts'
import type { Instant } from '../shared/instant.ts'
import { Age, Facts } from '../site/components/facts.tsx'
import { Field, Item, Items } from '../site/components/fields.tsx'
import { CancelButton, ConfirmationDialog, Dialog, Form } from '../site/components/form.tsx'
import { Icon, type IconName, ToolOpener } from '../site/components/icons.tsx'
import { EmptyState } from '../site/layout/layout.tsx'
import { ShortTime } from '../site/lists/list.tsx'
import type { StaffFacts } from './desk.ts'
import { getRemoveAllPath, type ListProps, ModerationPage, Older, ReasonFields } from './frame.tsx'
import type { TargetKind } from './removal-statements.ts'
import { REASON_LABELS } from './report-pages.lazy.tsx'
import type { Report, ReportSummary } from './reports.ts'

// The queue

export interface Queue extends ListProps<ReportSummary> {
  /** Of this page of the queue; undefined for the first. */
  readonly here: string | undefined
}

const getCasePath = (id: string, { here }: Queue): string =>
  `/moderation/${id}${here === undefined ? '' : `?${new URLSearchParams({ cursor: here })}`}`

const countReports = (count: number): string => `${count} ${count === 1 ? 'report' : 'reports'}`

const QueueList = ({ queue, open, now }: { queue: Queue; open: string; now: Instant }) => (
  <nav class="queue" aria-label="Reported documents">
    <ol class="plain-list nav-list">
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
              <span>
                <ShortTime at={reportedAt} now={now} />
              </span>
            </span>
          </a>
        </li>
      ))}
    </ol>
    <Older path="/moderation" cursor={queue.cursor} />
    <p class="quiet-text for-keyboard scripted">
      <kbd>J</kbd> <kbd>K</kbd> step, <kbd>R</kbd> remove, <kbd>D</kbd> dismiss
    </p>
  </nav>
)

// The case

/** The start of the text, as far as moderators see it without asking. */
export interface Preview {
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
    <a href={to} class="button quiet" data-key={shortcut} aria-label={name} title={name}>
      <Icon name={icon} />
    </a>
  )

const Steps = ({ queue, document: { id } }: CaseProps) => {
  const { place, previous, next } = findNeighbours(queue, id)
  return (
    <>
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
    </>
  )
}

interface Measure {
  readonly kind: TargetKind
  readonly name: string
  /** What it concerns: a username, a hash or a network. */
  readonly value: string
  /** Null for an account that is suspended already. */
  readonly button: string | null
  readonly action: string
  readonly hidden: Readonly<Record<string, string>>
  readonly effect: string
  readonly more: string
}

const block = (kind: 'content' | 'address', value: string) => ({
  kind,
  value,
  action: '/moderation/blocks',
  hidden: { kind, value },
})

/** What concerns more than this document: its author, its text elsewhere, and where it came from. */
const listMeasures = ({ document: { creator }, facts }: CaseProps): Measure[] => [
  ...(creator
    ? [
        {
          kind: 'account',
          name: 'Author',
          value: creator.username,
          button: facts.suspended ? null : 'Suspend account',
          action: '/moderation/accounts/suspend',
          hidden: { username: creator.username },
          effect: SUSPENSION,
          more: 'Remove all documents…',
        } as const,
      ]
    : []),
  ...(facts.contentHash
    ? [
        {
          ...block('content', facts.contentHash),
          name: 'Same text',
          button: 'Block text',
          effect: 'Nobody can share it again. Its documents stay.',
          more: 'Remove all copies…',
        },
      ]
    : []),
  ...(facts.address
    ? [
        {
          ...block('address', facts.address),
          name: 'Network',
          button: 'Block network',
          effect: 'Nobody can share from it. Its documents stay.',
          more: 'Remove all documents…',
        },
      ]
    : []),
]

/** Only moderators see the reason. */
const MeasureMenu = ({ measure, of }: { measure: Measure; of: CaseProps }) => {
  const { kind, name, value, button, action, hidden, effect, more } = measure
  return (
    <div>
      <button type="button" class="quiet" popovertarget={`${kind}-menu`}>
        {name}
        <Icon name="chevron-down" />
      </button>
      <div class="menu" id={`${kind}-menu`} popover="auto">
        <p class="value">{value}</p>
        {button && <ToolOpener icon="shield" name={`${button}…`} opens={kind} inMenu />}
        <a href={getRemoveAllPath(kind, value)} class="menu-item">
          <Icon name="trash" />
          <span>{more}</span>
        </a>
        {kind === 'account' && (
          <a href={`/moderation/accounts?${new URLSearchParams({ username: value })}`} class="menu-item">
            <Icon name="user" />
            <span>Account</span>
          </a>
        )}
      </div>
      {button && (
        <ConfirmationDialog
          id={kind}
          title={`${button}?`}
          button={button}
          action={action}
          hidden={{ ...hidden, case: of.document.id }}
        >
          <p>
            <strong class="value">{value}</strong>. {effect}
          </p>
          <Field
            label="Reason"
            id={`${kind}-reason`}
            name="reason"
            value={REASON_LABELS[of.reports[0]?.reason ?? 'other']}
            hint="Only admins see it."
          />
        </ConfirmationDialog>
      )}
    </div>
  )
}

export const SUSPENSION =
  'This signs the account out, stops its API keys, and hides its documents. You can lift it.'

export const REMOVE_TITLE = 'Remove this document?'
export const REMOVE_WARNING = 'This deletes the document and its reports. You can’t undo this.'

export const getRemoveAction = (id: string): string => `/moderation/${id}/remove`

/** Where the decision leads: to the next case. */
const getNext = (queue: Queue, id: string): string => {
  const { next, previous } = findNeighbours(queue, id)
  return (next ?? previous)?.id ?? ''
}

const Decision = ({ queue, document: { id }, reports }: CaseProps) => {
  const next = getNext(queue, id)
  return (
    <>
      {reports[0] && (
        <Form
          action={`/moderation/${id}/dismiss`}
          layout="inline"
          // Reports made after this page was loaded stay.
          hidden={{ until: String(reports[0].createdAt), next }}
        >
          <button type="submit" class="quiet" data-key="d">
            Dismiss
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
        Remove…
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
    </>
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
            text={[times > 1 && countReports(times), <Age at={createdAt} now={now} />]}
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
      <header class="case-head row apart">
        <a href="/moderation" class="button quiet to-queue">
          All reports
        </a>
        <h2 id="case-title">
          <a href={`/${document.id}`} dir="auto">
            {document.title ?? document.id}
          </a>
        </h2>
        <div class="row">
          <Steps {...props} />
          <Decision {...props} />
        </div>
      </header>
      <div class="row apart">
        <Facts document={document} views={views} burned={false} now={now} />
        <div class="row">
          {listMeasures(props).map((measure) => (
            <MeasureMenu measure={measure} of={props} />
          ))}
        </div>
      </div>
      {facts.suspended && <p>Its author is suspended, so only admins can see it.</p>}
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

export const DeskPage = ({ queue, opened, chosen, done, now }: DeskPageProps) => (
  <ModerationPage list="/moderation" done={done}>
    {opened === null ? (
      <EmptyState icon="inbox" title="No reports" children={null} />
    ) : (
      <div class={chosen ? 'desk chosen' : 'desk'}>
        <QueueList queue={queue} open={opened.document.id} now={now} />
        <OpenCase {...opened} queue={queue} now={now} />
      </div>
    )}
  </ModerationPage>
)
