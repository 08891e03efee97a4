import type { Document } from '../../documents/model/document.ts'
import type { CaseFacts } from '../../moderation/case.ts'
import type { Removal } from '../../moderation/removals.ts'
import type { TargetKind } from '../../moderation/remove-all-statements.ts'
import type { Report, ReportedDocument } from '../../moderation/reports.ts'
import { ConfirmationForm } from '../components/confirmation.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { Facts } from '../components/facts.tsx'
import { Time } from '../components/time.tsx'
import { Notice } from '../layout/layout.tsx'
import {
  BlockContentField,
  Decision,
  getRemoveAction,
  REMOVE_WARNING,
  ReasonField,
  type ReasonFieldProps,
} from './decision.tsx'
import { TARGET_LABELS } from './labels.ts'
import { Fact, LISTS, type ListProps, ModerationPage, Older, Quote } from './moderation-frame.tsx'
import { REASON_LABELS } from './report-form.tsx'

export const ReportedPage = ({ items, cursor }: ListProps<ReportedDocument>) => (
  <ModerationPage title={LISTS['/moderation']} list="/moderation">
    {items.length === 0 && (
      <EmptyState icon="inbox" title="No reports">
        <p>Reported documents appear here.</p>
      </EmptyState>
    )}
    {items.map(({ id, title, creator, reports, reasons, comments, reportedAt }) => (
      <article class="case">
        <h2>
          <a href={`/moderation/${id}`}>{title ?? id}</a>
        </h2>
        <dl class="facts">
          <Fact term="ID">{id}</Fact>
          <Fact term="Author">{creator ?? 'Anonymous'}</Fact>
          <Fact term="Reports">{reports}</Fact>
          <Fact term="Reasons">{reasons.map((reason) => REASON_LABELS[reason]).join(', ')}</Fact>
          <Fact term="Last report">
            <Time at={reportedAt} />
          </Fact>
        </dl>
        {comments.map((comment) => (
          <Quote>{comment}</Quote>
        ))}
        <Decision id={id} until={reportedAt} />
      </article>
    ))}
    <Older path="/moderation" cursor={cursor} />
  </ModerationPage>
)

interface CasePageProps {
  readonly document: Document
  readonly views: number
  readonly reports: readonly Report[]
  readonly facts: CaseFacts
  readonly now: number
}

export const CasePage = ({ document, views, reports, facts, now }: CasePageProps) => (
  <ModerationPage title={document.title ?? document.id}>
    <p>
      Document <a href={`/${document.id}`}>{document.id}</a>.
      {document.encrypted && ' It’s encrypted, so you need its password to read it.'}
      {document.burnAfterReading && ' It’s deleted after the first read.'}
      {facts.suspended && ' Its author is suspended, so only admins can see it.'}
    </p>
    {!document.encrypted && (
      <p>
        <a href={`/moderation/${document.id}/text`}>Show the text</a>. This counts no view and deletes
        nothing.
      </p>
    )}
    <Facts document={document} views={views} burned={false} now={now} />
    <CaseLinks document={document} facts={facts} />
    <Decision id={document.id} until={reports[0]?.createdAt ?? null} />
    <h2>Reports</h2>
    {reports.length === 0 && <p>No open reports.</p>}
    {reports.map(({ reason, comment, createdAt, times }) => (
      <article class="case">
        <h3>{REASON_LABELS[reason]}</h3>
        <p class="hint">
          {times > 1 && `${times} reports, the last `}
          <Time at={createdAt} />
        </p>
        {comment !== null && <Quote>{comment}</Quote>}
      </article>
    ))}
  </ModerationPage>
)

/** Leads from a document to everything else that its author or its text is behind. */
const CaseLinks = ({ document, facts }: Pick<CasePageProps, 'document' | 'facts'>) => {
  const targets = [
    document.creator && { kind: 'account', value: document.creator.username },
    facts.address && { kind: 'address', value: facts.address },
    facts.contentHash && { kind: 'content', value: facts.contentHash },
  ].filter((target) => target !== null && target !== '')
  return (
    <dl class="facts">
      {targets.map(({ kind, value }) => (
        <Fact term={TARGET_LABELS[kind as TargetKind]}>
          <span class="value">{value}</span>{' '}
          <a href={`/moderation/remove-all?${new URLSearchParams({ kind, value })}`}>Remove all</a>{' '}
          {kind === 'account' ? (
            <a href={`/moderation/accounts?${new URLSearchParams({ username: value })}`}>Account</a>
          ) : (
            <a href={`/moderation/blocks?${new URLSearchParams({ kind, value })}#add`}>Block</a>
          )}
        </Fact>
      ))}
    </dl>
  )
}

interface RemovePageProps extends ReasonFieldProps {
  readonly documentId: string
  readonly blockContent?: boolean
}

export const RemovePage = ({ documentId: id, blockContent = true, ...field }: RemovePageProps) => (
  <Notice title="Remove this document?" signedIn>
    <p>
      Document <a href={`/moderation/${id}`}>{id}</a>. {REMOVE_WARNING}
    </p>
    <ConfirmationForm button="Remove document" action={getRemoveAction(id)}>
      <ReasonField {...field} />
      <BlockContentField checked={blockContent} />
    </ConfirmationForm>
  </Notice>
)

const RemovalFacts = ({ removal }: { removal: Removal }) => (
  <>
    <dl class="facts">
      <Fact term="ID">{removal.documentId}</Fact>
      <Fact term="Author">{removal.creator ?? 'Anonymous or deleted'}</Fact>
      <Fact term="Removed by">{removal.removedBy}</Fact>
      <Fact term="Removed">
        <Time at={removal.removedAt} />
      </Fact>
    </dl>
    <Quote>{removal.reason}</Quote>
  </>
)

export const RemovalPage = ({ removal }: { removal: Removal }) => (
  <ModerationPage title="Removed document">
    {removal.title !== null && <p>{removal.title}</p>}
    <RemovalFacts removal={removal} />
  </ModerationPage>
)

export const RemovalsPage = ({ items, cursor }: ListProps<Removal>) => (
  <ModerationPage title={LISTS['/moderation/removals']} list="/moderation/removals">
    {items.length === 0 && (
      <EmptyState icon="inbox" title="No removals yet">
        <p>Documents that you or other admins remove appear here, with the reason.</p>
      </EmptyState>
    )}
    {items.map((removal) => (
      <article class="case">
        <h2>{removal.title ?? removal.documentId}</h2>
        <RemovalFacts removal={removal} />
      </article>
    ))}
    <Older path="/moderation/removals" cursor={cursor} />
  </ModerationPage>
)
