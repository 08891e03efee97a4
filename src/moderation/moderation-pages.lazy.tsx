import type { Child } from 'hono/jsx'
import type { Document } from '../documents/document.ts'
import type { AuditAction } from '../platform/audit-log.ts'
import { ConfirmationButton, ConfirmationForm } from '../site/components/confirmation.tsx'
import { EmptyState } from '../site/components/empty-state.tsx'
import { Facts, Time } from '../site/components/facts.tsx'
import { Layout, Notice } from '../site/layout/layout.tsx'
import type { BlockKind } from './block-statements.ts'
import { MAX_REASON_CHARACTERS } from './removal-statements.ts'
import type { Removal } from './removals.ts'
import type { TargetKind } from './remove-all-statements.ts'
import { REASON_LABELS } from './report.tsx'
import type { StaffFacts } from './reported-document.ts'
import type { Report, ReportSummary } from './reports.ts'

export const BLOCK_LABELS: Readonly<Record<BlockKind, string>> = {
  address: 'Address range',
  content: 'Text (SHA-256)',
  domain: 'Link domain',
}

export const TARGET_LABELS: Readonly<Record<TargetKind, string>> = {
  account: 'Account',
  address: 'Address range',
  content: 'Text (SHA-256)',
}

export const ACTION_LABELS: Readonly<Record<AuditAction, string>> = {
  'sign-in': 'Signed in',
  'key.create': 'Created an API key',
  'key.revoke': 'Revoked an API key',
  'key.replace': 'Replaced an API key',
  'account.create': 'Created an account',
  'account.suspend': 'Suspended an account',
  'account.restore': 'Lifted a suspension',
  'account.delete': 'Deleted an account',
  'account.admin': 'Changed who is an admin',
  'document.remove': 'Removed a document',
  'documents.remove-all': 'Removed many documents',
  'reports.dismiss': 'Dismissed reports',
  'text.read': 'Read a text as staff',
  'block.add': 'Added a block',
  'block.remove': 'Lifted a block',
  'anonymous-documents.refuse': 'Switched documents without an account off',
  'anonymous-documents.allow': 'Switched documents without an account on',
}

export const LISTS = {
  '/moderation': 'Reported documents',
  '/moderation/removals': 'Removals',
  '/moderation/blocks': 'Blocks',
  '/moderation/remove-all': 'Remove many',
  '/moderation/accounts': 'Accounts',
  '/moderation/audit': 'Audit log',
} as const

interface ModerationPageProps {
  readonly title: string
  readonly list?: keyof typeof LISTS
  readonly children: Child
}

export const ModerationPage = ({ title, list, children }: ModerationPageProps) => (
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

export const Older = ({ path, cursor }: { path: string; cursor: string | null }) =>
  cursor === null ? null : (
    <p>
      <a href={`${path}?${new URLSearchParams({ cursor })}`} rel="next">
        Older
      </a>
    </p>
  )

export const Quote = ({ children }: { children: string }) => <blockquote class="quote">{children}</blockquote>

export interface ListProps<Item> {
  readonly items: readonly Item[]
  readonly cursor: string | null
}

export const Fact = ({ term, children }: { term: string; children: Child }) => (
  <div>
    <dt>{term}</dt>
    <dd>{children}</dd>
  </div>
)

interface ReasonFieldProps {
  readonly id?: string
  readonly reason?: string
  readonly problem?: string | null
}

const ReasonField = ({ id = 'reason', reason = '', problem = null }: ReasonFieldProps) => (
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

export const BlockContentField = ({ checked = true }: { checked?: boolean }) => (
  <label class="choice">
    <input type="checkbox" name="block_content" value="on" checked={checked} />
    Refuse this text if someone shares it again
  </label>
)

const getRemoveAction = (id: string): string => `/moderation/${id}/remove`

const REMOVE_WARNING = 'This deletes the document and its reports. You can’t undo this.'

const Decision = ({ id, until }: { id: string; until: number | null }) => (
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

export const ReportedDocumentsPage = ({ items, cursor }: ListProps<ReportSummary>) => (
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

interface ReportedDocumentPageProps {
  readonly document: Document
  readonly views: number
  readonly reports: readonly Report[]
  readonly facts: StaffFacts
  readonly now: number
}

export const ReportedDocumentPage = ({ document, views, reports, facts, now }: ReportedDocumentPageProps) => (
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
    <RelatedLinks document={document} facts={facts} />
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

const RelatedLinks = ({ document, facts }: Pick<ReportedDocumentPageProps, 'document' | 'facts'>) => {
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
