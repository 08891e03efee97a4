import { Hono } from 'hono'
import { suggestUsernames } from '../../accounts/usernames.ts'
import type { AppEnv } from '../../env.ts'
import { accountNotConfirmed } from '../../errors.ts'
import { answer, answerErrorText } from '../../http/answers.ts'
import { limitBody } from '../../http/bodies.ts'
import { requireSession } from '../../http/identity.ts'
import { limitSearches } from '../../http/limits.ts'
import { answerErrorPage } from '../layout/errors.tsx'
import { MAX_ACCOUNT_FORM_BYTES } from '../layout/form.ts'
import { PRIVATE_HEADERS, seeOther } from '../layout/page.tsx'

/** Only for accounts that may add editors. */
export const usernameSuggestions = new Hono<AppEnv>()
  .onError(answerErrorText)
  .get('/', requireSession, limitSearches, async (c) => {
    const { store, user } = c.var
    if (!user.confirmed) throw accountNotConfirmed()
    const usernames = await suggestUsernames(store.db, c.req.query('prefix') ?? '')
    return answer(c, JSON.stringify({ usernames }), {
      headers: { ...PRIVATE_HEADERS, 'Content-Type': 'application/json' },
    })
  })

const loadAccount = () => import('./account.lazy.tsx')
const loadProfile = () => import('./profile.lazy.tsx')
const loadDownload = () => import('../../download/account-download.lazy.tsx')

export const account = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .use(requireSession)
  .use(limitBody(MAX_ACCOUNT_FORM_BYTES))
  // Forms answer at these paths. Reloading such an answer by GET leads to the page of the form.
  .on('GET', ['/defaults', '/sign-out-everywhere'], (c) => seeOther(c, '/account'))
  .on('GET', ['/username', '/email'], (c) => seeOther(c, '/account/profile'))
  .get('/', async (c) => (await loadAccount()).showAccountPage(c))
  .get('/keys', async (c) => (await loadAccount()).showKeyForm(c))
  .post('/keys', async (c) => (await loadAccount()).createKeyFromForm(c))
  .post('/keys/:id/revoke', async (c) => (await loadAccount()).revokeKeyFromForm(c, c.req.param('id')))
  .post('/defaults', async (c) => (await loadAccount()).saveDefaultsFromForm(c))
  .post('/github/connect', async (c) => (await loadAccount()).connectGitHub(c))
  .post('/github/disconnect', async (c) => (await loadAccount()).disconnectGitHubFromForm(c))
  .post('/sign-out-everywhere', async (c) => (await loadAccount()).signOutEverywhere(c))
  .get('/delete', async (c) => (await loadAccount()).showDeletion(c))
  .post('/delete', async (c) => (await loadAccount()).deleteAccount(c))
  .get('/download', async (c) => (await loadDownload()).showDownload(c))
  .get('/download/zip', async (c) => (await loadDownload()).downloadZip(c))
  .get('/profile', async (c) => (await loadProfile()).showProfile(c))
  .post('/profile', async (c) => (await loadProfile()).saveProfile(c))
  .post('/picture', async (c) => (await loadProfile()).removePicture(c))
  .post('/username', async (c) => (await loadProfile()).changeUsernameFromForm(c))
  .post('/email', async (c) => (await loadProfile()).requestEmailChange(c))
  .get('/email/leave-email', async (c) => (await loadProfile()).confirmEmailChange(c, 'leave-email'))
  .get('/email/take-email', async (c) => (await loadProfile()).confirmEmailChange(c, 'take-email'))
  .post('/email/leave-email', async (c) => (await loadProfile()).leaveEmail(c))
  .post('/email/take-email', async (c) => (await loadProfile()).takeEmail(c))
