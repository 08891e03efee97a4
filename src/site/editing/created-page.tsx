import { SCRIPTS } from '../assets.generated.ts'
import { Notice } from '../layout/layout.tsx'

interface CreatedPageProps {
  readonly url: string
  /** Generated for the document. It isn't stored, so this page can't be shown again. */
  readonly password: string
  readonly signedIn: boolean
}

/** Shows what a browser without scripts must keep: with scripts, the document's own page does. */
export const CreatedPage = ({ url, password, signedIn }: CreatedPageProps) => (
  <Notice title="Save this password" signedIn={signedIn} scripts={[SCRIPTS.copyButton]}>
    <p>Your document is encrypted with this password. You won’t see it again, and nobody can recover it.</p>
    <p class="key">
      <code id="password">{password}</code>
    </p>
    <p class="actions">
      <button type="button" class="quiet" data-copy="password" data-copied="copied" hidden>
        Copy password
      </button>
      <span id="copied" role="status" />
    </p>
    <p>
      Document: <a href={url}>{url}</a>
    </p>
  </Notice>
)
