import { type Context, Hono } from 'hono'
import { changeEmail, findAccountDetails } from '../../accounts/profile/profile.ts'
import {
  consumeLinkStatement,
  createLink,
  findLink,
  type Link,
  type LinkPurpose,
  tryCountEmail,
} from '../../accounts/sign-in/email-links.ts'
import type { AppEnv, UserEnv } from '../../env.ts'
import { rateLimited, signInNeeded } from '../../errors.ts'
import { requireSession } from '../../http/require-session.ts'
import { seeOther } from '../layout/answer.ts'
import { answerErrorPage } from '../layout/errors.tsx'
import { readFields } from '../layout/form.ts'
import { privatePage } from '../layout/private-page.tsx'
import { findFieldProblem, invalidForm, isInvalidForm } from '../layout/problem.tsx'
import { submitForm } from '../layout/submit-form.ts'
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
  const token = await createLink(store.db, purpose, { value: change, now, ...(used && { used }) })
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

const LINK_PAUSE_SECONDS = 15 * 60

const deadLink = (c: Context<UserEnv>) => privatePage(c, <DeadLinkPage signedIn />, { status: 400 })

/** Asks the user to confirm the change that a link is for. */
async function askToConfirm(c: Context<UserEnv>, purpose: LinkPurpose): Promise<Response> {
  const token = c.req.query('token') ?? ''
  const found = await changeOf(c, purpose, token)
  if (!found) return deadLink(c)
  const { from, to } = found.change
  const action = `/account/email/${purpose}`
  return privatePage(
    c,
    <EmailLinkPage action={action} token={token} username={c.var.user.username} from={from} to={to} />,
  )
}

/** Takes a step of the change, or shows the profile again with what is wrong with the new address. */
const submitEmail = (c: Context<UserEnv>, typed: string, submit: () => Promise<Response>) =>
  submitForm(c, {
    submit,
    handles: (error) => isInvalidForm(error) || error.code === 'rate_limited',
    showAgain: (error, options) => {
      const email =
        findFieldProblem(error, 'email') ?? 'You’ve requested too many links. Try again in 15 minutes.'
      return profilePage(c, { problems: { email }, typed }, options)
    },
  })

/** Changing an account's e-mail address: asked for here, confirmed at the present one, then at the new one. */
export const emailChange = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .use(requireSession)
  .get('/', (c) => seeOther(c, '/account/profile'))
  .post('/', async (c) => {
    const { now, store, user } = c.var
    const to = ((await readFields(c)).get('email') ?? '').trim().toLowerCase()
    return submitEmail(c, to, async () => {
      const details = await findAccountDetails(store.db, user.id, now)
      if (!details) throw signInNeeded()
      const from = details.email
      if (!isEmail(to)) throw invalidForm({ email: 'Enter a valid email address.' })
      if (to === from.toLowerCase()) throw invalidForm({ email: 'That’s already your email address.' })
      if (waysOf(c).sendMail === null) throw invalidForm({ email: 'This server can’t send email.' })
      if (!(await tryCountEmail(store.db, from, now))) throw rateLimited(LINK_PAUSE_SECONDS)
      await sendChangeLink(c, 'leave-email', { user: user.id, from, to })
      return privatePage(c, <SentPage email={from} />)
    })
  })
  .get('/leave-email', (c) => askToConfirm(c, 'leave-email'))
  .get('/take-email', (c) => askToConfirm(c, 'take-email'))
  .post('/leave-email', async (c) => {
    const found = await changeOf(c, 'leave-email', (await readFields(c)).get('token'))
    if (!found) return deadLink(c)
    const { to } = found.change
    return submitEmail(c, to, async () => {
      // Nothing proves yet that the new address is the user's. The link still works later.
      if (!(await tryCountEmail(c.var.store.db, to, c.var.now))) throw rateLimited(LINK_PAUSE_SECONDS)
      const sent = await sendChangeLink(c, 'take-email', found.change, found.link)
      return sent ? privatePage(c, <SentPage email={to} />) : deadLink(c)
    })
  })
  .post('/take-email', async (c) => {
    const { store, user } = c.var
    const found = await changeOf(c, 'take-email', (await readFields(c)).get('token'))
    if (!found) return deadLink(c)
    const { from, to } = found.change
    return submitEmail(c, to, async () => {
      const problem = await changeEmail(store.db, {
        id: user.id,
        from,
        to,
        consumeLink: consumeLinkStatement(found.link),
      })
      if (problem === 'taken') throw invalidForm({ email: 'Another account uses this email address.' })
      if (problem !== null) return deadLink(c)
      const letter = await leftEmailMail(from, { username: user.username, next: to })
      store.defer(async () => waysOf(c).sendMail?.(letter))
      return seeOther(c, '/account?done=email')
    })
  })
