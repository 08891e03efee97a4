import { type Context, Hono } from 'hono'
import { changeEmail, findAccountDetails } from '../../accounts/profile.ts'
import { countOwnEmail } from '../../accounts/sign-in/email-limits.ts'
import { claimLink, createLink, findLink, type Link, replaceLink } from '../../accounts/sign-in/links.ts'
import type { AppEnv, UserEnv } from '../../env.ts'
import { signInRequired } from '../../errors.ts'
import { requireSession } from '../../http/identity.ts'
import { SCRIPTS } from '../assets.generated.ts'
import { Form } from '../components/form.tsx'
import {
  answerErrorPage,
  findFieldProblem,
  formatError,
  invalidForm,
  isInvalidForm,
} from '../layout/errors.tsx'
import { readFields, submitForm } from '../layout/form.ts'
import { Notice } from '../layout/layout.tsx'
import { privatePage, seeOther } from '../layout/page.tsx'
import { countRequestedEmail } from '../sign-in/sign-in.tsx'
import { getSignInMethods, loadEmails, loadSignInPages } from '../sign-in/sign-in-methods.ts'
import { showProfile } from './account.tsx'

/** The first link can be sent again. Opening it has used it up. */
async function answerLinkSent(c: Context<UserEnv>, email: string, newEmail?: string): Promise<Response> {
  const { CheckEmailPage } = await loadSignInPages()
  const again =
    newEmail === undefined
      ? null
      : { action: '/account/email', hidden: { email: newEmail }, other: '/account/profile' }
  return privatePage(
    c,
    <CheckEmailPage email={email} signedIn where="a browser where you’re signed in" again={again} />,
  )
}

interface ConfirmChangePageProps {
  readonly action: string
  readonly token: string
  readonly username: string
  readonly from: string
  readonly to: string
}

const ConfirmChangePage = ({ action, token, username, from, to }: ConfirmChangePageProps) => (
  <Notice title="Change your email address?" signedIn scripts={[SCRIPTS.form]}>
    <p>
      The email address of your account <strong>{username}</strong> will change from <strong>{from}</strong>{' '}
      to <strong>{to}</strong>.
    </p>
    <Form action={action} hidden={{ token }} button="Confirm" />
  </Notice>
)

type ChangeStep = 'leave-email' | 'take-email'

interface EmailChange {
  readonly user: string
  readonly from: string
  readonly to: string
}

/** False if no link was sent, because the one that it replaces had already been used. */
async function sendChangeLink(
  c: Context<UserEnv>,
  purpose: ChangeStep,
  change: EmailChange,
  replaces?: Link,
): Promise<boolean> {
  const { now, siteUrl, store, user } = c.var
  const { sendEmail } = getSignInMethods(c)
  const link = { value: change, now }
  const token = replaces
    ? await replaceLink(store.db, replaces, purpose, link)
    : await createLink(store.db, purpose, link)
  if (token === null || sendEmail === null) return false
  const { username } = user
  const url = `${siteUrl}/account/email/${purpose}?${new URLSearchParams({ token })}`
  const { approveEmailChangeEmail, confirmNewAddressEmail } = await loadEmails()
  await sendEmail(
    purpose === 'leave-email'
      ? await approveEmailChangeEmail(change.from, url, { username, newAddress: change.to })
      : await confirmNewAddressEmail(change.to, url, username),
  )
  return true
}

async function findChange(c: Context<UserEnv>, purpose: ChangeStep, token: string | undefined) {
  const { now, store, user } = c.var
  const link = token === undefined ? null : await findLink(store.db, purpose, { token, now })
  const change = link?.value as EmailChange | undefined
  return link && change?.user === user.id ? { link, change } : null
}

async function answerInvalidLink(c: Context<UserEnv>): Promise<Response> {
  const { InvalidLinkPage } = await loadSignInPages()
  return privatePage(c, <InvalidLinkPage signedIn />, { status: 400 })
}

/** A GET alone changes nothing: scanners follow links. */
async function askToConfirm(c: Context<UserEnv>, purpose: ChangeStep): Promise<Response> {
  const token = c.req.query('token') ?? ''
  const found = await findChange(c, purpose, token)
  if (!found) return answerInvalidLink(c)
  const { from, to } = found.change
  const action = `/account/email/${purpose}`
  return privatePage(
    c,
    <ConfirmChangePage action={action} token={token} username={c.var.user.username} from={from} to={to} />,
  )
}

const submitEmail = (c: Context<UserEnv>, typed: string, submit: () => Promise<Response>) =>
  submitForm(c, {
    submit,
    handles: (error) => isInvalidForm(error) || error.code === 'rate_limited',
    showAgain: (error, options) => {
      const email = findFieldProblem(error, 'email') ?? formatError(error)
      return showProfile(c, { problems: { email }, typed }, options)
    },
  })

/** Both the current and the new address must confirm it. */
export const emailChange = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .use(requireSession)
  .get('/', (c) => seeOther(c, '/account/profile'))
  .post('/', async (c) => {
    const { now, store, user } = c.var
    const to = ((await readFields(c)).get('email') ?? '').trim().toLowerCase()
    return submitEmail(c, to, async () => {
      const details = await findAccountDetails(store.db, user.id, now)
      if (!details) throw signInRequired()
      const from = details.email
      if (!(await loadEmails()).isEmail(to)) throw invalidForm({ email: 'Enter a valid email address.' })
      if (to === from.toLowerCase()) throw invalidForm({ email: 'That’s already your email address.' })
      if (getSignInMethods(c).sendEmail === null)
        throw invalidForm({
          email: 'This server doesn’t send email, so you can’t change your address here.',
        })
      await countOwnEmail(store.db, `account ${user.id}`, now)
      await sendChangeLink(c, 'leave-email', { user: user.id, from, to })
      return answerLinkSent(c, from, to)
    })
  })
  .get('/leave-email', (c) => askToConfirm(c, 'leave-email'))
  .get('/take-email', (c) => askToConfirm(c, 'take-email'))
  .post('/leave-email', async (c) => {
    const found = await findChange(c, 'leave-email', (await readFields(c)).get('token'))
    if (!found) return answerInvalidLink(c)
    const { to } = found.change
    return submitEmail(c, to, async () => {
      // Nothing proves yet that the new address is the user's. The link still works later.
      await countRequestedEmail(c, to, { signsIn: false })
      const sent = await sendChangeLink(c, 'take-email', found.change, found.link)
      return sent ? answerLinkSent(c, to) : answerInvalidLink(c)
    })
  })
  .post('/take-email', async (c) => {
    const { now, store, user } = c.var
    const found = await findChange(c, 'take-email', (await readFields(c)).get('token'))
    if (!found) return answerInvalidLink(c)
    const { from, to } = found.change
    return submitEmail(c, to, async () => {
      const problem = await changeEmail(store.db, {
        id: user.id,
        from,
        to,
        claim: claimLink(store.db, found.link, now),
      })
      if (problem === 'taken')
        throw invalidForm({ email: 'Another account uses this email address. Enter a different one.' })
      if (problem !== null) return answerInvalidLink(c)
      const { emailChangedEmail } = await loadEmails()
      const email = await emailChangedEmail(from, {
        username: user.username,
        newAddress: to,
        siteUrl: c.var.siteUrl,
      })
      store.defer(async () => getSignInMethods(c).sendEmail?.(email))
      return seeOther(c, '/account?done=email')
    })
  })
