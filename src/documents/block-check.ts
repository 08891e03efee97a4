import { type AppError, blockedAddress, blockedContent, blockedDomain } from '../errors.ts'
import type { Statement } from '../shared/statement.ts'
import type { BlockCheck } from './document.ts'

/** Checking in the transaction, which then fails, costs no round trip, and blocks take effect at once. */
export const blockCheckStatements = ({ address, contentHash, domains }: BlockCheck): Statement[] =>
  address === null && contentHash === null
    ? []
    : [
        [
          'INSERT INTO block_checks (address, content_hash, domains) VALUES (?1, ?2, ?3)',
          address,
          contentHash,
          JSON.stringify(domains),
        ],
      ]

/** By the messages of the trigger `block_checks_refuse`. */
const ERRORS: Readonly<Record<string, (cause: unknown) => AppError>> = {
  'blocked address': blockedAddress,
  'blocked content': blockedContent,
  'blocked domain': blockedDomain,
}

export function throwBlockError(error: unknown): never {
  const [found = ''] =
    error instanceof Error ? (/blocked (?:address|content|domain)/.exec(error.message) ?? []) : []
  throw ERRORS[found]?.(error) ?? error
}

/** More than any honest text has. The first ones count. */
const MAX_HOSTS = 5_000
/** RFC 1035 §2.3.4. */
const MAX_DOMAIN_CHARACTERS = 253

/** Several expressions that start with a letter or a slash are 20 times faster than one. */
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
const MAX_ATTRIBUTE = 4_000
const REFERENCE =
  /&(?:#x([\da-f]{1,6});?|#(\d{1,7});?|([a-z][a-z\d]{1,31});|([a-z]+(?:uml|acute|grave|circ|tilde|ring|cedil)|shy))/gi
/** Characters that addresses contain, or that the URL parser turns into such or ignores. HTML's table has 16 KiB after gzip. */
const NAMED: ReadonlyMap<string, string> = new Map(
  `colon : sol / bsol \\ period . commat @ num # quest ? percnt % lowbar _ UnderBar _ shy \u00ad
  ZeroWidthSpace \u200b NoBreak \u2060 ee e ExponentialE e exponentiale e ii i ImaginaryI i dd d DifferentialD d DD d
  CapitalDifferentialD d ell l order o orderof o hamilt h HilbertSpace h quaternions h planckh h Fouriertrf f bernou b
  Bernoullis b imagline i imagpart i image i Im i lagran l Laplacetrf l phmmat m Mellintrf m real r realpart r Re r realine r
  reals r complexes c Cayleys c naturals n primes p rationals q integers z zeetrf z fflig ff ffilig ffi ffllig ffl filig fi
  fllig fl fjlig fj ordf a ordm o sup1 1 sup2 2 sup3 3 trade tm szlig ß aelig æ AElig æ oelig œ eth ð ETH ð thorn þ THORN þ
  oslash ø Oslash ø imath ı inodot ı lstrok ł Lstrok ł dstrok đ Dstrok đ`
    .trim()
    .split(/\s+/)
    .flatMap((name, index, all) => (index % 2 === 0 ? [[name, all[index + 1] ?? ''] as const] : [])),
)
  .set('Tab', '\t')
  .set('NewLine', '\n')
const MARKS: Readonly<Record<string, string>> = {
  uml: '\u0308',
  acute: '\u0301',
  grave: '\u0300',
  circ: '\u0302',
  tilde: '\u0303',
  ring: '\u030a',
  cedil: '\u0327',
  caron: '\u030c',
  ogon: '\u0328',
  macr: '\u0304',
  breve: '\u0306',
}

function decodeName(name: string): string | null {
  const known = NAMED.get(name)
  if (known !== undefined) return known
  const [, letter = '', style = ''] = /^([a-z])([a-z]+)$/i.exec(name) ?? []
  if (style === 'fr' || style === 'opf' || style === 'scr') return letter
  const mark = MARKS[style]
  return mark === undefined ? null : `${letter}${mark}`.normalize()
}

const decodeReferences = (text: string): string =>
  text.replaceAll(REFERENCE, (reference, hex?: string, decimal?: string, name?: string, old?: string) => {
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal ?? Number.NaN)
    if (code > 0 && code <= 0x10ffff) return String.fromCodePoint(code)
    return decodeName(name ?? old ?? '') ?? reference
  })

/** CommonMark §2.4. */
const ESCAPE = /\\([!-/:-@[-`{-~])/g

function trimEnd(text: string, character: string): string {
  let end = text.length
  while (text[end - 1] === character) end -= 1
  return text.slice(0, end)
}

/** As domains are compared: lower case, punycode, without a dot at the end. */
export function normalizeDomain(host: string): string | null {
  try {
    const { hostname } = new URL(`http://${host}`)
    const domain = trimEnd(hostname, '.')
    return domain === '' || domain.length > MAX_DOMAIN_CHARACTERS || domain.startsWith('[') ? null : domain
  } catch {
    return null
  }
}

/** From the longest reading to the shortest: `user@host:port` first. */
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
 * For `https://a.example.org/x` these are `a.example.org`, `example.org` and `org`. Reads links as Markdown and HTML
 * write them, so that none is hidden by a character reference, an escape or a line break. It may find too many.
 */
export function findLinkDomains(text: string): readonly string[] {
  const hosts = new Set<string>()
  const decoded = decodeReferences(text)
  addHosts(text, hosts)
  if (decoded !== text) addHosts(decoded, hosts)
  if (decoded.includes('\\')) addHosts(decoded.replaceAll(ESCAPE, '$1'), hosts)
  for (const [, value = ''] of text.includes('<') ? text.matchAll(ATTRIBUTE_VALUE) : []) {
    const address = decodeReferences(value.slice(0, MAX_ATTRIBUTE))
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
