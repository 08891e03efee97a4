import type { AccountDetails } from '../../../accounts/profile/profile.ts'
import { FRESH_SESSION_MINUTES } from '../../../accounts/sessions.ts'
import { SCRIPTS } from '../../assets.generated.ts'
import { ConfirmationForm } from '../../components/confirmation.tsx'
import { Notice } from '../../layout/layout.tsx'
import { ReturnField } from '../../sign-in/return-field.tsx'
import type { SignInMethods } from '../../sign-in/sign-in-methods.ts'

const PATH = '/account/delete'

const BackToAccount = () => (
  <p>
    <a href="/account">Back to your account</a>
  </p>
)

/** Asks what happens to the documents of an account that is deleted. */
export const DeleteAccountPage = ({ username }: { username: string }) => (
  <Notice title="Delete account" signedIn scripts={[SCRIPTS.submitOnce]}>
    <p>
      This deletes the account <strong>{username}</strong>. Your API keys stop working immediately, and you’re
      signed out everywhere. You can’t undo this, so <a href="/account/download">download your data</a> first
      if you want to keep it.
    </p>
    <ConfirmationForm button="Delete account" action={PATH}>
      <fieldset>
        <legend>Your documents</legend>
        <label class="choice">
          <input type="radio" name="documents" value="delete" checked /> Delete them
        </label>
        <label class="choice">
          <input type="radio" name="documents" value="keep" /> Keep them, without an author
        </label>
        <p class="hint">If you keep them, nobody can edit or delete them.</p>
      </fieldset>
    </ConfirmationForm>
    <BackToAccount />
  </Notice>
)

interface ConfirmIdentityProps {
  readonly details: Pick<AccountDetails, 'email' | 'gitHub'>
  readonly methods: SignInMethods
}

/** Asks for a fresh sign-in, which comes back to the page that deletes the account. */
export const ConfirmIdentityPage = ({ details, methods }: ConfirmIdentityProps) => {
  const offersGitHub = methods.gitHub && details.gitHub !== null
  return (
    <Notice title="Confirm it’s you" signedIn scripts={[SCRIPTS.submitOnce]}>
      <p>Before you can delete your account, sign in again. Then you have {FRESH_SESSION_MINUTES} minutes.</p>
      {methods.sendEmail && (
        <form method="post" action="/sign-in">
          <ReturnField path={PATH} />
          <input type="hidden" name="email" value={details.email} />
          <button type="submit">Send sign-in link</button>
          <p class="hint">We’ll email it to {details.email}.</p>
        </form>
      )}
      {methods.sendEmail && offersGitHub && <p class="divider">or</p>}
      {offersGitHub && (
        <form method="post" action="/sign-in/github">
          <ReturnField path={PATH} />
          <button type="submit" class="quiet">
            Continue with GitHub
          </button>
        </form>
      )}
      {!methods.sendEmail && !offersGitHub && (
        <p>
          You can’t sign in again, because this server doesn’t send email. Ask its operator to delete your
          account.
        </p>
      )}
      <BackToAccount />
    </Notice>
  )
}
