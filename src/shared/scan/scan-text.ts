import {
  createEndFinder,
  extend,
  findAssigned,
  findInElement,
  findInEscapedElement,
  findProviderKey,
  findSpaced,
  type Secret,
  startsCookies,
} from './assignments.ts'
import { findOption, findPassLine } from './commands.ts'
import { findCard, findEmail, findIpv4, findIpv6, findMac, findPhone, findUser } from './personal.ts'
import { HAS_DIGIT, isAddressPassword, isRandom } from './values.ts'

export type FindingType = 'key' | 'password' | 'email' | 'ip' | 'mac' | 'user' | 'phone' | 'card'

export interface Finding {
  readonly from: number
  readonly to: number
  readonly type: FindingType
  /** The provider of a key, such as AWS, if its shape says so. */
  readonly detail: string | null
}

export const isSecret = ({ type }: Pick<Finding, 'type'>): boolean => type === 'key' || type === 'password'

const personal = (type: FindingType, range: { from: number; to: number } | null): Finding | null =>
  range && { from: range.from, to: range.to, type, detail: null }

const isWordCode = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95

const isDigitCode = (code: number): boolean => code >= 48 && code <= 57

const isQuoteCode = (code: number): boolean => code === 34 || code === 39

const isHexCode = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 70) || (code >= 97 && code <= 102)

