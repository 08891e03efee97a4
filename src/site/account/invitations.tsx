import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import {
  generateInvitationToken,
  INVITATION_DAYS,
  isAddress,
  MAX_INVITATIONS,
  MAX_RECIPIENT_CHARACTERS,
} from '../../accounts/invitation-statements.ts'
import {
  createInvitation,
  type Invitation,
  listInvitations,
  revokeInvitation,
} from '../../accounts/invitations.ts'
import { generateKeyId, isKeyId } from '../../accounts/key-format.ts'
import { tooManyFromServer } from '../../accounts/sign-in/email-limits.ts'
import { isAdmin, type User } from '../../accounts/user.ts'
import type { UserEnv } from '../../env.ts'
import { routeNotFound } from '../../errors.ts'
import { hashSecret } from '../../shared/hashing.ts'
import type { Instant } from '../../shared/instant.ts'
import type { SignUp } from '../../shared/sign-up.ts'
import { SCRIPTS } from '../../ui/assets.generated.ts'
import { getProblems, invalidForm } from '../../ui/errors.tsx'
import { Age } from '../../ui/facts.tsx'
import { BackLink, Field, Item, Items, Section } from '../../ui/fields.tsx'
import { CancelButton, ConfirmationButton, Dialog, Form, OpenButton } from '../../ui/form.tsx'
import { Notice } from '../../ui/layout.tsx'
import { privatePage, seeOther } from '../../ui/page.tsx'
import { Snippet } from '../../ui/snippet.tsx'
import { getTrimmedText, readFields, submitForm } from '../../ui/submitted-form.ts'
import { invitationEmail, isEmail } from '../emails.tsx'
import { countRequestedEmail } from '../sign-in/sign-in.tsx'
import { getSignInMethods } from '../sign-in/sign-in-methods.ts'

type AccountContext = Context<UserEnv>

const mayInvite = ({ inviters }: SignUp, user: User): boolean =>
  inviters !== null && user.confirmed && (inviters === 'members' || isAdmin(user))

/** Returns whose invitations the user may see and revoke; null for everyone's, as staff may. */
const getCreator = (user: User): string | null => (isAdmin(user) ? null : user.id)

/** Returns null if the account may not invite. */
export async function findInvitations(c: AccountContext): Promise<readonly Invitation[] | null> {
  const { config, store, user } = c.var
  return mayInvite(config.signUp, user) ? listInvitations(store.db, getCreator(user)) : null
}

interface FormProps {
  readonly recipient?: string | undefined
  readonly problem?: string | undefined
  /** The dialog that the form is in. */
  readonly dialog?: string
}

const InvitationForm = ({ recipient, problem, dialog }: FormProps) => (
  <Form
    action="/account/invitations#invitations"
    // Reloading the answer sends the same id again, so it makes no second invitation.
    hidden={{ id: generateKeyId() }}
    button="Invite"
    cancel={dialog && <CancelButton id={dialog} />}
  >
    <Field
      label="Name or email address"
      name="recipient"
      maxlength={MAX_RECIPIENT_CHARACTERS}
      hint="With an address, only that address can use the invitation, and we email the link."
      problem={problem}
      value={recipient}
      autofocus
    />
  </Form>
)

const TITLE = 'Invite somebody'

const InvitationPage = (props: Omit<FormProps, 'dialog'>) => (
  <Notice title={TITLE} scripts={[SCRIPTS.form]}>
    <InvitationForm {...props} />
    <BackLink to="/account#invitations">Back to your account</BackLink>
  </Notice>
)

export async function showInvitationForm(c: AccountContext): Promise<Response> {
  if (!mayInvite(c.var.config.signUp, c.var.user)) throw routeNotFound()
  return privatePage(c, <InvitationPage />)
}

const works = ({ used, revoked, expiresAt }: Invitation, now: Instant): boolean =>
  !used && !revoked && expiresAt > now

function describeState({ used, usedBy, revoked, expiresAt }: Invitation, now: Instant): Child {
  if (used) return usedBy === null ? 'used' : ['used by ', <strong>{usedBy}</strong>]
  if (revoked) return 'revoked'
  return expiresAt > now ? ['expires ', <Age at={expiresAt} now={now} />] : 'expired'
}

