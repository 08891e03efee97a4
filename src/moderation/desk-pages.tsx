import { AUDIT_RETENTION_DAYS } from '../platform/audit-log.ts'
import { ConfirmationForm } from '../site/components/confirmation.tsx'
import { EmptyState } from '../site/components/empty-state.tsx'
import { Time } from '../site/components/facts.tsx'
import { Notice } from '../site/layout/layout.tsx'
import type { BlockListEntry } from './blocks.ts'
import type { AuditLogEntry, ModeratedAccount } from './desk.ts'
import {
  ACTION_LABELS,
  BLOCK_LABELS,
  BlockContentField,
  Fact,
  LISTS,
  type ListProps,
  ModerationPage,
  Older,
  Quote,
  TARGET_LABELS,
} from './moderation-pages.lazy.tsx'
import { MAX_REASON_CHARACTERS } from './removal-statements.ts'
import { MAX_COUNTED } from './remove-all.ts'
import type { RemovalTarget } from './remove-all-statements.ts'

export interface DeskForm {
  readonly kind: string
  readonly value: string
  readonly reason: string
  readonly blockContent: boolean
  readonly problems: Readonly<Partial<Record<'value' | 'reason' | 'form', string>>>
}

export const EMPTY_FORM: DeskForm = { kind: '', value: '', reason: '', blockContent: true, problems: {} }

interface TextFieldProps {
  readonly label: string
  readonly name: string
  readonly value: string
  readonly hint: string
  readonly problem?: string | undefined
  readonly maxlength?: number
}

const TextField = ({ label, name, hint, problem, ...rest }: TextFieldProps) => (
  <div class="field">
    <label for={name}>{label}</label>
    <input
      id={name}
      name={name}
      required
      autocomplete="off"
      autocapitalize="off"
      spellcheck={false}
      autofocus={problem !== undefined}
      aria-invalid={problem === undefined ? undefined : 'true'}
      aria-describedby={problem === undefined ? `${name}-hint` : `${name}-problem ${name}-hint`}
      {...rest}
    />
    <p class="hint" id={`${name}-hint`}>
      {hint}
    </p>
    {problem !== undefined && (
      <p class="error" role="alert" id={`${name}-problem`}>
        {problem}
      </p>
    )}
  </div>
)

const KindField = ({ labels, selected }: { labels: Readonly<Record<string, string>>; selected: string }) => (
  <div class="field">
    <label for="kind">Kind</label>
    <select id="kind" name="kind">
      {Object.entries(labels).map(([kind, label]) => (
        <option value={kind} selected={kind === selected}>
          {label}
        </option>
      ))}
    </select>
  </div>
)

const ShortReason = ({ form: { reason, problems }, hint }: { form: DeskForm; hint: string }) => (
  <TextField
    label="Reason"
    name="reason"
    value={reason}
    hint={`At most ${MAX_REASON_CHARACTERS} characters. ${hint}`}
    problem={problems.reason}
  />
)

const FormProblem = ({ form }: { form: DeskForm }) =>
  form.problems.form === undefined ? null : (
    <p class="error" role="alert" id="problem">
      {form.problems.form}
    </p>
  )

const BlockRow = ({ block: { kind, value, reason, createdBy, createdAt } }: { block: BlockListEntry }) => (
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

export const BlocksPage = ({ items, cursor, form }: ListProps<BlockListEntry> & { form: DeskForm }) => (
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

export const RemoveAllPage = ({ form }: { form: DeskForm }) => (
  <ModerationPage title={LISTS['/moderation/remove-all']} list="/moderation/remove-all">
    <p>
      Remove every document of an account, of an address or with the same text. The next page says how many
      there are. Addresses are known for 30 days, and only of documents that were shared without an account.
    </p>
    <form method="post" action="/moderation/remove-all">
      <FormProblem form={form} />
      <KindField labels={TARGET_LABELS} selected={form.kind} />
      <TextField
        label="Whose documents"
        name="value"
        value={form.value}
        hint="A username, an address range such as 192.0.2.0/24, or the SHA-256 of a text."
        problem={form.problems.value}
      />
      <ShortReason form={form} hint="The authors will see it." />
      <BlockContentField checked={form.blockContent} />
      <button type="submit">Continue</button>
    </form>
  </ModerationPage>
)

const formatCount = (count: number): string =>
  `${count === MAX_COUNTED ? 'at least ' : ''}${count.toLocaleString('en')} ${count === 1 ? 'document' : 'documents'}`

interface ConfirmRemoveAllProps {
  readonly target: RemovalTarget
  readonly count: number
  readonly form: DeskForm
}

export const ConfirmRemoveAllPage = ({ target, count, form }: ConfirmRemoveAllProps) => (
  <Notice title={`Remove ${formatCount(count)}?`} signedIn>
    <p>
      {TARGET_LABELS[target.kind]} <strong class="value">{target.value}</strong>. This deletes the documents
      and their reports. You can’t undo this.
    </p>
    {form.blockContent && <p>Nobody will be able to share these texts again.</p>}
    <Quote>{form.reason}</Quote>
    <ConfirmationForm button="Remove all" action="/moderation/remove-all">
      <input type="hidden" name="kind" value={target.kind} />
      <input type="hidden" name="value" value={target.value} />
      <input type="hidden" name="reason" value={form.reason} />
      {form.blockContent && <input type="hidden" name="block_content" value="on" />}
      <input type="hidden" name="confirmed" value="yes" />
    </ConfirmationForm>
    <p>
      <a href={`/moderation/remove-all?${new URLSearchParams({ kind: target.kind, value: target.value })}`}>
        Cancel
      </a>
    </p>
  </Notice>
)

interface RemovedAllProps {
  readonly target: RemovalTarget
  readonly removed: number
  readonly complete: boolean
}

export const RemovedAllPage = ({ target, removed, complete }: RemovedAllProps) => (
  <Notice
    title={`Removed ${removed.toLocaleString('en')} ${removed === 1 ? 'document' : 'documents'}`}
    signedIn
  >
    <p>
      {TARGET_LABELS[target.kind]} <span class="value">{target.value}</span>.{' '}
      {complete ? 'There are no more.' : 'There are more. Remove them again to continue.'}
    </p>
    <p>
      {complete ? (
        <a href="/moderation/removals">All removals</a>
      ) : (
        <a href={`/moderation/remove-all?${new URLSearchParams({ kind: target.kind, value: target.value })}`}>
          Continue
        </a>
      )}
    </p>
  </Notice>
)
