const isDigit = (code: number): boolean => code >= 48 && code <= 57

const isLetter = (code: number): boolean => (code >= 65 && code <= 90) || (code >= 97 && code <= 122)

const isWord = (code: number): boolean => isDigit(code) || isLetter(code) || code === 95

interface Range {
  readonly from: number
  readonly to: number
}

const IPV4 = /(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})/y

/** Resolvers and the like, which belong to nobody. */
const WELL_KNOWN = new Set([
  '8.8.8.8',
  '8.8.4.4',
  '1.1.1.1',
  '1.0.0.1',
  '9.9.9.9',
  '208.67.222.222',
  '208.67.220.220',
])

/** RFC 6890 lists what isn't public. */
function isPublicIpv4([a = 0, b = 0, c = 0, d = 0]: readonly number[]): boolean {
  if (a === 0 || a === 10 || a === 127 || a >= 224) return false
  if (a === 100 && b >= 64 && b < 128) return false
  if (a === 169 && b === 254) return false
  if (a === 172 && b >= 16 && b < 32) return false
  if (a === 192 && (b === 168 || (b === 0 && (c === 0 || c === 2)) || (b === 88 && c === 99))) return false
  if (a === 198 && (b === 18 || b === 19 || (b === 51 && c === 100))) return false
  if (a === 203 && b === 0 && c === 113) return false
  // Objects of certificates (2.5.29.15, 2.5.4.3) and versions, rather than addresses.
  if (a === 2 && b === 5) return false
  return !(c === 0 && d === 0) && Math.max(a, b, c, d) > 9
}

