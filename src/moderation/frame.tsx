import type { Child } from 'hono/jsx'
import { SCRIPTS } from '../site/assets.generated.ts'
import { Checkbox, Choices, TextArea } from '../site/components/fields.tsx'
import { findLengthProblem, getTrimmedText } from '../site/layout/form.ts'
import { Layout } from '../site/layout/layout.tsx'
import { MAX_REASON_CHARACTERS } from './removal-statements.ts'
import { REASON_LABELS } from './report.tsx'
import { isReason, type Reason } from './reports.ts'

export const LISTS = {
  '/moderation': 'Reports',
  '/moderation/removals': 'Removed',
  '/moderation/blocks': 'Blocks',
  '/moderation/accounts': 'Accounts',
  '/moderation/audit': 'Audit log',
} as const

interface ModerationPageProps {
  readonly list: keyof typeof LISTS
  /** Of a page below a list. */
  readonly title?: string
  /** What has just been done. */
  readonly done?: Child
  readonly children: Child
}

/** Every page of moderation. */
export const ModerationPage = ({ list, title = LISTS[list], done, children }: ModerationPageProps) => (
  <Layout title={title} signedIn scripts={[SCRIPTS.submitOnce, SCRIPTS.moderation]}>
    <h1>{title}</h1>
    <nav aria-label="Moderation" class="actions tabs">
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
    {children}
  </Layout>
)

export interface ListProps<Entry> {
  readonly items: readonly Entry[]
  readonly cursor: string | null
}

export const Older = ({ path, cursor }: { path: string; cursor: string | null }) =>
  cursor === null ? null : (
    <p>
      <a href={`${path}?${new URLSearchParams({ cursor })}`} rel="next" class="button quiet">
        Older
      </a>
    </p>
  )

/** A reason of moderators, as the author of a removed document reads it. */
export interface WrittenReason {
  readonly preset: Reason | null
  readonly words: string
}

export function readReason(fields: ReadonlyMap<string, string>): WrittenReason {
  const preset = fields.get('preset') ?? ''
  return { preset: isReason(preset) ? preset : null, words: getTrimmedText(fields, 'reason') }
}

export function formatReason({ preset, words }: WrittenReason): string {
  if (preset === null || preset === 'other') return words
  return words === '' ? `${REASON_LABELS[preset]}.` : `${REASON_LABELS[preset]}: ${words}`
}

export function findReasonProblem(
  reason: string,
  empty = 'Enter a reason, or choose one. The author will see it.',
): string | null {
  return reason === '' ? empty : findLengthProblem(reason, MAX_REASON_CHARACTERS)
}

interface ReasonFieldsProps {
  readonly id: string
  readonly written: WrittenReason
  readonly blockContent?: boolean
  readonly problem?: string | undefined
}

/** Why a document is removed: mostly one key press, since the reports say it already. */
export const ReasonFields = ({ id, written, blockContent = true, problem }: ReasonFieldsProps) => (
  <>
    <Choices legend="Why?" name="preset" value={written.preset ?? 'other'} options={REASON_LABELS} />
    <TextArea
      label="In your own words"
      id={`reason-${id}`}
      name="reason"
      rows={2}
      value={written.words}
      hint={`Optional, unless it’s something else. The author sees the reason. At most ${MAX_REASON_CHARACTERS} characters.`}
      problem={problem}
    />
    <Checkbox name="block_content" value="on" checked={blockContent}>
      Refuse this text if someone shares it again
    </Checkbox>
  </>
)
