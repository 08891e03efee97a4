import { Hono } from 'hono'
import { authorizeSettings } from '../../accounts/authorization.ts'
import type { StoredContent } from '../../documents/content/stored-content.ts'
import { editDocument } from '../../documents/edit/edit.ts'
import { type Document, holdsToken } from '../../documents/model/document.ts'
import { isDocumentId } from '../../documents/model/ids.ts'
import type { AppEnv } from '../../env.ts'
import { type AppError, documentNotFound } from '../../errors.ts'
import { checkIfMatch, DocumentChangedError } from '../../http/answers/conditional-requests.ts'
import { renewedDocumentTokenCookies } from '../../http/identity/document-token.ts'
import { limitAttempts } from '../../http/limits/delivery.ts'
import { requireThisSite } from '../../http/origin-check.ts'
import { type AnswerOptions, seeOther } from '../layout/answer.ts'
import { answerErrorPage } from '../layout/errors.tsx'
import { limitContentForm, readFields } from '../layout/form.ts'
import { submitForm } from '../layout/submit-form.ts'
import { getEditOffer } from './edit-offer.ts'
import { type EditValues, parseEditValues, toEdit } from './edit-values.ts'
import { type EditContext, requireEditor, showDecryptedForm, showForm } from './show-edit-form.tsx'
import { answerConflict, showAgain } from './unsaved-edit.tsx'

/**
 * Saves the form. Throws an error with the problems of the form, or DocumentChangedError if somebody else saved first.
 *
 * @returns the cookies to set.
 */
async function save(c: EditContext, sent: EditValues): Promise<string[]> {
  const { config, now, store } = c.var
  const checkPrecondition = checkIfMatch(sent.version)
  if (sent.password !== null) await limitAttempts(c, c.req.param('id'))
  const { user, viewer, found } = await requireEditor(c)
  const makeEdit = async (document: Document, content: StoredContent) => {
    const present = sent.text === null ? null : await content.readText(sent.password ?? undefined)
    const offer = getEditOffer(document, { user, viewer, config, now })
    const context = { document, present, maxContentBytes: config.maxContentBytes, offer, now }
    const { edit, usesSettings } = toEdit(sent, context)
    // The holder of the document's token needs no confirmed account to use settings.
    if (!holdsToken(document, viewer)) authorizeSettings(user, usesSettings)
    return edit
  }
  const { document } = await editDocument(store, await found, makeEdit, { viewer, now, checkPrecondition })
  return renewedDocumentTokenCookies(c, document, viewer)
}

export const edit = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .get('/:id/edit', async (c) => showForm(c, await requireEditor(c)))
  .post(
    '/:id/edit',
    // If another site sent the form, don't show its values as if the user had typed them.
    requireThisSite,
    limitContentForm,
    async (c) => {
      const fields = await readFields(c)
      if (!fields.has('version')) {
        const manager = await requireEditor(c)
        const password = fields.get('password') || undefined
        return password === undefined ? showForm(c, manager) : showDecryptedForm(c, manager, password)
      }
      // The form is shown again even if nobody is signed in, and it links to this address.
      if (!isDocumentId(c.req.param('id'))) throw documentNotFound()
      const sent = parseEditValues(fields)
      const again = (error: AppError, options: Required<AnswerOptions>) =>
        showAgain(c, sent, { error, options })
      return submitForm(c, {
        submit: async () => {
          const cookies = await save(c, sent)
          return seeOther(c, `/${c.req.param('id')}`, cookies)
        },
        showAgain: (error, options) =>
          error instanceof DocumentChangedError
            ? submitForm(c, {
                submit: () => answerConflict(c, sent, { found: error.document, options }),
                showAgain: again,
              })
            : again(error, options),
      })
    },
  )
