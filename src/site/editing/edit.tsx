import { type Context, Hono } from 'hono'
import { authorizeSettings } from '../../accounts/authorization.ts'
import { editDocument } from '../../documents/edit.ts'
import { type Document, mayEdit } from '../../documents/model/document.ts'
import { isDocumentId } from '../../documents/model/ids.ts'
import { readStored, readToEdit, requireDocument } from '../../documents/read.ts'
import type { AppEnv } from '../../env.ts'
import { type AppError, documentNotFound, mayNotEdit, methodNotAllowed, PasswordError } from '../../errors.ts'
import { checkIfMatch, entityTag } from '../../http/conditional-requests.ts'
import { requireThisSite } from '../../http/origin-check.ts'
import { requireSession } from '../../http/require-session.ts'
import { PLAIN_TEXT } from '../../shared/languages.ts'
import { formFields, formLimit, mostTextFormBytes } from '../layout/form.ts'
import { OWN } from '../layout/private-page.tsx'
import { problemOf } from '../layout/problem.tsx'
import {
  answerErrorPage,
  errorHeaders,
  page,
  pageAround,
  pageAroundTwo,
  seeOther,
  toLoggedError,
} from '../layout/respond.tsx'
import { writingFrame } from './code-editor-frame.ts'
import { ConflictPage, EditPage, LockedPage } from './edit-pages.tsx'
import { type EditValues, freshEdit, sentEdit, toEdit } from './edit-values.ts'

/** The document of this address, for whoever is signed in. Throws `not_found`, or `bad_auth` for who may not edit it. */
async function requireEditable(c: Context<AppEnv, '/:id/edit'>): Promise<Document> {
  const document = await requireDocument(c.var.store, c.req.param('id'), c.var.now)
  if (!mayEdit(document, c.var.user)) throw mayNotEdit()
  return document
}

/** The form, with the text of the document in it; or, of an encrypted one, what asks for its password. */
async function openForm(c: Context<AppEnv, '/:id/edit'>): Promise<Response> {
  const { now, store, user } = c.var
  const { limits, headers } = writingFrame(c)
  const { document, stored } = await readStored(store, await requireEditable(c), { viewer: user, now })
  const values = freshEdit(document, { password: null, confirmed: user.confirmed })
  const render = (text: string) =>
    document.encrypted ? (
      <LockedPage
        document={document}
        values={{ ...values, text: null }}
        limits={limits}
        wrong={false}
        envelope={text}
      />
    ) : (
      <EditPage document={document} values={{ ...values, text }} limits={limits} stored={stored} signedIn />
    )
  return pageAround(c, stored, render, { headers: { ...OWN, ...headers } })
}

/** The form with a text that the server has opened, for a browser that can not. */
async function openEncrypted(c: Context<AppEnv, '/:id/edit'>, password: string): Promise<Response> {
  const { now, store, user } = c.var
  const { limits, headers } = writingFrame(c)
  const found = await requireEditable(c)
  const { confirmed } = user
  try {
    const { document, text: stored } = await readToEdit(store, found, { viewer: user, password, now })
    const values = freshEdit(document, { password: document.encrypted ? password : null, confirmed })
    const render = (text: string) => (
      <EditPage document={document} values={{ ...values, text }} limits={limits} stored={stored} signedIn />
    )
    return pageAround(c, stored, render, { headers: { ...OWN, ...headers } })
  } catch (error) {
    if (!(error instanceof PasswordError)) throw error
    const values = { ...freshEdit(found, { password: null, confirmed }), text: null }
    return page(c, <LockedPage document={found} values={values} limits={limits} wrong envelope={null} />, {
      status: 400,
      headers: { ...errorHeaders(error), ...headers },
    })
  }
}

