import { outlastRowMemory } from '../documents/recent-documents.ts'
import { unreadableForm } from '../errors.ts'
import type { AnswerOptions } from '../http/answers.ts'
import { ACTION_LABELS, AUDIT_RETENTION_DAYS } from '../platform/audit-log.ts'
import { formatCount, formatDateTime } from '../shared/format.ts'
import type { Instant } from '../shared/instant.ts'
import { getProblems } from '../ui/errors.tsx'
import { Field, Item, Items } from '../ui/fields.tsx'
import { CancelButton, Dialog, Form, OpenButton } from '../ui/form.tsx'
import { ShortTime } from '../ui/list.tsx'
import { privatePage, seeOther } from '../ui/page.tsx'
import { submitForm } from '../ui/submitted-form.ts'
import { isBlockKind } from './block-statements.ts'
import {
  addBlock,
  findModeratedAccount,
  listAuditLog,
  listBlocks,
  type ModeratedAccount,
  recordLook,
  removeBlock,
  restoreAccount,
  suspendAccount,
} from './desk.ts'
import { SUSPENSION } from './desk-page.tsx'
import {
  Entries,
  getAccountPath,
  getPageOptions,
  getRemoveAllPath,
  type ModerationContext,
  ModerationPage,
} from './moderation-page.tsx'
import {
  getHiddenCase,
  getSuggested,
  hasProblems,
  KINDS,
  ReasonField,
  RuleForm,
  readTyped,
  requireReason,
  seeCase,
  type Typed,
} from './rule-form.tsx'

// Blocks

const isDialogOpen = (typed: Typed) => typed.value !== '' || hasProblems(typed)

const BlockForm = ({ typed }: { typed: Typed }) => (
  <RuleForm
    action="/moderation/blocks"
    button="Block"
    cancel={<CancelButton id="add" openedAt={isDialogOpen(typed) ? '/moderation/blocks' : undefined} />}
    typed={typed}
    kinds={['address', 'content', 'domain']}
    label="What to block"
    reasonHint="Only admins see it."
  />
)

export async function showBlocks(
  c: ModerationContext,
  typed: Typed = getSuggested(c),
  options?: AnswerOptions,
): Promise<Response> {
  const { now, store, user } = c.var
  const found = await listBlocks(store.db, getPageOptions(c))
  await recordLook(store.db, { by: user.username, action: 'blocks.list', now })
  const blocksPage = (
    <ModerationPage list="/moderation/blocks">
      <div class="row apart">
        <p class="quiet-text">Networks, texts and links to domains that this server refuses.</p>
        <div class="row">
          <a href="/moderation/remove-all" class="button quiet">
            Remove many…
          </a>
          <OpenButton id="add" look="quiet">
            Add a block
          </OpenButton>
        </div>
      </div>
      <Dialog id="add" title="Add a block" open={isDialogOpen(typed)}>
        <BlockForm typed={typed} />
      </Dialog>
      <Entries
        list="/moderation/blocks"
        page={found}
        empty="Nothing is blocked"
        toItem={({ kind, value, reason, createdBy, createdAt }) => (
          <Item
            title={kind === 'content' ? KINDS[kind].label : value}
            text={[
              kind === 'content' ? <code title={value}>{value.slice(0, 12)}…</code> : KINDS[kind].label,
              `by ${createdBy}`,
              <ShortTime at={createdAt} now={now} />,
            ]}
            quote={reason}
          >
            <Form
              action="/moderation/blocks/lift"
              layout="inline"
              hidden={{ kind, value }}
              button="Unblock"
              label={`Unblock ${value}`}
              look="quiet"
            />
          </Item>
        )}
      />
    </ModerationPage>
  )
  return privatePage(c, blocksPage, options)
}

export async function addBlockFromForm(c: ModerationContext): Promise<Response> {
  const { now, store, user } = c.var
  const typed = await readTyped(c)
  const { kind, value } = typed
  return submitForm(c, {
    submit: async () => {
      if (!isBlockKind(kind)) throw unreadableForm()
      await addBlock(store.db, { kind, value, reason: requireReason(typed), by: user.username, now })
      return seeCase(c, typed, 'blocked', '/moderation/blocks')
    },
    showAgain: (error, options) => showBlocks(c, { ...typed, problems: getProblems(error) }, options),
  })
}

