import { Hono } from 'hono'
import type { Child } from 'hono/jsx'
import { authorizeSettings } from '../../accounts/authorization.ts'
import { findDefaults } from '../../accounts/profile/defaults.ts'
import type { User } from '../../accounts/user.ts'
import { createDocument } from '../../documents/create.ts'
import { toPlainText } from '../../documents/model/content.ts'
import type { AppContext, AppEnv } from '../../env.ts'
import { type AppError, accountChanged, crossSiteForm, signInRequired } from '../../errors.ts'
import { canCreateGists, requireGistPermission } from '../../gists/gist-permission.ts'
import { publishNewGist } from '../../gists/publish-new-gist.ts'
import { getGistPublisher } from '../../http/gist-publisher.ts'
import { isFromThisSite } from '../../http/origin-check.ts'
import { parseUsernames, SERVICE_DEFAULTS } from '../../shared/form-settings.ts'
import { SCRIPTS } from '../assets.generated.ts'
import { type AnswerOptions, seeOther, withHeaders } from '../layout/answer.ts'
import { answerErrorPage } from '../layout/errors.tsx'
import { limitContentForm, normalizeLineBreaks, readFields } from '../layout/form.ts'
import { Layout, Notice } from '../layout/layout.tsx'
import { page, pageWithText } from '../layout/page.tsx'
import { PRIVATE_HEADERS } from '../layout/private-page.tsx'
import { formatProblem } from '../layout/problem.tsx'
import { submitForm } from '../layout/submit-form.ts'
import { parseNewSettings, restoreSettings, toNewDocument, usesSettings } from '../settings/settings-form.ts'
import { ApiSection } from './api-section.tsx'
import { type CodeEditorOptions, createCodeEditorOptions } from './code-editor-options.ts'
import { NewDocumentTemplates } from './code-editor-templates.tsx'
import { NewDocumentForm, type NewDocumentValues } from './new-document-form.tsx'

interface HomeProps {
  readonly siteUrl: string
  readonly signedIn: boolean
  readonly values: NewDocumentValues
  readonly problem?: Child
  readonly codeEditor: CodeEditorOptions
}

const HomePage = ({ siteUrl, signedIn, values, problem, codeEditor }: HomeProps) => (
  <Layout
    title="New document"
    signedIn={signedIn}
    scripts={[SCRIPTS.create, ...(values.settings ? [SCRIPTS.usernameCompletion] : [])]}
  >
    {/* hono/jsx moves it to the head. */}
    <meta name="jwe-worker" content={SCRIPTS.jweWorker} />
    <h1 id="page-heading">New document</h1>
    <NewDocumentForm values={values} problem={problem} codeEditor={codeEditor} />
    <NewDocumentTemplates language={values.settings === null} />
    <ApiSection siteUrl={siteUrl} />
  </Layout>
)

/** Returns the props of the page that don't depend on what is filled in, and the header that they need. */
function getPageProps(c: AppContext) {
  const { hasSessionCookie, siteUrl } = c.var
  const { codeEditor, headers } = createCodeEditorOptions(c)
  return { props: { siteUrl, signedIn: hasSessionCookie, codeEditor }, headers }
}

interface GeneratedPasswordProps {
  readonly url: string
  readonly password: string
}

/** Shows a generated password, which isn't stored and can't be shown again. */
const GeneratedPassword = ({ url, password }: GeneratedPasswordProps) => (
  <Notice title="Save this password" signedIn scripts={[SCRIPTS.copyButton]}>
    <p>Your document is encrypted with this password. You won’t see it again, and nobody can recover it.</p>
    <p class="key">
      <code id="password">{password}</code>
    </p>
    <p class="actions">
      <button type="button" class="quiet" data-copy="password" data-copied="copied" hidden>
        Copy password
      </button>
      <span id="copied" role="status" />
    </p>
    <p>
      Document: <a href={url}>{url}</a>
    </p>
  </Notice>
)