const VERSION =
  /(?:\b(?:ver|rev)\.?|version|release|driver|firmware|build|revision|upgrade|assembly|§)[ \t=:"'(>]{0,4}(?:from |to )?$|\blib(?!rar)[\w+-]{2,16} $/i

/** @param at a digit that no word character precedes. */
export function findIpv4(text: string, at: number): Range | null {
  // Most numbers aren't followed by a dot: this is many times faster than the expression.
  if (text.charCodeAt(at + 1) !== 46 && text.charCodeAt(at + 2) !== 46 && text.charCodeAt(at + 3) !== 46)
    return null
  IPV4.lastIndex = at
  const match = IPV4.exec(text)
  if (match === null) return null
  const to = IPV4.lastIndex
  const [before, next, later] = [text.charCodeAt(at - 1), text.charCodeAt(to), text.charCodeAt(to + 1)]
  // A longer number, as of an object (1.3.6.1.4.1), or a version (5.15.0.91-generic, Chrome/142.0.7444.60).
  if (isWord(next) || (next === 46 && isDigit(later)) || (next === 45 && isLetter(later))) return null
  if (before === 46 || (before === 47 && text.charCodeAt(at - 2) !== 47)) return null
  const octets = match.slice(1)
  if (octets.some((octet) => Number(octet) > 255 || (octet.length > 1 && octet.startsWith('0')))) return null
  if (!isPublicIpv4(octets.map(Number)) || WELL_KNOWN.has(match[0])) return null
  return VERSION.test(text.slice(Math.max(0, at - 24), at)) ? null : { from: at, to }
}

const IPV6 = /[23][0-9a-fA-F]{3}:[0-9a-fA-F:]{2,40}/y
const GROUP = /^[0-9a-fA-F]{1,4}$/
const DOCUMENTATION = /^(?:2001:0?db8|3fff:)/i

/** Finds an address of the Internet (2000::/3) that starts with four hexadecimal digits. */
export function findIpv6(text: string, at: number): Range | null {
  // It would be looked at again from each of its groups.
  if (text.charCodeAt(at - 1) === 58 && isWord(text.charCodeAt(at - 2))) return null
  IPV6.lastIndex = at
  if (!IPV6.test(text)) return null
  // What follows an address, such as the colon of "from 2a01:4f8::2: timeout", isn't part of it.
  const to =
    text[IPV6.lastIndex - 1] === ':' && text[IPV6.lastIndex - 2] !== ':' ? IPV6.lastIndex - 1 : IPV6.lastIndex
  if (isWord(text.charCodeAt(to))) return null
  const address = text.slice(at, to)
  const halves = address.split('::')
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')))
  if (halves.length > 2 || !groups.every((group) => GROUP.test(group))) return null
  if (halves.length === 2 ? groups.length > 7 || groups.length < 2 : groups.length !== 8) return null
  return DOCUMENTATION.test(address) ? null : { from: at, to }
}

const MAC = /[0-9a-fA-F]{2}([:-])[0-9a-fA-F]{2}(?:\1[0-9a-fA-F]{2}){4}/y
const SHARED_MAC = /^(?:00[:-]){3}|^ff[:-]ff|^33[:-]33|^01[:-]00[:-]5e|^00[:-]00[:-]5e|^aa([:-])bb\1cc/i

export function findMac(text: string, at: number): Range | null {
  MAC.lastIndex = at
  const match = MAC.exec(text)
  if (match === null) return null
  const to = MAC.lastIndex
  const [separator, next] = [match[1], text[to]]
  // A longer row of bytes is a fingerprint.
  if (isWord(text.charCodeAt(to)) || next === separator || text[at - 1] === separator) return null
  // Without letters, it is rather a date, a ratio or the like.
  if (!/[a-f]/i.test(match[0])) return null
  return SHARED_MAC.test(match[0]) ? null : { from: at, to }
}

const MAX_LOCAL = 64
const DOMAIN = /(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}/y

/** Ends of host names that nobody has, and of files and units that look like one. */
const NO_DOMAIN =
  /(?:^|\.)(?:example|test|invalid|localhost|local|internal|lan|home|png|jpe?g|gif|svg|webp|avif|ico|css|scss|less|m?js|cjs|jsx|tsx?|json|html?|xml|ya?ml|txt|lock|log|service|socket|target|mount|device|timer|slice|scope|path|swap|so|dll|exe|java|class|kt|go|py|rb|php|cs|cpp|hpp)$|(?:^|\.)example\.(?:com|org|net|edu)$|(?:^|\.)users\.noreply\.github\.com$/i
const NOBODY = /^(?:git|no-?reply|do-?not-?reply|mailer-daemon|postmaster|hg|svn)$/i

const isLocal = (code: number): boolean =>
  isWord(code) || code === 46 || code === 43 || code === 45 || code === 37

/** @param at the place of an `@`. */
export function findEmail(text: string, at: number, least: number): Range | null {
  let from = at
  while (from > least && at - from <= MAX_LOCAL && isLocal(text.charCodeAt(from - 1))) from--
  while (from < at && !isWord(text.charCodeAt(from))) from++
  if (from === at || at - from > MAX_LOCAL) return null
  // The name in an address such as ssh://git@host, or of a package such as /pkg@1.2.
  if (text.charCodeAt(from - 1) === 47) return null
  DOMAIN.lastIndex = at + 1
  if (!DOMAIN.test(text)) return null
  const to = DOMAIN.lastIndex
  const next = text.charCodeAt(to)
  if (isWord(next) || next === 64 || (next === 46 && isWord(text.charCodeAt(to + 1))) || next === 40)
    return null
  if (NO_DOMAIN.test(text.slice(at + 1, to)) || NOBODY.test(text.slice(from, at))) return null
  return { from, to }
}

const HOME =
  /(?:\/home\/|\/Users\/|[A-Za-z]:\\{1,2}(?:Users|Documents and Settings)\\{1,2}|[A-Za-z]:\/Users\/)/y
const USER = /[\w.-]{1,64}/y
/** Accounts of machines and documentation. */
const NO_USER =
  /^(?:user\d?|username|users|ubuntu|debian|centos|fedora|admin|administrator|root|runner|runneradmin|node|app|git|www|www-data|web|deploy|deployer|build|builder|buildkite|circleci|jenkins|travis|gitpod|vscode|codespace|coder|vagrant|docker|container|ec2-user|azureuser|opc|pi|linuxbrew|jovyan|postgres|oracle|public|shared|default|all|guest|test|tester|example|me|you|name|yourname|your-name|your-user|someone|somebody|nobody|foo|bar|dev|developer|demo|sandbox|worker|service|\.+|.*\.(?:html?|php|aspx?|js|css))$/i

/** @param at the first character of a path. Only the name of the user is found. */
export function findUser(text: string, at: number): Range | null {
  HOME.lastIndex = at
  if (!HOME.test(text)) return null
  const isWindows = text[at] !== '/'
  const before = text.charCodeAt(at - 1)
  // Elsewhere, the path belongs to a site: https://acme.com/home/about, href="/home/about".
  if (!isWindows && (isWord(before) || before === 46 || before === 45)) return null
  const from = HOME.lastIndex
  USER.lastIndex = from
  if (!USER.test(text)) return null
  const to = USER.lastIndex
  const next = text[to]
  const name = text.slice(from, to)
  if (NO_USER.test(name) || !/[A-Za-z]/.test(name)) return null
  if (isWindows) return next === '\\' || next === '/' || next === '>' ? { from, to } : null
  const isHome =
    next === '/'
      ? !/(?:href|src|action|to|url|path|route)=["'{]?$|(?:GET|POST|PUT|PATCH|DELETE|HEAD) $/i.test(
          text.slice(Math.max(0, at - 10), at),
        )
      : next === ':' || /HOME=$/.test(text.slice(Math.max(0, at - 5), at))
  return isHome ? { from, to } : null
}

/** Country codes of two digits (ITU-T E.164). Others have three, but for +1 and +7. */
const TWO_DIGITS = new Set(
  '20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 81 82 84 86 90 91 92 93 94 95 98'.split(
    ' ',
  ),
)
const THREE_DIGITS =
  /^(?:21[1-368]|2[2-4]\d|25[0-8]|26\d|29[0178]|35\d|37\d|38[0-35-79]|42[013]|50\d|59\d|67\d|68\d|69[0-2]|85[02356]|88[06]|96[0-8]|97[0-79]|99[2-8])/
const PHONE = /\+[1-9]\d{0,2}(?:[ .-]?(?:\(\d{1,4}\)|\d{1,12})){1,7}/y
const NORTH_AMERICAN = /^1[2-9]\d{2}[2-9]\d{6}$/

/** @param at the place of a plus. */
export function findPhone(text: string, at: number): Range | null {
  if (at > 0 && !/[\s:"'(,;>=[|]/.test(text[at - 1] ?? '')) return null
  PHONE.lastIndex = at
  const match = PHONE.exec(text)
  if (match === null) return null
  const to = PHONE.lastIndex
  const digits = match[0].replace(/\D/g, '')
  if (digits.length < 8 || digits.length > 15 || isWord(text.charCodeAt(to))) return null
  const hasGroups = /[ ().-]/.test(match[0])
  const startsLine = at === 0 || text[at - 1] === '\n'
  // A line that a diff adds.
  if (startsLine && !hasGroups) return null
  if (digits.startsWith('1'))
    return NORTH_AMERICAN.test(digits) && !/^1\d{3}55501/.test(digits) ? { from: at, to } : null
  const isKnown = digits.startsWith('7')
    ? digits.length === 11
    : TWO_DIGITS.has(digits.slice(0, 2)) || THREE_DIGITS.test(digits)
  return isKnown && digits.length >= 10 ? { from: at, to } : null
}

const CARD = /\d{13,19}|\d{4}([ -])\d{4}\1\d{4}\1\d{4}|\d{4}([ -])\d{6}\2\d{5}/y
/** Networks by the first digits, and how many digits their numbers have. */
const NETWORK =
  /^(?:4(?:\d{12}|\d{15}|\d{18})|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|6(?:011|5\d\d|4[4-9]\d)\d{12}|35(?:2[89]|[3-8]\d)\d{12})$/
/** Numbers that payment providers publish for tests. */
const TEST_CARDS = new Set(
  '378282246310005 371449635398431 378734493671000 5105105105105100 5200828282828210 5555555555554444 6011000990139424 3056930009020004 30569309025904 38520000023237 3566002020360505 4012888888881881 4000056655665556 2223003122003222 4917610000000000'.split(
    ' ',
  ),
)
const CARD_WORDS = /card|visa|master|amex|payment|\bpan\b|\bcc\b|credit|kreditkarte|karte/i

function hasLuhnDigit(digits: string): boolean {
  let sum = 0
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index])
    const doubled = index % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

const LOOKED_BACK = 60

/** @param at a digit that no word character precedes. */
export function findCard(text: string, at: number): Range | null {
  if (!isDigit(text.charCodeAt(at + 3)) || !isDigit(text.charCodeAt(at + 2))) return null
  CARD.lastIndex = at
  const match = CARD.exec(text)
  if (match === null) return null
  const to = CARD.lastIndex
  const [before, next] = [text[at - 1] ?? '', text[to] ?? '']
  if (/[\w.+/#-]/.test(before) || /[\w-]/.test(next) || (next === '.' && isDigit(text.charCodeAt(to + 1))))
    return null
  const digits = match[0].replace(/\D/g, '')
  if (!NETWORK.test(digits) || !hasLuhnDigit(digits) || TEST_CARDS.has(digits) || new Set(digits).size < 5)
    return null
  const lookedAt = text.slice(Math.max(0, at - LOOKED_BACK), at)
  const context = lookedAt.slice(lookedAt.lastIndexOf('\n') + 1)
  const startsLine = context === '' && (at === 0 || before === '\n')
  // Many numbers without groups are ids: one in ten has the right last digit.
  const isNamed =
    match[0] !== digits ||
    CARD_WORDS.test(context) ||
    (startsLine && (next === '' || next === '\n' || next === '\r'))
  return isNamed ? { from: at, to } : null
}
