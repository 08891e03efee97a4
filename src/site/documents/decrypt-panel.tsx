import type { Child } from 'hono/jsx'
import type { Document } from '../../documents/model/document.ts'
import { SCRIPTS } from '../assets.generated.ts'

interface OpenHereProps {
  readonly document: Document
  /** Whether reading deletes the document. */
  readonly once: boolean
  /** The frame that the document is shown in, without what only its reader may see. */
  readonly children: Child
}

/** What the script needs that opens a document in the browser, so that its password never leaves it. */
export const OpenHere = ({ document, once, children }: OpenHereProps) => (
  <>
    {document.encrypted && <meta name="jwe-worker" content={SCRIPTS.jweWorker} />}
    <template data-document={document.id} data-encrypted={document.encrypted} data-burn={once}>
      {children}
    </template>
  </>
)
