import { Hono } from 'hono'
import { findDefaults } from '../../accounts/profile.ts'
import type { User } from '../../accounts/user.ts'
import type { AppContext, AppEnv } from '../../env.ts'
import { type AppError, crossSiteForm } from '../../errors.ts'
import { canCreateGists } from '../../gists/gist-permission.ts'
import { type AnswerOptions, VARY_BY_FORM } from '../../http/answers.ts'
import { documentTokenCookie } from '../../http/cookies.ts'
import { isFromThisSite } from '../../http/identity.ts'
import { parseUsernames, SERVICE_DEFAULTS } from '../../shared/form-settings.ts'
import { createCodeEditorOptions } from '../editing/code-editor-options.ts'
import { answerErrorPage, formatProblem } from '../layout/errors.tsx'
import { limitDocumentForm, submitForm } from '../layout/form.ts'
import { PRIVATE_HEADERS, page, pageWithText, seeOther, withHeaders } from '../layout/page.tsx'
import { getOffer, type NewDocumentValues, restoreSettings } from '../settings/settings-form.ts'
import {
  answerCreated,
  answerCreateError,
  type CreatedFromForm,
  createFromForm,
  readSentForm,
  type SentForm,
  wantsJson,
} from './create-from-form.ts'
import type { FormProblem } from './new-document-form.tsx'

const loadPages = () => import('./home-page.lazy.tsx')

async function getInitialValues(c: AppContext, user: User | null): Promise<NewDocumentValues> {
  const { config, store } = c.var
  const base = {
    text: '',
    title: '',
    accountId: user?.id ?? null,
    offer: getOffer(user, config),
    turnstileSiteKey: user ? null : (config.abuse.turnstile?.siteKey ?? null),
    editors: '',
    duplicatedFrom: '',
  }
  if (!user?.confirmed) return { ...base, settings: SERVICE_DEFAULTS, gist: null }
  const [settings, mayCreateGists] = await Promise.all([
    findDefaults(store.db, user.id),
    // Nobody can have connected GitHub where nobody can sign in.
    config.authSecret !== null && canCreateGists(store.db, config.authSecret, user.id),
  ])
  return { ...base, settings, gist: mayCreateGists ? false : null }
}

function restoreValues(c: AppContext, { fields, text }: SentForm, user: User | null): NewDocumentValues {
  return {
    text,
    title: fields.get('title') ?? '',
    // Sending the form again is meant for the account that is signed in now.
    accountId: user?.id ?? fields.get('account') ?? null,
    settings: restoreSettings(fields),
    // Someone whose session has ended is about to sign in again.
    offer: getOffer(user ?? (fields.has('visibility') ? { confirmed: true } : null), c.var.config),
    turnstileSiteKey: user ? null : (c.var.config.abuse.turnstile?.siteKey ?? null),
    editors: fields.get('editors') ?? '',
    gist: fields.has('create_gist') || null,
    duplicatedFrom: fields.get('duplicated_from') ?? '',
  }
}

function describeProblem(error: AppError, { fields }: SentForm): FormProblem {
  const field = error.issues?.[0]?.path.find((part) => part !== 'settings')
  return {
    message: (
      <>
        {formatProblem(error, parseUsernames(fields.get('editors') ?? ''))}
        {fields.get('password') && ' Enter the password again.'}
      </>
    ),
    field: field === undefined ? null : String(field),
  }
}

async function showAgain(
  c: AppContext,
  form: SentForm,
  { error, options }: { error: AppError; options: Required<AnswerOptions> },
): Promise<Response> {
  if (wantsJson(c)) return answerCreateError(c, error, options)
  // Where the session can't be read, that is the error to show.
  const user = await c.var.identity.ask().catch(() => null)
  const values = restoreValues(c, form, user)
  const { codeEditor, headers } = createCodeEditorOptions(c, values)
  const props = { codeEditor, signedIn: c.var.hasSessionCookie, problem: describeProblem(error, form) }
  const { HomePage } = await loadPages()
  const render = (text: string) => <HomePage {...props} values={{ ...values, text }} />
  // Content over the limit is too much for anybody to have typed, and isn't sent back.
  const text = error.code === 'content_too_large' ? '' : values.text
  return pageWithText(c, text, render, withHeaders(options, headers))
}

/** Shows what the user can't get again: a generated password, and the management link. */
async function answerForm(c: AppContext, created: CreatedFromForm): Promise<Response> {
  const { document, password, token } = created
  const cookies = token === null ? [] : [documentTokenCookie(c, document, token)]
  if (wantsJson(c)) return answerCreated(c, created, cookies)
  // Programs such as curl get the address; a browser's user must see what to keep.
  const showsLink = token !== null && (c.req.header('Accept')?.includes('text/html') ?? false)
  if (password === null && !showsLink) return seeOther(c, `/${document.id}`, cookies)
  const url = `${c.var.siteUrl}/${document.id}`
  const props = {
    url,
    password,
    managementLink: token === null ? null : `${url}/manage?token=${token}`,
    signedIn: c.var.hasSessionCookie,
  }
  const { CreatedPage } = await loadPages()
  const response = await page(c, <CreatedPage {...props} />, { headers: PRIVATE_HEADERS })
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie)
  return response
}

export const home = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .get('/', async (c) => {
    const user = c.var.hasSessionCookie ? await c.var.identity.ask() : null
    const ownHeaders = { ...VARY_BY_FORM, ...(c.var.hasSessionCookie && { 'Cache-Control': 'no-store' }) }
    const { HomePage, SignInToCreatePage } = await loadPages()
    if (!user && c.var.config.anonymousDocuments === 'refuse')
      return page(c, <SignInToCreatePage />, { headers: ownHeaders })
    const values = await getInitialValues(c, user)
    const { codeEditor, headers } = createCodeEditorOptions(c, values)
    return page(c, <HomePage signedIn={user !== null} values={values} codeEditor={codeEditor} />, {
      headers: { ...headers, ...ownHeaders },
    })
  })
  .post('/', limitDocumentForm, async (c) => {
    const form = await readSentForm(c)
    // A form that another site sent isn't shown as if it had been typed here.
    if (isFromThisSite(c) === false) throw crossSiteForm()
    return submitForm(c, {
      submit: async () => answerForm(c, await createFromForm(c, form)),
      showAgain: (error, options) => showAgain(c, form, { error, options }),
    })
  })
