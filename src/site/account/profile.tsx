import type { Context } from 'hono'
import { changeEmail, changeUsername, deletePicture, setProfilePage } from '../../accounts/profile.ts'
import { countOwnEmail, tooManyFromServer } from '../../accounts/sign-in/email-limits.ts'
import {
  claimLink,
  createLink,
  findLink,
  type Link,
  replaceLink,
  restoreLink,
} from '../../accounts/sign-in/links.ts'
import { findUsernameProblem } from '../../accounts/usernames.ts'
import type { UserEnv } from '../../env.ts'
import type { AnswerOptions } from '../../http/answers.ts'
import { admits } from '../../shared/sign-up.ts'
import { SCRIPTS } from '../../ui/assets.generated.ts'
import { getProblems, invalidForm, isInvalidForm, type Problems } from '../../ui/errors.tsx'
import { AccountPicture } from '../../ui/facts.tsx'
import { EmailField, Item, Items, UsernameField } from '../../ui/fields.tsx'
import { Form } from '../../ui/form.tsx'
import { Notice } from '../../ui/layout.tsx'
import { getProfilePath, privatePage, seeOther } from '../../ui/page.tsx'
import { getTrimmedText, readFields, submitForm } from '../../ui/submitted-form.ts'
import { approveEmailChangeEmail, confirmNewAddressEmail, emailChangedEmail, isEmail } from '../emails.tsx'
import { countRequestedEmail } from '../sign-in/sign-in.tsx'
import { formatUsernameProblem, getEmailSender } from '../sign-in/sign-in-methods.ts'
import { CheckEmailPage, InvalidLinkPage } from '../sign-in/sign-in-pages.tsx'
import { BackToAccount, requireAccountDetails } from './account-page.tsx'

type ProfileContext = Context<UserEnv>

export async function showProfile(
  c: ProfileContext,
  { username, email, problems = {} }: { username?: string; email?: string; problems?: Problems } = {},
  options?: AnswerOptions,
): Promise<Response> {
  const details = await requireAccountDetails(c)
  const { hasProfile } = details
  const profilePage = (
    <Notice title="Your profile" scripts={[SCRIPTS.form]}>
      <div class="row profile">
        <AccountPicture details={details} />
        {details.icon === null ? (
          <p class="quiet-text">
            Your picture is generated. If you connect GitHub, we’ll use your picture from there.
          </p>
        ) : (
          <Form action="/account/picture" layout="inline" button="Use a generated picture" look="quiet" />
        )}
      </div>
      <Form
        action="/account/username"
        layout="field-row"
        button="Change"
        label="Change username"
        look="quiet"
      >
        <UsernameField value={username ?? details.username} problem={problems.username} />
      </Form>
      {getEmailSender(c) ? (
        <Form action="/account/email" layout="field-row" button="Change" label="Change email" look="quiet">
          <EmailField
            value={email ?? details.email}
            hint="We’ll email a link to your current address, then one to the new address."
            problem={problems.email ?? problems.form}
          />
        </Form>
      ) : (
        <p>
          Your email address is {details.email}. This server doesn’t send email, so you can’t change it here.
        </p>
      )}
      {c.var.config.explore && (
        <Items>
          <Item
            title={
              hasProfile ? (
                <a href={getProfilePath(details.username)}>Your profile page</a>
              ) : (
                'No profile page'
              )
            }
            text="It lists your public documents. Others can see it only while you have some."
          >
            <Form
              action="/account/profile"
              layout="inline"
              hidden={hasProfile ? {} : { profile: 'yes' }}
              button={hasProfile ? 'Hide' : 'Show'}
              label={hasProfile ? 'Hide profile page' : 'Show profile page'}
              look="quiet"
            />
          </Item>
        </Items>
      )}
      <BackToAccount />
    </Notice>
  )
  return privatePage(c, profilePage, options)
}

export async function saveProfile(c: ProfileContext): Promise<Response> {
  await setProfilePage(c.var.store.db, c.var.user.id, (await readFields(c)).has('profile'))
  return seeOther(c, '/account?done=profile')
}

export async function removePicture(c: ProfileContext): Promise<Response> {
  await deletePicture(c.var.store.db, c.var.user.id)
  return seeOther(c, '/account?done=picture')
}

export async function changeUsernameFromForm(c: ProfileContext): Promise<Response> {
  const { now, store, user } = c.var
  const username = getTrimmedText(await readFields(c), 'username')
  return submitForm(c, {
    submit: async () => {
      const problem =
        (await findUsernameProblem(store.db, username, { now, ownId: user.id })) ??
        ((await changeUsername(store.db, user.id, username)) ? null : 'taken')
      if (problem !== null) throw invalidForm({ username: formatUsernameProblem(problem) })
      return seeOther(c, '/account?done=renamed')
    },
    handles: isInvalidForm,
    showAgain: (error, options) => showProfile(c, { username, problems: getProblems(error) }, options),
  })
}

// Both the current and the new address must confirm a change of the address, one after the other.

type ChangeStep = 'leave-email' | 'take-email'

interface EmailChange {
  readonly user: string
  readonly from: string
  readonly to: string
}

/**
 * Refuses another domain to people who signed up with an address at one of this server's: it's how they lose the
 * account when they leave.
 */
function requireOwnDomain(c: ProfileContext, { from, to }: Pick<EmailChange, 'from' | 'to'>): void {
  const { signUp } = c.var.config
  if (signUp.domains?.length && admits(signUp, from) && !admits(signUp, to))
    throw invalidForm({ email: `Your address has to end with ${signUp.domains.join(' or ')}.` })
}

/**
 * Sends a link that changes the address. Returns false if it didn't, because the link that it replaces had already been
 * used.
 */
