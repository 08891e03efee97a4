import { readToEdit } from '../../documents/edit/read-to-edit.ts'
import type { Document } from '../../documents/model/document.ts'
import { type AppError, PasswordError } from '../../errors.ts'
import { entityTag } from '../../http/answers/conditional-requests.ts'
import { requireManager } from '../../http/identity/require-session.ts'
import { PLAIN_TEXT } from '../../shared/languages/languages.ts'
import { type AnswerOptions, seeOther, withHeaders } from '../layout/answer.ts'
import { pageWithText, pageWithTwoTexts } from '../layout/page.tsx'
import { formatProblem } from '../layout/problem.tsx'
import { createCodeEditorOptions } from './code-editor-options.ts'
import { restoreOffer } from './edit-offer.ts'
import { type EditValues, toEdit } from './edit-values.ts'
import { type EditContext, getAccess, loadPages } from './show-edit-form.tsx'

/**
 * Shows the submitted text next to the version that somebody else saved first. If they're the same, the form was
 * submitted twice, and the user goes to the document.
 */
export async function answerConflict(
  c: EditContext,
  sent: EditValues,
  { found, options }: { found: Document; options: Required<AnswerOptions> },
): Promise<Response> {
  const manager = await requireManager(c, async () => null)
  const { viewer } = manager
  const { config, now, store } = c.var
  const password = sent.password ?? undefined
  const unread = { document: found, text: null }
  const { document, text: present } =
    sent.text === null
      ? unread
      : await readToEdit(store, found, { viewer, password, now }).catch((thrown) => {
          if (thrown instanceof PasswordError) return unread
          throw thrown
        })
  const access = getAccess(c, document, manager)
  if (sent.text === null || present !== null) {
    const { maxContentBytes } = config
    const { nothing } = toEdit(sent, { document, present, maxContentBytes, offer: access.offer, now })
    if (nothing) return seeOther(c, `/${document.id}`)
  }
  const { codeEditor, headers } = createCodeEditorOptions(c)
  const values = { ...sent, version: entityTag(document, 'json') }
  const { ConflictPage } = await loadPages()
  const render = (mine: string, theirs: string) => (
    <ConflictPage
      document={document}
      access={access}
      values={{ ...values, text: sent.text && mine }}
      codeEditor={codeEditor}
      savedText={present && theirs}
    />
  )
  return pageWithTwoTexts(c, [sent.text ?? '', present ?? ''], render, withHeaders(options, headers))
}

const GONE =
  'This document no longer exists: it expired or was deleted. Copy your text before you leave this page.'

/** Shows the form again with everything that was typed and what went wrong. */
export async function showAgain(
  c: EditContext,
  sent: EditValues,
  { error, options }: { error: AppError; options: Required<AnswerOptions> },
): Promise<Response> {
  const { config, hasSessionCookie: signedIn } = c.var
  const { codeEditor, headers } = createCodeEditorOptions(c)
  const id = c.req.param('id')
  const language = sent.settings?.language ?? PLAIN_TEXT
  const offer = sent.settings && restoreOffer(sent.settings, { signedIn, config })
  const { EditPage } = await loadPages()
  const render = (text: string) => (
    <EditPage
      document={{ id, language }}
      access={{ signedIn, byToken: false, offer }}
      values={{ ...sent, text: sent.text && text }}
      codeEditor={codeEditor}
      problem={error.code === 'not_found' ? GONE : formatProblem(error)}
      wrongPassword={error instanceof PasswordError}
      stored={null}
    />
  )
  return pageWithText(c, sent.text ?? '', render, withHeaders(options, headers))
}