/** Returns the values of a new form. */
async function getInitialValues(c: AppContext): Promise<NewDocumentValues> {
  const user = c.var.hasSessionCookie ? await c.var.identity.ask() : null
  if (!user?.confirmed)
    return { text: '', accountId: user?.id ?? null, settings: null, editors: '', gist: null }
  const { config, store } = c.var
  const [settings, mayCreateGists] = await Promise.all([
    findDefaults(store.db, user.id),
    // Nobody can have connected GitHub where nobody can sign in.
    config.authSecret !== null && canCreateGists(store.db, config.authSecret, user.id),
  ])
  return { text: '', accountId: user.id, settings, editors: '', gist: mayCreateGists ? false : null }
}

/** Returns the values of a form that was sent, except the password. */
function restoreValues(fields: ReadonlyMap<string, string>, user: User | null): NewDocumentValues {
  const offered = fields.has('expires') && (user?.confirmed ?? true)
  return {
    text: normalizeLineBreaks(fields.get('content') ?? ''),
    // Sending the form again is meant for the account that is signed in now.
    accountId: user?.id ?? fields.get('account') ?? null,
    settings: offered ? restoreSettings(fields) : user?.confirmed ? SERVICE_DEFAULTS : null,
    editors: fields.get('editors') ?? '',
    gist: fields.has('create_gist') || null,
  }
}

/** Throws if the account changed or the session ended after the form was opened. */
function requireSameAccount(fields: ReadonlyMap<string, string>, user: User | null): void {
  const account = fields.get('account')
  if (account === undefined || account === user?.id) return
  throw user ? accountChanged() : signInRequired()
}

/** Shows the form again with everything that was typed, except the password. */
async function showAgain(
  c: AppContext,
  fields: ReadonlyMap<string, string>,
  { error, options }: { error: AppError; options: Required<AnswerOptions> },
): Promise<Response> {
  // Where the session can't be read, that is the error to show.
  const user = await c.var.identity.ask().catch(() => null)
  const values = restoreValues(fields, user)
  const problem = (
    <>
      {formatProblem(error, parseUsernames(values.editors))}
      {fields.get('password') && ' Enter the password again.'}
    </>
  )
  const { props, headers } = getPageProps(c)
  const render = (text: string) => <HomePage {...props} values={{ ...values, text }} problem={problem} />
  // Content over the limit is too much for anybody to have typed, and isn't sent back.
  const text = error.code === 'content_too_large' ? '' : values.text
  return pageWithText(c, text, render, withHeaders(options, headers))
}

/** Creates the document and redirects to it, or shows the password that was generated for it. */
async function create(c: AppContext, fields: ReadonlyMap<string, string>): Promise<Response> {
  const { config, identity, now, siteUrl, store } = c.var
  const user = await identity.ask()
  requireSameAccount(fields, user)
  const content = toPlainText(normalizeLineBreaks(fields.get('content') ?? ''), config.maxContentBytes)
  const settings = parseNewSettings(fields)
  authorizeSettings(user, usesSettings(settings))
  if (settings.gist) await requireGistPermission(store.db, config.authSecret, user?.id ?? null)
  const input = toNewDocument(content, settings, now)
  const { document, password } = await createDocument(store, input, { creator: user, now })
  if (settings.gist) await publishNewGist(getGistPublisher(c), document.id, store.defer)
  if (password === null) return seeOther(c, `/${document.id}`)
  const created = <GeneratedPassword url={`${siteUrl}/${document.id}`} password={password} />
  return page(c, created, { headers: PRIVATE_HEADERS })
}

export const home = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .get('/', async (c) => {
    const values = await getInitialValues(c)
    const { props, headers } = getPageProps(c)
    return page(c, <HomePage {...props} signedIn={values.accountId !== null} values={values} />, {
      headers: { ...headers, ...(c.var.hasSessionCookie && { 'Cache-Control': 'no-store' }) },
    })
  })
  .post('/', limitContentForm, async (c) => {
    const fields = await readFields(c)
    // A form that another site sent isn't shown as if it had been typed here.
    if (isFromThisSite(c) === false) throw crossSiteForm()
    return submitForm(c, {
      submit: () => create(c, fields),
      showAgain: (error, options) => showAgain(c, fields, { error, options }),
    })
  })
