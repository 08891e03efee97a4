import { CODE_EDITOR_FILES, CREATE_IMPORTS, EDITING_STYLES, SCRIPTS } from '../assets.generated.ts'
import type { CodeEditorOptions } from '../editing/code-editor-options.ts'
import { NewDocumentTemplates } from '../editing/code-editor-templates.tsx'
import { JweWorker } from '../layout/in-head.tsx'
import { Layout, Notice } from '../layout/layout.tsx'
import { HOME_PREVIEW } from '../previews/link-preview.ts'
import { type FormProblem, NewDocumentForm } from './new-document-form.tsx'
import type { NewDocumentValues } from './new-document-values.ts'

interface HomePageProps {
  readonly signedIn: boolean
  readonly values: NewDocumentValues
  readonly problem?: FormProblem | null
  readonly codeEditor: CodeEditorOptions
}

/** The page for new documents. */
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

/** Takes the place of the form where only accounts may create documents. */
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
