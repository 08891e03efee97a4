/** More than any honest text has. The first ones count. */
const MAX_HOSTS = 5_000
/** RFC 1035 §2.3.4. */
const MAX_DOMAIN_CHARACTERS = 253

/** The host of a web link, with what may stand before and after it: `user@host:port`. */
const LINK_HOST = /https?:\/\/([^\s/\\?#"'<>()[\]{}|^`]+)/gi

/** Returns a host name in the form that domains are compared in: lower case, punycode, without a dot at the end. */
export function normalizeDomain(host: string): string | null {
  try {
    const { hostname } = new URL(`http://${host}`)
    const domain = hostname.replace(/\.$/, '')
    return domain === '' || domain.length > MAX_DOMAIN_CHARACTERS || domain.startsWith('[') ? null : domain
  } catch {
    return null
  }
}

/**
 * Returns the domains that a text's links lead to, and the domains that those belong to: for `https://a.example.org/x`
 * these are `a.example.org`, `example.org` and `org`.
 */
export function findLinkDomains(text: string): readonly string[] {
  const hosts = new Set<string>()
  for (const [, host = ''] of text.matchAll(LINK_HOST)) {
    hosts.add(host)
    if (hosts.size === MAX_HOSTS) break
  }
  const domains = new Set<string>()
  for (const host of hosts) {
    const domain = normalizeDomain(host)
    for (
      let rest = domain ?? '';
      rest !== '';
      rest = rest.includes('.') ? rest.slice(rest.indexOf('.') + 1) : ''
    ) {
      domains.add(rest)
    }
  }
  return [...domains]
}
