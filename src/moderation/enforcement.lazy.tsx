import { type AppError, unreadableForm } from '../errors.ts'
import type { AnswerOptions } from '../http/answers.ts'
import { AUDIT_RETENTION_DAYS, type AuditAction } from '../platform/audit-log.ts'
import { formatDateTime } from '../shared/format.ts'
import { Field, Item, Items } from '../site/components/fields.tsx'
import { CancelButton, Dialog, Form, OpenButton } from '../site/components/form.tsx'
import { readFields, submitForm } from '../site/layout/form.ts'
import { EmptyState } from '../site/layout/layout.tsx'
import { privatePage, seeOther } from '../site/layout/page.tsx'
import { type BlockKind, isBlockKind } from './block-statements.ts'
import { addBlock, type BlockListEntry, listBlocks, removeBlock } from './blocks.ts'
import {
  type AuditLogEntry,
  listAuditLog,
  type ModeratedAccount,
  requireModeratedAccount,
  restoreAccount,
  suspendAccount,
} from './desk.ts'
import { SUSPENSION } from './desk-page.tsx'
import {
  checkReason,
  type EnforcementContext,
  formatCount,
  getRemoveAllPath,
  getSuggested,
  hasProblems,
  type ListProps,
  ModerationPage,
  Older,
  ReasonField,
  RuleForm,
  readTyped,
  seeCase,
  type Typed,
  withProblems,
} from './frame.tsx'

const PAGE_SIZE = 50

const BLOCK_LABELS: Readonly<Record<BlockKind, string>> = {
  address: 'Address range',
  content: 'Text (SHA-256)',
  domain: 'Link domain',
}

const ACTION_LABELS: Readonly<Record<AuditAction, string>> = {
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
  'anonymous-documents.refuse': 'Refused documents without an account',
  'anonymous-documents.allow': 'Allowed documents without an account',
}

// Blocks

const BlockForm = ({ typed, dialog }: { typed: Typed; dialog?: string }) => (
  <RuleForm
    action="/moderation/blocks"
    button="Block"
    cancel={dialog && <CancelButton id={dialog} />}
    typed={typed}
    kinds={BLOCK_LABELS}
    label="What to block"
    hint="Such as 192.0.2.0/24, 2001:db8::/32, example.org, or the SHA-256 of a text."
    reasonHint="Only admins see it."
  />
)

const BlocksPage = ({ items, cursor, typed }: ListProps<BlockListEntry> & { typed: Typed }) => {
  const isOpen = typed.value !== '' || hasProblems(typed)
  return (
    <ModerationPage list="/moderation/blocks">
      <div class="row apart">
        <p class="quiet-text">
          Nobody can share from a blocked address, share a blocked text, or link to a blocked domain.
        </p>
        <div class="row">
          <a href="/moderation/remove-all" class="button quiet">
            Remove many…
          </a>
          {!isOpen && (
            <OpenButton id="add" look="quiet">
              Add a block
            </OpenButton>
          )}
        </div>
      </div>
      {isOpen ? (
        <section class="card" aria-labelledby="add">
          <h2 id="add">Add a block</h2>
          <BlockForm typed={typed} />
        </section>
      ) : (
        <Dialog id="add" title="Add a block">
          <BlockForm typed={typed} dialog="add" />
        </Dialog>
      )}
      {items.length === 0 ? (
        <EmptyState icon="inbox" title="Nothing is blocked" children={null} />
      ) : (
        <Items>
          {items.map(({ kind, value, reason, createdBy, createdAt }) => (
            <Item
              title={value}
              text={[BLOCK_LABELS[kind], `by ${createdBy}`, formatDateTime(createdAt)]}
              quote={reason}
            >
              <Form
                action="/moderation/blocks/lift"
                layout="inline"
                hidden={{ kind, value }}
                button="Lift"
                label={`Lift block of ${value}`}
                look="quiet"
              />
            </Item>
          ))}
        </Items>
      )}
      <Older path="/moderation/blocks" cursor={cursor} />
    </ModerationPage>
  )
}

async function answerBlocks(c: EnforcementContext, typed: Typed, options?: AnswerOptions): Promise<Response> {
  const found = await listBlocks(c.var.store.db, { cursor: c.req.query('cursor'), limit: PAGE_SIZE })
  return privatePage(c, <BlocksPage {...found} typed={typed} />, options)
}

export const showBlocks = (c: EnforcementContext): Promise<Response> => answerBlocks(c, getSuggested(c))

export async function addBlockFromForm(c: EnforcementContext): Promise<Response> {
  const { now, store, user } = c.var
  const typed = await readTyped(c)
  const { kind, value, reason } = typed
  return submitForm(c, {
    submit: async () => {
      if (!isBlockKind(kind)) throw unreadableForm()
      checkReason(typed)
      await addBlock(store.db, { kind, value, reason, by: user.username, now })
      return seeCase(c, typed.case, 'blocked', '/moderation/blocks')
    },
    showAgain: (error, options) => answerBlocks(c, withProblems(typed, error), options),
  })
}

