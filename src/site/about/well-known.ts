import { Hono } from 'hono'
import type { AppEnv } from '../../env.ts'
import { routeNotFound } from '../../errors.ts'
import { answerErrorText } from '../../http/answers/error-text.ts'
import { answerText } from '../layout/answer.ts'

/**
 * What crawlers may fetch. Documents are allowed, because a crawler must fetch a page to see the `X-Robots-Tag`
 * that says not to index it.
 */
const getRobots = (
  siteUrl: string,
): string => `# Unlisted documents have an X-Robots-Tag header that says not to index them.
User-agent: *
Allow: /v1/openapi.json
Disallow: /v1/
Disallow: /r/
Disallow: /account
Disallow: /device
Disallow: /moderation
Disallow: /sign-in
Disallow: /sign-up
Disallow: /sign-out
Disallow: /*/edit
Disallow: /*/report
Disallow: /*?*search=

Sitemap: ${siteUrl}/sitemap.xml
`

/** RFC 9116 asks for an expiry less than a year ahead. */
const SECURITY_TXT_LIFETIME_MS = 90 * 24 * 60 * 60 * 1000

const CACHED_FOR_AN_HOUR = { 'Cache-Control': 'public, max-age=3600' }

/** Files that programs look for at fixed addresses. */
export const wellKnown = new Hono<AppEnv>()
  .onError(answerErrorText)
  .get('/robots.txt', (c) => answerText(c, getRobots(c.var.siteUrl), { headers: CACHED_FOR_AN_HOUR }))
  // RFC 9116.
  .get('/.well-known/security.txt', (c) => {
    const { config, now, siteUrl } = c.var
    const { contactEmail } = config.operator
    if (contactEmail === null) throw routeNotFound()
    const expires = new Date(now + SECURITY_TXT_LIFETIME_MS).toISOString()
    const lines = [
      `Contact: mailto:${contactEmail}`,
      `Expires: ${expires}`,
      'Preferred-Languages: en',
      `Canonical: ${siteUrl}/.well-known/security.txt`,
    ]
    return answerText(c, `${lines.join('\n')}\n`, { headers: CACHED_FOR_AN_HOUR })
  })
