import type { AppContext } from '../../env.ts'
import { type AnswerOptions, answer } from '../layout/answer.ts'

/** Answers XML of a media type, with headers. */
const answerXml = (c: AppContext, xml: string, mediaType: string, { headers }: AnswerOptions): Response =>
  answer(c, xml, { headers: { 'Content-Type': `${mediaType}; charset=utf-8`, ...headers } })

/** A sitemap is big, and crawlers come again anyway. */
export const answerSitemap = (c: AppContext, xml: string): Response =>
  answerXml(c, xml, 'application/xml', { headers: { 'Cache-Control': 'public, max-age=3600' } })

/** Answers a feed, or 304 to a reader that has it already. Feed readers ask often, and it rarely changes. */
export async function answerFeed(c: AppContext, xml: string): Promise<Response> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(xml))
  const tag = `"${new Uint8Array(digest).toBase64({ alphabet: 'base64url', omitPadding: true })}"`
  // The list is linked from a page, which search engines should show instead.
  const headers = { 'Cache-Control': 'no-cache', 'X-Robots-Tag': 'noindex', ETag: tag }
  const known = c.req.header('If-None-Match')?.split(',') ?? []
  if (known.some((candidate) => candidate.trim().replace(/^W\//, '') === tag)) {
    return answer(c, null, { status: 304, headers })
  }
  return answerXml(c, xml, 'application/atom+xml', { headers })
}
