import { escapeVerbatim } from './escape.ts'

/** An address in a text: where it stands, in UTF-16 units, and what it leads to. */
type TextLink = NonNullable<ReturnType<typeof toLink>>

/** UTF-16 units. Longer addresses aren't links. */
const MAX_ADDRESS = 2_048

/** RFC 1035 §2.3.4, and a dot at the end. */
const MAX_HOST = 254

// biome-ignore lint/suspicious/noControlCharactersInRegex: controls end an address.
const CANDIDATE = /(?:https?:\/\/|mailto:)[^\s<>"`|\\^\0-\x1F\x7F-\x9F]+/gi

/** A character that makes an address after it only a part of one, such as `git+https://…`. */
const PART_OF_MORE = /[\p{L}\p{N}_+.-]/u

/** Characters that are invisible, or that change the order in which a line is read. */
const HIDDEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u
const BIDIRECTIONAL = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/

/** The end of an address in a list, in HTML, or in a language without spaces. */
const END = /[,;](?=https?:)|&(?:quot|apos|lt|gt|#\d+|#x[\da-f]+);|[、。，；：！？）」』】》〉”’»…]/i
/** Characters of an address as people write it. */
const UNUSUAL = /[^\x21-\x7E\p{L}\p{M}\p{N}]/u

const PUNCTUATION = ".,;:!?'*_~"
const BRACKETS: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' }

const ADDRESS_IN_BRACKETS = /^\[[\da-f:.]{2,45}\]$/i
const ASCII_LABEL = /^[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?$/i
/**
 * Labels of one script, without letters that look like others. Of Cyrillic and Greek, for example, many do, so a host
 * with some isn't linked.
 */
const LABEL =
  /^(?:[a-z\d\u00DF-\u00F6\u00F8-\u00FF-]{1,63}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30FC\d-]{1,63}|[\p{Script=Hangul}\d-]{1,63}|[\p{Script=Thai}\d-]{1,63}|[\p{Script=Devanagari}\d-]{1,63})$/iu
/** Browsers take these for dots. */
const OTHER_DOT = /^[^/?#]*[\u3002\uFF0E\uFF61][a-z\d]/i
const MAIL = /^mailto:[\w.+-]{1,64}@([a-z\d.-]{3,253})(?:\?[\w=&%.+-]*)?$/i

const isHonestLabel = (label: string): boolean =>
  ASCII_LABEL.test(label) || (/[^\0-\x7F]/.test(label) && LABEL.test(label))

/** Checks the length first: the URL parser takes a time that grows with the square of a label. */
const isHonestHost = (host: string): boolean =>
  ADDRESS_IN_BRACKETS.test(host) ||
  (host.length <= MAX_HOST && host.replace(/\.$/, '').split('.').every(isHonestLabel))

/** How many more of a bracket a text closes than it opens. */
function countUnopened(text: string, closing: string, opening: string): number {
  let count = 0
  for (const character of text) {
    if (character === closing) count += 1
    else if (character === opening) count -= 1
  }
  return count
}

/** Leaves what belongs to the sentence or the code around. */
function trimAddress(candidate: string, before: string): string {
  const quote = before === "'" ? candidate.indexOf("'") : -1
  const end = candidate.search(END)
  const ends = [quote, end].filter((at) => at !== -1)
  const address = candidate.slice(0, Math.min(candidate.length, ...ends))
  const unopened: Record<string, number> = {}
  for (const [closing, opening] of Object.entries(BRACKETS))
    unopened[closing] = countUnopened(address, closing, opening)
  let length = address.length
  for (; length > 0; length--) {
    const last = address.charAt(length - 1)
    const extra = unopened[last] ?? 0
    if (extra > 0) unopened[last] = extra - 1
    else if (!PUNCTUATION.includes(last)) break
  }
  return address.slice(0, length)
}

/** Parses once where it can: Chrome 123, Firefox 125 and Safari 17.5 have no `URL.parse`. An exception would take longer. */
function parseUrl(address: string): URL | null {
  if (typeof URL.parse === 'function') return URL.parse(address)
  return URL.canParse(address) ? new URL(address) : null
}

/** Returns null if it isn't one, or if it may not lead where it seems to. */
function toHref(address: string): string | null {
  const scheme = address.slice(0, address.indexOf(':')).toLowerCase()
  if (scheme === 'mailto') return MAIL.test(address) ? address : null
  // A template, such as `https://host/${id}`.
  if (/[{}]/.test(address)) return null
  const [authority = ''] = address.slice(scheme.length + 3).split(/[/?#]/, 1)
  // What stands before an @ looks like the host.
  const [, host = ''] = /^(\[[^\]]*\]|[^:@]*)(?::\d{1,5})?$/.exec(authority) ?? []
  return isHonestHost(host) ? (parseUrl(address)?.href ?? null) : null
}

function findLine(text: string, at: number) {
  const lineBreak = text.indexOf('\n', at)
  const end = lineBreak === -1 ? text.length : lineBreak
  return { end, isReordered: BIDIRECTIONAL.test(text.slice(text.lastIndexOf('\n', at) + 1, end)) }
}

function toLink(text: string, from: number, candidate: string) {
  const before = text.slice(Math.max(0, from - 1), from)
  if (PART_OF_MORE.test(before) || candidate.length > MAX_ADDRESS) return null
  const end = from + candidate.length
  if (HIDDEN.test(before + text.slice(from, end + 1))) return null
  const start = candidate.startsWith('//', candidate.indexOf(':') + 1) ? candidate.indexOf(':') + 3 : 0
  if (OTHER_DOT.test(candidate.slice(start))) return null
  const trimmed = trimAddress(candidate, before)
  const unusual = trimmed.search(UNUSUAL)
  const path = trimmed.slice(start).search(/[/?#]/)
  // After the host, another sign than a slash could look like one.
  if (unusual !== -1 && (path === -1 || unusual < start + path)) return null
  const address = unusual === -1 ? trimmed : trimAddress(trimmed.slice(0, unusual), before)
  const href = toHref(address)
  return href === null ? null : { from, to: from + address.length, href }
}

/** The `http`, `https` and `mailto` addresses of a text, except those that hidden or similar characters may disguise. */
export function findLinks(text: string): TextLink[] {
  const links: TextLink[] = []
  let line = { end: BIDIRECTIONAL.test(text) ? 0 : text.length, isReordered: false }
  CANDIDATE.lastIndex = 0
  for (let match = CANDIDATE.exec(text); match; match = CANDIDATE.exec(text)) {
    if (match.index >= line.end) line = findLine(text, match.index)
    const link = line.isReordered ? null : toLink(text, match.index, match[0])
    if (link) links.push(link)
    // After an address, another may follow a comma.
    if (line.isReordered || link) CANDIDATE.lastIndex = link?.to ?? line.end
  }
  return links
}

/** The rules are those of links in Markdown. */
export const LINK_REL = 'noopener nofollow ugc'

/** Returns the HTML of a text with its links. */
export function linkText(text: string): string {
  let html = ''
  let at = 0
  for (const { from, to, href } of findLinks(text)) {
    const address = escapeVerbatim(text.slice(from, to))
    html += `${escapeVerbatim(text.slice(at, from))}<a href="${escapeVerbatim(href)}" rel="${LINK_REL}">${address}</a>`
    at = to
  }
  return html + escapeVerbatim(text.slice(at))
}
