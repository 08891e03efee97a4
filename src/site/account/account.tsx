import { type Context, Hono } from 'hono'
import { isDocumentsChoice, startAccountDeletion } from '../../accounts/deletion/account-deletion.ts'
import { processAccountDeletion } from '../../accounts/deletion/process-deletions.ts'
import { createKey, listKeys, MAX_KEY_NAME_CHARACTERS, revokeKey } from '../../accounts/keys/api-keys.ts'
import { isKeyId } from '../../accounts/keys/key-format.ts'
import { findDefaults, saveDefaults } from '../../accounts/profile/defaults.ts'
import { disconnectGitHub, GIST_SCOPE } from '../../accounts/profile/github-link.ts'
import { deletePicture } from '../../accounts/profile/pictures.ts'
import { changeUsername, findAccountDetails } from '../../accounts/profile/profile.ts'
import { findUsernameProblem } from '../../accounts/profile/usernames.ts'
import { endSessions } from '../../accounts/sessions.ts'
import { isAdmin } from '../../accounts/user.ts'
import type { AppEnv, UserEnv } from '../../env.ts'
import { signInNeeded } from '../../errors.ts'
import { limitBody } from '../../http/body-limit.ts'
import { requireSession } from '../../http/require-session.ts'
import { expiredSessionCookie } from '../../http/session-cookie.ts'
import { parseSettings } from '../editing/settings-form.ts'
import { type AnswerOptions, seeOther } from '../layout/answer.ts'
import { answerErrorPage } from '../layout/errors.tsx'
import { MAX_ACCOUNT_FORM_BYTES, readFields } from '../layout/form.ts'
import { privatePage } from '../layout/private-page.tsx'
import { findFieldProblem, invalidForm, isInvalidForm } from '../layout/problem.tsx'
import { submitForm } from '../layout/submit-form.ts'
import { authFor, waysOf } from '../sign-in/auth-for-request.ts'
import { formatGitHubError, redirectToGitHub } from '../sign-in/github-redirect.ts'
import { usernameWords } from '../sign-in/username-messages.ts'
import { AccountPage, type AccountProblems } from './account-pages.tsx'
import { MessagePage, ProfilePage } from './profile-pages.tsx'

/** What a page says was done, by the word in its address. */
const DONE = new Map([
  ['renamed', 'You have a new name.'],
  ['revoked', 'The key is revoked.'],
  [
    'key',
    'The key is made already, and was shown once. If you have not copied it, revoke it and make another.',
  ],
  ['email', 'Your account has the new address.'],
  ['picture', 'Your picture is now drawn by the site.'],
  ['defaults', 'New documents begin with these settings.'],
  ['disconnected', 'GitHub is disconnected.'],
])

interface AccountOptions {
  readonly problems?: AccountProblems
  readonly typed?: string
  readonly newKey?: string
}

/** The account page, with what came of a form on it. */
async function accountPage(c: Context<UserEnv>, options: AccountOptions = {}, answer: AnswerOptions = {}) {
  const { now, store, user } = c.var
  const [details, keys, defaults] = await Promise.all([
    findAccountDetails(store.db, user.id, now),
    listKeys(store.db, user.id),
    findDefaults(store.db, user.id),
  ])
  if (!details) throw signInNeeded()
  const done = DONE.get(c.req.query('done') ?? '')
  return privatePage(
    c,
    <AccountPage
      details={details}
      keys={keys}
      defaults={defaults}
      confirmed={user.confirmed}
      admin={isAdmin(user)}
      ways={waysOf(c)}
      done={done}
      {...options}
    />,
    answer,
  )
}

/** The page of the profile, with what came of a form on it. */
export async function profilePage(
  c: Context<UserEnv>,
  options: Pick<Parameters<typeof ProfilePage>[0], 'problems' | 'typed'> = {},
  answer: AnswerOptions = {},
) {
  const { now, store, user } = c.var
  const details = await findAccountDetails(store.db, user.id, now)
  if (!details) throw signInNeeded()
  return privatePage(c, <ProfilePage details={details} ways={waysOf(c)} {...options} />, answer)
}

/** How long a request works off a deleted account itself; the scheduled trigger does the rest. */
const DEPARTURE_MS = 10_000

