import { type Context, Hono } from 'hono'
import {
  isDocumentsChoice,
  processAccountDeletion,
  startAccountDeletion,
} from '../../accounts/account-deletion.ts'
import { createKey, listKeys, MAX_KEYS, revokeKey } from '../../accounts/api-keys.ts'
import { isKeyId } from '../../accounts/key-format.ts'
import {
  changeUsername,
  deletePicture,
  disconnectGitHub,
  findAccountDetails,
  findDefaults,
  saveDefaults,
  setProfilePage,
} from '../../accounts/profile.ts'
import { endSessions, isFreshSession } from '../../accounts/sessions.ts'
import { isAdmin } from '../../accounts/user.ts'
import { findUsernameProblem, suggestUsernames } from '../../accounts/usernames.ts'
import type { AppEnv, UserEnv } from '../../env.ts'
import { accountNotConfirmed, signInRequired } from '../../errors.ts'
import { type AnswerOptions, answer, answerErrorText } from '../../http/answers.ts'
import { limitBody } from '../../http/bodies.ts'
import { expiredSessionCookie } from '../../http/cookies.ts'
import { readSessionToken, requireSession } from '../../http/identity.ts'
import { limitSearches } from '../../http/limits.ts'
import { answerErrorPage, findFieldProblem, invalidForm, isInvalidForm } from '../layout/errors.tsx'
import { MAX_ACCOUNT_FORM_BYTES, readFields, submitForm } from '../layout/form.ts'
import { privatePage, seeOther } from '../layout/page.tsx'
import { parseSettings } from '../settings/settings-form.ts'
import {
  formatGitHubError,
  formatUsernameProblem,
  getSignInMethods,
  loadGitHubSignIn,
} from '../sign-in/sign-in-methods.ts'
import type { ProfilePageProps } from './account-pages.lazy.tsx'

/** Only for accounts that may add editors. */
export const usernameSuggestions = new Hono<AppEnv>()
  .onError(answerErrorText)
  .get('/', requireSession, limitSearches, async (c) => {
    const { store, user } = c.var
    if (!user.confirmed) throw accountNotConfirmed()
    const usernames = await suggestUsernames(store.db, c.req.query('prefix') ?? '')
    return answer(c, JSON.stringify({ usernames }), {
      headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
    })
  })

const loadPages = () => import('./account-pages.lazy.tsx')

const loadKeys = () => import('./keys.lazy.tsx')

const DONE_MESSAGES = new Map([
  ['renamed', 'Username changed.'],
  ['revoked', 'API key revoked.'],
  [
    'key',
    'This API key has already been created and shown once. If you didn’t copy it, revoke it and create another.',
  ],
  ['email', 'Email address changed.'],
  ['picture', 'You now have a generated picture.'],
  ['profile', 'Profile page saved.'],
  ['defaults', 'Defaults saved.'],
  ['disconnected', 'GitHub disconnected.'],
])

interface AccountOptions {
  readonly gitHubProblem?: string
  readonly newKey?: string
}

async function showAccount(
  c: Context<UserEnv>,
  options: AccountOptions = {},
  answer: AnswerOptions = {},
): Promise<Response> {
  const { now, store, user } = c.var
  const [details, keys, defaults] = await Promise.all([
    findAccountDetails(store.db, user.id, now),
    listKeys(store.db, user.id),
    findDefaults(store.db, user.id),
  ])
  if (!details) throw signInRequired()
  const { AccountPage } = await loadPages()
  const accountPage = (
    <AccountPage
      details={details}
      keys={keys}
      now={now}
      defaults={defaults}
      confirmed={user.confirmed}
      admin={isAdmin(user)}
      methods={getSignInMethods(c)}
      done={DONE_MESSAGES.get(c.req.query('done') ?? '')}
      {...options}
    />
  )
  return privatePage(c, accountPage, answer)
}

export async function showProfile(
  c: Context<UserEnv>,
  options: Pick<ProfilePageProps, 'problems' | 'typed'> = {},
  answer: AnswerOptions = {},
): Promise<Response> {
  const { config, now, store, user } = c.var
  const details = await findAccountDetails(store.db, user.id, now)
  if (!details) throw signInRequired()
  const { ProfilePage } = await loadPages()
  return privatePage(
    c,
    <ProfilePage details={details} methods={getSignInMethods(c)} explore={config.explore} {...options} />,
    answer,
  )
}

/** How long a request deletes documents itself. The scheduled trigger deletes the rest. */
const DELETION_BUDGET_MS = 10_000

async function hasFreshSession(c: Context<UserEnv>): Promise<boolean> {
  const token = await readSessionToken(c)
  return token !== null && isFreshSession(c.var.store.db, token, c.var.now)
}

async function showDeletion(c: Context<UserEnv>, { status = 200 } = {}): Promise<Response> {
  const { now, store, user } = c.var
  const { ConfirmIdentityPage, DeleteAccountPage } = await loadPages()
  if (await hasFreshSession(c)) return privatePage(c, <DeleteAccountPage username={user.username} />)
  const details = await findAccountDetails(store.db, user.id, now)
  if (!details) throw signInRequired()
  const methods = getSignInMethods(c)
  return privatePage(c, <ConfirmIdentityPage details={details} methods={methods} />, { status })
}

