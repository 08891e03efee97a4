import { type Context, Hono } from 'hono'
import type { Child } from 'hono/jsx'
import { authorizeSettings } from '../../accounts/authorization.ts'
import { findDefaults, SERVICE_DEFAULTS } from '../../accounts/profile/defaults.ts'
import type { User } from '../../accounts/user.ts'
import { createDocument } from '../../documents/create.ts'
import { plainText } from '../../documents/model/content.ts'
import type { AppEnv } from '../../env.ts'
import { type AppError, accountChanged, foreignForm, methodNotAllowed, signInNeeded } from '../../errors.ts'
import { hasGistRights, publishNewGist, requireGistRights } from '../../http/gist-publishing.ts'
import { isFromThisSite } from '../../http/origin-check.ts'
import { parseUsernames } from '../../shared/form-values.ts'
import { SCRIPTS } from '../assets.generated.ts'
import { formFields, formLimit, fromTextarea, mostTextFormBytes } from '../layout/form.ts'
import { Layout, Notice } from '../layout/layout.tsx'
import { OWN } from '../layout/private-page.tsx'
import { problemOf } from '../layout/problem.tsx'
import {
  answerErrorPage,
  errorHeaders,
  page,
  pageAround,
  seeOther,
  toLoggedError,
} from '../layout/respond.tsx'
import { ForPrograms } from './api-section.tsx'
import { type WritingLimits, writingFrame } from './code-editor-frame.ts'
import { EditorTemplates } from './code-editor-templates.tsx'
import { NewDocumentForm, type NewDocumentValues } from './new-document-form.tsx'
import { newDocument, sentSettings, shownSettings, usesSettings } from './settings-form.ts'

interface HomeProps {
  readonly siteUrl: string
  readonly signedIn: boolean
  readonly values: NewDocumentValues
  readonly problem?: Child
  readonly limits: WritingLimits
}

const HomePage = ({ siteUrl, signedIn, values, problem, limits }: HomeProps) => (
  <Layout
    title="New document"
    signedIn={signedIn}
    scripts={[SCRIPTS.create, ...(values.settings ? [SCRIPTS.completion] : [])]}
  >
    {/* It goes into the head. */}
    <meta name="envelope-worker" content={SCRIPTS.jweWorker} />
    <h1 id="editor-title">New document</h1>
    <NewDocumentForm values={values} problem={problem} limits={limits} />
    <EditorTemplates language={values.settings === null} />
    <ForPrograms siteUrl={siteUrl} />
  </Layout>
)

/** What the page gets beside what it is filled in with, and the header that goes with it. */
function frame(c: Context<AppEnv>) {
  const { hasSessionCookie: holdsSession, siteUrl } = c.var
  const { limits, headers } = writingFrame(c)
  return { props: { siteUrl, signedIn: holdsSession, limits }, headers }
}

interface PasswordMadeProps {
  readonly url: string
  readonly password: string
}

/** The one time that a password is shown which the service made. */
const PasswordMade = ({ url, password }: PasswordMadeProps) => (
  <Notice title="Keep this password" signedIn={true} scripts={[SCRIPTS.copy]}>
    <p>
      Your document is encrypted with this password. It is shown this once, and nobody can find it out again.
    </p>
    <p class="key">
      <code id="password">{password}</code>
    </p>
    <p class="actions">
      <button type="button" class="quiet" data-copy="password" data-copied="copied" hidden>
        Copy the password
      </button>
      <span id="copied" role="status" />
    </p>
    <p>
      The document is at <a href={url}>{url}</a>
    </p>
  </Notice>
)

/** What the form is filled in with for somebody who begins. */
async function freshValues(c: Context<AppEnv>): Promise<NewDocumentValues> {
  const user = c.var.hasSessionCookie ? await c.var.identity.ask() : null
  if (!user?.confirmed)
    return { text: '', accountId: user?.id ?? null, settings: null, editors: '', gist: null }
  const [settings, mayMakeGists] = await Promise.all([
    findDefaults(c.var.store.db, user.id),
    hasGistRights(c, user),
  ])
  return { text: '', accountId: user.id, settings, editors: '', gist: mayMakeGists ? false : null }
}

/** What the form is filled in with for somebody whose document could not be made: all that they sent but passwords. */
function sentValues(fields: ReadonlyMap<string, string>, user: User | null): NewDocumentValues {
  const offered = fields.has('expires') && (user?.confirmed ?? true)
  return {
    text: fromTextarea(fields.get('content') ?? ''),
    // Sent once more, it is meant for whoever is signed in by now.
    accountId: user?.id ?? fields.get('account') ?? null,
    settings: offered ? shownSettings(fields) : user?.confirmed ? SERVICE_DEFAULTS : null,
    editors: fields.get('editors') ?? '',
    gist: fields.has('gist') || null,
  }
}

/** Nobody's document is made for somebody else, or for nobody, because a session ended meanwhile. */
function requireSameAccount(fields: ReadonlyMap<string, string>, user: User | null): void {
  const account = fields.get('account')
  if (account === undefined || account === user?.id) return
  throw user ? accountChanged() : signInNeeded()
}

async function answerAgain(
  c: Context<AppEnv>,
  fields: ReadonlyMap<string, string>,
  { error, user }: { error: AppError; user: User | null },
): Promise<Response> {
  const values = sentValues(fields, user)
  const problem = (
    <>
      {problemOf(error, parseUsernames(values.editors))}
      {fields.get('password') && ' Type the password once more.'}
    </>
  )
  const { props, headers } = frame(c)
  const render = (text: string) => <HomePage {...props} values={{ ...values, text }} problem={problem} />
  // Nothing that was typed is lost: it comes back with what went wrong, unless it is more than anyone typed.
  return pageAround(c, error.code === 'content_too_large' ? '' : values.text, render, {
    status: error.status,
    headers: { ...errorHeaders(error), ...headers },
  })
}

export const home = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .get('/', async (c) => {
    const values = await freshValues(c)
    const { props, headers } = frame(c)
    return page(c, <HomePage {...props} signedIn={values.accountId !== null} values={values} />, {
      headers: { ...headers, ...(c.var.hasSessionCookie && { 'Cache-Control': 'no-store' }) },
    })
  })
  .post(
    '/',
    (c, next) => formLimit(mostTextFormBytes(c))(c, next),
    async (c) => {
      const { config, identity, now, siteUrl, store } = c.var
      const fields = await formFields(c)
      // What another site typed is not shown as if somebody had typed it here.
      if (isFromThisSite(c) === false) throw foreignForm()
      let user: User | null = null
      try {
        user = await identity.ask()
        requireSameAccount(fields, user)
        const content = plainText(fromTextarea(fields.get('content') ?? ''), config.maxContentBytes)
        const settings = sentSettings(fields)
        authorizeSettings(user, usesSettings(settings))
        if (settings.gist) await requireGistRights(c, user)
        const input = newDocument(content, settings, now)
        const { document, password } = await createDocument(store, input, { creator: user, now })
        if (settings.gist) await publishNewGist(c, document.id)
        if (password === null) return seeOther(c, `/${document.id}`)
        const url = `${siteUrl}/${document.id}`
        return page(c, <PasswordMade url={url} password={password} />, { headers: OWN })
      } catch (thrown) {
        return answerAgain(c, fields, { error: toLoggedError(thrown, c.var.requestId), user })
      }
    },
  )
  .all('/', () => {
    throw methodNotAllowed('GET, HEAD, POST')
  })
