import { removeDocument } from '../documents/delete.ts'
import { requireDocument } from '../documents/read.ts'
import type { AppContext } from '../env.ts'
import { unreadableForm } from '../errors.ts'
import { answer } from '../http/answers/answer.ts'
import { answerContent } from '../http/answers/document-text.ts'
import { limitBody } from '../http/bodies/body-limit.ts'
import { findDocumentToRead } from '../http/find-document.ts'
import { requireViewer } from '../http/identity/ask-alongside.ts'
import { readDocumentPassword } from '../http/identity/document-password.ts'

/** More than any password takes, in any encoding. */
const MAX_FORM_BYTES = 16 * 1024

/** Returns the id in the address of a document, which may end in a file extension. */
const getId = (c: AppContext): string => c.req.param('address')?.split('.', 1)[0] ?? ''

/** Answers the text of a document, and burns it if it burns after reading. The password may be in a form. */
export async function answerRead(c: AppContext): Promise<Response> {
  const document = await findDocumentToRead(c, getId(c))
  await limitBody(MAX_FORM_BYTES)(c, async () => {})
  const { password } = await c.req.parseBody().catch(() => {
    throw unreadableForm()
  })
  return answerContent(c, document, {
    password: typeof password === 'string' && password !== '' ? password : readDocumentPassword(c, document),
  })
}

/**
 * Deletes a document for its creator: the account of an API key, or the holder of the document token.
 *
 * @throws AppError `unauthorized` without either, and what `removeDocument` throws.
 */
export async function answerDelete(c: AppContext): Promise<Response> {
  const { now, store } = c.var
  const { viewer, found } = await requireViewer(c, () => requireDocument(store, getId(c), now))
  await removeDocument(store, await found, { viewer, now })
  return answer(c, null, { status: 204 })
}
