import type { Child } from 'hono/jsx'
import type { AccountDetails } from '../../accounts/profile/profile.ts'
import { SCRIPTS } from '../assets.generated.ts'
import { EmailField, UsernameField } from '../components/fields.tsx'
import { Notice } from '../layout/layout.tsx'
import type { Ways } from '../sign-in/auth-for-request.ts'

export const AccountPicture = ({ details }: { details: AccountDetails }) => (
  <img src={details.icon ?? `/icons/${details.id}.svg`} alt="" width="64" height="64" />
)

interface ProfilePageProps {
  readonly details: AccountDetails
  readonly ways: Ways
  readonly problems?: { readonly username?: string | undefined; readonly email?: string | undefined }
  /** What was typed into the form whose problem is told. */
  readonly typed?: string
}

export const ProfilePage = ({ details, ways, problems, typed = '' }: ProfilePageProps) => (
  <Notice title="Your profile" signedIn scripts={[SCRIPTS.submitOnce, SCRIPTS.usernameCheck]}>
    <form method="post" action="/account/username">
      <UsernameField value={problems?.username ? typed : details.username} problem={problems?.username} />
      <button type="submit" class="quiet">
        Rename
      </button>
    </form>
    {ways.sendMail ? (
      <form method="post" action="/account/email">
        <EmailField
          value={problems?.email ? typed : details.email}
          hint="A new address is confirmed at both ends: by a link to the present one, then by one to the new one."
          problem={problems?.email}
        />
        <button type="submit" class="quiet">
          Change the address
        </button>
      </form>
    ) : (
      <p>Your address is {details.email}. This server sends no mail, so only its operator can change it.</p>
    )}
    <div class="profile">
      <AccountPicture details={details} />
      {details.icon === null ? (
        <p>The site draws your picture. Connect GitHub, and it is the one you have there.</p>
      ) : (
        <form method="post" action="/account/picture" class="inline">
          <button type="submit" class="quiet">
            Use a drawn picture instead
          </button>
        </form>
      )}
    </div>
  </Notice>
)

export const MessagePage = ({
  title,
  signedIn,
  children,
}: {
  title: string
  signedIn: boolean
  children: Child
}) => (
  <Notice title={title} signedIn={signedIn}>
    <p role="status">{children}</p>
  </Notice>
)

interface EmailLinkPageProps {
  readonly action: string
  readonly token: string
  readonly username: string
  readonly from: string
  readonly to: string
}

/** What a link about a change of address asks whoever followed it. */
export const EmailLinkPage = ({ action, token, username, from, to }: EmailLinkPageProps) => (
  <Notice title="Change the address of your account?" signedIn scripts={[SCRIPTS.submitOnce]}>
    <p>
      The account <strong>{username}</strong> is to have the address <strong>{to}</strong> instead of{' '}
      <strong>{from}</strong>.
    </p>
    <form method="post" action={action}>
      <input type="hidden" name="token" value={token} />
      <button type="submit">Confirm</button>
    </form>
  </Notice>
)
