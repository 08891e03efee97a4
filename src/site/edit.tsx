import { type Context, Hono } from 'hono'
import type { Child } from 'hono/jsx'
import { authorizeSettings } from '../accounts/authorization.ts'
import { type Document, mayEdit } from '../documents/document.ts'
import { editDocument } from '../documents/edit.ts'
import { isId } from '../documents/ids.ts'
import { readToEdit, requireDocument } from '../documents/read.ts'
import type { AppEnv } from '../env.ts'
import { type AppError, documentNotFound, mayNotEdit, methodNotAllowed, PasswordError } from '../errors.ts'
import { requireThisSite } from '../middleware/origin.ts'
import { requireSession } from '../middleware/session.ts'
import { checkIfMatch, entityTag } from '../representation.ts'
import { SCRIPTS } from './assets.generated.ts'
import { Present, PresentText, SavedInBetween } from './components/conflict.tsx'
import { EditForm } from './components/edit-form.tsx'
import { PasswordForm } from './components/forms.tsx'
import { type EditValues, freshEdit, sentEdit, toEdit } from './edit-values.ts'
import { formFields, formLimit, mostTextFormBytes } from './form.ts'
import { Layout } from './layout.tsx'
import { OWN } from './own-page.tsx'
import { problemOf } from './problem.tsx'
import {
  answerErrorPage,
  errorHeaders,
  page,
  pageAround,
  pageAroundTwo,
  seeOther,
  toLoggedError,
} from './respond.tsx'

interface EditLayoutProps {
  readonly id: string
  readonly signedIn: boolean
  readonly children: Child
}

/** The frame of every page of an edit. */
const EditLayout = ({ id, signedIn, children }: EditLayoutProps) => (
  <Layout title={`Edit ${id}`} signedIn={signedIn} scripts={[SCRIPTS.once]}>
    <h1>Edit {id}</h1>
    {children}
  </Layout>
)

interface LockedPageProps {
  readonly document: Document
  readonly values: EditValues
  readonly wrong: boolean
}

/** Asks for the password of an encrypted document, whose settings can be changed without. */
const LockedPage = ({ document: { id }, values, wrong }: LockedPageProps) => (
  <EditLayout id={id} signedIn>
    <p>This document is encrypted. Its text can be changed by those who know the password.</p>
    <PasswordForm action={`/${id}/edit`} button="Open the text" wrong={wrong} />
    {values.settings && <EditForm id={id} values={values} button="Save the settings" />}
  </EditLayout>
)

/** The document of this address, for whoever is signed in. Throws `not_found`, or `bad_auth` for who may not edit it. */
async function requireEditable(c: Context<AppEnv, '/:id/edit'>): Promise<Document> {
  const document = await requireDocument(c.var.store, c.req.param('id'), c.var.now)
  if (!mayEdit(document, c.var.user)) throw mayNotEdit()
  return document
}

/** The form, with the text of the document in it. */
async function openForm(c: Context<AppEnv, '/:id/edit'>, password: string | undefined): Promise<Response> {
  const { now, store, user } = c.var
  const found = await requireEditable(c)
  const locked = (wrong: boolean) => {
    const values = { ...freshEdit(found, { password: null, confirmed: user.confirmed }), text: null }
    return <LockedPage document={found} values={values} wrong={wrong} />
  }
  if (found.encrypted && password === undefined) return page(c, locked(false), { headers: OWN })
  try {
    const { document, text } = await readToEdit(store, found, { viewer: user, password, now })
    const known = document.encrypted ? (password ?? null) : null
    const values = freshEdit(document, { password: known, confirmed: user.confirmed })
    const render = (shown: string) => (
      <EditLayout id={document.id} signedIn>
        <EditForm
          id={document.id}
          values={{ ...values, text: shown }}
          button="Save"
          lossy={text.includes('\0')}
        />
      </EditLayout>
    )
    return pageAround(c, text, render, { headers: OWN })
  } catch (error) {
    if (!(error instanceof PasswordError)) throw error
    return page(c, locked(true), { status: 400, headers: errorHeaders(error) })
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
 * What was sent, above what somebody else saved in between. Nobody did where all that was sent is saved: the form
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
  const values = { ...sent, version: entityTag(document, 'json') }
  const render = (mine: string, theirs: string) => (
    <EditLayout id={document.id} signedIn>
      <div class="beside">
        <EditForm
          id={document.id}
          values={{ ...values, text: sent.text && mine }}
          button="Save over it"
          problem={<SavedInBetween document={document} />}
          wrongPassword={sent.text !== null && present === null}
        />
        <Present document={document}>
          {present !== null && <PresentText text={theirs} />}
          {sent.text !== null && present === null && (
            <p>Its text is not shown: the password that you opened it with is not its password any more.</p>
          )}
        </Present>
      </div>
    </EditLayout>
  )
  return pageAroundTwo(c, [sent.text ?? '', present ?? ''], render, {
    status: error.status,
    headers: errorHeaders(error),
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
  const id = c.req.param('id')
  const render = (text: string) => (
    <EditLayout id={id} signedIn={c.var.holdsSession}>
      <EditForm
        id={id}
        values={{ ...sent, text: sent.text && text }}
        button="Save"
        problem={error.code === 'not_found' ? GONE : problemOf(error)}
        wrongPassword={error instanceof PasswordError}
      />
    </EditLayout>
  )
  return pageAround(c, sent.text ?? '', render, { status: error.status, headers: errorHeaders(error) })
}

const GONE =
  'This document is gone: it has expired, or was deleted. Copy your text before you leave this page.'

export const edit = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .get('/:id/edit', requireSession, (c) => openForm(c, undefined))
  .post(
    '/:id/edit',
    // What another site typed is not shown as if somebody had typed it here.
    requireThisSite,
    (c, next) => formLimit(mostTextFormBytes(c))(c, next),
    async (c) => {
      const fields = await formFields(c)
      if (!fields.has('version')) {
        await requireSession(c, async () => {})
        return openForm(c, fields.get('password') || undefined)
      }
      // The form is shown again whoever sent it: what stands in its address must lead to no other site.
      if (!isId(c.req.param('id'))) throw documentNotFound()
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
