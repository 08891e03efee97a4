import { isAdmin } from '../../accounts/user.ts'
import { type Document, isCreator, mayEdit } from '../../documents/model/document.ts'
import type { AppContext } from '../../env.ts'
import { ConfirmationButton } from '../components/confirmation.tsx'
import { DELETE_QUESTION } from '../components/questions.ts'

/** Who looks at a document, as far as its page offers them something. */
export interface Visitor {
  readonly signedIn: boolean
  readonly role: 'creator' | 'editor' | 'reader'
  readonly admin: boolean
}

const ANYONE: Visitor = { signedIn: false, role: 'reader', admin: false }

/** Asks who it is only where a session's cookie came along: nobody else pays for the query. */
export async function visitorOf(c: AppContext, document: Document): Promise<Visitor> {
  if (!c.var.hasSessionCookie) return ANYONE
  const user = await c.var.identity.ask()
  if (!user) return ANYONE
  const role = isCreator(document, user) ? 'creator' : mayEdit(document, user) ? 'editor' : 'reader'
  return { signedIn: true, role, admin: isAdmin(user) }
}

interface DocumentNavigationProps {
  readonly document: Document
  readonly visitor: Visitor
}

/** What can be done with a document, by whoever looks at it. */
export const DocumentNavigation = ({ document: { id }, visitor }: DocumentNavigationProps) => (
  <nav aria-label="Document">
    <a href={`/r/${id}`}>Raw</a>
    {visitor.role !== 'reader' && (
      <>
        <a href={`/${id}/edit`}>Edit</a>
        <a href={`/${id}/editors`}>Editors</a>
      </>
    )}
    {visitor.role === 'creator' && (
      <ConfirmationButton
        id="delete"
        title={DELETE_QUESTION.title}
        button={DELETE_QUESTION.button}
        action={`/${id}/delete`}
      >
        <p>{DELETE_QUESTION.words}</p>
      </ConfirmationButton>
    )}
    <a href={`/${id}/report`}>Report</a>
    {visitor.admin && <a href={`/moderation/${id}`}>Moderate</a>}
  </nav>
)
