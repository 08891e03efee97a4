import { matchProvider } from './providers.ts'
import { HAS_DIGIT, HAS_LETTER, isKeyValue, isPassword, isRandom, isSecretValue } from './values.ts'

const isSpace = (code: number): boolean => code === 32 || code === 9

const isQuote = (code: number): boolean => code === 34 || code === 39 || code === 96

const isNameCode = (code: number): boolean =>
  (code >= 48 && code <= 57) ||
  (code >= 65 && code <= 90) ||
  (code >= 97 && code <= 122) ||
  code === 95 ||
  code === 45 ||
  code === 46

const MAX_NAME = 64
const MAX_SPACES = 8

interface Name {
  readonly from: number
  readonly name: string
  readonly isQuoted: boolean
}

/** Returns the name before an operator, which ends at `to`, such as `"api_key"` or `config['password']`. */
function readName(text: string, to: number, least: number): Name | null {
  let end = to
  for (let spaces = 0; end > least && isSpace(text.charCodeAt(end - 1)); end--)
    if (++spaces > MAX_SPACES) return null
  if (text.charCodeAt(end - 1) === 93) end--
  const isQuoted = isQuote(text.charCodeAt(end - 1))
  if (isQuoted) end--
  // An escaped quote of JSON inside JSON.
  if (isQuoted && text.charCodeAt(end - 1) === 92) end--
  let from = end
  while (from > least && end - from < MAX_NAME && isNameCode(text.charCodeAt(from - 1))) from--
  return from === end ? null : { from, name: text.slice(from, end), isQuoted }
}

type NameKind = 'password' | 'secret' | 'authorization' | 'key' | 'signature'

const PASSWORD_NAME = /(?:password|passwd|passwort|passphrase|kennwort|pwd|storepass|keypass)\d?$/
const SHORT_PASSWORD_NAME = /(?:^|[_.-])pass$|[a-z]Pass$/
const SECRET_NAME =
  /(?:secret|secretkey|secretkeybase|secretaccesskey|apikey|accesskey|accesskeyid|authkey|privatekey|encryptionkey|signingkey|masterkey|accountkey|sharedaccesskey|storagekey|servicekey|clientkey|appkey|token|credentials?|auth|apikeyid|userkey|licensekey|presharedkey|sessid|sessionid)$/
const ORDINARY_NAME =
  /(?:page|next|cancel|cancellation|csrf|xsrf|csrfmiddleware|authenticity|verification|sync|continuation|publickey|pad|eos|bos|sep|unk|mask|stop|start|end|refresh|reset)token$|^(?:sessionid|sessid|old)$/
const PASSWORD_ORDINARY = /^(?:oldpwd|pwd)$/

/** Headers such as `Fastly-Key` and `X-JFrog-Art-Api`, and variables such as `FCM_KEY`. */
const KEY_NAME = /-(?:key|KEY|Key|api|API|Api)$|^[A-Z\d_]+_KEY$/
const ORDINARY_KEY =
  /^data-|(?:primary|foreign|public|publishable|sort|partition|shard|cache|site|idempotency|websocket|surrogate|host|gpg|pgp|apt|anon|object|file|row|hash|range|routing|message|translation|event|index|unique|group|query|registry|kms|lookup|issue)[-_]key$/i

/** Most names are none of these, and needn't be taken apart. */
const LIKELY_NAME = /pass|pwd|kennwort|secret|token|key|auth|credential|sess|-api$|^sig$/i

function classifyName(name: string): NameKind | null {
  if (!LIKELY_NAME.test(name)) return null
  const plain = name.toLowerCase().replace(/[-_.]/g, '')
  if (PASSWORD_NAME.test(plain)) return PASSWORD_ORDINARY.test(plain) ? null : 'password'
  if (SHORT_PASSWORD_NAME.test(name) || name === 'PASS' || name.endsWith('_PASS')) return 'password'
  if (plain === 'sig') return 'signature'
  if (plain.endsWith('authorization')) return 'authorization'
  if (!SECRET_NAME.test(plain)) return KEY_NAME.test(name) && !ORDINARY_KEY.test(name) ? 'key' : null
  // A refresh token is a secret, what refreshes a page isn't.
  return ORDINARY_NAME.test(plain) && !/(?:^|[^a-z])(?:refresh|reset)[-_]?token$/i.test(name)
    ? null
    : 'secret'
}

export interface Secret {
  readonly from: number
  readonly to: number
  readonly type: 'key' | 'password'
  readonly detail: string | null
}

