import type { Child } from 'hono/jsx'
import type { Document } from '../../../documents/model/document.ts'
import { JweWorker } from '../../layout/in-head.tsx'

interface DecryptTemplateProps {
  readonly document: Document
  /** Whether reading the document deletes it. */
  readonly burns: boolean
  /** The page of the document, without its text and without anything that only its reader may see. */
  readonly children: Child
}

/** Holds what a script needs to open the document in the browser, so that the password never leaves it. */
export const DecryptTemplate = ({ document, burns, children }: DecryptTemplateProps) => (
  <>
    {document.encrypted && <JweWorker />}
    <template data-document={document.id} data-encrypted={document.encrypted} data-burn={burns}>
      {children}
    </template>
  </>
)
