import type { Child } from 'hono/jsx'
import { formatCount } from '../shared/format.ts'
import type { Instant } from '../shared/instant.ts'
import { Age, Facts } from '../ui/facts.tsx'
import { Checkbox, Choices, Field, Item, Items, TextArea } from '../ui/fields.tsx'
import { CancelButton, ConfirmationDialog, Dialog, Form } from '../ui/form.tsx'
import { Icon, type IconName, ToolLink, ToolOpener } from '../ui/icons.tsx'
import { ShortTime } from '../ui/list.tsx'
import type { ReportedDocument } from './desk.ts'
import type { ListPage } from './list-page.ts'
import { getAccountPath, getRemoveAllPath, Older } from './moderation-page.tsx'
import { MAX_REASON_CHARACTERS, TARGET_KINDS, type TargetKind } from './removal-statements.ts'
import { REASON_LABELS, type ReportSummary } from './reports.ts'
import { suggest, type Typed } from './rule-form.tsx'

// The queue

interface Queue extends ListPage<ReportSummary> {
  /** The cursor of this page of the queue; undefined for the first. */
  readonly here: string | undefined
}

const getCasePath = (id: string, { here }: Queue): string =>
  `/moderation/${id}${here === undefined ? '' : `?${new URLSearchParams({ cursor: here })}`}`

