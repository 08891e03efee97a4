import { Hono } from 'hono'
import { html } from 'hono/html'
import { findPicture } from '../../accounts/profile.ts'
import { suggestUsernames } from '../../accounts/usernames.ts'
import { answerAccountZip, showDownload } from '../../download/download.tsx'
import type { AppEnv } from '../../env.ts'
import { accountNotConfirmed, routeNotFound } from '../../errors.ts'
import { answer, answerErrorText, rejectOtherMethods } from '../../http/answers.ts'
import { limitBody } from '../../http/bodies.ts'
import { requireSession } from '../../http/identity.ts'
import { limitDownloads, limitSearches } from '../../http/limits.ts'
import { hashQuickly } from '../../shared/hashing.ts'
import { answerErrorPage } from '../../ui/errors.tsx'
import { answerJson, seeOther } from '../../ui/page.tsx'
import { MAX_ACCOUNT_FORM_BYTES, refuseOtherAccounts } from '../../ui/submitted-form.ts'
import { yourDocuments } from '../lists/your-documents.ts'
import {
  connectGitHubFromForm,
  connectSingleSignOn,
  createKeyFromForm,
  deleteAccount,
  disconnectGitHubFromForm,
  disconnectSingleSignOnFromForm,
  revokeKeyFromForm,
  saveDefaultsFromForm,
  showAccount,
  showAccountPage,
  showDeletion,
  showKeyForm,
  signOutEverywhere,
} from './account-page.tsx'
import { inviteFromForm, revokeInvitationFromForm, showInvitationForm } from './invitations.tsx'
import {
  changeUsernameFromForm,
  confirmEmailChange,
  leaveEmail,
  removePicture,
  requestEmailChange,
  saveProfile,
  showProfile,
  takeEmail,
} from './profile.tsx'

/** Suggests usernames, but only to accounts that may add editors. */
const usernameSuggestions = new Hono<AppEnv>()
  .onError(answerErrorText)
  .get('/', requireSession, limitSearches, async (c) => {
    const { store, user } = c.var
    if (!user.confirmed) throw accountNotConfirmed()
    const usernames = await suggestUsernames(store.db, c.req.query('prefix') ?? '')
    return answerJson(c, { usernames })
  })

const account = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .use(requireSession)
  .use(limitBody(MAX_ACCOUNT_FORM_BYTES))
  .use(refuseOtherAccounts)
  // Forms answer at these paths. Reloading such an answer by GET leads to the page of the form.
  .on('GET', ['/defaults', '/sign-out-everywhere'], (c) => seeOther(c, '/account'))
  .on('GET', ['/username', '/email'], (c) => seeOther(c, '/account/profile'))
  .get('/', showAccountPage)
  .get('/keys', showKeyForm)
  .post('/keys', createKeyFromForm)
  .post('/keys/:id/revoke', (c) => revokeKeyFromForm(c, c.req.param('id')))
  .get('/invitations', showInvitationForm)
  .post('/invitations', (c) => inviteFromForm(c, (newLink) => showAccount(c, { newLink })))
  .post('/invitations/:id/revoke', (c) => revokeInvitationFromForm(c, c.req.param('id')))
  .post('/defaults', saveDefaultsFromForm)
  .post('/github/connect', connectGitHubFromForm)
  .post('/github/disconnect', disconnectGitHubFromForm)
  .post('/single-sign-on/connect', connectSingleSignOn)
  .post('/single-sign-on/disconnect', disconnectSingleSignOnFromForm)
  .post('/sign-out-everywhere', signOutEverywhere)
  .get('/delete', (c) => showDeletion(c))
  .post('/delete', deleteAccount)
  .get('/download', limitDownloads, showDownload)
  .get('/download/zip', limitDownloads, answerAccountZip)
  .get('/profile', (c) => showProfile(c))
  .post('/profile', saveProfile)
  .post('/picture', removePicture)
  .post('/username', changeUsernameFromForm)
  .post('/email', requestEmailChange)
  .get('/email/leave-email', (c) => confirmEmailChange(c, 'leave-email'))
  .get('/email/take-email', (c) => confirmEmailChange(c, 'take-email'))
  .post('/email/leave-email', leaveEmail)
  .post('/email/take-email', takeEmail)

// Pictures of accounts

const CELLS = 5

function drawGeneratedPicture(id: string) {
  const bits = hashQuickly(id)
  const half = Math.ceil(CELLS / 2)
  const cells = Array.from({ length: CELLS * CELLS }, (_, index) => {
    const x = index % CELLS
    const y = Math.floor(index / CELLS)
    const mirrored = Math.min(x, CELLS - 1 - x)
    const isFilled = ((bits >>> (y * half + mirrored)) & 1) === 1
    return isFilled && html`<rect x="${x}" y="${y}" width="1.02" height="1.02"/>`
  })
  const hue = hashQuickly(`${id} hue`) % 360
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 7 7" width="128" height="128">
<title>Account picture</title>
<rect x="-1" y="-1" width="7" height="7" fill="hsl(${hue} 45% 92%)"/>
<g fill="hsl(${hue} 55% 42%)">${cells}</g>
</svg>`
}

/** Clients on other sites show these pictures. The picture at a URL never changes. */
const PICTURE_HEADERS = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Cross-Origin-Resource-Policy': 'cross-origin',
}

const icons = new Hono<AppEnv>()
  .get('/:file{[A-Za-z0-9_-]{1,64}\\.svg}', (c) =>
    answer(c, String(drawGeneratedPicture(c.req.param('file').slice(0, -'.svg'.length))), {
      headers: { 'Content-Type': 'image/svg+xml', ...PICTURE_HEADERS },
    }),
  )
  .get('/:account/:version', async (c) => {
    const { account, version } = c.req.param()
    const picture = await findPicture(c.var.store.db, account, version)
    if (!picture) throw routeNotFound()
    return answer(c, picture.bytes, { headers: { 'Content-Type': picture.mediaType, ...PICTURE_HEADERS } })
  })

export const routes = new Hono<AppEnv>()
  .route('/icons', rejectOtherMethods(icons))
  .route('/account/usernames', rejectOtherMethods(usernameSuggestions))
  .route('/account/documents', rejectOtherMethods(yourDocuments))
  .route('/account', rejectOtherMethods(account))
