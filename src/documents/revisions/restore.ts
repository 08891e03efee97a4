import { documentNotFound } from '../../errors.ts'
import { parseJwe } from '../../shared/encryption/jwe.ts'
import type { StoredContent } from '../content/stored-content.ts'
import type { DocumentStore } from '../document-store.ts'
import { type EditContext, type EditedDocument, editDocument } from '../edit/edit.ts'
import type { Edit } from '../edit/edit-plan.ts'
import { encodeText } from '../model/content.ts'
import type { Document } from '../model/document.ts'
import { openRevision, type RevisionContext, requireRevision } from './require-revision.ts'

interface RestoreContext extends Pick<EditContext, 'now' | 'checkPrecondition'>, RevisionContext {
  /** An editor proves the present password of an encrypted document with one of these, as for any other edit. */
  readonly password?: string | undefined
  readonly claimToken?: string | undefined
}

/**
 * Makes the content and the language of a revision those of the document. This is an edit: what they were before becomes
 * a revision. Restoring the current content changes nothing.
 *
 * Editors must prove the present password of an encrypted document. Otherwise one who knows only an earlier password
 * could undo its change, and one who knows none could replace content that they can't read. After the restore, the
 * document has the password that it had when the revision was saved.
 *
 * @throws AppError `not_found` like `findRevision`, and what `editDocument` throws.
 */
export async function restoreRevision(
  store: DocumentStore,
  id: string,
  number: number,
  { viewer: asked, now, checkPrecondition, password, claimToken }: RestoreContext,
): Promise<EditedDocument> {
  const find = () => requireRevision(store, id, number, { viewer: asked, now })
  const found = await find()
  const viewer = await asked
  let first: typeof found | null = found
  const makeEdit = async (document: Document, current: StoredContent): Promise<Edit> => {
    const { revision } = first ?? (await find())
    first = null
    checkPrecondition(document)
    if (document.revision === number) return { fixedSettings: {} }
    const text = await openRevision(store, document, revision).read()
    const { encrypted } = document
    if (encrypted && password !== undefined) await current.decrypt(password)
    return {
      content: encrypted
        ? { kind: 'jwe', text, header: parseJwe(text).header, contentBytes: revision.bytes }
        : { kind: 'text', text, bytes: encodeText(text) },
      language: revision.language,
      languageChosen: revision.languageChosen,
      claimToken: encrypted ? claimToken : undefined,
      claimHash: revision.proofHash ?? undefined,
      passwordProven: encrypted && password !== undefined,
      restores: number,
      fixedSettings: {},
    }
  }
  return editDocument(store, found.document, makeEdit, {
    viewer,
    now,
    // Checked above: a revision that doesn't exist comes first.
    checkPrecondition: () => {},
    refuse: documentNotFound,
  })
}