export const QueueList = ({ queue, open, now }: { queue: Queue; open: string; now: Instant }) => (
  <nav class="queue" aria-label="Reported documents">
    <ol class="plain-list nav-list">
      {queue.items.map(({ id, title, creator, reports, reasons, reportedAt }) => (
        <li>
          <a href={getCasePath(id, queue)} aria-current={id === open ? 'true' : undefined}>
            <strong>
              <bdi>{title ?? id}</bdi>
            </strong>
            <span class="facts-line">
              {reasons.map((reason) => (
                <span class="badge">{REASON_LABELS[reason]}</span>
              ))}
              {reports > 1 && <span>{formatCount(reports, 'report')}</span>}
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
export interface CasePreview {
  readonly lines: readonly string[]
  readonly isWhole: boolean
}

interface CaseProps extends ReportedDocument {
  readonly views: number
  /** Is null for text that is shown only on request. */
  readonly preview: CasePreview | null
  readonly queue: Queue
  /** A text about what a removal does. */
  readonly warning: string
  readonly now: Instant
}

const findNeighbours = ({ items }: Queue, id: string) => {
  const place = items.findIndex((item) => item.id === id)
  return { place, previous: items[place - 1], next: items[place + 1] }
}

interface StepProps {
  readonly to: ReportSummary | undefined
  readonly queue: Queue
  readonly icon: IconName
  readonly name: string
  readonly shortcut: string
}

const Step = ({ to, queue, icon, name, shortcut }: StepProps) =>
  to ? (
    <a
      href={getCasePath(to.id, queue)}
      class="button quiet"
      data-key={shortcut}
      aria-label={name}
      title={name}
    >
      <Icon name={icon} />
    </a>
  ) : (
    <button type="button" class="quiet" disabled aria-label={name}>
      <Icon name={icon} />
    </button>
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
      <Step to={previous} queue={queue} icon="arrow-up" name="Previous report" shortcut="k" />
      <Step to={next} queue={queue} icon="arrow-down" name="Next report" shortcut="j" />
    </>
  )
}

export const SUSPENSION =
  'This signs the account out, stops its API keys, and hides its documents. You can lift it.'

const BLOCK_ACTION = '/moderation/blocks'

/** The measures that concern more than this document: its author, its text elsewhere, and where it came from. */
const MEASURES = {
  account: {
    name: 'Author',
    button: 'Suspend account',
    action: '/moderation/accounts/suspend',
    effect: SUSPENSION,
    more: 'Remove all documents…',
  },
  content: {
    name: 'Same text',
    button: 'Block text',
    action: BLOCK_ACTION,
    effect: 'It can’t be shared again. Its documents stay.',
    more: 'Remove all copies…',
  },
  address: {
    name: 'Network',
    button: 'Block network',
    action: BLOCK_ACTION,
    effect: 'It can’t share any more. Its documents stay.',
    more: 'Remove all documents…',
  },
} as const satisfies Readonly<Record<TargetKind, unknown>>

/** Returns the measures that are possible here: a document may have no account, content hash or address. */
function findMeasures({ document, facts }: CaseProps) {
  const { contentHash: content, address, suspended } = facts
  const targets = { account: document.creator?.username, content, address }
  return TARGET_KINDS.flatMap((kind) => {
    const value = targets[kind]
    return value ? [{ kind, value, isOffered: kind !== 'account' || !suspended, ...MEASURES[kind] }] : []
  })
}

type Measure = ReturnType<typeof findMeasures>[number]

const MeasureItems = ({ kind, value, isOffered, name, button, more }: Measure) => (
  <>
    <p>{kind === 'content' ? name : `${name}: ${value}`}</p>
    {kind === 'account' && <ToolLink icon="user" name="Account" href={getAccountPath(value)} inMenu />}
    {isOffered && <ToolOpener icon="shield" name={`${button}…`} opens={kind} inMenu />}
    <ToolLink icon="trash" name={more} href={getRemoveAllPath(kind, value)} class="danger" inMenu />
  </>
)

/** Asks for the reason of a measure, which only moderators see. */
const MeasureDialog = ({ measure, document, reports }: CaseProps & { measure: Measure }) => {
  const { kind, value, button, action, effect } = measure
  return (
    <ConfirmationDialog
      id={kind}
      title={`${button}?`}
      button={button}
      action={action}
      hidden={{ ...(kind === 'account' ? { username: value } : { kind, value }), case: document.id }}
    >
      <p>
        <strong>{value}</strong>. {effect}
      </p>
      <Field
        label="Reason"
        id={`${kind}-reason`}
        name="reason"
        value={REASON_LABELS[reports[0]?.reason ?? 'other']}
        hint="Only admins see it."
      />
    </ConfirmationDialog>
  )
}

/** Shows a key, but only where there's a keyboard and a script. */
const Key = ({ name }: { name: string }) => (
  <span class="for-keyboard scripted" aria-hidden="true">
    <kbd>{name}</kbd>
  </span>
)

interface MeasuresProps {
  readonly measures: readonly Measure[]
}

const MoreMenu = ({ measures }: MeasuresProps) =>
  measures.length > 0 && (
    <>
      <button type="button" class="quiet" popovertarget="more" data-key="m">
        More <Key name="M" />
      </button>
      <div class="menu" id="more" popover="auto">
        {measures.map((measure) => (
          <MeasureItems {...measure} />
        ))}
      </div>
    </>
  )

export const REMOVE_TITLE = 'Remove this document?'

interface RemoveFormProps {
  readonly id: string
  readonly typed: Typed
  readonly hidden?: Readonly<Record<string, string>>
  readonly cancel?: Child
  readonly children?: Child
}

/** The form that removes a document. It mostly takes one key press, since the reports say the reason already. */
export const RemoveForm = ({ id, typed, children, ...form }: RemoveFormProps) => (
  <Form {...form} action={`/moderation/${id}/remove`} button="Remove document" look="danger">
    <Choices
      legend="Why?"
      name="preset"
      value={typed.preset ?? 'other'}
      options={REASON_LABELS}
      autofocus={typed.problems.reason === undefined}
    />
    <TextArea
      label="In your own words"
      id={`reason-${id}`}
      name="reason"
      rows={2}
      value={typed.reason}
      hint={`The author sees it. At most ${MAX_REASON_CHARACTERS} characters.`}
      problem={typed.problems.reason}
    />
    <Checkbox name="block_content" value="on" checked={typed.blockContent}>
      Refuse this text if someone shares it again
    </Checkbox>
    {children}
  </Form>
)

const Decision = ({ queue, reports, document: { id }, warning, measures }: CaseProps & MeasuresProps) => {
  const neighbours = findNeighbours(queue, id)
  /** The decision leads to the next case of this page of the queue. */
  const leadsTo = {
    next: (neighbours.next ?? neighbours.previous)?.id ?? '',
    ...(queue.here !== undefined && { cursor: queue.here }),
  }
  return (
    <>
      {reports[0] && (
        <Form
          action={`/moderation/${id}/dismiss`}
          layout="inline"
          // Reports made after this page was loaded stay.
          hidden={{ until: String(reports[0].createdAt), ...leadsTo }}
        >
          <button type="submit" class="quiet" data-key="d">
            Dismiss <Key name="D" />
          </button>
        </Form>
      )}
      <MoreMenu measures={measures} />
      <button
        type="button"
        class="danger"
        data-key="r"
        command="show-modal"
        commandfor="remove"
        popovertarget="remove"
      >
        Remove… <Key name="R" />
      </button>
      <Dialog id="remove" title={REMOVE_TITLE}>
        <RemoveForm
          id={id}
          typed={suggest({ preset: reports[0]?.reason ?? '' })}
          hidden={leadsTo}
          cancel={<CancelButton id="remove" />}
        >
          <p class="quiet-text">{warning}</p>
        </RemoveForm>
      </Dialog>
    </>
  )
}

const Reports = ({ reports, now }: CaseProps) => (
  <section aria-labelledby="reports" class="stack">
    <h3 id="reports">{reports.length === 0 ? 'No open reports' : formatCount(reports.length, 'report')}</h3>
    {reports.length > 0 && (
      <Items>
        {reports.map(({ reason, comment, createdAt, times }) => (
          <Item
            title={REASON_LABELS[reason]}
            text={[times > 1 && formatCount(times, 'report'), <Age at={createdAt} now={now} />]}
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

export const OpenCase = (props: CaseProps) => {
  const { document, views, facts, now } = props
  const measures = findMeasures(props)
  return (
    <article class="case stack" tabindex={-1} aria-labelledby="case-title">
      <header class="case-head row apart">
        <a href="/moderation" class="button quiet to-queue">
          <Icon name="arrow-left" /> All reports
        </a>
        <h2 id="case-title">
          <a href={`/${document.id}`} dir="auto">
            {document.title ?? document.id}
          </a>
        </h2>
        <div class="row">
          <Steps {...props} />
        </div>
        <div class="row">
          <Decision {...props} measures={measures} />
        </div>
      </header>
      {measures.map((measure) => measure.isOffered && <MeasureDialog {...props} measure={measure} />)}
      <Facts document={document} views={views} burned={false} now={now} />
      {facts.suspended && <p>Its author is suspended, so only admins can see it.</p>}
      <Reports {...props} />
      <Text {...props} />
    </article>
  )
}
