import { MAX_REASON_CHARACTERS } from '../../moderation/statements.ts'
import { ConfirmationButton } from '../components/confirmation.tsx'

export interface ReasonFieldProps {
  /** Unique on the page. */
  readonly id?: string
  readonly reason?: string
  readonly problem?: string | null
}

/** Asks why a document is removed. */
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
      {/* The parser drops the first line break, so it gets one of its own. */}
      {`\n${reason}`}
    </textarea>
    <p class="hint" id={`${id}-hint`}>
      At most {MAX_REASON_CHARACTERS} characters. The creator reads it.
    </p>
  </>
)

/** Where the form goes that removes a document. */
export const removeAction = (id: string): string => `/moderation/${id}/remove`

export const REMOVE_WARNING = 'Its text is gone for good, and so are its reports. Nobody can undo that.'

interface DecisionProps {
  readonly id: string
  /** When the latest report was made that is seen; null where there is none. */
  readonly until: number | null
}

/** What can be done about a document, on its own page and in the list. */
export const Decision = ({ id, until }: DecisionProps) => (
  <div class="actions">
    <ConfirmationButton
      id={`remove-${id}`}
      title="Remove this document?"
      button="Remove the document"
      action={removeAction(id)}
    >
      <p>{REMOVE_WARNING}</p>
      <ReasonField id={`reason-${id}`} />
    </ConfirmationButton>
    {until !== null && (
      <form method="post" action={`/moderation/${id}/dismiss`} class="inline">
        {/* What is reported after this page was made is not dismissed with it. */}
        <input type="hidden" name="until" value={String(until)} />
        <button type="submit" class="quiet">
          Dismiss the reports
        </button>
      </form>
    )}
  </div>
)
