import type { ModeratedAccount } from '../../moderation/accounts.ts'
import type { AuditLogEntry } from '../../moderation/audit-log.ts'
import type { Block } from '../../moderation/blocks.ts'
import { AUDIT_RETENTION_DAYS } from '../../platform/audit-log.ts'
import { EmptyState } from '../components/empty-state.tsx'
import { Time } from '../components/time.tsx'
import { type DeskForm, FormProblem, KindField, ShortReason, TextField } from './desk-fields.tsx'
import { ACTION_LABELS, BLOCK_LABELS } from './labels.ts'
import { Fact, LISTS, type ListProps, ModerationPage, Older, Quote } from './moderation-frame.tsx'

const BlockRow = ({ block: { kind, value, reason, createdBy, createdAt } }: { block: Block }) => (
  <article class="case">
    <h3>
      {BLOCK_LABELS[kind]} <span class="value">{value}</span>
    </h3>
    <dl class="facts">
      <Fact term="Blocked by">{createdBy}</Fact>
      <Fact term="Since">
        <Time at={createdAt} />
      </Fact>
    </dl>
    <Quote>{reason}</Quote>
    <form method="post" action="/moderation/blocks/lift" class="inline">
      <input type="hidden" name="kind" value={kind} />
      <input type="hidden" name="value" value={value} />
      <button type="submit" class="quiet" aria-label={`Lift block of ${value}`}>
        Lift block
      </button>
    </form>
  </article>
)

export const BlocksPage = ({ items, cursor, form }: ListProps<Block> & { form: DeskForm }) => (
  <ModerationPage title={LISTS['/moderation/blocks']} list="/moderation/blocks">
    <p>
      Nobody can share from a blocked address range, share a blocked text, or link to a blocked domain or its
      subdomains. To block an account, <a href="/moderation/accounts">suspend it</a>.
    </p>
    <h2 id="add">Add a block</h2>
    <form method="post" action="/moderation/blocks#add">
      <FormProblem form={form} />
      <KindField labels={BLOCK_LABELS} selected={form.kind} />
      <TextField
        label="What to block"
        name="value"
        value={form.value}
        hint="Such as 192.0.2.0/24, 2001:db8::/32, example.org, or the SHA-256 of a text."
        problem={form.problems.value}
      />
      <ShortReason form={form} hint="Only admins see it." />
      <button type="submit">Block</button>
    </form>
    <h2>Blocked</h2>
    {items.length === 0 && <EmptyState icon="inbox" title="Nothing is blocked" children={null} />}
    {items.map((block) => (
      <BlockRow block={block} />
    ))}
    <Older path="/moderation/blocks" cursor={cursor} />
  </ModerationPage>
)

interface AccountsPageProps {
  readonly username: string
  readonly account: ModeratedAccount | null
  readonly form: DeskForm
}

const Account = ({ account, form }: { account: ModeratedAccount; form: DeskForm }) => (
  <article class="case">
    <h2>{account.username}</h2>
    <dl class="facts">
      <Fact term="Documents">{account.documents.toLocaleString('en')}</Fact>
      <Fact term="Joined">
        <Time at={account.createdAt} />
      </Fact>
      <Fact term="State">
        {account.suspendedAt === null ? (
          'Active'
        ) : (
          <>
            Suspended <Time at={account.suspendedAt} />
          </>
        )}
      </Fact>
    </dl>
    <FormProblem form={form} />
    {account.suspendedAt === null ? (
      <form method="post" action="/moderation/accounts/suspend">
        <p>
          Suspending signs the account out, stops its API keys, and hides its documents from everyone but
          admins. You can lift it.
        </p>
        <input type="hidden" name="username" value={account.username} />
        <ShortReason form={form} hint="Only admins see it." />
        <button type="submit" class="danger">
          Suspend account
        </button>
      </form>
    ) : (
      <form method="post" action="/moderation/accounts/restore">
        <input type="hidden" name="username" value={account.username} />
        <button type="submit">Lift suspension</button>
      </form>
    )}
    <p>
      <a href={`/moderation/remove-all?${new URLSearchParams({ kind: 'account', value: account.username })}`}>
        Remove all documents
      </a>
    </p>
  </article>
)

export const AccountsPage = ({ username, account, form }: AccountsPageProps) => (
  <ModerationPage title={LISTS['/moderation/accounts']} list="/moderation/accounts">
    <form method="get" action="/moderation/accounts">
      <TextField
        label="Username"
        name="username"
        value={username}
        hint="Finds one account, to suspend it or lift its suspension."
        problem={username !== '' && account === null ? 'No account has this username.' : undefined}
      />
      <button type="submit">Find</button>
    </form>
    {account && <Account account={account} form={form} />}
  </ModerationPage>
)

export const AuditPage = ({ items, cursor }: ListProps<AuditLogEntry>) => (
  <ModerationPage title={LISTS['/moderation/audit']} list="/moderation/audit">
    <p>
      Sign-ins, API keys, and what admins and the command line did. Nobody can change an entry, or delete it
      within {AUDIT_RETENTION_DAYS} days.
    </p>
    {items.length === 0 && <EmptyState icon="inbox" title="No entries yet" children={null} />}
    {items.map(({ at, actor, action, subject, detail, network }) => (
      <article class="case">
        <h2>{ACTION_LABELS[action] ?? action}</h2>
        <dl class="facts">
          <Fact term="By">
            <span class="value">{actor}</span>
          </Fact>
          {subject !== null && (
            <Fact term="What">
              <span class="value">{subject}</span>
            </Fact>
          )}
          {network !== null && <Fact term="From">{network}</Fact>}
          <Fact term="When">
            <Time at={at} />
          </Fact>
        </dl>
        {detail !== null && <Quote>{detail}</Quote>}
      </article>
    ))}
    <Older path="/moderation/audit" cursor={cursor} />
  </ModerationPage>
)
