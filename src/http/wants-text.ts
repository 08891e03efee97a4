import type { AppContext } from '../env.ts'

/**
 * Matches browsers, search engines and the programs that fetch link previews. Many of the latter accept anything,
 * as curl does, but look for the tags of a page.
 */
const PAGE_READERS = /mozilla|bot|externalhit|whatsapp|preview|spider|crawl/i

/** The request headers that `wantsText` looks at, for `Vary`. */
export const VARY_BY_FORM = { Vary: 'Accept, User-Agent' } as const

/**
 * Returns true if a request for an address with both forms gets plain text rather than a page: it comes from a program
 * such as curl, which accepts anything and doesn't ask for HTML.
 */
export function wantsText(c: AppContext): boolean {
  const accept = c.req.header('Accept') ?? ''
  if (/\bhtml\b/.test(accept)) return false
  const agent = c.req.header('User-Agent') ?? ''
  // Without either header, nothing tells who asks.
  return accept.includes('text/plain') || (accept + agent !== '' && !PAGE_READERS.test(agent))
}