/** Returns a key whose shape says what it is, if it isn't a sample. */
export function findProviderKey(text: string, at: number): Secret | null {
  const key = matchProvider(text, at)
  if (key === null || !isRandom(text.slice(key.randomFrom, key.to))) return null
  // The sample of jwt.io, which documentation repeats: {"sub":"1234567890".
  if (key.provider === 'JWT' && text.startsWith('eyJzdWIiOiIxMjM0NTY3ODkwI', text.indexOf('.', at) + 1))
    return null
  return { from: at, to: key.to, type: 'key', detail: key.provider }
}

const MAX_VALUE = 512

/**
 * Looks for the next of some characters, or returns how far it looked. Values overlap where names follow each other without
 * spaces, so it remembers what it has seen.
 */
type EndFinder = (text: string, from: number, most: number) => number

const LOOKED_AT = 4_096

export function createEndFinder(ends: RegExp): EndFinder {
  let seen = { text: '', from: 0, to: 0, found: false }
  return (text, from, most) => {
    const isSeen = text === seen.text && from >= seen.from && from <= seen.to
    if (!isSeen || (!seen.found && from + most > seen.to)) {
      const looked = text.slice(from, from + Math.max(most, LOOKED_AT))
      const end = looked.search(ends)
      seen = { text, from, to: from + (end < 0 ? looked.length : end), found: end >= 0 }
    }
    return Math.min(seen.to, from + most)
  }
}

