import type { Child } from 'hono/jsx'
import { isDocumentId } from '../shared/document-ids.ts'
import { invalidForm, type Problems } from '../ui/errors.tsx'
import { Field, Select } from '../ui/fields.tsx'
import { Form } from '../ui/form.tsx'
import { seeOther } from '../ui/page.tsx'
import { findLengthProblem, getTrimmedText, readFields } from '../ui/submitted-form.ts'
import type { BlockKind } from './block-statements.ts'
import type { ModerationContext } from './moderation-page.tsx'
import { MAX_REASON_CHARACTERS, type TargetKind } from './removal-statements.ts'
import { isReason, REASON_LABELS } from './reports.ts'

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

/** Takes them from the address, which a link suggests. */
export const getSuggested = (c: ModerationContext): Typed => suggest(c.req.query())

export const readTyped = async (c: ModerationContext): Promise<Typed> => toTyped(await readFields(c))

export const hasProblems = ({ problems }: Typed): boolean => Object.keys(problems).length > 0

/** The words that the author of a removed document reads. */
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

/** The kinds of targets that can be blocked or removed, and how each is written. */
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
  /** A hint that says who sees the reason. */
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

/** Says what happens to documents that are removed, and to their reports. */
export function describeRemoval(c: ModerationContext, what: 'document' | 'documents' = 'document'): string {
  const { removalDays } = c.var.config
  if (removalDays === 0) return `This deletes the ${what} for good. You can’t undo this.`
  const [nobody, them] = what === 'document' ? ['Nobody can open it', 'it'] : ['Nobody can open them', 'them']
  return `${nobody} from then on. For ${removalDays} days you can restore ${them}, without the reports and earlier versions.`
}
