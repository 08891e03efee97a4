import { type Context, Hono } from 'hono'
import { findAccountDetails, replaceEmail } from '../../accounts/profile/profile.ts'
import {
  findLink,
  type Link,
  type LinkPurpose,
  makeLink,
  mayMail,
  useLink,
} from '../../accounts/sign-in/email-links.ts'
import type { AppEnv, UserEnv } from '../../env.ts'
import { signInNeeded } from '../../errors.ts'
import { requireSession } from '../../http/require-session.ts'
import { seeOther } from '../layout/answer.ts'
import { answerErrorPage } from '../layout/errors.tsx'
import { readFields } from '../layout/form.ts'
import { privatePage } from '../layout/private-page.tsx'
import { waysOf } from '../sign-in/auth-for-request.ts'
import { isEmail } from '../sign-in/email-address.ts'
import { leaveEmailMail, leftEmailMail, takeEmailMail } from '../sign-in/emails.tsx'
import { DeadLinkPage } from '../sign-in/sign-in-pages.tsx'
import { profilePage } from './account.tsx'
import { EmailLinkPage, MessagePage } from './profile-pages.tsx'

/** What a link about a change of address holds. */
interface Change {
  readonly user: string
  readonly from: string
  readonly to: string
}

/** Sends the link of one of the two ends. Throws what sending throws. */
async function sendChangeLink(c: Context<UserEnv>, purpose: LinkPurpose, change: Change, used?: Link) {
  const { now, siteUrl, store, user } = c.var
  const { sendMail } = waysOf(c)
  const token = await makeLink(store.db, purpose, { value: change, now, ...(used && { used }) })
  if (token === null || sendMail === null) return false
  const url = `${siteUrl}/account/email/${purpose}?${new URLSearchParams({ token })}`
  const names = { username: user.username, next: change.to }
  await sendMail(
    purpose === 'leave-email'
      ? await leaveEmailMail(change.from, url, names)
      : await takeEmailMail(change.to, url, user.username),
  )
  return true
}

const SentPage = ({ email }: { email: string }) => (
  <MessagePage title="Look into your mail" signedIn>
    A link is on its way to <strong>{email}</strong>. It works once, for 15 minutes, where you are signed in.
  </MessagePage>
)

/** The change that a link is for, if it still works and is of whoever is signed in. */
async function changeOf(c: Context<UserEnv>, purpose: LinkPurpose, token: string | undefined) {
  const { now, store, user } = c.var
  const link = token === undefined ? null : await findLink(store.db, purpose, { token, now })
  const change = link?.value as Change | undefined
  return link && change?.user === user.id ? { link, change } : null
}

const ENOUGH = 'Enough links went out lately. Wait a quarter of an hour.'

const deadLink = (c: Context<UserEnv>) => privatePage(c, <DeadLinkPage signedIn />, 400)

/** Changing an account's e-mail address: asked for here, confirmed at the present one, then at the new one. */
export const emailChange = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .use(requireSession)
  .get('/', (c) => seeOther(c, '/account/profile'))
  .post('/', async (c) => {
    const { now, store, user } = c.var
    const to = ((await readFields(c)).get('email') ?? '').trim().toLowerCase()
    const again = (problem: string, status = 400) =>
      profilePage(c, { problems: { email: problem }, typed: to }, status)
    const details = await findAccountDetails(store.db, user.id, now)
    if (!details) throw signInNeeded()
    const from = details.email
    if (!isEmail(to)) return again('This is no e-mail address.')
    if (to === from.toLowerCase()) return again('This is the address that your account has.')
    if (waysOf(c).sendMail === null) return again('This server sends no mail.')
    if (!(await mayMail(store.db, from, now))) return again(ENOUGH, 429)
    await sendChangeLink(c, 'leave-email', { user: user.id, from, to })
    return privatePage(c, <SentPage email={from} />)
  })
  .get('/:purpose{leave-email|take-email}', async (c) => {
    const purpose = c.req.param('purpose') as LinkPurpose
    const token = c.req.query('token') ?? ''
    const found = await changeOf(c, purpose, token)
    if (!found) return deadLink(c)
    const { from, to } = found.change
    const action = `/account/email/${purpose}`
    return privatePage(
      c,
      <EmailLinkPage action={action} token={token} username={c.var.user.username} from={from} to={to} />,
    )
  })
  .post('/leave-email', async (c) => {
    const found = await changeOf(c, 'leave-email', (await readFields(c)).get('token'))
    if (!found) return deadLink(c)
    const { to } = found.change
    // Whose address that is nobody knows yet. The link goes on working.
    if (!(await mayMail(c.var.store.db, to, c.var.now)))
      return profilePage(c, { problems: { email: ENOUGH }, typed: to }, 429)
    const sent = await sendChangeLink(c, 'take-email', found.change, found.link)
    return sent ? privatePage(c, <SentPage email={to} />) : deadLink(c)
  })
  .post('/take-email', async (c) => {
    const { store, user } = c.var
    const found = await changeOf(c, 'take-email', (await readFields(c)).get('token'))
    if (!found) return deadLink(c)
    const { from, to } = found.change
    const problem = await replaceEmail(store.db, { id: user.id, from, to, use: useLink(found.link) })
    if (problem === 'taken')
      return profilePage(c, { problems: { email: 'Another account has this address.' }, typed: to }, 400)
    if (problem !== null) return deadLink(c)
    const letter = await leftEmailMail(from, { username: user.username, next: to })
    store.defer(async () => waysOf(c).sendMail?.(letter))
    return seeOther(c, '/account?done=email')
  })
