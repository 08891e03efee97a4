/** Stands in for this site's origin, since only the path matters. */
const ANY_SITE = 'https://site.invalid'

/** What a browser or a proxy may read as the start of another host. */
const LEADS_ELSEWHERE = /^\/(\/|\\|%2f|%5c)/i

/**
 * Returns the path to go back to, normalised as browsers do. It never leads to another site: the home page replaces
 * `//host`, `/\host`, absolute URLs, and paths that only become one of these by normalising, such as `/.//host` (URL
 * Standard §4.4).
 */
export function returnPath(candidate: string | undefined): string {
  if (!candidate?.startsWith('/') || !URL.canParse(candidate, ANY_SITE)) return '/'
  const { origin, pathname, search, hash } = new URL(candidate, ANY_SITE)
  return origin !== ANY_SITE || LEADS_ELSEWHERE.test(candidate) || LEADS_ELSEWHERE.test(pathname)
    ? '/'
    : pathname + search + hash
}