const findUnquotedEnd = createEndFinder(/[\s"'`<>,;&|)}\]\\]/)
const findLineEnd = createEndFinder(/\s/)

/** A value that is longer, and so longer than any password, is judged by its start. */
const MAX_UNQUOTED = 260

/** Returns where a secret ends. Judging takes only its first characters. */
export function extend(text: string, to: number, findEnd: EndFinder): number {
  let end = to
  for (let from = to; from === end && from < text.length; from += LOOKED_AT)
    end = findEnd(text, from, LOOKED_AT)
  return end
}

interface Value {
  readonly from: number
  readonly to: number
  readonly isLiteral: boolean
  /** Finds its end, if it has no quotes. */
  readonly findEnd?: EndFinder
}

/** A backslash before the quote ends the value, as in JSON inside of JSON, unless `skipsEscaped`. */
function readQuoted(text: string, from: number, quote: string, skipsEscaped: boolean): Value | null {
  for (let to = from; to < from + MAX_VALUE && to < text.length; to++) {
    const character = text[to]
    if (character === '\n') return null
    if (character === quote) return { from, to, isLiteral: true }
    if (character !== '\\') continue
    if (skipsEscaped) to++
    else if (text[to + 1] === quote) return { from, to, isLiteral: true }
  }
  return null
}

const readUnquoted = (text: string, from: number, findEnd: EndFinder, isLiteral: boolean): Value => ({
  from,
  to: findEnd(text, from, MAX_UNQUOTED),
  isLiteral,
  findEnd,
})

/** Words that may come before the name of a variable in its line. */
const LINE_STARTS = new Set(['', 'export', 'set', 'setx', 'ENV', '-', '$env:'])

/** Tells whether a name is the first of its line, as in files of environment variables. */
function startsLine(text: string, from: number): boolean {
  const before = text.slice(Math.max(0, from - 24), from)
  const lineBreak = before.lastIndexOf('\n')
  return (lineBreak >= 0 || from <= 24) && LINE_STARTS.has(before.slice(lineBreak + 1).trim())
}

interface Operator {
  readonly from: number
  /** The value starts here, perhaps after spaces. */
  readonly to: number
  /** The values of arguments and elements are in quotes. */
  readonly takesQuotedOnly: boolean
}

function findOperator(text: string, at: number): Operator | null {
  const [before, sign, after] = [text[at - 1], text[at], text[at + 1]]
  if (sign === '=') {
    if (after === '=' || before === '=' || before === '!' || before === '<' || before === '>') return null
    const from = before === ':' || before === '+' || before === '?' ? at - 1 : at
    return { from, to: after === '>' ? at + 2 : at + 1, takesQuotedOnly: false }
  }
  if (sign === ':')
    return after === '=' || after === ':' || before === ':'
      ? null
      : { from: at, to: at + 1, takesQuotedOnly: false }
  if (sign === ',')
    return before === '"' || before === "'" ? { from: at, to: at + 1, takesQuotedOnly: true } : null
  return null
}

interface Reading {
  readonly takesQuotedOnly?: boolean
  readonly readsLine?: boolean
  readonly isLiteral?: boolean
}

function readValue(
  text: string,
  at: number,
  { takesQuotedOnly = false, readsLine = false, isLiteral = false }: Reading,
): Value | null {
  let from = at
  for (let spaces = 0; isSpace(text.charCodeAt(from)); from++) if (++spaces > MAX_SPACES) return null
  // JSON inside of JSON.
  if (text[from] === '\\' && text[from + 1] === '"') from++
  const code = text.charCodeAt(from)
  if (isQuote(code)) return readQuoted(text, from + 1, text[from] ?? '', false)
  if (takesQuotedOnly) return null
  return readUnquoted(text, from, readsLine ? findLineEnd : findUnquotedEnd, isLiteral)
}

const SCHEME = /(?:bearer|basic|token|apikey|api-token|key|bot) /iy
/** Any scheme, and the start of its parameters, which have names of their own. */
const AUTHORIZATION_SCHEME = /[A-Za-z][\w-]{1,32} ([A-Za-z_-]{1,32}=["'\w])?/y

function judge(text: string, kind: NameKind, value: Value): Secret | null {
  const scheme = kind === 'authorization' ? AUTHORIZATION_SCHEME : SCHEME
  scheme.lastIndex = value.from
  const match = scheme.exec(text)
  if (match?.[1] !== undefined) return null
  const judged = match ? readUnquoted(text, scheme.lastIndex, findUnquotedEnd, true) : value
  const { from, isLiteral, findEnd } = judged
  const known = findProviderKey(text, from)
  if (known !== null) return known
  const content = text.slice(from, judged.to)
  const isFound =
    kind === 'password'
      ? isPassword(content, { isLiteral })
      : (kind === 'key' ? isKeyValue : isSecretValue)(content)
  if (!isFound) return null
  const to = findEnd ? extend(text, judged.to, findEnd) : judged.to
  return { from, to, type: kind === 'password' ? 'password' : 'key', detail: null }
}

/** Judges a value in quotes with what is escaped in it, too, if there is that much in the line. */
function judgeValue(text: string, kind: NameKind, value: Value): Secret | null {
  const quote = text[value.from - 1] ?? ''
  const isCut = text[value.to] === '\\' && text[value.to + 1] === quote && text[value.from - 2] !== '\\'
  if (!isCut) return judge(text, kind, value)
  const whole = readQuoted(text, value.from, quote, true)
  const found = judge(text, kind, value)
  if (whole === null) return found
  return found?.to === value.to ? { ...found, to: whole.to } : (found ?? judge(text, kind, whole))
}

const SESSION_COOKIE = /sess|^sid$|\.sid$|auth|token|jwt|remember|login|^__Secure|^__Host/i
const MIN_COOKIE = 20
const findCookieEnd = createEndFinder(/[;\s"',\\]/)

/** Judges `name=value` in a header of cookies. */
function findSession(text: string, name: string, from: number): Secret | null {
  if (!SESSION_COOKIE.test(name)) return null
  const known = findProviderKey(text, from)
  if (known !== null) return known
  const { to } = readUnquoted(text, from, findCookieEnd, true)
  const value = text.slice(from, to)
  const isSession =
    value.length >= MIN_COOKIE && HAS_DIGIT.test(value) && HAS_LETTER.test(value) && isRandom(value)
  return isSession ? { from, to: extend(text, to, findCookieEnd), type: 'key', detail: 'session' } : null
}

/** The signature of an address that opens a file of Azure. */
const SIGNATURE = /[A-Za-z0-9%+/]{40,200}={0,2}/y

function findSignature(text: string, from: number): Secret | null {
  SIGNATURE.lastIndex = from
  if (!SIGNATURE.test(text)) return null
  const to = SIGNATURE.lastIndex
  return HAS_DIGIT.test(text.slice(from, to)) ? { from, to, type: 'key', detail: null } : null
}

/** Tells whether a colon follows the name of a header of cookies. */
export function startsCookies(text: string, at: number, least: number): boolean {
  const code = text.charCodeAt(at - 1) | 32
  // The last letter of "Cookie", perhaps in quotes.
  if (code !== 101 && !isQuote(text.charCodeAt(at - 1))) return false
  const name = readName(text, at, least)
  return name !== null && /^(?:set-)?cookie$/i.test(name.name)
}

const MAX_LABEL = 96
const LABEL = /\b(?:key|name|id)["']?[ \t]?[=:][ \t]?["']?([\w.:-]{1,64})["']?[ \t]?,?[ \t]{0,4}["']?$/i

/** Returns what `key="ApiKey" ` or `"name": "API_KEY", "` before `value` calls it. */
const readLabel = (text: string, at: number, least: number): string =>
  LABEL.exec(text.slice(Math.max(least, at - MAX_LABEL), at))?.[1] ?? ''

const MAX_TAG = 256
const TAG = /^<(?:\w{1,32}:)?([\w.-]{1,64})(?:[^"']{1,64}["']([\w.-]{1,64})["'])?/
const LABEL_ELEMENT = />([\w.-]{1,64})<\/(?:key|name)>[ \t]*$/i
const ELEMENT = /[ \t]{0,8}(?:<!\[CDATA\[)?([^<>\s]{6,512})>?[ \t]{0,8}<\//y

/** Finds the text of an element such as `<password>…</password>`: `at` is the end of its first tag. */
export function findInElement(text: string, at: number, least: number): Secret | null {
  ELEMENT.lastIndex = at + 1
  const next = text.charCodeAt(at + 1)
  if (next === 10 || (next === 60 && text[at + 2] !== '!')) return null
  let from = at - 1
  while (
    from >= least &&
    at - from < MAX_TAG &&
    text[from] !== '<' &&
    text[from] !== '>' &&
    text[from] !== '\n'
  )
    from--
  if (text[from] !== '<' || from < least) return null
  const [, element = '', attribute = ''] = TAG.exec(text.slice(from, at)) ?? []
  const [, label = ''] = /^(?:value|string)$/i.test(element)
    ? (LABEL_ELEMENT.exec(text.slice(Math.max(least, from - 96), from)) ?? [])
    : []
  const kind = classifyName(element) ?? classifyName(attribute) ?? classifyName(label)
  if (kind === null || kind === 'signature') return null
  const value = ELEMENT.exec(text)?.[1]
  if (value === undefined) return null
  const valueFrom = text.indexOf(value, at + 1)
  const to = valueFrom + value.length - (value.endsWith(']]') ? 2 : 0)
  return judge(text, kind, { from: valueFrom, to, isLiteral: false })
}

const MAX_ESCAPED_TAG = 104
const ESCAPED_TAG = /&lt;(?:\w{1,32}:)?([\w.-]{1,64})$/
const ESCAPED_ELEMENT = /&gt;[ \t]{0,8}((?:[^&<>\s]|&amp;){6,512})[ \t]{0,8}&lt;\//y

/** Finds the text of an element in escaped XML, such as `&lt;password&gt;…&lt;/password&gt;`: `at` is the end of its first tag. */
export function findInEscapedElement(text: string, at: number, least: number): Secret | null {
  ESCAPED_ELEMENT.lastIndex = at
  const value = ESCAPED_ELEMENT.exec(text)?.[1]
  if (value === undefined) return null
  const [, element = ''] = ESCAPED_TAG.exec(text.slice(Math.max(least, at - MAX_ESCAPED_TAG), at)) ?? []
  const kind = classifyName(element)
  if (kind === null || kind === 'signature') return null
  const from = text.indexOf(value, at + 4)
  return judge(text, kind, { from, to: from + value.length, isLiteral: false })
}

/** Finds the secret that an operator (`=`, `:` or `,`) assigns to a name that says so. */
export function findAssigned(
  text: string,
  at: number,
  { least, inCookies }: { least: number; inCookies: boolean },
): Secret | null {
  const operator = findOperator(text, at)
  if (operator === null) return null
  const name = readName(text, operator.from, least)
  if (name === null || (operator.takesQuotedOnly && !name.isQuoted)) return null
  if (inCookies && text[at] === '=') return findSession(text, name.name, operator.to)
  const kind = classifyName(/^value$/i.test(name.name) ? readLabel(text, name.from, least) : name.name)
  if (kind === null) return null
  if (kind === 'signature') return findSignature(text, operator.to)
  const isEnvironment = text[at] === '=' && operator.to === at + 1 && !isSpace(text.charCodeAt(at + 1))
  const readsLine = (isEnvironment || text[at] === ':') && !name.isQuoted && startsLine(text, name.from)
  const value = readValue(text, operator.to, {
    takesQuotedOnly: operator.takesQuotedOnly,
    readsLine,
    isLiteral: isEnvironment,
  })
  return value && judgeValue(text, kind, value)
}

/** Finds the value of an option such as `--password VALUE`, of `ENV NAME VALUE` and of `.netrc`. */
export function findSpaced(text: string, at: number): Secret | null {
  let nameEnd = at
  while (nameEnd - at < MAX_NAME && isNameCode(text.charCodeAt(nameEnd))) nameEnd++
  if (!isSpace(text.charCodeAt(nameEnd))) return null
  const kind = classifyName(text.slice(at, nameEnd))
  if (kind === null || kind === 'signature') return null
  const value = readValue(text, nameEnd, { isLiteral: true })
  return value && judgeValue(text, kind, value)
}
