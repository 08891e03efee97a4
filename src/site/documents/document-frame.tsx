import { isAdmin } from '../../accounts/user.ts'
import { type Document, isCreator, mayEdit, type Original } from '../../documents/document.ts'
import type { AppContext } from '../../env.ts'
import { toViewer } from '../../http/cookies.ts'
import { ConfirmationButton } from '../components/confirmation.tsx'
import { Facts } from '../components/facts.tsx'
import { Icon } from '../components/icons.tsx'

/** The question before a document is deleted, in a dialog or on its own page. */
export const DELETE_CONFIRMATION = {
  title: 'Delete this document?',
  button: 'Delete document',
  text: 'Its link will stop working. You can’t undo this.',
} as const

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

/** What a document without a title is called. */
export const UNTITLED = 'Untitled'

interface DocumentHeaderProps {
  readonly document: Document
  /** Null: untitled, or not known before the document is decrypted. */
  readonly title: string | null
  readonly views: number
  readonly burned: boolean
  readonly viewer: PageViewer
  readonly now: number
  /** The language that the document is displayed in. */
  readonly language: string
  /** The document that it's a duplicate of, if the viewer may know of it. */
  readonly original?: Original | null
}

/** The title of a document, the facts about it, and what its creator can do with it. */
export const DocumentHeader = ({ title, viewer, original = null, ...facts }: DocumentHeaderProps) => (
  <header class="document-header">
    <h1 dir="auto">{title ?? UNTITLED}</h1>
    {!facts.burned && <ManageNavigation document={facts.document} viewer={viewer} />}
    <Facts {...facts} original={original && { id: original.id, title: original.title ?? UNTITLED }} />
  </header>
)
