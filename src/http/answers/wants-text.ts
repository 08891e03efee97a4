import type { AppContext } from '../../env.ts'

/**
 * Matches browsers, search engines and programs that fetch link previews. Many preview programs accept any type, as curl
 * does, but need the tags of a page.
 */
const PAGE_READERS = /mozilla|bot|externalhit|whatsapp|preview|spider|crawl/i

/** The request headers that `wantsText` looks at, for `Vary`. */
export const VARY_BY_FORM = { Vary: 'Accept, User-Agent' } as const

/**
 * Returns true if the client should get plain text instead of a page, because it's a program such as curl: it accepts
 * any type and doesn't ask for HTML.
 */
export function wantsText(c: AppContext): boolean {
  const accept = c.req.header('Accept') ?? ''
  if (/\bhtml\b/.test(accept)) return false
  const agent = c.req.header('User-Agent') ?? ''
  // Without either header, we can't tell what the client is.
  return accept.includes('text/plain') || (accept + agent !== '' && !PAGE_READERS.test(agent))
}
