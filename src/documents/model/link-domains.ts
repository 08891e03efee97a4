/** More than any honest text has. The first ones count. */
const MAX_HOSTS = 5_000
/** RFC 1035 §2.3.4. */
const MAX_DOMAIN_CHARACTERS = 253

/**
 * How links start, and all that may be their host. Several expressions that start with a letter or a slash are 20 times
 * faster than one.
 */
const LINKS: readonly { readonly pattern: RegExp; readonly before: RegExp }[] = [
  { pattern: /https?:[\\/]+([^\t\n\f\r /\\?#]+)/gi, before: /^/ },
  { pattern: /(www\.[^\t\n\f\r /\\?#]+)/gi, before: /(?:^|[^\p{L}\p{N}])$/u },
  // Without a scheme, a link counts only where links are written, not in a comment or a path.
  { pattern: /\/[\\/]([^\t\n\f\r /\\?#]+)/g, before: /(?:[(<"'=]|\]:[\t ]?)[\\/]*$/ },
]
/** The host ends at the latest before these, unless it is written in a link destination or an attribute. */
const PUNCTUATION = /[\p{Z}\p{Cc}"'<>()[\]{}|^`*~,;:!$&+=“”‘’、，）】」』]/u
/** The value of an attribute. It may contain tabs and line breaks, which a browser ignores in addresses. */
const ATTRIBUTE_VALUE = /=[\t\n\f\r ]*("[^"]*"|'[^']*'|[^\t\n\f\r >"'][^\t\n\f\r >]*)/g
/** UTF-16 units of an attribute that may hold a host. */
const MAX_ATTRIBUTE = 4_000
/** A character reference, other than those of characters that hosts and the start of links don't contain. */
const REFERENCE =
  /&(?:#|shy|[a-z](?:uml|acute|grave|circ|tilde|ring|cedil|slash)|szlig|aelig|eth|thorn|(?!(?:amp|lt|gt|quot|nbsp);)[a-z][a-z\d]{1,31};)/i
/** CommonMark §2.4. */
const ESCAPE = /\\([!-/:-@[-`{-~])/g

function trimEnd(text: string, character: string): string {
  let end = text.length
  while (text[end - 1] === character) end -= 1
  return text.slice(0, end)
}

/** Returns a host name in the form that domains are compared in: lower case, punycode, without a dot at the end. */
export function normalizeDomain(host: string): string | null {
  try {
    const { hostname } = new URL(`http://${host}`)
    const domain = trimEnd(hostname, '.')
    return domain === '' || domain.length > MAX_DOMAIN_CHARACTERS || domain.startsWith('[') ? null : domain
  } catch {
    return null
  }
}

/** Yields what may be the host of a link, from the longest reading to the shortest: `user@host:port` first. */
function* getReadings(authority: string): Generator<string> {
  yield authority
  const host = authority.slice(authority.lastIndexOf('@') + 1)
  const end = host.search(PUNCTUATION)
  yield end === -1 ? host : host.slice(0, end)
  const first = authority.search(PUNCTUATION)
  if (first !== -1) yield authority.slice(0, first)
  yield trimEnd(host, '_')
}

function addHosts(text: string, hosts: Set<string>): void {
  for (const { pattern, before } of LINKS) {
    for (const { index, 1: authority = '' } of text.matchAll(pattern)) {
      if (hosts.size >= MAX_HOSTS) return
      if (before.test(text.slice(Math.max(0, index - 8), index))) hosts.add(authority)
    }
  }
}

/**
 * Returns the domains that a text's links lead to, and the domains that those belong to: for `https://a.example.org/x`
 * these are `a.example.org`, `example.org` and `org`. Reads links as Markdown and HTML write them, so that none is
 * hidden by a character reference, an escape or a line break. It may find links that no reader could follow.
 */
export async function findLinkDomains(text: string): Promise<readonly string[]> {
  const hosts = new Set<string>()
  // Loaded only when needed, because its tables are large.
  const decode = REFERENCE.test(text) ? (await import('entities/decode')).decodeHTML : (same: string) => same
  const decoded = decode(text)
  addHosts(text, hosts)
  if (decoded !== text) addHosts(decoded, hosts)
  if (decoded.includes('\\')) addHosts(decoded.replaceAll(ESCAPE, '$1'), hosts)
  for (const [, value = ''] of text.includes('<') ? text.matchAll(ATTRIBUTE_VALUE) : []) {
    const address = decode(value.slice(0, MAX_ATTRIBUTE))
    if (/[\t\n\r]|^["'] /.test(address))
      addHosts(
        `=${address
          .replace(/^["']/, '')
          .replaceAll(/[\t\n\r]/g, '')
          .trimStart()}`,
        hosts,
      )
  }
  const domains = new Set<string>()
  for (const authority of hosts) {
    for (const host of getReadings(authority)) {
      const domain = normalizeDomain(host)
      for (
        let rest = domain ?? '';
        rest !== '' && !domains.has(rest);
        rest = rest.includes('.') ? rest.slice(rest.indexOf('.') + 1) : ''
      ) {
        domains.add(rest)
      }
    }
  }
  return [...domains]
}
