import { decodeHTML } from 'entities/decode'
import { tooManyLinks } from '../errors.ts'
import { CR, LF } from '../shared/lines.ts'
import { leaveOut, rewriteSlices } from '../shared/rewrite.ts'

/** RFC 1035 §2.3.4 sets these limits. */
const MAX_DOMAIN_CHARACTERS = 253
const MAX_LABEL_CHARACTERS = 63

/** How many characters become one when a name is normalized, at the most. Each may have two UTF-16 units. */
const MAX_CHARACTERS_FOR_ONE = 4
const MAX_NAME_UNITS = 2 * MAX_CHARACTERS_FOR_ONE * MAX_DOMAIN_CHARACTERS
/** More marks than a label can have. Sorting them takes a time that grows with the square of their number. */
const TOO_MANY_MARKS = new RegExp(
  `(?<!\\p{M})\\p{M}{${MAX_CHARACTERS_FOR_ONE * MAX_LABEL_CHARACTERS + 1}}`,
  'u',
)

/** Characters that browsers leave out of a name. Joiners aren't among them: in some scripts, they make another word. */
const IGNORED = /(?![\u200C\u200D])\p{Default_Ignorable_Code_Point}/gu
/** URL Standard, "forbidden domain code point". Without slashes, they would start a port, a path or another part. */
const FORBIDDEN = /[\0-\x20#%/:<>?@[\\\]^|\x7F\uFFFD]/

/** A name that the URL parser leaves as it is, except for capital letters, or refuses because its punycode is wrong. */
const PLAIN_NAME = /^(?:[a-z\d_-]{1,63}\.)*(?!\d+$|0x)[a-z\d_-]{1,63}$/i
const PLAIN_ADDRESS = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/
const DECIMAL = /^[1-9]\d{0,8}$/
/** A name that the URL parser reads as an IPv4 address. */
const ADDRESS = /(?:^|\.)(?:\d+|0x[\da-f]*)$/i

/** Normalizes most names and addresses without the URL parser, which takes several times as long. */
function normalizePlain(host: string): string | null {
  if (host.length <= MAX_DOMAIN_CHARACTERS && PLAIN_NAME.test(host)) return host.toLowerCase()
  if (PLAIN_ADDRESS.test(host)) return host
  if (!DECIMAL.test(host)) return null
  const address = Number(host)
  return `${address >> 24}.${(address >> 16) & 255}.${(address >> 8) & 255}.${address & 255}`
}

/**
 * What no host has: a label that is too long, even if it starts within percent encoding, a percent sign that the URL parser
 * would leave, or a byte that UTF-8 lacks.
 */
const BROKEN_HOST = /(?<![\w-])[\w-]{66}|%(?![\da-f]{2})|%(?:c[01]|f[5-f])/i

/** Decodes percent encoding as browsers do: bytes that aren't UTF-8 become U+FFFD. */
const decodePercent = (text: string): string =>
  new URLSearchParams(`=${text.replaceAll('+', '%2B')}`).get('') ?? ''

/** Tells whether a name is longer than one that a name server could have been asked for. */
const isTooLong = (name: string): boolean =>
  name.length > MAX_LABEL_CHARACTERS &&
  ([...name].length > MAX_DOMAIN_CHARACTERS ||
    name.split(/[.。]/).some((label) => [...label].length > MAX_LABEL_CHARACTERS))

function trimEnd(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}

/** A label in punycode has only ASCII. */
const BROKEN_PUNYCODE = /(?:^|[.。])xn--[^.。]*[^\0-\x7F。]/

/**
 * Writes a domain in the form in which domains are compared: lower case, punycode, no dot at the end. The URL parser takes a
 * time that grows with the square of a label, so it gets only what may be a name.
 */
export function normalizeDomain(host: string): string | null {
  const decoded = host.includes('%') ? decodePercent(host) : host
  const name = trimEnd(decoded.replaceAll(IGNORED, ''), '.')
  if (name === '' || name.length > MAX_NAME_UNITS || FORBIDDEN.test(name) || TOO_MANY_MARKS.test(name))
    return null
  const normalized = name.toLowerCase().normalize('NFKC')
  if (BROKEN_PUNYCODE.test(normalized) || isTooLong(normalized)) return null
  const domain = trimEnd(URL.parse(`http://${name}`)?.hostname ?? '', '.')
  return domain === '' || isTooLong(domain) ? null : domain
}

const QUOTES = /&(?:quot;?|apos;|#0*3[49](?!\d);?|#x0*2[27](?![\da-f]);?)/gi

/** Quotes become commas: they would seem to end the value of an attribute. Each slice ends where a reference may start. */
const decodeReferences = (text: string): string =>
  rewriteSlices(
    text,
    (from) => text.indexOf('&', from),
    (slice) => decodeHTML(slice.replaceAll(QUOTES, ',')),
  )

const SLASH = 0x2f
const COLON = 0x3a
const BACKSLASH = 0x5c
const TAB = 0x09
const VERTICAL_TAB = 0x0b
const SPACE = 0x20
const HASH = 0x23
const GREATER_THAN = 0x3e
const QUESTION_MARK = 0x3f

const isLineBreak = (byte: number): boolean => byte === LF || byte === CR

/** Is true for punctuation of ASCII. */
const isPunctuation = (byte: number): boolean =>
  (byte >= 0x21 && byte <= 0x2f) ||
  (byte >= 0x3a && byte <= 0x40) ||
  (byte >= 0x5b && byte <= 0x60) ||
  (byte >= 0x7b && byte <= 0x7e)

/** Removes the backslashes of escaped characters (CommonMark §2.4). */
function withoutEscapes(text: string): string {
  let isEscaped = false
  return leaveOut(text, (byte, next) => {
    isEscaped = !isEscaped && byte === BACKSLASH && next !== undefined && isPunctuation(next)
    return isEscaped
  })
}

const joinLines = (text: string): string => leaveOut(text, (byte) => byte === TAB || isLineBreak(byte))

/**
 * Joins lines as `joinLines` does, and also removes the marks of a quote that follow a line break, and the spaces
 * around them.
 */
function joinQuotedLines(text: string): string {
  let follows = false
  return leaveOut(text, (byte) => {
    follows = isLineBreak(byte) || (follows && (byte === TAB || byte === SPACE || byte === GREATER_THAN))
    return follows || byte === TAB
  })
}

interface Reading {
  readonly text: string
  /** The lines are joined, as in the value of an attribute. So links count only at the start of one. */
  readonly isJoined: boolean
}

/**
 * The text as Markdown and HTML may read it. Browsers ignore tabs and line breaks in an address, and Markdown leaves out what
 * stands before the lines of quotes and lists.
 */
function* getReadings(text: string): Generator<Reading> {
  yield { text, isJoined: false }
  const decoded = decodeReferences(text)
  if (decoded !== text) yield { text: decoded, isJoined: false }
  const unescaped = decoded.includes('\\') ? withoutEscapes(decoded) : decoded
  if (unescaped !== decoded) yield { text: unescaped, isJoined: false }
  if (!decoded.includes('<')) return
  const joined = joinLines(decoded)
  if (joined === decoded) return
  yield { text: joined, isJoined: true }
  yield { text: joinQuotedLines(decoded), isJoined: true }
}

function skipBack(text: string, end: number, characters: string): number {
  let at = end
  while (at > 0 && characters.includes(text.charAt(at - 1))) at -= 1
  return at
}

/** Tells whether links are written at this place. A link without a scheme counts only there, not in a comment or a path. */
function isDestination(text: string, at: number): boolean {
  const end = skipBack(text, at, ' \t\n\r>')
  return (end > 0 && '(<"\'='.includes(text.charAt(end - 1))) || text.endsWith(']:', end)
}

function startsValue(text: string, at: number): boolean {
  const quote = skipBack(text, at, ' ') - 1
  return /["']/.test(text.charAt(quote)) && text.charAt(skipBack(text, quote, ' \f') - 1) === '='
}

/** Markdown reads a letter after a backslash by itself, so a link may follow it. */
const isPartOfWord = (text: string, at: number): boolean =>
  /(?<!\\)[\p{L}\p{N}]$/u.test(text.slice(Math.max(0, at - 3), at))

type Visit = (found: string) => boolean

/** Browsers take either for a slash. */
const isSlash = (code: number): boolean => code === SLASH || code === BACKSLASH

/** Tells whether a character ends an authority: a slash, `?`, `#`, or white space as in HTML, which has no vertical tab. */
const endsAuthority = (code: number): boolean =>
  code <= BACKSLASH &&
  (isSlash(code) ||
    code === QUESTION_MARK ||
    code === HASH ||
    code === SPACE ||
    (code >= TAB && code <= CR && code !== VERTICAL_TAB))

/** Returns where the `http:` or `https:` starts that ends here, or -1. */
function findScheme(text: string, end: number): number {
  if (text.charCodeAt(end - 1) !== COLON) return -1
  const nameEnd = 'sS'.includes(text.charAt(end - 2)) ? end - 2 : end - 1
  const from = nameEnd - 'http'.length
  if (from < 0) return -1
  return text.startsWith('http', from) || text.slice(from, nameEnd).toLowerCase() === 'http' ? from : -1
}

/**
 * Looks at each run of slashes once, and goes on after the authority: no slash is in it, and a scheme is found from the
 * slashes after it. Loops, because expressions take several times as long for millions of short authorities, and too much
 * memory for one of 10 MB.
 */
function someAuthorityAfterSlashes({ text, isJoined }: Reading, visit: Visit): boolean {
  for (let start = 0; start < text.length; start++) {
    if (!isSlash(text.charCodeAt(start))) continue
    let from = start + 1
    while (isSlash(text.charCodeAt(from))) from += 1
    const scheme = findScheme(text, start)
    const isLink = isJoined
      ? (scheme !== -1 && startsValue(text, scheme)) || (from > start + 1 && startsValue(text, start))
      : scheme !== -1 || (from > start + 1 && isDestination(text, start))
    let to = from
    while (to < text.length && !endsAuthority(text.charCodeAt(to))) to += 1
    if (isLink && to > from && visit(text.slice(from, to))) return true
    start = to - 1
  }
  return false
}

const WWW = /www\./gi
const WWW_END = /(?![-_.%])[\p{P}\p{Z}\p{Cc}<>｜]/gu

function someAuthorityOfWww({ text, isJoined }: Reading, visit: Visit): boolean {
  WWW.lastIndex = 0
  let to = -1
  while (WWW.test(text)) {
    const from = WWW.lastIndex
    const start = from - 'www.'.length
    if (isJoined && !startsValue(text, start)) continue
    if (to < from) {
      WWW_END.lastIndex = from
      to = WWW_END.exec(text)?.index ?? text.length
    }
    // Within a word, Markdown makes a link only of what a colon follows, as in `awww.xhttps://`.
    if (!isJoined && text[to] !== ':' && isPartOfWord(text, start)) continue
    WWW.lastIndex = to
    if (to > from && visit(`www.${text.slice(from, to)}`)) return true
  }
  return false
}

/** Stops when `visit` returns true, and returns that. */
const someAuthority = (reading: Reading, visit: Visit): boolean =>
  someAuthorityAfterSlashes(reading, visit) || someAuthorityOfWww(reading, visit)

/** Characters of which most hosts have none, so that the link can't end within them. */
const MAY_END = /[^\p{L}\p{M}\p{Nd}.-]|\.(?:\.|$)/u
/** Markdown ends a link where no label can follow. An address in HTML has the whole host. */
const NO_LABEL = /\.[._]/
/** Ends the host before its port, and before what no host may contain. */
const HOST_END = /[:<>[\]^|\p{Z}\p{Cc}]/u
/** Hosts may contain these, too, but the link may also end before any of them. */
const SEPARATORS = '"\'(){}`*~,;!$&+=“”‘’、，）】」』'
const PIECE = new RegExp(`[^${SEPARATORS}]+`, 'g')
/** The first one of other punctuation may end the link. */
const PUNCTUATION = /(?![-_.])[\p{P}｜]/u

const cut = (text: string, end: number): string => (end === -1 ? text : text.slice(0, end))

/** A label whose end is certain, since no letter becomes a dot. */
const LABEL = /^[\p{L}\p{M}\p{Nd}_-]{0,253}(?:[.。．｡]|$)/u

/** A dot, in any script or in percent encoding. */
const MAY_HAVE_DOT = /[.%]|[^\0-\x7F]/

const DOT = 0x2e
const HYPHEN = 0x2d

const isLetterOrDigit = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)

/**
 * Returns where the ASCII name at the start of the text ends. Most hosts are one, and the expressions take several
 * times as long.
 */
function findPlainEnd(text: string): number {
  let end = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isLetterOrDigit(code) || code === HYPHEN) end = at + 1
    else if (code !== DOT || end !== at) break
  }
  return end
}