export const account = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .use(requireSession)
  .use(limitBody(MAX_ACCOUNT_FORM_BYTES))
  .get('/', (c) => {
    const code = c.req.query('error')
    return code === undefined
      ? accountPage(c)
      : accountPage(c, { problems: { github: formatGitHubError(code) } }, { status: 400 })
  })
  .get('/profile', (c) => profilePage(c))
  // The answer to a form stands at its address: whoever asks for that anew gets the page that it was on.
  .on('GET', ['/keys', '/defaults', '/delete', '/sign-out-everywhere'], (c) => seeOther(c, '/account'))
  .get('/username', (c) => seeOther(c, '/account/profile'))
  .post('/username', async (c) => {
    const { store, user } = c.var
    const username = ((await readFields(c)).get('username') ?? '').trim()
    return submitForm(c, {
      submit: async () => {
        const problem =
          (await findUsernameProblem(store.db, username, user.id)) ??
          ((await changeUsername(store.db, user.id, username)) ? null : 'taken')
        if (problem !== null) throw invalidForm({ username: usernameWords(problem) })
        return seeOther(c, '/account?done=renamed')
      },
      handles: isInvalidForm,
      showAgain: (error, options) =>
        profilePage(
          c,
          { problems: { username: findFieldProblem(error, 'username') }, typed: username },
          options,
        ),
    })
  })
  .post('/picture', async (c) => {
    await deletePicture(c.var.store.db, c.var.user.id)
    return seeOther(c, '/account?done=picture')
  })
  .post('/keys', async (c) => {
    const { now, store, user } = c.var
    const fields = await readFields(c)
    const name = (fields.get('name') ?? '').trim()
    const id = fields.get('id') ?? ''
    return submitForm(c, {
      submit: async () => {
        if (name === '' || name.length > MAX_KEY_NAME_CHARACTERS) {
          throw invalidForm({ name: `Enter a name of 1 to ${MAX_KEY_NAME_CHARACTERS} characters.` })
        }
        const made = await createKey(store.db, user.id, { id: isKeyId(id) ? id : undefined, name, now })
        // No redirect: only this answer contains the key.
        if ('key' in made) return accountPage(c, { newKey: made.key })
        if (made.problem === 'limit reached')
          throw invalidForm({ name: 'You have 100 keys. Revoke one first.' })
        return seeOther(c, '/account?done=key')
      },
      handles: isInvalidForm,
      showAgain: (error, options) =>
        accountPage(c, { problems: { key: findFieldProblem(error, 'name') }, typed: name }, options),
    })
  })
  .post('/keys/:id/revoke', async (c) => {
    await revokeKey(c.var.store.db, c.var.user.id, c.req.param('id'))
    return seeOther(c, '/account?done=revoked')
  })
  .post('/defaults', async (c) => {
    const { store, user } = c.var
    await saveDefaults(store.db, user.id, parseSettings(await readFields(c)))
    return seeOther(c, '/account?done=defaults')
  })
  .post('/github/connect', async (c) => {
    const auth = await authFor(c)
    const response = await auth.api.linkSocialAccount({
      body: {
        provider: 'github',
        scopes: [GIST_SCOPE],
        callbackURL: '/account',
        errorCallbackURL: '/account',
        disableRedirect: true,
      },
      headers: c.req.raw.headers,
      asResponse: true,
    })
    return redirectToGitHub(c, response)
  })
  .post('/github/disconnect', async (c) => {
    const { store, user } = c.var
    if (waysOf(c).sendMail === null) {
      const github = 'This server can’t send email, so you couldn’t sign in without GitHub.'
      return accountPage(c, { problems: { github } }, { status: 400 })
    }
    await disconnectGitHub(store.db, user.id)
    return seeOther(c, '/account?done=disconnected')
  })
  .post('/sign-out-everywhere', async (c) => {
    await endSessions(c.var.store.db, c.var.user.id)
    return seeOther(c, '/', [expiredSessionCookie(c.var.siteUrl)])
  })
  .post('/delete', async (c) => {
    const { siteUrl, store, user } = c.var
    const asked = (await readFields(c)).get('documents')
    if (!isDocumentsChoice(asked)) return seeOther(c, '/account')
    const documents = await startAccountDeletion(store.db, user.id, asked)
    const end = Date.now() + DEPARTURE_MS
    const work = processAccountDeletion(store, { id: user.id, documents }, () => Date.now() < end)
    // It is begun, and the scheduled trigger ends it: nothing that fails now can keep the account.
    const done = await work.catch((error) => {
      store.defer(() => Promise.reject(error))
      return false
    })
    const response = await privatePage(
      c,
      <MessagePage title="Your account is deleted" signedIn={false}>
        {documents === 'keep' && 'Your documents stay, without a creator.'}
        {documents === 'delete' && done && 'Your documents are deleted, too.'}
        {documents === 'delete' &&
          !done &&
          'Your documents are being deleted; all of them will be gone within minutes.'}
      </MessagePage>,
    )
    response.headers.append('Set-Cookie', expiredSessionCookie(siteUrl))
    return response
  })