async function sendChangeLink(
  c: ProfileContext,
  purpose: ChangeStep,
  change: EmailChange,
  replaces?: Link,
): Promise<boolean> {
  const { now, siteUrl, store, user } = c.var
  const sendEmail = getEmailSender(c)
  const link = { value: change, now }
  const token = replaces
    ? await replaceLink(store.db, replaces, purpose, link)
    : await createLink(store.db, purpose, link)
  if (token === null || sendEmail === null) return false
  const { username } = user
  const { site } = c.var.config
  const url = `${siteUrl}/account/email/${purpose}?${new URLSearchParams({ token })}`
  const email =
    purpose === 'leave-email'
      ? await approveEmailChangeEmail({ site, to: change.from, url }, { username, newAddress: change.to })
      : await confirmNewAddressEmail({ site, to: change.to, url }, username)
  try {
    await sendEmail(email)
  } catch (error) {
    if (replaces) await restoreLink(store.db, replaces, now)
    throw error
  }
  return true
}

/** The first link can be sent again. Opening it has used it up. */
function answerLinkSent(c: ProfileContext, email: string, newEmail?: string): Promise<Response> {
  const again =
    newEmail === undefined
      ? null
      : { action: '/account/email', hidden: { email: newEmail }, other: '/account/profile' }
  return privatePage(
    c,
    <CheckEmailPage email={email} where="a browser where you’re signed in" again={again} />,
  )
}

/** Answers at once if the link is no good. */
async function withChange(
  c: ProfileContext,
  { purpose, token }: { purpose: ChangeStep; token: string | undefined },
  proceed: (change: EmailChange, link: Link) => Promise<Response>,
): Promise<Response> {
  const { now, store, user } = c.var
  const link = token === undefined ? null : await findLink(store.db, purpose, { token, now })
  const change = link?.value as EmailChange | undefined
  return link && change?.user === user.id ? proceed(change, link) : answerInvalidLink(c)
}

const answerInvalidLink = (c: ProfileContext) => privatePage(c, <InvalidLinkPage />, { status: 400 })

const submitEmail = (c: ProfileContext, email: string, submit: () => Promise<Response>) =>
  submitForm(c, {
    submit,
    handles: (error) => isInvalidForm(error) || error.code === 'rate_limited',
    showAgain: (error, options) => showProfile(c, { email, problems: getProblems(error) }, options),
  })

export async function requestEmailChange(c: ProfileContext): Promise<Response> {
  const { config, now, store, user } = c.var
  const to = getTrimmedText(await readFields(c), 'email').toLowerCase()
  return submitEmail(c, to, async () => {
    const { email: from } = await requireAccountDetails(c)
    if (!isEmail(to)) throw invalidForm({ email: 'Enter a valid email address.' })
    if (to === from.toLowerCase()) throw invalidForm({ email: 'That’s already your email address.' })
    if (getEmailSender(c) === null)
      throw invalidForm({
        email: 'This server doesn’t send email, so you can’t change your address here.',
      })
    requireOwnDomain(c, { from, to })
    const maxPerHour = config.maxEmailsPerHour
    await countOwnEmail(store.db, { owner: `account ${user.id}`, maxPerHour, now })
    await sendChangeLink(c, 'leave-email', { user: user.id, from, to })
    return answerLinkSent(c, from, to)
  })
}

/** A GET alone changes nothing: scanners follow links. */
export function confirmEmailChange(c: ProfileContext, purpose: ChangeStep): Promise<Response> {
  const token = c.req.query('token') ?? ''
  return withChange(c, { purpose, token }, ({ from, to }) =>
    privatePage(
      c,
      <Notice title="Change your email address?" scripts={[SCRIPTS.form]}>
        <p>
          The email address of your account <strong>{c.var.user.username}</strong> will change from{' '}
          <strong>{from}</strong> to <strong>{to}</strong>.
        </p>
        <Form action={`/account/email/${purpose}`} hidden={{ token }} button="Confirm" />
      </Notice>,
    ),
  )
}

export async function leaveEmail(c: ProfileContext): Promise<Response> {
  const { config, now, store, user } = c.var
  const token = (await readFields(c)).get('token')
  return withChange(c, { purpose: 'leave-email', token }, (change, link) =>
    submitEmail(c, change.to, async () => {
      requireOwnDomain(c, change)
      // Nothing proves yet that the new address is the user's. The link still works later.
      const { maySend } = await countRequestedEmail(c, change.to, { signsIn: false })
      if (!maySend) throw tooManyFromServer()
      // The notice to the old address is counted now, so that the last step is never refused. Links that were requested don't
      // count for it.
      const maxPerHour = config.maxEmailsPerHour
      await countOwnEmail(store.db, { owner: `notices to account ${user.id}`, maxPerHour, now })
      const sent = await sendChangeLink(c, 'take-email', change, link)
      return sent ? answerLinkSent(c, change.to) : answerInvalidLink(c)
    }),
  )
}

export async function takeEmail(c: ProfileContext): Promise<Response> {
  const { config, now, siteUrl, store, user } = c.var
  const token = (await readFields(c)).get('token')
  return withChange(c, { purpose: 'take-email', token }, ({ from, to }, link) =>
    submitEmail(c, to, async () => {
      const problem = await changeEmail(store.db, {
        id: user.id,
        from,
        to,
        claim: claimLink(store.db, link, now),
      })
      if (problem === 'taken')
        throw invalidForm({ email: 'Another account uses this email address. Enter a different one.' })
      if (problem !== null) return answerInvalidLink(c)
      const { username } = user
      const email = await emailChangedEmail(
        { site: config.site, to: from },
        { username, newAddress: to, siteUrl },
      )
      store.defer(async () => getEmailSender(c)?.(email))
      return seeOther(c, '/account?done=email')
    }),
  )
}
