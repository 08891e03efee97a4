import type { Child } from 'hono/jsx'
import type { Document } from '../../documents/model/document.ts'
import type { Removal } from '../../moderation/removals.ts'
import type { Report, ReportedDocument } from '../../moderation/reports.ts'
import { ConfirmationForm } from '../components/confirmation.tsx'
import { Facts } from '../components/facts.tsx'
import { Time } from '../components/time.tsx'
import { Layout, Notice } from '../layout/layout.tsx'
import { Decision, REMOVE_WARNING, ReasonField, type ReasonFieldProps, removeAction } from './decision.tsx'
import { REASON_LABELS } from './report-form.tsx'

const LISTS = { '/moderation': 'Reported documents', '/moderation/removals': 'Removals' } as const

interface ModerationPageProps {
  readonly title: string
  /** The list that it is; a document may be called like one. */
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

/** Leads to the next page of a list that is at this address. */
const Older = ({ path, cursor }: { path: string; cursor: string | null }) =>
  cursor === null ? null : (
    <p>
      <a href={`${path}?${new URLSearchParams({ cursor })}`} rel="next">
        Older
      </a>
    </p>
  )

const Words = ({ children }: { children: string }) => <blockquote class="words">{children}</blockquote>

interface ListProps<Item> {
  readonly items: readonly Item[]
  readonly cursor: string | null
}

export const ReportedPage = ({ items, cursor }: ListProps<ReportedDocument>) => (
  <ModerationPage title={LISTS['/moderation']} list="/moderation">
    {items.length === 0 && <p class="empty">Nothing is reported.</p>}
    {items.map(({ id, title, creator, reports, reasons, words, reportedAt }) => (
      <article class="case">
        <h2>
          <a href={`/moderation/${id}`}>{title ?? id}</a>
        </h2>
        <dl class="facts">
          <Fact term="Id">{id}</Fact>
          <Fact term="Creator">{creator ?? 'nobody'}</Fact>
          <Fact term="Reports">{reports}</Fact>
          <Fact term="Reasons">{reasons.map((reason) => REASON_LABELS[reason]).join(', ')}</Fact>
          <Fact term="Last report">
            <Time at={reportedAt} />
          </Fact>
        </dl>
        {words.map((some) => (
          <Words>{some}</Words>
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
  readonly now: number
}

export const CasePage = ({ document, views, reports, now }: CasePageProps) => (
  <ModerationPage title={document.title ?? document.id}>
    <p>
      The document is <a href={`/${document.id}`}>{document.id}</a>.
      {document.encrypted && ' It is encrypted: only those who know its password can read it.'}
      {document.burnAfterReading && ' It is deleted by whoever reads it first.'}
    </p>
    <Facts document={document} views={views} burned={false} now={now} />
    <Decision id={document.id} until={reports[0]?.createdAt ?? null} />
    <h2>Reports</h2>
    {reports.length === 0 && <p>Nobody has reported it, or the reports were dismissed.</p>}
    {reports.map(({ reason, words, createdAt }) => (
      <article class="case">
        <h3>{REASON_LABELS[reason]}</h3>
        <p class="hint">
          <Time at={createdAt} />
        </p>
        {words !== null && <Words>{words}</Words>}
      </article>
    ))}
  </ModerationPage>
)

export const RemovePage = ({ id, ...field }: { id: string } & ReasonFieldProps) => (
  <Notice title="Remove this document?" signedIn>
    <p>
      The document is <a href={`/moderation/${id}`}>{id}</a>. {REMOVE_WARNING}
    </p>
    <ConfirmationForm button="Remove the document" action={removeAction(id)}>
      <ReasonField {...field} />
    </ConfirmationForm>
  </Notice>
)

const RemovalFacts = ({ removal }: { removal: Removal }) => (
  <>
    <dl class="facts">
      <Fact term="Id">{removal.documentId}</Fact>
      <Fact term="Creator">{removal.creator ?? 'nobody'}</Fact>
      <Fact term="Removed by">{removal.removedBy}</Fact>
      <Fact term="Removed">
        <Time at={removal.removedAt} />
      </Fact>
    </dl>
    <Words>{removal.reason}</Words>
  </>
)

export const RemovalPage = ({ removal }: { removal: Removal }) => (
  <ModerationPage title="This document is removed">
    {removal.title !== null && <p>{removal.title}</p>}
    <RemovalFacts removal={removal} />
  </ModerationPage>
)

export const RemovalsPage = ({ items, cursor }: ListProps<Removal>) => (
  <ModerationPage title={LISTS['/moderation/removals']} list="/moderation/removals">
    {items.length === 0 && <p class="empty">Nothing was removed yet.</p>}
    {items.map((removal) => (
      <article class="case">
        <h2>{removal.title ?? removal.documentId}</h2>
        <RemovalFacts removal={removal} />
      </article>
    ))}
    <Older path="/moderation/removals" cursor={cursor} />
  </ModerationPage>
)
