import { MAX_COUNTED } from '../../moderation/remove-all.ts'
import type { RemovalTarget } from '../../moderation/remove-all-statements.ts'
import { ConfirmationForm } from '../components/confirmation.tsx'
import { Notice } from '../layout/layout.tsx'
import { BlockContentField } from './decision.tsx'
import { type DeskForm, FormProblem, KindField, ShortReason, TextField } from './desk-fields.tsx'
import { TARGET_LABELS } from './labels.ts'
import { LISTS, ModerationPage, Quote } from './moderation-frame.tsx'

export const RemoveAllPage = ({ form }: { form: DeskForm }) => (
  <ModerationPage title={LISTS['/moderation/remove-all']} list="/moderation/remove-all">
    <p>
      Remove every document of an account, of an address or with the same text. The next page says how many
      there are. Addresses are known for 30 days, and only of documents that were shared without an account.
    </p>
    <form method="post" action="/moderation/remove-all">
      <FormProblem form={form} />
      <KindField labels={TARGET_LABELS} selected={form.kind} />
      <TextField
        label="Whose documents"
        name="value"
        value={form.value}
        hint="A username, an address range such as 192.0.2.0/24, or the SHA-256 of a text."
        problem={form.problems.value}
      />
      <ShortReason form={form} hint="The authors will see it." />
      <BlockContentField checked={form.blockContent} />
      <button type="submit">Continue</button>
    </form>
  </ModerationPage>
)

const formatCount = (count: number): string =>
  `${count === MAX_COUNTED ? 'at least ' : ''}${count.toLocaleString('en')} ${count === 1 ? 'document' : 'documents'}`

interface ConfirmRemoveAllProps {
  readonly target: RemovalTarget
  readonly count: number
  readonly form: DeskForm
}

export const ConfirmRemoveAllPage = ({ target, count, form }: ConfirmRemoveAllProps) => (
  <Notice title={`Remove ${formatCount(count)}?`} signedIn>
    <p>
      {TARGET_LABELS[target.kind]} <strong class="value">{target.value}</strong>. This deletes the documents
      and their reports. You can’t undo this.
    </p>
    {form.blockContent && <p>Nobody will be able to share these texts again.</p>}
    <Quote>{form.reason}</Quote>
    <ConfirmationForm button="Remove all" action="/moderation/remove-all">
      <input type="hidden" name="kind" value={target.kind} />
      <input type="hidden" name="value" value={target.value} />
      <input type="hidden" name="reason" value={form.reason} />
      {form.blockContent && <input type="hidden" name="block_content" value="on" />}
      <input type="hidden" name="confirmed" value="yes" />
    </ConfirmationForm>
    <p>
      <a href={`/moderation/remove-all?${new URLSearchParams({ kind: target.kind, value: target.value })}`}>
        Cancel
      </a>
    </p>
  </Notice>
)

interface RemovedAllProps {
  readonly target: RemovalTarget
  readonly removed: number
  readonly complete: boolean
}

export const RemovedAllPage = ({ target, removed, complete }: RemovedAllProps) => (
  <Notice
    title={`Removed ${removed.toLocaleString('en')} ${removed === 1 ? 'document' : 'documents'}`}
    signedIn
  >
    <p>
      {TARGET_LABELS[target.kind]} <span class="value">{target.value}</span>.{' '}
      {complete ? 'There are no more.' : 'There are more. Remove them again to continue.'}
    </p>
    <p>
      {complete ? (
        <a href="/moderation/removals">All removals</a>
      ) : (
        <a href={`/moderation/remove-all?${new URLSearchParams({ kind: target.kind, value: target.value })}`}>
          Continue
        </a>
      )}
    </p>
  </Notice>
)
