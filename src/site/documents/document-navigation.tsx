import { isAdmin } from '../../accounts/user.ts'
import { type Document, isCreator, mayEdit } from '../../documents/model/document.ts'
import type { AppContext } from '../../env.ts'
import { ConfirmationButton } from '../components/confirmation.tsx'
import { DELETE_CONFIRMATION } from './delete-confirmation.ts'

/** Who looks at a document's page, as far as the page depends on it. */
export interface PageViewer {
  readonly signedIn: boolean
  readonly role: 'creator' | 'editor' | 'reader'
  readonly admin: boolean
}

const ANONYMOUS: PageViewer = { signedIn: false, role: 'reader', admin: false }

/** Returns who looks at a document. Without a session's cookie that takes no query. */
export async function identifyPageViewer(c: AppContext, document: Document): Promise<PageViewer> {
  if (!c.var.hasSessionCookie) return ANONYMOUS
  const user = await c.var.identity.ask()
  if (!user) return ANONYMOUS
  const role = isCreator(document, user) ? 'creator' : mayEdit(document, user) ? 'editor' : 'reader'
  return { signedIn: true, role, admin: isAdmin(user) }
}

interface DocumentNavigationProps {
  readonly document: Document
  readonly viewer: PageViewer
}

/** Links to what this viewer can do with the document. */
export const DocumentNavigation = ({ document: { id }, viewer }: DocumentNavigationProps) => (
  <nav aria-label="Document">
    <a href={`/r/${id}`}>Raw</a>
    {viewer.role !== 'reader' && (
      <>
        <a href={`/${id}/edit`}>Edit</a>
        <a href={`/${id}/editors`}>Editors</a>
      </>
    )}
    {viewer.role === 'creator' && (
      <ConfirmationButton
        id="delete"
        title={DELETE_CONFIRMATION.title}
        button={DELETE_CONFIRMATION.button}
        action={`/${id}/delete`}
      >
        <p>{DELETE_CONFIRMATION.text}</p>
      </ConfirmationButton>
    )}
    <a href={`/${id}/report`}>Report</a>
    {viewer.admin && <a href={`/moderation/${id}`}>Moderate</a>}
  </nav>
)
