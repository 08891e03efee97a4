import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import { isDocumentId } from '../documents/document.ts'
import type { UserEnv } from '../env.ts'
import { MODERATION_STYLES, SCRIPTS, STYLES } from '../ui/assets.generated.ts'
import { invalidForm, type Problems } from '../ui/errors.tsx'
import { Field, Items, Select } from '../ui/fields.tsx'
import { Form } from '../ui/form.tsx'
import { EmptyState, Layout } from '../ui/layout.tsx'
import { seeOther } from '../ui/page.tsx'
import { findLengthProblem, getTrimmedText, readFields } from '../ui/submitted-form.ts'
import type { BlockKind } from './block-statements.ts'
import type { ListPage, ListPageOptions } from './list-page.ts'
import { MAX_REASON_CHARACTERS, type TargetKind } from './removal-statements.ts'
import { isReason, REASON_LABELS } from './reports.ts'

export type ModerationContext = Context<UserEnv>

const LISTS = {
  '/moderation': 'Reports',
  '/moderation/removals': 'Removed',
  '/moderation/blocks': 'Blocks',
  '/moderation/accounts': 'Accounts',
  '/moderation/audit': 'Audit log',
} as const

type ListPath = keyof typeof LISTS

interface ModerationPageProps {
  readonly list: ListPath
  readonly title?: string
  /** What has just been done. */
  readonly done?: Child
  readonly children: Child
}

export const ModerationPage = ({ list, title = LISTS[list], done, children }: ModerationPageProps) => (
  <Layout title={title} styles={[STYLES, MODERATION_STYLES]} scripts={[SCRIPTS.form]}>
    <h1>{title}</h1>
    <nav aria-label="Moderation" class="segments">
      {Object.entries(LISTS).map(([path, name]) => (
        <a href={path} aria-current={path === list ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
    {done && (
      <p class="banner" role="status">
        {done}
      </p>
    )}
    {list === '/moderation' ? children : <div class="desk-list stack">{children}</div>}
  </Layout>
)

export const Older = ({ path, cursor }: { path: string; cursor: string | null }) =>
  cursor === null ? null : (
    <p>
      <a href={`${path}?${new URLSearchParams({ cursor })}`} rel="next" class="button quiet">
        Older
      </a>
    </p>
  )

interface EntriesProps<Entry> {
  readonly list: ListPath
  readonly page: ListPage<Entry>
  /** Instead of entries. */
  readonly empty: string
  readonly toItem: (entry: Entry) => Child
}

export const Entries = <Entry,>({ list, page: { items, cursor }, empty, toItem }: EntriesProps<Entry>) => (
  <>
    {items.length === 0 ? (
      <EmptyState icon="inbox" title={empty} children={null} />
    ) : (
      <Items>{items.map(toItem)}</Items>
    )}
    <Older path={list} cursor={cursor} />
  </>
)

export const getPageOptions = (c: ModerationContext): ListPageOptions => ({
  cursor: c.req.query('cursor'),
  limit: 50,
})

// What moderators type

export type Typed = ReturnType<typeof toTyped>

function toTyped(fields: ReadonlyMap<string, string>) {
  const report = fields.get('case') ?? ''
  const preset = fields.get('preset') ?? ''
  return {
    kind: fields.get('kind') ?? '',
    value: getTrimmedText(fields, 'value'),
    username: getTrimmedText(fields, 'username'),
    /** One of the reasons that people report documents for. It needs no words. */
    preset: isReason(preset) ? preset : null,
    reason: getTrimmedText(fields, 'reason'),
    blockContent: fields.has('block_content'),
    /** The report that led here, which the form leads back to. */
    case: isDocumentId(report) ? report : null,
    problems: {} as Problems,
  }
}

export const suggest = (fields: Readonly<Record<string, string>>): Typed => ({
  ...toTyped(new Map(Object.entries(fields))),
  blockContent: true,
})

/** From the address, which a link suggests. */
export const getSuggested = (c: ModerationContext): Typed => suggest(c.req.query())

export const readTyped = async (c: ModerationContext): Promise<Typed> => toTyped(await readFields(c))

export const hasProblems = ({ problems }: Typed): boolean => Object.keys(problems).length > 0

/** As the author of a removed document reads it. */
export function requireReason({ preset, reason: words }: Typed, empty = 'Enter a reason.'): string {
  const label = preset === null || preset === 'other' ? null : REASON_LABELS[preset]
  const reason = label === null ? words : words === '' ? `${label}.` : `${label}: ${words}`
  const problem = reason === '' ? empty : findLengthProblem(reason, MAX_REASON_CHARACTERS)
  if (problem !== null) throw invalidForm({ reason: problem })
  return reason
}

export const seeCase = (c: ModerationContext, typed: Typed, done: string, otherwise: string): Response =>
  seeOther(c, typed.case === null ? otherwise : `/moderation/${typed.case}?done=${done}`)

/** A form that comes back with a problem still leads to the report. */
export const getHiddenCase = ({ case: report }: Typed): Readonly<Record<string, string>> =>
  report === null ? {} : { case: report }

export const ReasonField = ({ typed: { reason, problems }, hint }: { typed: Typed; hint: string }) => (
  <Field
    label="Reason"
    name="reason"
    value={reason}
    hint={`At most ${MAX_REASON_CHARACTERS} characters. ${hint}`}
    problem={problems.reason}
  />
)

/** What can be blocked or removed, and how it is written. */
export const KINDS = {
  account: { label: 'Account', format: 'by its username' },
  address: { label: 'Network', format: 'such as 192.0.2.0/24' },
  content: { label: 'Text', format: 'by its SHA-256' },
  domain: { label: 'Links to a domain', format: 'such as x.org' },
} as const satisfies Readonly<Record<BlockKind | TargetKind, unknown>>

const describeKind = (kind: keyof typeof KINDS) => `${KINDS[kind].label}, ${KINDS[kind].format}`

interface RuleFormProps {
  readonly action: string
  readonly button: string
  readonly typed: Typed
  readonly kinds: readonly (keyof typeof KINDS)[]
  readonly label: string
  /** Who sees the reason. */
  readonly reasonHint: string
  readonly cancel?: Child
  readonly children?: Child
}

/** Names a set of documents or of people, and says why something is done about them. */
export const RuleForm = ({ action, button, cancel, typed, children, ...rule }: RuleFormProps) => (
  <Form
    action={action}
    hidden={getHiddenCase(typed)}
    problem={typed.problems.form}
    button={button}
    cancel={cancel}
  >
    <Select
      label="Kind"
      name="kind"
      value={typed.kind}
      options={Object.fromEntries(rule.kinds.map((kind) => [kind, describeKind(kind)]))}
    />
    <Field label={rule.label} name="value" value={typed.value} problem={typed.problems.value} />
    <ReasonField typed={typed} hint={rule.reasonHint} />
    {children}
  </Form>
)

export const getRemoveAllPath = (kind: TargetKind, value: string): string =>
  `/moderation/remove-all?${new URLSearchParams({ kind, value })}`

export const getAccountPath = (username: string): string =>
  `/moderation/accounts?${new URLSearchParams({ username })}`

/** What happens to documents that are removed, and to their reports. */
export function describeRemoval(c: ModerationContext, what: 'document' | 'documents' = 'document'): string {
  const { removalDays } = c.var.config
  if (removalDays === 0) return `This deletes the ${what} for good. You can’t undo this.`
  const [nobody, them] = what === 'document' ? ['Nobody can open it', 'it'] : ['Nobody can open them', 'them']
  return `${nobody} from then on. For ${removalDays} days you can restore ${them}, without the reports and earlier versions.`
}
