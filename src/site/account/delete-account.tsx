import type { Context } from 'hono'
import {
  isDocumentsChoice,
  processAccountDeletion,
  startAccountDeletion,
} from '../../accounts/account-deletion.ts'
import { findAccountDetails } from '../../accounts/profile.ts'
import { isFreshSession } from '../../accounts/sessions.ts'
import type { UserEnv } from '../../env.ts'
import { signInRequired } from '../../errors.ts'
import { expiredSessionCookie } from '../../http/cookies.ts'
import { readSessionToken } from '../../http/identity.ts'
import { readFields } from '../layout/form.ts'
import { Notice } from '../layout/layout.tsx'
import { privatePage, seeOther } from '../layout/page.tsx'
import { getSignInMethods } from '../sign-in/sign-in-methods.ts'

/** How long a request deletes documents itself. The scheduled trigger deletes the rest. */
const DELETION_BUDGET_MS = 10_000

const AccountDeletedPage = ({ documents, finished }: { documents: 'delete' | 'keep'; finished: boolean }) => (
  <Notice title="Account deleted" signedIn={false}>
    <p role="status">
      {documents === 'keep' && 'Your documents are still there, without an author.'}
      {documents === 'delete' && finished && 'Your documents have been deleted, too.'}
      {documents === 'delete' &&
        !finished &&
        'Your documents are being deleted. They’ll be gone within a few minutes.'}
    </p>
  </Notice>
)

async function hasFreshSession(c: Context<UserEnv>): Promise<boolean> {
  const token = await readSessionToken(c)
  return token !== null && isFreshSession(c.var.store.db, token, c.var.now)
}

export async function showDeletion(c: Context<UserEnv>, { status = 200 } = {}): Promise<Response> {
  const { now, store, user } = c.var
  const { ConfirmIdentityPage, DeleteAccountPage } = await import('./account-pages.lazy.tsx')
  if (await hasFreshSession(c)) return privatePage(c, <DeleteAccountPage username={user.username} />)
  const details = await findAccountDetails(store.db, user.id, now)
  if (!details) throw signInRequired()
  const methods = getSignInMethods(c)
  return privatePage(c, <ConfirmIdentityPage details={details} methods={methods} />, { status })
}

export async function deleteAccount(c: Context<UserEnv>): Promise<Response> {
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
  const response = await privatePage(c, <AccountDeletedPage documents={documents} finished={finished} />)
  response.headers.append('Set-Cookie', expiredSessionCookie(siteUrl))
  return response
}
