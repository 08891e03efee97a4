import { Hono } from 'hono'
import type { AppEnv } from '../../env.ts'
import { seeOther } from '../layout/answer.ts'
import { answerErrorPage } from '../layout/errors.tsx'
import { page } from '../layout/page.tsx'
import { AboutPage } from './about-page.tsx'
import { ApiPage } from './api-page.tsx'
import { PrivacyPage } from './privacy-page.tsx'
import { TermsPage } from './terms-page.tsx'

/** Pages about this server, its operator and its API. */
export const about = new Hono<AppEnv>()
  .onError(answerErrorPage)
  .get('/about', (c) =>
    page(c, <AboutPage operator={c.var.config.operator} signedIn={c.var.hasSessionCookie} />),
  )
  .get('/privacy', (c) => {
    const { operator } = c.var.config
    if (operator.privacyUrl !== null) return seeOther(c, operator.privacyUrl)
    return page(c, <PrivacyPage operator={operator} signedIn={c.var.hasSessionCookie} />)
  })
  .get('/terms', (c) => {
    const { operator } = c.var.config
    if (operator.termsUrl !== null) return seeOther(c, operator.termsUrl)
    return page(c, <TermsPage operator={operator} signedIn={c.var.hasSessionCookie} />)
  })
  .get('/api', (c) => {
    const { config, hasSessionCookie, siteUrl } = c.var
    const anonymous = config.anonymousDocuments === 'allow'
    return page(c, <ApiPage siteUrl={siteUrl} signedIn={hasSessionCookie} anonymous={anonymous} />)
  })
