import { readStored, readToEdit } from '../../documents/edit/read-to-edit.ts'
import { type Document, holdsToken, isCreator, mayEdit } from '../../documents/model/document.ts'
import { requireDocument } from '../../documents/read.ts'
import type { AppContext } from '../../env.ts'
import { editNotAllowed, PasswordError } from '../../errors.ts'
import { type Manager, requireManager } from '../../http/identity/require-session.ts'
import { limitAttempts } from '../../http/limits/delivery.ts'
import { withHeaders } from '../layout/answer.ts'
import { page, pageWithText } from '../layout/page.tsx'
import { PRIVATE_HEADERS } from '../layout/private-page.tsx'
import { submitForm } from '../layout/submit-form.ts'
import { createCodeEditorOptions } from './code-editor-options.ts'
import type { EditAccess } from './edit-form.tsx'
import { getEditOffer } from './edit-offer.ts'
import { type EditValues, newEditValues } from './edit-values.ts'

export type EditContext = AppContext<'/:id/edit'>

/** Loads the editing pages when someone opens one: reading a document doesn't need them. */
export const loadPages = () => import('./pages.ts')

/** Returns who edits a document, and the document of this address. Throws SignInRequired. */
export const requireEditor = (c: EditContext) =>
  requireManager(c, () => requireDocument(c.var.store, c.req.param('id'), c.var.now))

type Editor = Awaited<ReturnType<typeof requireEditor>>

/** Returns the document of this address. Throws `not_found`, or `bad_auth` if the viewer may not edit it. */
async function requireEditable({ viewer, found }: Editor): Promise<Document> {
  const document = await found
  if (!mayEdit(document, viewer)) throw editNotAllowed()
  return document
}

/** Returns what the form depends on besides the document. */
export const getAccess = (c: EditContext, document: Document, { user, viewer }: Manager): EditAccess => ({
  signedIn: user !== null,
  byToken: holdsToken(document, viewer),
  offer: getEditOffer(document, { user, viewer, config: c.var.config, now: c.var.now }),
})

interface TextForm {
  readonly document: Document
  readonly access: EditAccess
  readonly values: Omit<EditValues, 'text'>
  readonly stored: string
}

/** Shows the form with a text that the server can read. */
async function showText(c: EditContext, { values, stored, ...form }: TextForm): Promise<Response> {
  const { EditPage } = await loadPages()
  const { codeEditor, headers } = createCodeEditorOptions(c)
  const render = (text: string) => (
    <EditPage {...form} values={{ ...values, text }} codeEditor={codeEditor} stored={stored} />
  )
  return pageWithText(c, stored, render, { headers: { ...PRIVATE_HEADERS, ...headers } })
}

/** Shows the form with the text of the document. For an encrypted document it asks for the password. */
export async function showForm(c: EditContext, manager: Editor): Promise<Response> {
  const { now, store } = c.var
  const found = await requireEditable(manager)
  const { document, stored } = await readStored(store, found, { viewer: manager.viewer, now })
  const access = getAccess(c, document, manager)
  const values = newEditValues(document, { password: null, offer: access.offer })
  if (!document.encrypted) return showText(c, { document, access, values, stored })
  const proves = isCreator(document, manager.viewer) || document.proofHash !== null
  const { codeEditor, headers } = createCodeEditorOptions(c)
  const { LockedPage } = await loadPages()
  const render = (jwe: string) => (
    <LockedPage
      document={document}
      access={access}
      values={{ ...values, text: null }}
      codeEditor={codeEditor}
      wrong={false}
      jwe={proves ? jwe : null}
      onServer={!proves}
    />
  )
  return pageWithText(c, stored, render, { headers: { ...PRIVATE_HEADERS, ...headers } })
}

/** Shows the form with text that the server decrypted, for a browser without scripts. */
export async function showDecryptedForm(
  c: EditContext,
  manager: Editor,
  password: string,
): Promise<Response> {
  const { now, store } = c.var
  const { viewer } = manager
  const found = await requireEditable(manager)
  return submitForm(c, {
    submit: async () => {
      await limitAttempts(c, found.id)
      const { document, text } = await readToEdit(store, found, { viewer, password, now })
      const access = getAccess(c, document, manager)
      const kept = document.encrypted ? password : null
      const values = newEditValues(document, { password: kept, offer: access.offer })
      return showText(c, { document, access, values, stored: text })
    },
    handles: (error) => error instanceof PasswordError,
    showAgain: async (_, options) => {
      const { LockedPage } = await loadPages()
      const { codeEditor, headers } = createCodeEditorOptions(c)
      const access = getAccess(c, found, manager)
      const values = { ...newEditValues(found, { password: null, offer: access.offer }), text: null }
      const props = { document: found, access, values, codeEditor }
      return page(
        c,
        <LockedPage {...props} wrong jwe={null} onServer={false} />,
        withHeaders(options, headers),
      )
    },
  })
}
