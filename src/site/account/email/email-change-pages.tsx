import { SCRIPTS } from '../../assets.generated.ts'
import { Notice } from '../../layout/layout.tsx'

export const LinkSentPage = ({ email }: { email: string }) => (
  <Notice icon="mail" title="Check your email" signedIn>
    <p role="status">
      We’ve sent a link to <strong>{email}</strong>. It works once and expires in 15 minutes. Open it in a
      browser where you’re signed in.
    </p>
  </Notice>
)

interface ConfirmChangePageProps {
  /** Where the form is sent. */
  readonly action: string
  readonly token: string
  readonly username: string
  readonly from: string
  readonly to: string
}

/** Asks the user who opened an emailed link to confirm the change. */
export const ConfirmChangePage = ({ action, token, username, from, to }: ConfirmChangePageProps) => (
  <Notice title="Change your email address?" signedIn scripts={[SCRIPTS.submitOnce]}>
    <p>
      The email address of your account <strong>{username}</strong> will change from <strong>{from}</strong>{' '}
      to <strong>{to}</strong>.
    </p>
    <form method="post" action={action}>
      <input type="hidden" name="token" value={token} />
      <button type="submit">Confirm</button>
    </form>
  </Notice>
)