async function deleteAccount(c: Context<UserEnv>): Promise<Response> {
  const { siteUrl, store, user } = c.var
  const choice = (await readFields(c)).get('documents')
  if (!isDocumentsChoice(choice)) return seeOther(c, '/account/delete')
  if (!(await hasFreshSession(c))) return showDeletion(c, { status: 403 })
  const documents = await startAccountDeletion(store.db, user.id, choice)
  const end = Date.now() + DELETION_BUDGET_MS
  const deletion = processAccountDeletion(store, { id: user.id, documents }, () => Date.now() < end)
  // The deletion has started, and the scheduled trigger finishes it. A fault here can't stop it, so it is only logged.
  const finished = await deletion.catch((error) => {
    store.defer(() => Promise.reject(error))
    return false
  })
  const { AccountDeletedPage } = await loadPages()
  const response = await privatePage(c, <AccountDeletedPage documents={documents} finished={finished} />)
  response.headers.append('Set-Cookie', expiredSessionCookie(siteUrl))
  return response
}

const loadDownload = () => import('../../download/account-download.lazy.tsx')

export const account = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .use(requireSession)
  .use(limitBody(MAX_ACCOUNT_FORM_BYTES))
  .get('/', (c) => {
    const code = c.req.query('error')
    return code === undefined
      ? showAccount(c)
      : showAccount(c, { gitHubProblem: formatGitHubError(code) }, { status: 400 })
  })
  .get('/profile', (c) => showProfile(c))
  // Forms answer at these paths. Reloading such an answer by GET leads to the page of the form.
  .on('GET', ['/defaults', '/sign-out-everywhere'], (c) => seeOther(c, '/account'))
  .get('/username', (c) => seeOther(c, '/account/profile'))
  .post('/username', async (c) => {
    const { store, user } = c.var
    const username = ((await readFields(c)).get('username') ?? '').trim()
    return submitForm(c, {
      submit: async () => {
        const problem =
          (await findUsernameProblem(store.db, username, user.id)) ??
          ((await changeUsername(store.db, user.id, username)) ? null : 'taken')
        if (problem !== null) throw invalidForm({ username: formatUsernameProblem(problem) })
        return seeOther(c, '/account?done=renamed')
      },
      handles: isInvalidForm,
      showAgain: (error, options) =>
        showProfile(
          c,
          { problems: { username: findFieldProblem(error, 'username') }, typed: username },
          options,
        ),
    })
  })
  .post('/profile', async (c) => {
    await setProfilePage(c.var.store.db, c.var.user.id, (await readFields(c)).has('profile'))
    return seeOther(c, '/account?done=profile')
  })
  .post('/picture', async (c) => {
    await deletePicture(c.var.store.db, c.var.user.id)
    return seeOther(c, '/account?done=picture')
  })
  .get('/keys', async (c) => {
    const { KeyPage } = await loadKeys()
    return privatePage(c, <KeyPage />)
  })
  .post('/keys', async (c) => {
    const { now, store, user } = c.var
    const { KeyPage, parseKeyValues, readKeyValues } = await loadKeys()
    const fields = await readFields(c)
    const typed = readKeyValues(fields)
    const id = fields.get('id') ?? ''
    return submitForm(c, {
      submit: async () => {
        const wanted = parseKeyValues(typed, now)
        const created = await createKey(store.db, user.id, {
          id: isKeyId(id) ? id : undefined,
          ...wanted,
          now,
        })
        // No redirect: only this answer contains the key.
        if ('key' in created) return showAccount(c, { newKey: created.key })
        if (created.problem === 'limit reached') {
          throw invalidForm({ name: `You already have ${MAX_KEYS} keys, the maximum. Revoke one first.` })
        }
        return seeOther(c, '/account?done=key')
      },
      handles: isInvalidForm,
      showAgain: (error, options) =>
        privatePage(c, <KeyPage problem={findFieldProblem(error, 'name')} typed={typed} />, options),
    })
  })
  .post('/keys/:id/revoke', async (c) => {
    await revokeKey(c.var.store.db, c.var.user.id, c.req.param('id'), c.var.now)
    return seeOther(c, '/account?done=revoked')
  })
  .post('/defaults', async (c) => {
    const { config, store, user } = c.var
    const settings = parseSettings(await readFields(c))
    // Without public lists, the form doesn't offer visibility. The account keeps what it chose before.
    const kept = config.explore ? {} : { visibility: (await findDefaults(store.db, user.id)).visibility }
    await saveDefaults(store.db, user.id, { ...settings, ...kept })
    return seeOther(c, '/account?done=defaults')
  })
  .post('/github/connect', async (c) => {
    const { redirectToGitHub } = await loadGitHubSignIn()
    return redirectToGitHub(c, { returnTo: '/account', connects: c.var.user })
  })
  .post('/github/disconnect', async (c) => {
    const { store, user } = c.var
    if (getSignInMethods(c).sendEmail === null) {
      const gitHubProblem =
        'You can’t disconnect GitHub, because it’s your only way to sign in: this server doesn’t send email.'
      return showAccount(c, { gitHubProblem }, { status: 400 })
    }
    await disconnectGitHub(store.db, user.id)
    return seeOther(c, '/account?done=disconnected')
  })
  .post('/sign-out-everywhere', async (c) => {
    const revokeKeys = (await readFields(c)).has('revoke_keys')
    await endSessions(c.var.store.db, c.var.user.id, { revokeKeys, now: c.var.now })
    return seeOther(c, '/', [expiredSessionCookie(c.var.siteUrl)])
  })
  .get('/download', async (c) => (await loadDownload()).showDownload(c))
  .get('/download/zip', async (c) => (await loadDownload()).downloadZip(c))
  .get('/delete', (c) => showDeletion(c))
  .post('/delete', deleteAccount)
