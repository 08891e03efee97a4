import { MAX_REPORT_CHARACTERS, REASONS, type Reason } from '../../moderation/reports.ts'

export const REASON_LABELS: Readonly<Record<Reason, string>> = {
  spam: 'Spam',
  malware: 'Malware or phishing',
  privacy: 'Private information',
  illegal: 'Illegal content',
  other: 'Something else',
}

/** Why a report wasn't sent, and which part of the form the message belongs to. */
export interface ReportProblem {
  readonly at: 'reason' | 'comment' | 'form'
  readonly message: string
}

interface ReportFormProps {
  readonly documentId: string
  readonly reason?: Reason | null
  readonly comment?: string
  readonly problem?: ReportProblem | null
}

export const ReportForm = ({ documentId, reason = null, comment = '', problem = null }: ReportFormProps) => (
  <form method="post" action={`/${documentId}/report`}>
    {problem && (
      <p class="error" role="alert" id="problem">
        {problem.message}
      </p>
    )}
    <fieldset aria-describedby={problem?.at === 'reason' ? 'problem' : undefined}>
      <legend>What’s wrong with it?</legend>
      {REASONS.map((value, index) => (
        <label class="choice">
          <input
            type="radio"
            name="reason"
            value={value}
            required
            checked={value === reason}
            autofocus={problem?.at === 'reason' && index === 0}
          />
          {REASON_LABELS[value]}
        </label>
      ))}
    </fieldset>
    <label for="comment">Details (optional)</label>
    <textarea
      id="comment"
      name="comment"
      rows={5}
      autofocus={problem?.at === 'comment'}
      aria-invalid={problem?.at === 'comment' ? 'true' : undefined}
      aria-describedby={problem?.at === 'comment' ? 'problem comment-hint' : 'comment-hint'}
    >
      {/* HTML parsers drop a line break at the start of a textarea. */}
      {`\n${comment}`}
    </textarea>
    <p class="hint" id="comment-hint">
      At most {MAX_REPORT_CHARACTERS.toLocaleString('en')} characters. Only the operator will read this.
    </p>
    <button type="submit">Send report</button>
  </form>
)
