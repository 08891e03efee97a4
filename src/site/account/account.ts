import { Hono } from 'hono'
import { createKey, MAX_KEYS, revokeKey } from '../../accounts/keys/api-keys.ts'
import { isKeyId } from '../../accounts/keys/key-format.ts'
import { findDefaults, saveDefaults } from '../../accounts/profile/defaults.ts'
import { disconnectGitHub, GIST_SCOPE } from '../../accounts/profile/github-link.ts'
import { deletePicture } from '../../accounts/profile/pictures.ts'
import { changeUsername } from '../../accounts/profile/profile.ts'
import { setProfilePage } from '../../accounts/profile/profile-page.ts'
import { findUsernameProblem } from '../../accounts/profile/usernames.ts'
import { endSessions } from '../../accounts/sessions.ts'
import type { AppEnv } from '../../env.ts'
import { limitBody } from '../../http/bodies/body-limit.ts'
import { requireSession } from '../../http/identity/require-session.ts'
import { expiredSessionCookie } from '../../http/identity/session-cookie.ts'
import { seeOther } from '../layout/answer.ts'
import { answerErrorPage } from '../layout/errors.tsx'
import { MAX_ACCOUNT_FORM_BYTES, readFields } from '../layout/form.ts'
import { findFieldProblem, invalidForm, isInvalidForm } from '../layout/problem.tsx'
import { submitForm } from '../layout/submit-form.ts'
import { parseSettings } from '../settings/settings-form.ts'
import { formatGitHubError, redirectToGitHub } from '../sign-in/github-response.ts'
import { createRequestAuth } from '../sign-in/request-auth.ts'
import { getSignInMethods } from '../sign-in/sign-in-methods.ts'
import { formatUsernameProblem } from '../sign-in/username-problem.ts'
import { deleteAccount, showDeletion } from './deletion/delete-account.tsx'
import { parseKeyValues, readKeyValues } from './key-form.ts'
import { showAccount, showProfile } from './show-account.tsx'

/** Loads what few visits need. */
const loadDownload = () => import('../download/account-download.tsx')

export const account = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .use(requireSession)
  .use(limitBody(MAX_ACCOUNT_FORM_BYTES))
  .get('/', (c) => {
    const code = c.req.query('error')
    return code === undefined
      ? showAccount(c)
      : showAccount(c, { problems: { github: formatGitHubError(code) } }, { status: 400 })
  })
  .get('/profile', (c) => showProfile(c))
  // Forms answer at these paths. Reloading such an answer by GET leads to the page of the form.
  .on('GET', ['/keys', '/defaults', '/sign-out-everywhere'], (c) => seeOther(c, '/account'))
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
  .post('/keys', async (c) => {
    const { now, store, user } = c.var
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
        showAccount(c, { problems: { key: findFieldProblem(error, 'name') }, typed }, options),
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
    const auth = await createRequestAuth(c)
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
    if (getSignInMethods(c).sendEmail === null) {
      const github =
        'You can’t disconnect GitHub, because it’s your only way to sign in: this server doesn’t send email.'
      return showAccount(c, { problems: { github } }, { status: 400 })
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