/**
 * Visits each host that the segment may start with, wherever the link may end. After the first piece, a label has a
 * comma or the like, so only those after it can be a domain.
 */
function someHostInSegment(segment: string, visit: Visit): boolean {
  const plain = findPlainEnd(segment)
  const next = segment.charAt(plain)
  // At the end of the segment, the next character is empty, which each text includes.
  const isPiece = plain > 0 && (next === ':' || SEPARATORS.includes(next))
  if (isPiece) {
    if (visit(segment.slice(0, plain))) return true
    // Nothing follows that could be another host.
    if (next === ':' || !MAY_HAVE_DOT.test(segment.slice(plain))) return false
  } else if (!MAY_END.test(segment)) return segment !== '' && visit(segment)
  const host = cut(segment, segment.search(HOST_END))
  PIECE.lastIndex = isPiece ? plain : 0
  for (let match = PIECE.exec(host), isFirst = !isPiece; match; match = PIECE.exec(host), isFirst = false) {
    const [whole] = match
    const piece = isFirst ? whole : whole.replace(LABEL, '')
    if (piece === '') continue
    const before = piece === whole && !isFirst ? ',' : ''
    if (visit(before + trimEnd(piece, '_.'))) return true
    if (!MAY_END.test(piece)) continue
    const end = piece.search(PUNCTUATION)
    if (end > 0 && visit(before + trimEnd(piece.slice(0, end), '_.'))) return true
    const last = piece.search(NO_LABEL)
    if (last !== -1 && visit(before + piece.slice(0, last))) return true
  }
  return false
}

