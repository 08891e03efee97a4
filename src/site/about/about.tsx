import { Hono } from 'hono'
import type { Operator } from '../../config.ts'
import type { AppContext, AppEnv } from '../../env.ts'
import { routeNotFound } from '../../errors.ts'
import { answerErrorText, answerText, rejectOtherMethods } from '../../http/answers.ts'
import { DAY_MS } from '../../shared/instant.ts'
import { answerErrorPage } from '../../ui/errors.tsx'
import { page, seeOther } from '../../ui/page.tsx'
import { readablePage } from '../../ui/readable-page.ts'
import { AboutPage, AbusePage, DocsPage, loadReference, PrivacyPage, TermsPage } from './about-pages.tsx'

/** Documents are allowed, because a crawler must fetch a page to see the `X-Robots-Tag` that says not to index it. */
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

const NO_ROBOTS = 'User-agent: *\nDisallow: /\n'

/** RFC 9116 asks for an expiry less than a year ahead. */
const SECURITY_TXT_LIFETIME_MS = 90 * DAY_MS

const CACHED_FOR_AN_HOUR = { 'Cache-Control': 'public, max-age=3600' }

const wellKnown = new Hono<AppEnv>()
  .onError(answerErrorText)
  .get('/robots.txt', (c) => {
    const robots = c.var.config.readers === 'anyone' ? getRobots(c.var.siteUrl) : NO_ROBOTS
    return answerText(c, robots, { headers: CACHED_FOR_AN_HOUR })
  })
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

const PAGES = { AboutPage, AbusePage, PrivacyPage, TermsPage }

/** @param getAddress of the page that the operator has elsewhere. */
const show =
  (name: keyof typeof PAGES, getAddress: (operator: Operator) => string | null = () => null) =>
  async (c: AppContext): Promise<Response> => {
    const { config, siteUrl } = c.var
    const address = getAddress(config.operator)
    if (address !== null) return seeOther(c, address)
    const Page = PAGES[name]
    return readablePage(c, <Page config={config} siteUrl={siteUrl} />)
  }

const about = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .get('/about', show('AboutPage'))
  .get('/abuse', show('AbusePage'))
  .get(
    '/privacy',
    show('PrivacyPage', ({ privacyUrl }) => privacyUrl),
  )
  .get(
    '/terms',
    show('TermsPage', ({ termsUrl }) => termsUrl),
  )
  .get('/docs', async (c) => {
    const reference = await loadReference(c)
    if (reference === null) return seeOther(c, '/v1/openapi.json')
    const anonymous = c.var.config.anonymousDocuments === 'allow'
    return page(c, <DocsPage reference={reference} anonymous={anonymous} />)
  })
  // The former address of the API's description.
  .get('/api', (c) => seeOther(c, '/docs'))

export const routes = new Hono<AppEnv>()
  .route('/', rejectOtherMethods(about))
  .route('/', rejectOtherMethods(wellKnown))
