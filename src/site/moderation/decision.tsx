import { MAX_REASON_CHARACTERS } from '../../moderation/removal-statements.ts'
import { ConfirmationButton } from '../components/confirmation.tsx'

export interface ReasonFieldProps {
  /** Unique on the page. */
  readonly id?: string
  readonly reason?: string
  readonly problem?: string | null
}

/** Asks for the reason for a removal. */
export const ReasonField = ({ id = 'reason', reason = '', problem = null }: ReasonFieldProps) => (
  <>
    {problem !== null && (
      <p class="error" role="alert" id="problem">
        {problem}
      </p>
    )}
    <label for={id}>Reason</label>
    <textarea
      id={id}
      name="reason"
      rows={4}
      required
      autofocus
      aria-invalid={problem === null ? undefined : 'true'}
      aria-describedby={problem === null ? `${id}-hint` : `problem ${id}-hint`}
    >
      {/* HTML parsers drop a line break at the start of a textarea. */}
      {`\n${reason}`}
    </textarea>
    <p class="hint" id={`${id}-hint`}>
      At most {MAX_REASON_CHARACTERS} characters. The author will see it.
    </p>
  </>
)

/** Offers to refuse the same text from now on. */
export const BlockContentField = ({ checked = true }: { checked?: boolean }) => (
  <label class="choice">
    <input type="checkbox" name="block_content" value="on" checked={checked} />
    Refuse this text if someone shares it again
  </label>
)

/** Returns where the form that removes a document is sent. */
export const getRemoveAction = (id: string): string => `/moderation/${id}/remove`

export const REMOVE_WARNING = 'This deletes the document and its reports. You can’t undo this.'

interface DecisionProps {
  readonly id: string
  /** When the latest report on this page was made; null if there is none. */
  readonly until: number | null
}

/** The buttons that remove a document or dismiss its reports. */
export const Decision = ({ id, until }: DecisionProps) => (
  <div class="actions">
    <ConfirmationButton
      id={`remove-${id}`}
      title="Remove this document?"
      button="Remove document"
      action={getRemoveAction(id)}
    >
      <p>{REMOVE_WARNING}</p>
      <ReasonField id={`reason-${id}`} />
      <BlockContentField />
    </ConfirmationButton>
    {until !== null && (
      <form method="post" action={`/moderation/${id}/dismiss`} class="inline">
        {/* Reports made after this page was loaded stay. */}
        <input type="hidden" name="until" value={String(until)} />
        <button type="submit" class="quiet">
          Dismiss reports
        </button>
      </form>
    )}
  </div>
)
