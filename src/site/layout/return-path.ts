/** Stands in for this site, whatever its address is: only the path is of interest. */
const ANY_SITE = 'https://site.invalid'

/** What a browser, or something between it and us, may take for the beginning of another host. */
const LEADS_ELSEWHERE = /^\/(\/|\\|%2f|%5c)/i

/**
 * Where to go back to after signing in: a path of this site, in the form that a browser makes of it.
 * Whatever could lead elsewhere leads to the home page: `//host`, `/\host`, whole addresses, and what only
 * normalising turns into such, like `/.//host` (URL Standard §4.4).
 */
export function returnPath(candidate: string | undefined): string {
  if (!candidate?.startsWith('/') || !URL.canParse(candidate, ANY_SITE)) return '/'
  const { origin, pathname, search, hash } = new URL(candidate, ANY_SITE)
  return origin !== ANY_SITE || LEADS_ELSEWHERE.test(candidate) || LEADS_ELSEWHERE.test(pathname)
    ? '/'
    : pathname + search + hash
}
