import { type Context, Hono } from 'hono'
import { beginAccountDeletion, isDocumentsFate } from '../../accounts/deletion/account-deletion.ts'
import { processDeletion } from '../../accounts/deletion/process-deletions.ts'
import { createKey, listKeys, MAX_KEY_NAME_CHARACTERS, revokeKey } from '../../accounts/keys/api-keys.ts'
import { isKeyId } from '../../accounts/keys/key-format.ts'
import { findDefaults, keepDefaults } from '../../accounts/profile/defaults.ts'
import { dropPicture } from '../../accounts/profile/pictures.ts'
import { disconnectGitHub, findAccountDetails, GIST_SCOPE, rename } from '../../accounts/profile/profile.ts'
import { findUsernameProblem } from '../../accounts/profile/usernames.ts'
import { endSessions } from '../../accounts/sessions.ts'
import { isAdmin } from '../../accounts/user.ts'
import type { AppEnv, UserEnv } from '../../env.ts'
import { signInNeeded } from '../../errors.ts'
import { limitBody } from '../../http/body-limit.ts'
import { requireSession } from '../../http/require-session.ts'
import { expiredSessionCookie } from '../../http/session-cookie.ts'
import { settingsFrom } from '../editing/settings-form.ts'
import { seeOther } from '../layout/answer.ts'
import { answerErrorPage } from '../layout/errors.tsx'
import { MAX_ACCOUNT_FORM_BYTES, readFields } from '../layout/form.ts'
import { gitHubWords, leadToGitHub, privatePage } from '../layout/private-page.tsx'
import { authFor, waysOf } from '../sign-in/auth-for-request.ts'
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
async function accountPage(c: Context<UserEnv>, options: AccountOptions = {}, status = 200) {
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
    status,
  )
}

/** The page of the profile, with what came of a form on it. */
export async function profilePage(
  c: Context<UserEnv>,
  options: Pick<Parameters<typeof ProfilePage>[0], 'problems' | 'typed'> = {},
  status = 200,
) {
  const { now, store, user } = c.var
  const details = await findAccountDetails(store.db, user.id, now)
  if (!details) throw signInNeeded()
  return privatePage(c, <ProfilePage details={details} ways={waysOf(c)} {...options} />, status)
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
      : accountPage(c, { problems: { github: gitHubWords(code) } }, 400)
  })
  .get('/profile', (c) => profilePage(c))
  // The answer to a form stands at its address: whoever asks for that anew gets the page that it was on.
  .on('GET', ['/keys', '/defaults', '/delete', '/sign-out-everywhere'], (c) => seeOther(c, '/account'))
  .get('/username', (c) => seeOther(c, '/account/profile'))
  .post('/username', async (c) => {
    const { store, user } = c.var
    const username = ((await readFields(c)).get('username') ?? '').trim()
    const problem =
      (await findUsernameProblem(store.db, username, user.id)) ??
      ((await rename(store.db, user.id, username)) ? null : 'taken')
    if (problem === null) return seeOther(c, '/account?done=renamed')
    return profilePage(c, { problems: { username: usernameWords(problem) }, typed: username }, 400)
  })
  .post('/picture', async (c) => {
    await dropPicture(c.var.store.db, c.var.user.id)
    return seeOther(c, '/account?done=picture')
  })
  .post('/keys', async (c) => {
    const { now, store, user } = c.var
    const fields = await readFields(c)
    const name = (fields.get('name') ?? '').trim()
    const id = fields.get('id') ?? ''
    const again = (problem: string) => accountPage(c, { problems: { key: problem }, typed: name }, 400)
    if (name === '' || name.length > MAX_KEY_NAME_CHARACTERS) return again('A name has 1 to 100 characters.')
    const made = await createKey(store.db, user.id, { id: isKeyId(id) ? id : undefined, name, now })
    // No redirect: the key stands in this answer and nowhere else.
    if ('key' in made) return accountPage(c, { newKey: made.key })
    if (made.problem === 'full') return again('You have a hundred keys. Revoke one first.')
    return seeOther(c, '/account?done=key')
  })
  .post('/keys/:id/revoke', async (c) => {
    await revokeKey(c.var.store.db, c.var.user.id, c.req.param('id'))
    return seeOther(c, '/account?done=revoked')
  })
  .post('/defaults', async (c) => {
    const { store, user } = c.var
    await keepDefaults(store.db, user.id, settingsFrom(await readFields(c)))
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
    return leadToGitHub(c, response)
  })
  .post('/github/disconnect', async (c) => {
    const { store, user } = c.var
    if (waysOf(c).sendMail === null) {
      const problem = 'This server sends no mail: without GitHub you could not sign in any more.'
      return accountPage(c, { problems: { github: problem } }, 400)
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
    if (!isDocumentsFate(asked)) return seeOther(c, '/account')
    const documents = await beginAccountDeletion(store.db, user.id, asked)
    const end = Date.now() + DEPARTURE_MS
    const work = processDeletion(store, { id: user.id, documents }, () => Date.now() < end)
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
