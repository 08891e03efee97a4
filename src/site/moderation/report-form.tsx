import { REASONS, type Reason } from '../../moderation/reports.ts'

export const REASON_LABELS: Readonly<Record<Reason, string>> = {
  spam: 'Spam',
  malware: 'Malware or phishing',
  privacy: 'Private information',
  illegal: 'Illegal',
  other: 'Something else',
}

/** What kept a report from being sent, and which part of the form it is about. */
export interface ReportProblem {
  readonly at: 'reason' | 'words' | 'form'
  readonly message: string
}

interface ReportFormProps {
  readonly documentId: string
  readonly reason?: Reason | null
  readonly words?: string
  readonly problem?: ReportProblem | null
}

export const ReportForm = ({ documentId, reason = null, words = '', problem = null }: ReportFormProps) => (
  <form method="post" action={`/${documentId}/report`}>
    {problem && (
      <p class="error" role="alert" id="problem">
        {problem.message}
      </p>
    )}
    <fieldset aria-describedby={problem?.at === 'reason' ? 'problem' : undefined}>
      <legend>What is wrong with it?</legend>
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
    <label for="words">What else the operator should know (optional)</label>
    <textarea
      id="words"
      name="words"
      rows={5}
      autofocus={problem?.at === 'words'}
      aria-invalid={problem?.at === 'words' ? 'true' : undefined}
      aria-describedby={problem?.at === 'words' ? 'problem words-hint' : 'words-hint'}
    >
      {/* The parser drops the first line break, so it gets one of its own. */}
      {`\n${words}`}
    </textarea>
    <p class="hint" id="words-hint">
      At most 1,000 characters. Nobody but the operator reads them.
    </p>
    <button type="submit">Send the report</button>
  </form>
)
