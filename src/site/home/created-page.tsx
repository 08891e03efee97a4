import { SCRIPTS } from '../assets.generated.ts'
import { Notice } from '../layout/layout.tsx'

interface CreatedPageProps {
  readonly url: string
  /** Generated for the document; null if it wasn't. It isn't stored, so this page can't be shown again. */
  readonly password: string | null
  /** The address that lets its holder manage the document; null for a document of an account. */
  readonly managementLink: string | null
  readonly signedIn: boolean
}

const CopyButton = ({ id, children }: { id: string; children: string }) => (
  <p class="actions">
    <button type="button" class="quiet" data-copy={id} data-copied={`${id}-copied`} hidden>
      {children}
    </button>
    <span id={`${id}-copied`} role="status" />
  </p>
)

/** Shows what the user must keep, in browsers without scripts. With scripts, the document's page shows it. */
export const CreatedPage = ({ url, password, managementLink, signedIn }: CreatedPageProps) => (
  <Notice
    title={password === null ? 'Document created' : 'Save this password'}
    signedIn={signedIn}
    scripts={[SCRIPTS.copyButton]}
  >
    {password !== null && (
      <>
        <p>
          Your document is encrypted with this password. You won’t see it again, and nobody can recover it.
        </p>
        <p class="key">
          <code id="password">{password}</code>
        </p>
        <CopyButton id="password">Copy password</CopyButton>
      </>
    )}
    <p>
      Link to share: <a href={url}>{url}</a>
    </p>
    {managementLink !== null && (
      <>
        <h2>Private management link</h2>
        <p>
          Keep this link, for example as a bookmark. Anyone with this link can edit and delete the document.
        </p>
        <p class="key">
          <a id="management-link" href={managementLink}>
            {managementLink}
          </a>
        </p>
        <CopyButton id="management-link">Copy management link</CopyButton>
      </>
    )}
    <p class="actions">
      <a class="button" href={url}>
        Open document
      </a>
    </p>
  </Notice>
)