interface SectionProps {
  readonly invitations: readonly Invitation[]
  readonly now: Instant
  /** The account that the page belongs to. */
  readonly username: string
  readonly newLink?: string | undefined
}

export const InvitationsSection = ({ invitations, now, username, newLink }: SectionProps) => (
  <Section
    id="invitations"
    title="Invitations"
    action={
      <OpenButton id="invite" look="quiet">
        Invite
      </OpenButton>
    }
  >
    {newLink !== undefined && (
      <Snippet
        id="new-invitation"
        title={`The invitation’s link. It works once, for ${INVITATION_DAYS} days, and you won’t see it again.`}
        main
      >
        {newLink}
      </Snippet>
    )}
    <Items>
      {invitations.length === 0 && (
        <Item title="No invitations yet" text="A new account takes an invitation." />
      )}
      {invitations.map((invitation) => (
        <Item
          title={invitation.recipient}
          text={[
            invitation.creator !== username && `by ${invitation.creator ?? 'the operator'}`,
            ['created ', <Age at={invitation.createdAt} now={now} />],
            describeState(invitation, now),
          ]}
        >
          {works(invitation, now) && (
            <ConfirmationButton
              id={`revoke-invitation-${invitation.id}`}
              title={`Revoke the invitation for “${invitation.recipient}”?`}
              button="Revoke"
              action={`/account/invitations/${invitation.id}/revoke`}
            >
              <p>Its link stops working immediately.</p>
            </ConfirmationButton>
          )}
        </Item>
      ))}
    </Items>
    <Dialog id="invite" title={TITLE}>
      <InvitationForm dialog="invite" />
    </Dialog>
  </Section>
)

function parseRecipient(text: string): string {
  const recipient = isAddress(text) ? text.toLowerCase() : text
  if (recipient === '' || recipient.length > MAX_RECIPIENT_CHARACTERS)
    throw invalidForm({ recipient: 'Enter a name or an email address.' })
  if (isAddress(recipient) && !isEmail(recipient))
    throw invalidForm({ recipient: 'Enter a valid email address.' })
  return recipient
}

/** @param showLink of the account's page: no redirect, because only this answer contains the link. */
export async function inviteFromForm(
  c: AccountContext,
  showLink: (newLink: string) => Promise<Response>,
): Promise<Response> {
  const { config, now, siteUrl, store, user } = c.var
  if (!mayInvite(config.signUp, user)) throw routeNotFound()
  const fields = await readFields(c)
  const typed = getTrimmedText(fields, 'recipient')
  const sentId = fields.get('id') ?? ''
  return submitForm(c, {
    submit: async () => {
      const recipient = parseRecipient(typed)
      const { sendEmail } = getSignInMethods(c)
      const mails = sendEmail !== null && isAddress(recipient)
      if (mails && !(await countRequestedEmail(c, recipient, { signsIn: false })).maySend)
        throw tooManyFromServer()
      const token = generateInvitationToken()
      const invitation = {
        id: isKeyId(sentId) ? sentId : generateKeyId(),
        tokenHash: await hashSecret(token),
        recipient,
        now,
      }
      const result = await createInvitation(store.db, invitation, user)
      if (result === 'again') return seeOther(c, '/account?done=invited')
      if (result === 'limit reached')
        throw invalidForm({
          recipient: `You already have ${MAX_INVITATIONS} invitations, the maximum. Revoke one first.`,
        })
      const link = `${siteUrl}/sign-up?${new URLSearchParams({ invitation: token })}`
      if (mails) {
        const mail = { site: config.site, to: recipient, url: link }
        store.defer(async () => sendEmail(await invitationEmail(mail, user.username)))
      }
      return showLink(link)
    },
    handles: (error) => error.issues !== undefined || error.code === 'rate_limited',
    showAgain: (error, options) => {
      const { recipient: problem, form = problem } = getProblems(error)
      return privatePage(c, <InvitationPage problem={form} recipient={typed} />, options)
    },
  })
}

export async function revokeInvitationFromForm(c: AccountContext, id: string): Promise<Response> {
  const { now, store, user } = c.var
  await revokeInvitation(store.db, { id, creator: getCreator(user), actor: user.username, now })
  return seeOther(c, '/account?done=invitation-revoked#invitations')
}
