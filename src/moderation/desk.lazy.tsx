import type { Context } from 'hono'
import type { UserEnv } from '../env.ts'
import { type AppError, unreadableForm } from '../errors.ts'
import type { AnswerOptions } from '../http/answers.ts'
import { findFieldProblem, formatError, invalidForm } from '../site/layout/errors.tsx'
import { getTrimmedText, readFields, submitForm } from '../site/layout/form.ts'
import { PRIVATE_HEADERS, page, seeOther } from '../site/layout/page.tsx'
import { isBlockKind } from './block-statements.ts'
import { addBlock, listBlocks, removeBlock } from './blocks.ts'
import { listAuditLog, requireModeratedAccount, restoreAccount, suspendAccount } from './desk.ts'
import {
  AccountsPage,
  AuditPage,
  BlocksPage,
  ConfirmRemoveAllPage,
  type DeskForm,
  EMPTY_FORM,
  RemoveAllPage,
  RemovedAllPage,
} from './desk-pages.tsx'
import { findReasonProblem } from './moderation.tsx'
import { countTargets, removeAll, requireTarget } from './remove-all.ts'
import { isTargetKind } from './remove-all-statements.ts'

type DeskContext = Context<UserEnv>

const PAGE_SIZE = 50

const options = { headers: PRIVATE_HEADERS }

async function readDeskForm(c: DeskContext): Promise<DeskForm> {
  const fields = await readFields(c)
  return {
    kind: fields.get('kind') ?? '',
    value: (fields.get('value') ?? '').trim(),
    reason: getTrimmedText(fields, 'reason'),
    blockContent: fields.has('block_content'),
    problems: {},
  }
}

function withProblems(form: DeskForm, error: AppError): DeskForm {
  const toSentence = (message: string) => (/[.!?]$/.test(message) ? message : `${message}.`)
  const [value, reason] = ['value', 'reason'].map((field) => findFieldProblem(error, field))
  return {
    ...form,
    problems: {
      ...(value !== undefined && { value: toSentence(value) }),
      ...(reason !== undefined && { reason: toSentence(reason) }),
      ...(value === undefined && reason === undefined && { form: formatError(error) }),
    },
  }
}

function checkReason({ reason }: DeskForm): void {
  const problem = findReasonProblem(reason, 'Enter a reason.')
  if (problem !== null) throw invalidForm({ reason: problem })
}

async function answerBlocks(c: DeskContext, form: DeskForm, answerOptions: AnswerOptions): Promise<Response> {
  const found = await listBlocks(c.var.store.db, { cursor: c.req.query('cursor'), limit: PAGE_SIZE })
  return page(c, <BlocksPage {...found} form={form} />, answerOptions)
}

export const showBlocks = (c: DeskContext): Promise<Response> =>
  answerBlocks(
    c,
    { ...EMPTY_FORM, kind: c.req.query('kind') ?? '', value: c.req.query('value') ?? '' },
    options,
  )

export async function addBlockFromForm(c: DeskContext): Promise<Response> {
  const { now, store, user } = c.var
  const form = await readDeskForm(c)
  const { kind, value, reason } = form
  return submitForm(c, {
    submit: async () => {
      if (!isBlockKind(kind)) throw unreadableForm()
      checkReason(form)
      await addBlock(store.db, { kind, value, reason, by: user.username, now })
      return seeOther(c, '/moderation/blocks')
    },
    showAgain: (error, again) => answerBlocks(c, withProblems(form, error), again),
  })
}

export async function liftBlock(c: DeskContext): Promise<Response> {
  const { now, store, user } = c.var
  const { kind, value } = await readDeskForm(c)
  if (!isBlockKind(kind)) throw unreadableForm()
  await removeBlock(store.db, { kind, value, by: user.username, now })
  return seeOther(c, '/moderation/blocks')
}

export const showRemoveAll = (c: DeskContext): Promise<Response> => {
  const form = { ...EMPTY_FORM, kind: c.req.query('kind') ?? '', value: c.req.query('value') ?? '' }
  return page(c, <RemoveAllPage form={form} />, options)
}

/** Asks for confirmation first, with the number of documents. */
export async function removeAllFromForm(c: DeskContext): Promise<Response> {
  const { now, store, user } = c.var
  const form = await readDeskForm(c)
  const isConfirmed = (await readFields(c)).get('confirmed') === 'yes'
  const { kind, value, reason, blockContent } = form
  return submitForm(c, {
    submit: async () => {
      if (!isTargetKind(kind)) throw unreadableForm()
      const target = await requireTarget(store.db, { kind, value })
      checkReason(form)
      if (!isConfirmed) {
        const count = await countTargets(store.db, target)
        return page(c, <ConfirmRemoveAllPage target={target} count={count} form={form} />, options)
      }
      const outcome = await removeAll(store, target, { by: user.username, reason, now, blockContent })
      return page(c, <RemovedAllPage target={target} {...outcome} />, options)
    },
    showAgain: (error, again) => page(c, <RemoveAllPage form={withProblems(form, error)} />, again),
  })
}

async function answerAccount(
  c: DeskContext,
  username: string,
  form: DeskForm,
  answerOptions: AnswerOptions,
): Promise<Response> {
  const account =
    username === ''
      ? null
      : await requireModeratedAccount(c.var.store.db, username).catch((error: AppError) => {
          if (error.code === 'not_found') return null
          throw error
        })
  return page(c, <AccountsPage username={username} account={account} form={form} />, answerOptions)
}

export const showAccounts = (c: DeskContext): Promise<Response> =>
  answerAccount(c, (c.req.query('username') ?? '').trim(), EMPTY_FORM, options)

const accountPath = (username: string) => `/moderation/accounts?${new URLSearchParams({ username })}`

export async function suspendFromForm(c: DeskContext): Promise<Response> {
  const { now, store, user } = c.var
  const username = (await readFields(c)).get('username') ?? ''
  const form = await readDeskForm(c)
  return submitForm(c, {
    submit: async () => {
      checkReason(form)
      await suspendAccount(store.db, username, { by: user.username, reason: form.reason, now })
      return seeOther(c, accountPath(username))
    },
    showAgain: (error, again) => answerAccount(c, username, withProblems(form, error), again),
  })
}

export async function restoreFromForm(c: DeskContext): Promise<Response> {
  const { now, store, user } = c.var
  const username = (await readFields(c)).get('username') ?? ''
  await restoreAccount(store.db, username, { by: user.username, now })
  return seeOther(c, accountPath(username))
}

export async function showAuditLog(c: DeskContext): Promise<Response> {
  const found = await listAuditLog(c.var.store.db, { cursor: c.req.query('cursor'), limit: PAGE_SIZE })
  return page(c, <AuditPage {...found} />, options)
}
