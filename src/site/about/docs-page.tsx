import { raw } from 'hono/html'
import { REFERENCE_STYLES, SCRIPTS } from '../assets.generated.ts'
import { Layout } from '../layout/layout.tsx'
import { previewPage } from '../previews/link-preview.ts'

const LEAD = 'Create, read, edit and delete documents from a terminal, a text editor or a bot.'

interface DocsPageProps {
  /** HTML, with the address of this server. */
  readonly reference: string
  readonly signedIn: boolean
  /** Whether a request without an API key may create documents. */
  readonly anonymous: boolean
}

export const DocsPage = ({ reference, signedIn, anonymous }: DocsPageProps) => (
  <Layout
    title="API reference"
    preview={previewPage('API reference', LEAD, '/docs')}
    signedIn={signedIn}
    scripts={[SCRIPTS.copyButton]}
    styles={[REFERENCE_STYLES]}
  >
    <h1>API reference</h1>
    <p>{LEAD}</p>
    {!anonymous && (
      <p class="banner">
        On this server, only people with an account can create documents. Add your API key to each request.
      </p>
    )}
    {raw(reference)}
  </Layout>
)
