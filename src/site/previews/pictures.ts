import { Hono } from 'hono'
import type { AppEnv } from '../../env.ts'
import { answerErrorText } from '../../http/answers/error-text.ts'

/** Loads what reading a document doesn't need. */
const load = () => import('./answer-picture.ts')

/**
 * The pictures of documents, in link previews and to copy. Anyone with a document's link could also read it, so its
 * picture needs no permission. It counts no view, and there is none of a document that is encrypted or burns.
 */
export const pictures = new Hono<AppEnv>()
  .onError(answerErrorText)
  .get('/:id/preview.png', async (c) => (await load()).answerPicture(c))
