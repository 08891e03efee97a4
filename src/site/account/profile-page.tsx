import type { AccountDetails } from '../../accounts/profile/profile.ts'
import { SCRIPTS } from '../assets.generated.ts'
import { EmailField, UsernameField } from '../components/fields.tsx'
import { Notice } from '../layout/layout.tsx'
import { getProfilePath } from '../layout/paths.ts'
import { CheckboxField } from '../settings/settings-fields.tsx'
import type { SignInMethods } from '../sign-in/sign-in-methods.ts'
import { AccountPicture } from './account-picture.tsx'

export interface ProfilePageProps {
  readonly details: AccountDetails
  readonly methods: SignInMethods
  /** Whether this server has profile pages. */
  readonly explore: boolean
  readonly problems?: { readonly username?: string | undefined; readonly email?: string | undefined }
  /** What was typed into the form that has a problem. */
  readonly typed?: string
}

/** Switches the page that shows the account to everyone on or off. */
const ProfilePageForm = ({ details: { username, hasProfile } }: Pick<ProfilePageProps, 'details'>) => (
  <form method="post" action="/account/profile">
    <CheckboxField name="profile" checked={hasProfile}>
      Show a profile page
    </CheckboxField>
    <p class="hint">
      {hasProfile ? <a href={getProfilePath(username)}>Your profile page</a> : 'A profile page'} lists your
      public documents. Others can see it only while you have some.
    </p>
    <button type="submit" class="quiet">
      Save
    </button>
  </form>
)

export const ProfilePage = ({ details, methods, explore, problems, typed = '' }: ProfilePageProps) => (
  <Notice title="Your profile" signedIn scripts={[SCRIPTS.submitOnce, SCRIPTS.usernameCheck]}>
    <form method="post" action="/account/username" class="field-row">
      <UsernameField value={problems?.username ? typed : details.username} problem={problems?.username} />
      <button type="submit" class="quiet">
        Change username
      </button>
    </form>
    {methods.sendEmail ? (
      <form method="post" action="/account/email" class="field-row">
        <EmailField
          value={problems?.email ? typed : details.email}
          hint="We’ll email a link to your current address, then one to the new address."
          problem={problems?.email}
        />
        <button type="submit" class="quiet">
          Change email
        </button>
      </form>
    ) : (
      <p>
        Your email address is {details.email}. This server doesn’t send email, so only its operator can change
        it.
      </p>
    )}
    <div class="profile">
      <AccountPicture details={details} />
      {details.icon === null ? (
        <p>Your picture is generated. If you connect GitHub, we’ll use your picture from there.</p>
      ) : (
        <form method="post" action="/account/picture" class="inline">
          <button type="submit" class="quiet">
            Use a generated picture
          </button>
        </form>
      )}
    </div>
    {explore && <ProfilePageForm details={details} />}
  </Notice>
)
