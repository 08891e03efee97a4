import { Hono } from 'hono'
import type { AppEnv } from '../../env.ts'
import { seeOther } from '../layout/answer.ts'
import { answerErrorPage } from '../layout/errors.tsx'
import { page } from '../layout/page.tsx'

/** Loads the pages when someone opens one: reading a document needs none of their text. */
const loadPages = () => import('./pages.ts')

/** Pages about this server, its operator and its API. */
export const about = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .get('/about', async (c) => {
    const { AboutPage } = await loadPages()
    return page(c, <AboutPage operator={c.var.config.operator} signedIn={c.var.hasSessionCookie} />)
  })
  .get('/abuse', async (c) => {
    const { AbusePage } = await loadPages()
    return page(c, <AbusePage operator={c.var.config.operator} signedIn={c.var.hasSessionCookie} />)
  })
  .get('/privacy', async (c) => {
    const { abuse, operator } = c.var.config
    if (operator.privacyUrl !== null) return seeOther(c, operator.privacyUrl)
    const { PrivacyPage } = await loadPages()
    const props = { operator, signedIn: c.var.hasSessionCookie, turnstile: abuse.turnstile !== null }
    return page(c, <PrivacyPage {...props} />)
  })
  .get('/terms', async (c) => {
    const { operator } = c.var.config
    if (operator.termsUrl !== null) return seeOther(c, operator.termsUrl)
    const { TermsPage } = await loadPages()
    return page(c, <TermsPage operator={operator} signedIn={c.var.hasSessionCookie} />)
  })
  .get('/docs', async (c) => {
    const { config, hasSessionCookie } = c.var
    const { DocsPage, loadReference } = await loadPages()
    const reference = await loadReference(c)
    if (reference === null) return seeOther(c, '/v1/openapi.json')
    const anonymous = config.anonymousDocuments === 'allow'
    return page(c, <DocsPage reference={reference} signedIn={hasSessionCookie} anonymous={anonymous} />)
  })
  // The former address of the API's description.
  .get('/api', (c) => seeOther(c, '/docs'))