/** The host starts the authority, or follows an `@`, of which any may be the last one. */
function someHost(authority: string, visit: Visit): boolean {
  for (let from = 0; from < authority.length; ) {
    const at = authority.indexOf('@', from)
    const end = at === -1 ? authority.length : at
    if (end > from && someHostInSegment(trimEnd(authority.slice(from, end), '.'), visit)) return true
    from = end + 1
  }
  return false
}

/**
 * How many characters the different hosts of a text may have that have to be parsed. Each counts as 20 more, for parsing the
 * longest ones takes 40 times as long as the shortest.
 */
const MAX_PARSED_CHARACTERS = 200_000
const EXTRA_CHARACTERS = 20
/** How many hosts a text may have, counted in each reading: one for 26 bytes of 10 MiB in five readings. */
const MAX_HOSTS = 2_000_000

/**
 * Finds links as Markdown and HTML write them, so that none is hidden by a character reference, an escape or a line
 * break. It may find too many.
 *
 * @throws AppError `bad_request` if the text has too many hosts, or too many that have to be parsed.
 */
function someLinkHost(text: string, visit: Visit): boolean {
  const seen = new Set<string>()
  let left = MAX_PARSED_CHARACTERS
  let hosts = 0
  const visitOnce = (host: string): boolean => {
    hosts += 1
    if (hosts > MAX_HOSTS) throw tooManyLinks()
    const plain = normalizePlain(host)
    if (plain !== null) return visit(plain)
    if (BROKEN_HOST.test(host) || seen.has(host)) return false
    left -= EXTRA_CHARACTERS + Math.min(host.length, MAX_NAME_UNITS)
    if (left < 0) throw tooManyLinks()
    seen.add(host)
    const domain = normalizeDomain(host)
    return domain !== null && visit(domain)
  }
  for (const reading of getReadings(text)) {
    if (someAuthority(reading, (authority) => someHost(authority, visitOnce))) return true
  }
  return false
}

