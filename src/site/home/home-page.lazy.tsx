import { HOME_PREVIEW } from '../../previews/link-preview.tsx'
import { CODE_EDITOR_FILES, CREATE_IMPORTS, EDITING_STYLES, SCRIPTS } from '../assets.generated.ts'
import type { CodeEditorOptions } from '../editing/code-editor-options.ts'
import { NewDocumentTemplates } from '../editing/code-editor-templates.tsx'
import { Layout, Notice } from '../layout/layout.tsx'
import { JweWorker } from '../layout/page.tsx'
import type { NewDocumentValues } from '../settings/settings-form.ts'
import { type FormProblem, NewDocumentForm } from './new-document-form.tsx'

interface HomePageProps {
  readonly signedIn: boolean
  readonly values: NewDocumentValues
  readonly problem?: FormProblem | null
  readonly codeEditor: CodeEditorOptions
}

export const HomePage = ({ signedIn, values, problem = null, codeEditor }: HomePageProps) => (
  <Layout
    title="New document"
    signedIn={signedIn}
    preview={HOME_PREVIEW}
    fillWindow
    styles={[EDITING_STYLES]}
    scripts={[SCRIPTS.create, ...(values.offer.account ? [SCRIPTS.usernameCompletion] : [])]}
    head={
      <>
        {/* Otherwise a browser would find out about each only once the one before it has arrived. */}
        {CREATE_IMPORTS.map((file) => (
          <link rel="modulepreload" href={file} />
        ))}
        {CODE_EDITOR_FILES.map((file) => (
          <link rel="modulepreload" href={file} fetchpriority="low" />
        ))}
      </>
    }
  >
    <JweWorker />
    <h1 id="page-heading" class="visually-hidden">
      New document
    </h1>
    <NewDocumentForm values={values} problem={problem} codeEditor={codeEditor} />
    <p class="home-notes">
      {!signedIn && <span class="tagline">Paste text, share a link. No account needed.</span>}
      <a href="/about">About</a> <a href="/docs">API</a> <a href="/privacy">Privacy</a>{' '}
      <a href="/terms">Terms</a>
    </p>
    <NewDocumentTemplates />
  </Layout>
)

export const SignInToCreatePage = () => (
  <Notice title="Sign in to create documents" signedIn={false} preview={HOME_PREVIEW}>
    <p>On this server, only people with an account can create documents. Anyone with a link can read one.</p>
    <p class="actions">
      <a class="button" href="/sign-in?return=/">
        Sign in
      </a>
    </p>
  </Notice>
)

interface CreatedPageProps {
  readonly url: string
  /** Null if none was generated. It isn't stored, so this page can't be shown again. */
  readonly password: string | null
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

/** With scripts, the document's page shows it. */
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
