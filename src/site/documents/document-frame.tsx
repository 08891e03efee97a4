import { isAdmin } from '../../accounts/user.ts'
import { type Document, isCreator, mayEdit, type Original } from '../../documents/document.ts'
import type { AppContext } from '../../env.ts'
import { toViewer } from '../../http/identity.ts'
import { ConfirmationButton } from '../components/confirmation.tsx'
import { Facts } from '../components/facts.tsx'
import { Icon } from '../components/icons.tsx'

export const DELETE_CONFIRMATION = {
  title: 'Delete this document?',
  button: 'Delete document',
  text: 'Its link will stop working. You can’t undo this.',
} as const

export interface PageViewer {
  readonly signedIn: boolean
  readonly role: 'creator' | 'editor' | 'reader'
  readonly admin: boolean
}

export const ANONYMOUS: PageViewer = { signedIn: false, role: 'reader', admin: false }

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

const ManageNavigation = ({ document: { id, creator }, viewer: { role } }: ManageNavigationProps) =>
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

export const UNTITLED = 'Untitled'

interface DocumentHeaderProps {
  readonly document: Document
  /** Null: untitled, or not known before the document is decrypted. */
  readonly title: string | null
  readonly views: number
  readonly burned: boolean
  readonly viewer: PageViewer
  readonly now: number
  readonly language: string
  readonly original?: Original | null
}

export const DocumentHeader = ({ title, viewer, original = null, ...facts }: DocumentHeaderProps) => (
  <header class="document-header">
    <h1 dir="auto">{title ?? UNTITLED}</h1>
    {!facts.burned && <ManageNavigation document={facts.document} viewer={viewer} />}
    <Facts {...facts} original={original && { id: original.id, title: original.title ?? UNTITLED }} />
  </header>
)
