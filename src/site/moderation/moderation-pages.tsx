import type { Child } from 'hono/jsx'
import type { Document } from '../../documents/model/document.ts'
import type { Removal } from '../../moderation/removals.ts'
import type { Report, ReportedDocument } from '../../moderation/reports.ts'
import { ConfirmationForm } from '../components/confirmation.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { Facts } from '../components/facts.tsx'
import { Time } from '../components/time.tsx'
import { Layout, Notice } from '../layout/layout.tsx'
import { Decision, getRemoveAction, REMOVE_WARNING, ReasonField, type ReasonFieldProps } from './decision.tsx'
import { REASON_LABELS } from './report-form.tsx'

const LISTS = { '/moderation': 'Reported documents', '/moderation/removals': 'Removals' } as const

interface ModerationPageProps {
  readonly title: string
  /** The list that this page shows, if it shows one. */
  readonly list?: keyof typeof LISTS
  readonly children: Child
}

const ModerationPage = ({ title, list, children }: ModerationPageProps) => (
  <Layout title={title} signedIn>
    <h1>{title}</h1>
    <nav aria-label="Moderation" class="actions tabs">
      {Object.entries(LISTS).map(([path, name]) => (
        <a href={path} aria-current={path === list ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
    {children}
  </Layout>
)

/** Links to the next page of a list. */
const Older = ({ path, cursor }: { path: string; cursor: string | null }) =>
  cursor === null ? null : (
    <p>
      <a href={`${path}?${new URLSearchParams({ cursor })}`} rel="next">
        Older
      </a>
    </p>
  )

const Quote = ({ children }: { children: string }) => <blockquote class="quote">{children}</blockquote>

interface ListProps<Item> {
  readonly items: readonly Item[]
  readonly cursor: string | null
}

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

const Fact = ({ term, children }: { term: string; children: Child }) => (
  <div>
    <dt>{term}</dt>
    <dd>{children}</dd>
  </div>
)

interface CasePageProps {
  readonly document: Document
  readonly views: number
  readonly reports: readonly Report[]
  readonly facts: { readonly suspended: boolean }
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

export const RemovePage = ({ id, ...field }: { id: string } & ReasonFieldProps) => (
  <Notice title="Remove this document?" signedIn>
    <p>
      Document <a href={`/moderation/${id}`}>{id}</a>. {REMOVE_WARNING}
    </p>
    <ConfirmationForm button="Remove document" action={getRemoveAction(id)}>
      <ReasonField {...field} />
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