export async function liftBlock(c: EnforcementContext): Promise<Response> {
  const { now, store, user } = c.var
  const { kind, value } = await readTyped(c)
  if (!isBlockKind(kind)) throw unreadableForm()
  await removeBlock(store.db, { kind, value, by: user.username, now })
  return seeOther(c, '/moderation/blocks')
}

// Accounts

const SuspendForm = ({ account: { username }, typed, dialog }: SuspendFormProps) => (
  <Form
    action="/moderation/accounts/suspend"
    hidden={{ username }}
    problem={typed.problems.form}
    button="Suspend account"
    look="danger"
    cancel={dialog && <CancelButton id={dialog} />}
  >
    <p>{SUSPENSION}</p>
    <ReasonField typed={typed} hint="Only admins see it." />
  </Form>
)

interface SuspendFormProps {
  readonly account: ModeratedAccount
  readonly typed: Typed
  readonly dialog?: string
}

const AccountItem = ({ account, typed }: SuspendFormProps) => {
  const { username, documents, createdAt, suspendedAt } = account
  return (
    <Item
      title={username}
      text={[
        formatCount(documents),
        `joined ${formatDateTime(createdAt)}`,
        suspendedAt === null ? 'active' : `suspended ${formatDateTime(suspendedAt)}`,
      ]}
    >
      <div class="row">
        <a href={getRemoveAllPath('account', username)} class="button quiet">
          Remove all documents…
        </a>
        {suspendedAt === null ? (
          <>
            <OpenButton id="suspend">Suspend…</OpenButton>
            <Dialog id="suspend" title={`Suspend ${username}?`}>
              <SuspendForm account={account} typed={typed} dialog="suspend" />
            </Dialog>
          </>
        ) : (
          <Form
            action="/moderation/accounts/restore"
            layout="inline"
            hidden={{ username }}
            button="Lift suspension"
            look="quiet"
          />
        )}
      </div>
    </Item>
  )
}

interface AccountsPageProps {
  readonly username: string
  readonly account: ModeratedAccount | null
  readonly typed: Typed
}

const AccountsPage = ({ username, account, typed }: AccountsPageProps) => (
  <ModerationPage list="/moderation/accounts">
    <Form action="/moderation/accounts" method="get" layout="field-row" button="Find" look="quiet">
      <Field
        label="Username"
        name="username"
        value={username}
        problem={username !== '' && account === null ? 'No account has this username.' : undefined}
      />
    </Form>
    {account && hasProblems(typed) && (
      <section class="card" aria-label="Suspend account">
        <SuspendForm account={account} typed={typed} />
      </section>
    )}
    {account && !hasProblems(typed) && (
      <Items>
        <AccountItem account={account} typed={typed} />
      </Items>
    )}
  </ModerationPage>
)

async function answerAccount(
  c: EnforcementContext,
  username: string,
  typed: Typed,
  options?: AnswerOptions,
): Promise<Response> {
  const account =
    username === ''
      ? null
      : await requireModeratedAccount(c.var.store.db, username).catch((error: AppError) => {
          if (error.code === 'not_found') return null
          throw error
        })
  return privatePage(c, <AccountsPage username={username} account={account} typed={typed} />, options)
}

export const showAccounts = (c: EnforcementContext): Promise<Response> =>
  answerAccount(c, (c.req.query('username') ?? '').trim(), getSuggested(c))

const accountPath = (username: string) => `/moderation/accounts?${new URLSearchParams({ username })}`

export async function suspendFromForm(c: EnforcementContext): Promise<Response> {
  const { now, store, user } = c.var
  const username = (await readFields(c)).get('username') ?? ''
  const typed = await readTyped(c)
  return submitForm(c, {
    submit: async () => {
      checkReason(typed)
      await suspendAccount(store.db, username, { by: user.username, reason: typed.reason, now })
      return seeCase(c, typed.case, 'suspended', accountPath(username))
    },
    showAgain: (error, options) => answerAccount(c, username, withProblems(typed, error), options),
  })
}

export async function restoreFromForm(c: EnforcementContext): Promise<Response> {
  const { now, store, user } = c.var
  const username = (await readFields(c)).get('username') ?? ''
  await restoreAccount(store.db, username, { by: user.username, now })
  return seeOther(c, accountPath(username))
}

// The audit log

const AuditPage = ({ items, cursor }: ListProps<AuditLogEntry>) => (
  <ModerationPage list="/moderation/audit">
    <p class="quiet-text">Nobody can change an entry, or delete it within {AUDIT_RETENTION_DAYS} days.</p>
    {items.length === 0 ? (
      <EmptyState icon="inbox" title="No entries yet" children={null} />
    ) : (
      <Items>
        {items.map(({ at, actor, action, subject, detail, network }) => (
          <Item
            title={ACTION_LABELS[action] ?? action}
            text={[actor, subject, network && `from ${network}`, formatDateTime(at)]}
            quote={detail}
          />
        ))}
      </Items>
    )}
    <Older path="/moderation/audit" cursor={cursor} />
  </ModerationPage>
)

export async function showAuditLog(c: EnforcementContext): Promise<Response> {
  const found = await listAuditLog(c.var.store.db, { cursor: c.req.query('cursor'), limit: PAGE_SIZE })
  return privatePage(c, <AuditPage {...found} />)
}
