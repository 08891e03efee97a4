import { SCRIPTS } from '../site/assets.generated.ts'
import { Choices, TextArea } from '../site/components/fields.tsx'
import { Form } from '../site/components/form.tsx'
import { Notice } from '../site/layout/layout.tsx'
import { MAX_REPORT_CHARACTERS, type Reason } from './reports.ts'

export const REASON_LABELS: Readonly<Record<Reason, string>> = {
  spam: 'Spam',
  malware: 'Malware or phishing',
  privacy: 'Private information',
  illegal: 'Illegal content',
  other: 'Something else',
}

export type ReportProblems = Readonly<Partial<Record<'reason' | 'comment' | 'form', string>>>

interface ReportPageProps {
  readonly documentId: string
  readonly signedIn: boolean
  readonly reason?: Reason | null
  readonly comment?: string
  readonly problems?: ReportProblems
}

export const ReportPage = ({
  documentId,
  signedIn,
  reason = null,
  comment = '',
  problems = {},
}: ReportPageProps) => (
  <Notice title="Report a document" signedIn={signedIn} scripts={[SCRIPTS.form]}>
    <p>
      You’re reporting <a href={`/${documentId}`}>{documentId}</a>. We review every report.
    </p>
    <Form action={`/${documentId}/report`} problem={problems.form} button="Send report">
      <Choices
        legend="What’s wrong with it?"
        name="reason"
        value={reason}
        options={REASON_LABELS}
        problem={problems.reason}
      />
      <TextArea
        label="Details (optional)"
        name="comment"
        rows={4}
        value={comment}
        hint={`At most ${MAX_REPORT_CHARACTERS} characters. Only moderators read this.`}
        problem={problems.comment}
      />
    </Form>
  </Notice>
)

export const ThanksPage = ({ documentId, signedIn }: { documentId: string; signedIn: boolean }) => (
  <Notice icon="check" title="Thank you" signedIn={signedIn}>
    <p>We’ve received your report and will review the document.</p>
    <p>
      <a href={`/${documentId}`}>Back to the document</a>
    </p>
  </Notice>
)