export async function liftBlock(c: ModerationContext): Promise<Response> {
  const { now, store, user } = c.var
  const { kind, value } = await readTyped(c)
  if (!isBlockKind(kind)) throw unreadableForm()
  await removeBlock(store.db, { kind, value, by: user.username, now })
  return seeOther(c, '/moderation/blocks')
}

// Accounts

const SuspendForm = ({ account: { username }, typed }: SuspendFormProps) => (
  <Form
    action="/moderation/accounts/suspend"
    hidden={{ username, ...getHiddenCase(typed) }}
    problem={typed.problems.form}
    button="Suspend account"
    look="danger"
    cancel={
      <CancelButton id="suspend" openedAt={hasProblems(typed) ? getAccountPath(username) : undefined} />
    }
  >
    <p>{SUSPENSION}</p>
    <ReasonField typed={typed} hint="Only admins see it." />
  </Form>
)

interface SuspendFormProps {
  readonly account: ModeratedAccount
  readonly typed: Typed
}

const AccountItem = ({ account, typed, now }: SuspendFormProps & { now: Instant }) => {
  const { username, documents, createdAt, suspendedAt } = account
  return (
    <Item
      title={username}
      text={[
        formatCount(documents, 'document'),
        ['joined ', <ShortTime at={createdAt} now={now} />],
        suspendedAt === null ? 'active' : ['suspended ', <ShortTime at={suspendedAt} now={now} />],
      ]}
    >
      <div class="row">
        {suspendedAt === null ? (
          <>
            <OpenButton id="suspend" look="quiet">
              Suspend…
            </OpenButton>
            <Dialog id="suspend" title={`Suspend ${username}?`} open={hasProblems(typed)}>
              <SuspendForm account={account} typed={typed} />
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
        <a href={getRemoveAllPath('account', username)} class="button quiet danger">
          Remove documents…
        </a>
      </div>
    </Item>
  )
}

export async function showAccounts(
  c: ModerationContext,
  typed: Typed = getSuggested(c),
  options?: AnswerOptions,
): Promise<Response> {
  const { username } = typed
  const { now, store, user } = c.var
  const account = username === '' ? null : await findModeratedAccount(store.db, username)
  if (account) {
    const subject = account.username
    await recordLook(store.db, { by: user.username, action: 'account.view', subject, now })
  }
  const accountsPage = (
    <ModerationPage list="/moderation/accounts">
      <Form action="/moderation/accounts" method="get" layout="field-row" button="Find" look="quiet">
        <Field
          label="Username"
          name="username"
          value={username}
          problem={username !== '' && account === null ? 'No account has this username.' : undefined}
        />
      </Form>
      {account && (
        <Items>
          <AccountItem account={account} typed={typed} now={now} />
        </Items>
      )}
    </ModerationPage>
  )
  return privatePage(c, accountsPage, options)
}

export async function suspendAccountFromForm(c: ModerationContext): Promise<Response> {
  const { now, store, user } = c.var
  const typed = await readTyped(c)
  const { username } = typed
  return submitForm(c, {
    submit: async () => {
      await suspendAccount(store.db, username, { by: user.username, reason: requireReason(typed), now })
      await outlastRowMemory()
      return seeCase(c, typed, 'suspended', getAccountPath(username))
    },
    showAgain: (error, options) => showAccounts(c, { ...typed, problems: getProblems(error) }, options),
  })
}

export async function restoreAccountFromForm(c: ModerationContext): Promise<Response> {
  const { now, store, user } = c.var
  const { username } = await readTyped(c)
  await restoreAccount(store.db, username, { by: user.username, now })
  return seeOther(c, getAccountPath(username))
}

// The audit log

export async function showAuditLog(c: ModerationContext): Promise<Response> {
  const { now, store, user } = c.var
  const found = await listAuditLog(store.db, getPageOptions(c))
  await recordLook(store.db, { by: user.username, action: 'audit.read', now })
  return privatePage(
    c,
    <ModerationPage list="/moderation/audit">
      <p class="quiet-text">Entries can’t be changed, and stay for at least {AUDIT_RETENTION_DAYS} days.</p>
      <Entries
        list="/moderation/audit"
        page={found}
        empty="No entries yet"
        toItem={({ at, actor, action, subject, detail, network }) => (
          <Item
            title={ACTION_LABELS[action] ?? action}
            text={[actor, subject !== actor && subject, network && `from ${network}`, formatDateTime(at)]}
            quote={detail}
          />
        )}
      />
    </ModerationPage>,
  )
}
