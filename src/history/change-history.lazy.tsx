import { authorizeSettings } from '../accounts/authorization.ts'
import { type Document, holdsToken } from '../documents/document.ts'
import { visibleDocument } from '../documents/document-statements.ts'
import { editDocument } from '../documents/edit.ts'
import { requireFound } from '../documents/read.ts'
import {
  deleteRevisions,
  documentWithRevisions,
  readRevision,
  requireRevision,
  restoreRevision,
} from '../documents/revisions.lazy.ts'
import type { AppContext } from '../env.ts'
import { documentNotFound } from '../errors.ts'
import type { AnswerOptions } from '../http/answers.ts'
import { checkIfMatch, DocumentChangedError, entityTag } from '../http/conditional-requests.ts'
import { renewedDocumentTokenCookies } from '../http/cookies.ts'
import { limitAttempts } from '../http/limits.ts'
import { compareTexts } from '../shared/compare/compare-texts.ts'
import { readFields, submitForm } from '../site/layout/form.ts'
import { page, seeOther } from '../site/layout/page.tsx'
import { RestoreConflictPage } from './compare-page.tsx'
import { findHistoryViewer, getHistoryPath, requireHistory, requireVersion } from './history-parts.tsx'

/** Redirects to the list of versions, which says what was done. */
const seeHistory = (c: AppContext, id: string, done: string, cookies: readonly string[] = []): Response =>
  seeOther(c, `${getHistoryPath(id)}?done=${done}`, cookies)

/** Deletes all versions but the current one. */
export async function deleteHistory(c: AppContext<'/:id/history/delete'>): Promise<Response> {
  const { viewer, ...history } = await requireHistory(c)
  await deleteRevisions(c.var.store, history, viewer)
  return seeHistory(c, history.document.id, 'deleted')
}

/** Sets whether edits keep the version before. If not, the versions are deleted. */
export async function keepHistory(c: AppContext<'/:id/*'>, keepRevisions: boolean): Promise<Response> {
  const { now, store } = c.var
  const { user, viewer, found } = await findHistoryViewer(c, visibleDocument(c.req.param('id'), now))
  const makeEdit = (document: Document) => {
    if (!holdsToken(document, viewer)) authorizeSettings(user, true)
    return { keepRevisions, fixedSettings: {} }
  }
  const context = { viewer, now, checkPrecondition: () => {}, refuse: documentNotFound }
  const { document } = await editDocument(store, requireFound(found), makeEdit, context)
  return seeHistory(c, document.id, keepRevisions ? 'keep' : 'stop')
}

/** Shows what restoring a version would change now that somebody has edited the document. */
async function answerConflict(
  c: AppContext<'/:id/history/:number/restore'>,
  changed: Document,
  options: Required<AnswerOptions>,
): Promise<Response> {
  const { document, revisions, user, viewer } = await requireHistory(c)
  const { now, store } = c.var
  const revision = requireVersion(revisions, c.req.param('number'))
  const [current] = revisions
  const read = (version: typeof revision) =>
    readRevision(store, { document, revision: version }, { viewer, now })
  const result =
    document.encrypted || !current ? null : compareTexts(await read(current), await read(revision))
  return page(
    c,
    <RestoreConflictPage
      document={document}
      current={current ?? revision}
      revision={revision}
      // If it changes again, the form comes back once more.
      version={entityTag(changed, 'json')}
      result={result}
      signedIn={user !== null}
    />,
    options,
  )
}

/** Makes a version the current one, unless somebody changed the document after the user opened the page. */
export async function restoreVersion(c: AppContext<'/:id/history/:number/restore'>): Promise<Response> {
  const { now, store } = c.var
  const id = c.req.param('id')
  const fields = await readFields(c)
  const claimToken = fields.get('claim_token') || undefined
  return submitForm(c, {
    submit: async () => {
      if (claimToken !== undefined) await limitAttempts(c, id)
      const checkPrecondition = checkIfMatch(fields.get('version') ?? '')
      const number = Number(c.req.param('number'))
      const { viewer, found } = await findHistoryViewer(c, documentWithRevisions(id, now, number))
      const { document } = await restoreRevision(store, requireRevision(found, viewer), {
        viewer,
        now,
        checkPrecondition,
        claimToken,
      })
      return seeHistory(c, id, 'restored', renewedDocumentTokenCookies(c, document, viewer))
    },
    handles: (error) => error instanceof DocumentChangedError,
    showAgain: async (error, options) => {
      if (!(error instanceof DocumentChangedError)) throw error
      return answerConflict(c, error.document, options)
    },
  })
}
