import { hasOpenContent } from '../../documents/read-start.ts'
import type { AppContext } from '../../env.ts'
import { AppError, documentNotFound } from '../../errors.ts'
import { documentHeaders, isFresh, type Representation } from '../../http/answers/conditional-requests.ts'
import { findDocumentForEveryone } from '../../http/find-document.ts'
import { logError } from '../../platform/logging.ts'
import { BUILD } from '../assets.generated.ts'
import { answer } from '../layout/answer.ts'
import { findPicture } from './find-picture.ts'
import { SITE_PICTURE_PATH } from './link-preview.ts'
import type { PictureTheme } from './picture/palette.ts'

const parseTheme = (c: AppContext): PictureTheme => (c.req.query('theme') === 'dark' ? 'dark' : 'light')

/** Answers the site's picture instead of one that can't be drawn now. */
function answerSitePicture(c: AppContext, error: unknown): Response {
  logError('a preview picture failed', c.var.requestId, error)
  return answer(c, null, {
    status: 302,
    headers: { Location: SITE_PICTURE_PATH, 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' },
  })
}

/**
 * Answers the picture of a document. It counts no view.
 *
 * @throws AppError `not_found`, also for a document that is encrypted or burns, and `rate_limited`.
 */
export async function answerPicture(c: AppContext): Promise<Response> {
  const document = await findDocumentForEveryone(c, c.req.param('id') ?? '')
  if (!hasOpenContent(document)) throw documentNotFound()
  const theme = parseTheme(c)
  const representation: Representation = `picture-${BUILD}-${theme}`
  const headers = {
    ...documentHeaders(document, representation),
    'Content-Type': 'image/png',
    // Chats show the picture from their own pages.
    'Cross-Origin-Resource-Policy': 'cross-origin',
  }
  if (isFresh(c.req.header('If-None-Match'), document, representation))
    return answer(c, null, { status: 304, headers })
  if (c.req.method === 'HEAD') return answer(c, null, { headers })
  try {
    return answer(c, await findPicture(c, { document, theme }), { headers })
  } catch (error) {
    if (error instanceof AppError && error.status < 500) throw error
    return answerSitePicture(c, error)
  }
}
