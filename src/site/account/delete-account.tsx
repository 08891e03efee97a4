import type { Context } from 'hono'
import { isDocumentsChoice, startAccountDeletion } from '../../accounts/deletion/account-deletion.ts'
import { processAccountDeletion } from '../../accounts/deletion/process-deletions.ts'
import type { UserEnv } from '../../env.ts'
import { expiredSessionCookie } from '../../http/session-cookie.ts'
import { seeOther } from '../layout/answer.ts'
import { readFields } from '../layout/form.ts'
import { Notice } from '../layout/layout.tsx'
import { privatePage } from '../layout/private-page.tsx'

/** How long a request deletes documents itself. The scheduled trigger deletes the rest. */
const DELETION_BUDGET_MS = 10_000

interface AccountDeletedProps {
  readonly documents: 'delete' | 'keep'
  /** True if all documents have been deleted. */
  readonly finished: boolean
}

const AccountDeletedPage = ({ documents, finished }: AccountDeletedProps) => (
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

/** Deletes the account that made the request, and signs its browser out. */
export async function deleteAccount(c: Context<UserEnv>): Promise<Response> {
  const { siteUrl, store, user } = c.var
  const choice = (await readFields(c)).get('documents')
  if (!isDocumentsChoice(choice)) return seeOther(c, '/account')
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
