import { DECRYPT_STYLES, HISTORY_STYLES } from '../assets.generated.ts'
import { PasswordInput } from '../components/password-form.tsx'
import { Verbatim } from '../components/verbatim.tsx'
import { JweWorker } from '../layout/in-head.tsx'

/** The styles of pages that show the text of versions, or ask for their password. */
export const VERSION_STYLES = [DECRYPT_STYLES, HISTORY_STYLES]

interface EncryptedVersionsProps {
  /** The numbers and the JWEs of the versions. */
  readonly versions: readonly { readonly number: number; readonly jwe: string }[]
  readonly button: string
}

/**
 * Asks for the password of encrypted versions, which a script decrypts in the browser. The form is never sent: its method does
 * nothing outside a dialog.
 */
export const EncryptedVersions = ({ versions, button }: EncryptedVersionsProps) => (
  <>
    <JweWorker />
    <form id="decrypt-versions" class="scripted" method="dialog">
      <PasswordInput wrong={false} describedBy="password-hint" autofocus />
      <p class="hint" id="password-hint">
        Your browser decrypts the text. Neither the password nor the text is sent to the server.
      </p>
      <button type="submit">{button}</button>
    </form>
    <noscript>
      <p>This document is encrypted. Your browser decrypts its versions, which needs JavaScript.</p>
    </noscript>
    {versions.map(({ number, jwe }) => (
      <template class="jwe" data-version={number}>
        <Verbatim text={jwe} />
      </template>
    ))}
  </>
)
