import { StoredContent } from '../../documents/content/stored-content.ts'
import { countView } from '../../documents/document-store.ts'
import { type Document, isEmbeddable } from '../../documents/model/document.ts'
import { retryWhileStale } from '../../documents/read.ts'
import type { AppContext } from '../../env.ts'
import { documentNotFound } from '../../errors.ts'
import { documentHeaders, isFresh } from '../../http/answers/conditional-requests.ts'
import { type LineRange, parseLineRange } from '../../http/answers/line-range.ts'
import { findDocumentForEveryone } from '../../http/find-document.ts'
import { BUILD } from '../assets.generated.ts'
import { answer } from '../layout/answer.ts'
import { answerHtml } from '../layout/page.tsx'
import { parseEmbedTheme } from './embed-code.ts'
import { EmbedNotice, EmbedPage } from './embed-page.tsx'
import { selectExcerpt } from './excerpt.ts'
import { allowFraming, answerFramed } from './framed-answer.tsx'

/** Returns a document that other sites may show. Throws `not_found` for all others, as if they didn't exist. */
export async function requireEmbeddable(c: AppContext, id: string): Promise<Document> {
  const document = await findDocumentForEveryone(c, id)
  if (!isEmbeddable(document)) throw documentNotFound()
  return document
}

/** Returns the lines that `?lines=` asks for; null for all. Throws `bad_request`. */
export const readLines = (c: AppContext): LineRange | null => {
  const value = c.req.query('lines')
  return value ? parseLineRange(value) : null
}

const REPRESENTATION = `page-embed-${BUILD}` as const

/**
 * Answers a document for frames on other sites, and counts a view. It never looks at who asks: a page in a frame must
 * not do anything for the account of its reader.
 */
export async function answerEmbed(c: AppContext, id: string): Promise<Response> {
  const { now, siteUrl, store } = c.var
  const found = await requireEmbeddable(c, id)
  const range = readLines(c)
  const theme = parseEmbedTheme(c.req.query('theme'))
  const headers = documentHeaders(found, REPRESENTATION)
  if (isFresh(c.req.header('If-None-Match'), found, REPRESENTATION))
    return allowFraming(answer(c, null, { status: 304, headers }))
  if (c.req.method === 'HEAD') return allowFraming(answerHtml(c, '', { headers }))
  const { document, content } = await retryWhileStale(store, found, now, async (document) => {
    // Somebody may have changed the document to burn after reading. This request never burns it.
    if (!isEmbeddable(document)) throw documentNotFound()
    return { document, content: await new StoredContent(store.contents, document).read() }
  })
  const excerpt = selectExcerpt(content, range)
  if (!excerpt) {
    return answerFramed(
      c,
      <EmbedNotice
        theme={theme}
        siteUrl={siteUrl}
        message="The document doesn’t have these lines any more."
      />,
      { status: 416, headers: { 'Cache-Control': 'no-store' } },
    )
  }
  countView(store, document, now)
  return answerFramed(
    c,
    <EmbedPage document={document} excerpt={excerpt} theme={theme} siteUrl={siteUrl} />,
    { headers: documentHeaders(document, REPRESENTATION) },
  )
}