const MAX_USER_INFO = 300
/** A password may have an @ that should have been escaped. */
const USER_INFO = /[^\s"'<>`/?#]{0,300}@/y
const MAX_SCHEME = 20

/** Finds the password of an address: `at` is the colon of `scheme://user:password@host`. */
function findInAddress(text: string, at: number, least: number): Finding | null {
  if (text.charCodeAt(at + 1) !== 47 || text.charCodeAt(at + 2) !== 47) return null
  let scheme = at
  while (scheme > least && at - scheme < MAX_SCHEME && /[a-z0-9+.-]/i.test(text[scheme - 1] ?? '')) scheme--
  if (scheme === at) return null
  USER_INFO.lastIndex = at + 3
  if (!USER_INFO.test(text)) return null
  const to = USER_INFO.lastIndex - 1
  const userInfo = text.slice(at + 3, to)
  const colon = userInfo.indexOf(':')
  if (userInfo.length > MAX_USER_INFO) return null
  const [user, password] = colon < 0 ? ['', ''] : [userInfo.slice(0, colon), userInfo.slice(colon + 1)]
  const known = findProviderKey(
    text,
    colon < 0 || password === '' || password === 'x-oauth-basic' ? at + 3 : at + 4 + colon,
  )
  if (known) return { ...known }
  if (password === '' || !isAddressPassword(password, user)) return null
  return { from: at + 4 + colon, to, type: 'password', detail: null }
}

/** Finds the password of `user:password@tcp(host)`, as Go's drivers take it. */
function findInDataSource(text: string, at: number, least: number): Finding | null {
  if (!text.startsWith('tcp(', at + 1) && !text.startsWith('unix(', at + 1)) return null
  let from = at
  while (from > least && at - from < 64 && /[^\s"'`:/@]/.test(text[from - 1] ?? '')) from--
  const isNamed = text[from - 1] === ':' && isWordCode(text.charCodeAt(from - 2))
  return isNamed && isAddressPassword(text.slice(from, at), '')
    ? { from, to: at, type: 'password', detail: null }
    : null
}

const CURL_USER = /-(?:u|-user)[ =]["']?([^\s:"']{1,64}):([^\s"'`]{1,128})/y
const findCurlPasswordEnd = createEndFinder(/[\s"'`]/)

/** Finds the password of `curl -u user:password`. */
function findCurlPassword(text: string, at: number): Finding | null {
  CURL_USER.lastIndex = at
  const [, user = '', password = ''] = CURL_USER.exec(text) ?? []
  if (password === '') return null
  const to = CURL_USER.lastIndex
  const known =
    findProviderKey(text, to - password.length) ??
    findProviderKey(text, to - password.length - 1 - user.length)
  if (known) return known
  const isLong = password.length >= 6
  return isLong && isAddressPassword(password, user)
    ? {
        from: to - password.length,
        to: extend(text, to, findCurlPasswordEnd),
        type: 'password',
        detail: null,
      }
    : null
}

const BEARER = /bearer /iy
const BASIC = /basic /iy
const TOKEN = /[\w\-.~+/]{16,2000}={0,2}/y
const findTokenEnd = createEndFinder(/[^\w\-.~+/=]/)
const NETRC = /login [^\n]{0,160}$/
const ENV = /ENV [A-Za-z]/y

/** Finds the credential of an Authorization header, wherever it is. */
function findCredential(text: string, at: number): Secret | null {
  BEARER.lastIndex = at
  BASIC.lastIndex = at
  const isBearer = BEARER.test(text)
  if (!isBearer && !BASIC.test(text)) return null
  const from = isBearer ? BEARER.lastIndex : BASIC.lastIndex
  const known = findProviderKey(text, from)
  if (known) return known
  TOKEN.lastIndex = from
  if (!TOKEN.test(text)) return null
  const value = text.slice(from, TOKEN.lastIndex)
  const to = extend(text, TOKEN.lastIndex, findTokenEnd)
  if (isBearer)
    return HAS_DIGIT.test(value) && isRandom(value) ? { from, to, type: 'key', detail: null } : null
  return isBasicCredential(value) ? { from, to, type: 'password', detail: null } : null
}

function isBasicCredential(value: string): boolean {
  try {
    const [user = '', password = ''] = atob(value).split(/:(.*)/s)
    return isAddressPassword(password, user)
  } catch {
    return false
  }
}

const PRIVATE_KEY = /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y
const KEY_LINES = /(?:\r?\n[ \t>|]{0,32}[A-Za-z0-9+/=]{16,512}){1,512}/y
const MIN_KEY_CHARACTERS = 64
const END = '-----END '

/** The place of the next `-----END ` is kept, so that it's looked for once. */
function createKeyEndFinder(text: string): (from: number) => number {
  let found = -2
  return (from) => {
    if (found !== -1 && found < from) found = text.indexOf(END, from)
    return found
  }
}

function findPrivateKey(text: string, at: number, findEnd: (from: number) => number): Finding | null {
  PRIVATE_KEY.lastIndex = at
  if (!PRIVATE_KEY.test(text)) return null
  const body = PRIVATE_KEY.lastIndex
  const end = findEnd(body)
  const nextStart = end < 0 ? -1 : text.slice(body, Math.min(end, body + 32_768)).indexOf('-----')
  if (end >= 0 && nextStart < 0 && end - body <= 32_768) {
    const close = text.indexOf('-----', end + END.length)
    const isLong = text.slice(body, end).replace(/\\[nr]|[^A-Za-z0-9+/=]/g, '').length >= MIN_KEY_CHARACTERS
    if (isLong && close >= 0 && close - end < 64)
      return { from: at, to: close + 5, type: 'key', detail: 'private key' }
    return null
  }
  // It was cut off.
  KEY_LINES.lastIndex = body
  return KEY_LINES.test(text)
    ? { from: at, to: KEY_LINES.lastIndex, type: 'key', detail: 'private key' }
    : null
}

const TELEGRAM = /AA[\w-]{33}/y
const AZURE = /[78]Q~[\w.~-]{31,34}/y
const TERRAFORM = /\.atlasv1\.[\w-]{60,200}/y
const MAILCHIMP = /-us\d{1,2}/y

/** Finds keys whose sign is in their middle: `before` characters of `alphabet` precede it. */
function findAround(
  text: string,
  at: number,
  rest: RegExp,
  before: RegExp,
  range: readonly [number, number],
  least: number,
): { from: number; to: number } | null {
  rest.lastIndex = at
  if (!rest.test(text)) return null
  const to = rest.lastIndex
  let from = at
  while (from > least && at - from <= range[1] && before.test(text[from - 1] ?? '')) from--
  const length = at - from
  return length < range[0] || length > range[1] || isWordCode(text.charCodeAt(to)) ? null : { from, to }
}

const HEX = /[0-9a-f]/
const ALPHANUMERIC = /[A-Za-z0-9]/

const findTelegram = (text: string, at: number, least: number): Finding | null =>
  toKey('Telegram', findAround(text, at + 1, TELEGRAM, /[\d:]/, [9, 11], least))

const toKey = (detail: string, range: { from: number; to: number } | null): Finding | null =>
  range && { ...range, type: 'key', detail }

const WORD = 1
const SIGN = 2
const LINE_BREAK = 3

/** Says what to do at each ASCII character. Most characters start no finding. */
const ACTIONS = Uint8Array.from({ length: 128 }, (_, code) => {
  if (isWordCode(code)) return WORD
  if (code === 10) return LINE_BREAK
  return '@:=,/+-.~>&'.includes(String.fromCharCode(code)) ? SIGN : 0
})

interface Range {
  readonly from: number
  readonly to: number
}

/**
 * Finds secrets and personal details. Takes time in proportion to the text: what is looked at around a place is bounded.
 *
 * @param range lines of the text, of which alone findings are returned.
 */
export function scanText(
  text: string,
  { from: start, to: end }: Range = { from: 0, to: text.length },
): Finding[] {
  const findings: Finding[] = []
  const findEnd = createKeyEndFinder(text)
  /** The place from which to look: everything before it has been found already. */
  let least = start
  let inCookies = false

  const findAtWord = (at: number, code: number, previous: number): Finding | null => {
    if (previous === 45 && at - 1 >= least && !isWordCode(text.charCodeAt(at - 2))) {
      const spaced = findSpaced(text, at)
      if (spaced) return spaced
    } else if (previous !== 45) {
      const key = findProviderKey(text, at)
      if (key) return key
    }
    if (isDigitCode(code)) {
      const found = personal('ip', findIpv4(text, at)) ?? personal('card', findCard(text, at))
      if (found) return found
    }
    const [next, third] = [text.charCodeAt(at + 1), text.charCodeAt(at + 2)]
    // C:\Users and C:/Users.
    if (next === 58) return third === 92 || third === 47 ? personal('user', findUser(text, at)) : null
    if (isHexCode(code)) {
      if (third === 58 || third === 45) {
        const mac = personal('mac', findMac(text, at))
        if (mac) return mac
      }
      if (text.charCodeAt(at + 4) === 58) return personal('ip', findIpv6(text, at))
    }
    switch (code) {
      case 66:
      case 98:
        return findCredential(text, at)
      case 69:
        ENV.lastIndex = at
        return ENV.test(text) ? findSpaced(text, at + 4) : null
      case 112:
        // The line of a .netrc: login NAME password VALUE.
        return text.startsWith('password ', at) && NETRC.test(text.slice(Math.max(least, at - 160), at))
          ? findSpaced(text, at)
          : null
      default:
        return null
    }
  }

  /** Most signs end with a look at the character after them: expressions take many times longer. */
  const findAtSign = (at: number, code: number): Finding | null => {
    const next = text.charCodeAt(at + 1)
    switch (code) {
      case 64:
        return findInDataSource(text, at, least) ?? personal('email', findEmail(text, at, least))
      case 58:
        if (startsCookies(text, at, least)) inCookies = true
        return (
          findInAddress(text, at, least) ??
          (next === 65 ? findTelegram(text, at, least) : null) ??
          findAssigned(text, at, { least, inCookies }) ??
          (isDigitCode(next) || next === 42 ? findPassLine(text, at, least) : null)
        )
      case 61:
        return findAssigned(text, at, { least, inCookies })
      case 62:
        return findInElement(text, at, least)
      case 38:
        // &gt;
        return next === 103 ? findInEscapedElement(text, at, least) : null
      case 44:
        return isQuoteCode(text.charCodeAt(at - 1)) ? findAssigned(text, at, { least, inCookies }) : null
      case 47:
        // /home and /Users.
        return next === 104 || next === 85 ? personal('user', findUser(text, at)) : null
      case 43:
        return isDigitCode(next) ? personal('phone', findPhone(text, at)) : null
      case 45:
        if (next === 45)
          return text.charCodeAt(at + 2) === 45
            ? findPrivateKey(text, at, findEnd)
            : findCurlPassword(text, at)
        // -p, -P, -a and -w.
        if (next === 112 || next === 80 || next === 97 || next === 119)
          return text.charCodeAt(at - 1) === 32 ? findOption(text, at, least) : null
        // -u and -us1.
        if (next !== 117) return null
        return (
          findCurlPassword(text, at) ??
          toKey('Mailchimp', findAround(text, at, MAILCHIMP, HEX, [32, 32], least))
        )
      case 46:
        return next === 97
          ? toKey('Terraform', findAround(text, at, TERRAFORM, ALPHANUMERIC, [14, 14], least))
          : null
      case 126:
        return toKey('Azure', findAround(text, at - 2, AZURE, /[\w.~-]/, [3, 3], least))
      default:
        return null
    }
  }

  let previous = start > 0 ? text.charCodeAt(start - 1) : 0
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    let found: Finding | null = null
    const action = code < 128 ? ACTIONS[code] : 0
    if (action === WORD) {
      if (!isWordCode(previous)) found = findAtWord(at, code, previous)
    } else if (action === SIGN) found = findAtSign(at, code)
    else if (action === LINE_BREAK) inCookies = false
    if (found !== null && found.from >= least) {
      findings.push(found)
      least = found.to
      at = found.to - 1
      previous = text.charCodeAt(at)
    } else previous = code
  }
  return findings
}
