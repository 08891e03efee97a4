import { isAdmin } from '../../../accounts/user.ts'
import { type Document, isCreator, mayEdit } from '../../../documents/model/document.ts'
import type { AppContext } from '../../../env.ts'
import { toViewer } from '../../../http/identity/document-token.ts'
import { ConfirmationButton } from '../../components/confirmation.tsx'
import { Icon } from '../../components/icon.tsx'
import { DELETE_CONFIRMATION } from '../delete/delete-confirmation.ts'

/** Who looks at a document's page, as far as the page depends on it. */
export interface PageViewer {
  readonly signedIn: boolean
  readonly role: 'creator' | 'editor' | 'reader'
  readonly admin: boolean
}

/** Someone without an account. */
export const ANONYMOUS: PageViewer = { signedIn: false, role: 'reader', admin: false }

/** Returns who looks at a document. Without a session's cookie that takes no query. */
export async function identifyPageViewer(c: AppContext, document: Document): Promise<PageViewer> {
  const user = c.var.hasSessionCookie ? await c.var.identity.ask() : null
  const viewer = await toViewer(c, user)
  const role = isCreator(document, viewer) ? 'creator' : mayEdit(document, viewer) ? 'editor' : 'reader'
  return { signedIn: user !== null, role, admin: user !== null && isAdmin(user) }
}

interface ManageNavigationProps {
  readonly document: Document
  readonly viewer: PageViewer
}

/** What the creator and the editors can do with the document, set apart from the tools of readers. */
export const ManageNavigation = ({ document: { id, creator }, viewer: { role } }: ManageNavigationProps) =>
  role !== 'reader' && (
    <nav class="manage" aria-label="Document">
      <a href={`/${id}/edit`}>
        <Icon name="edit" />
        Edit
      </a>
      <a href={`/${id}/history`}>
        <Icon name="history" />
        History
      </a>
      {/* The holder of a document token has no account that could have editors. */}
      {creator && (
        <a href={`/${id}/editors`}>
          <Icon name="users" />
          Editors
        </a>
      )}
      {role === 'creator' && (
        <ConfirmationButton
          id="delete"
          title={DELETE_CONFIRMATION.title}
          button={DELETE_CONFIRMATION.button}
          label={
            <>
              <Icon name="trash" />
              Delete<span class="name-only"> document</span>
            </>
          }
          action={`/${id}/delete`}
        >
          <p>{DELETE_CONFIRMATION.text}</p>
        </ConfirmationButton>
      )}
    </nav>
  )