/** Saves what was sent. Throws whatever is wrong with it, and `precondition_failed` if somebody saved in between. */
async function save(c: Context<AppEnv, '/:id/edit'>, sent: EditValues): Promise<void> {
  await requireSession(c, async () => {})
  const { config, now, store, user } = c.var
  const checkPrecondition = checkIfMatch(sent.version)
  const found = await requireEditable(c)
  checkPrecondition(found)
  const password = sent.password ?? undefined
  const { document, text: present } =
    sent.text === null
      ? { document: found, text: null }
      : await readToEdit(store, found, { viewer: user, password, now })
  const context = { document, present, maxContentBytes: config.maxContentBytes, now }
  const { edit, usesSettings } = toEdit(sent, context)
  authorizeSettings(user, usesSettings)
  await editDocument(store, document.id, edit, { viewer: user, now, checkPrecondition })
}

/**
 * What was sent, beside what somebody else saved in between. Nobody did where all that was sent is saved: the form
 * came twice.
 */
async function answerConflict(
  c: Context<AppEnv, '/:id/edit'>,
  sent: EditValues,
  error: AppError,
): Promise<Response> {
  const { config, now, store, user } = c.var
  const found = await requireEditable(c)
  const password = sent.password ?? undefined
  const unread = { document: found, text: null }
  const { document, text: present } =
    sent.text === null
      ? unread
      : await readToEdit(store, found, { viewer: user, password, now }).catch((thrown) => {
          if (thrown instanceof PasswordError) return unread
          throw thrown
        })
  if (sent.text === null || present !== null) {
    const { nothing } = toEdit(sent, { document, present, maxContentBytes: config.maxContentBytes, now })
    if (nothing) return seeOther(c, `/${document.id}`)
  }
  const { limits, headers } = writingFrame(c)
  const values = { ...sent, version: entityTag(document, 'json') }
  const render = (mine: string, theirs: string) => (
    <ConflictPage
      document={document}
      values={{ ...values, text: sent.text && mine }}
      limits={limits}
      present={present && theirs}
    />
  )
  return pageAroundTwo(c, [sent.text ?? '', present ?? ''], render, {
    status: error.status,
    headers: { ...errorHeaders(error), ...headers },
  })
}

/** Nothing that was typed is lost: it comes back with what went wrong. */
async function answerAgain(
  c: Context<AppEnv, '/:id/edit'>,
  sent: EditValues,
  thrown: unknown,
): Promise<Response> {
  const error = toLoggedError(thrown, c.var.requestId)
  if (error.code === 'precondition_failed') {
    try {
      return await answerConflict(c, sent, error)
    } catch (further) {
      return answerAgain(c, sent, further)
    }
  }
  const { limits, headers } = writingFrame(c)
  const id = c.req.param('id')
  const language = sent.settings?.language ?? PLAIN_TEXT
  const render = (text: string) => (
    <EditPage
      document={{ id, language, burnAfterReading: false }}
      signedIn={c.var.hasSessionCookie}
      values={{ ...sent, text: sent.text && text }}
      limits={limits}
      problem={error.code === 'not_found' ? GONE : problemOf(error)}
      wrongPassword={error instanceof PasswordError}
      stored={null}
    />
  )
  return pageAround(c, sent.text ?? '', render, {
    status: error.status,
    headers: { ...errorHeaders(error), ...headers },
  })
}

const GONE =
  'This document is gone: it has expired, or was deleted. Copy your text before you leave this page.'

export const edit = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .get('/:id/edit', requireSession, openForm)
  .post(
    '/:id/edit',
    // What another site typed is not shown as if somebody had typed it here.
    requireThisSite,
    (c, next) => formLimit(mostTextFormBytes(c))(c, next),
    async (c) => {
      const fields = await formFields(c)
      if (!fields.has('version')) {
        await requireSession(c, async () => {})
        const password = fields.get('password') || undefined
        return password === undefined ? openForm(c) : openEncrypted(c, password)
      }
      // The form is shown again whoever sent it: what stands in its address must lead to no other site.
      if (!isDocumentId(c.req.param('id'))) throw documentNotFound()
      const sent = sentEdit(fields)
      try {
        await save(c, sent)
        return seeOther(c, `/${c.req.param('id')}`)
      } catch (thrown) {
        return answerAgain(c, sent, thrown)
      }
    },
  )
  .all('/:id/edit', () => {
    throw methodNotAllowed('GET, HEAD, POST')
  })