/** Lists a host and the domains above it: for `a.example.org` these are `a.example.org`, `example.org` and `org`. An address belongs to none. */
function someParent(domain: string, visit: Visit): boolean {
  if (domain.charAt(domain.length - 1) <= '9' && ADDRESS.test(domain)) return visit(domain)
  for (let from = 0; ; ) {
    if (visit(domain.slice(from))) return true
    const dot = domain.indexOf('.', from)
    if (dot === -1) return false
    from = dot + 1
  }
}

/**
 * Returns the domains that the links of a text lead to, and those that they belong to; null if there are more than `max`.
 *
 * @throws AppError `bad_request` if the text has too many links to check them all.
 */
export function findLinkDomains(text: string, max: number): readonly string[] | null {
  const domains = new Set<string>()
  const hasMore = someLinkHost(
    text,
    (host) => !domains.has(host) && someParent(host, (domain) => domains.add(domain).size > max),
  )
  return hasMore ? null : [...domains]
}

/**
 * Returns true if a link of the text leads to one of these domains or to a subdomain.
 *
 * @throws AppError `bad_request` if the text has too many links to check them all.
 */
export function linksToAny(text: string, domains: ReadonlySet<string>): boolean {
  const longest = Math.max(...[...domains].map(({ length }) => length))
  return someLinkHost(text, (host) =>
    someParent(host, (domain) => domain.length <= longest && domains.has(domain)),
  )
}
