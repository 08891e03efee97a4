/** Words of values that documentation uses in place of secrets. */
const SAMPLE_WORDS =
  /example|sample|placeholder|change_?me|replace|redacted|dummy|your|insert|secret|password|passwort|testing|demo|<|>|\.\.\.|…|\*\*\*|xxxx|abcdefgh|12345678|0{8}|todo/i

/** Passwords that everybody uses for tests, without their digits and signs. */
const SAMPLE_PASSWORDS = new Set(
  'password passwort passwd pass pwd secret changeme change example sample test testing admin administrator root user username guest postgres postgresql mysql mongo redis rabbitmq foo bar foobar baz qwerty qwertz letmein welcome default none null nil undefined true false yes no string str text value hidden required optional abc xyz your yourpassword mypassword mysecret supersecret dbpassword rootpassword'.split(
    ' ',
  ),
)

/** Characters that are looked at, at most. */
const MAX_LOOKED_AT = 128

/** Returns the Shannon entropy of the characters of a text, in bits for each. */
function measureEntropy(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}

const MIN_KEY_BITS = 2.8

/** Returns false for values such as `xxxx` or `your-key`. */
export function isRandom(value: string): boolean {
  const start = value.slice(0, MAX_LOOKED_AT)
  return !SAMPLE_WORDS.test(start) && measureEntropy(start) >= MIN_KEY_BITS
}

const REFERENCE = /^[$%@&!*{[(<~]|\$\{|\$\(|\{\{|%\(|#\{|^#[A-Za-z][A-Za-z_-]*$/
const CALL = /^[\w.:]+[([]/
const DOTTED_NAME = /^[A-Za-z_]\w*(?:(?:\.|::|->)[A-Za-z_]\w*)+$/
/** A part that is longer than names are, with capitals and digits: `s.` starts tokens, too. */
const RANDOM_PART = /(?:^|[.:>])(?=\w*[a-z])(?=\w*[A-Z])(?=\w*\d\w*\d)\w{20,}/
const LOWERCASE_PATH = /^[a-z0-9._-]*\/[a-z0-9._/-]+$/
const ADDRESS = /:\/\//

const isReference = (value: string): boolean =>
  REFERENCE.test(value) ||
  CALL.test(value) ||
  (DOTTED_NAME.test(value) && !RANDOM_PART.test(value)) ||
  LOWERCASE_PATH.test(value) ||
  ADDRESS.test(value)

/** Tells whether a value is made of words, such as `bert-base-uncased2`. */
function isMadeOfWords(value: string): boolean {
  let inWords = 0
  for (const part of value.split(/[-_.:/ #]/))
    if (/^(?:[a-z]{3,}|[A-Z]{3,}|[A-Z][a-z]{2,})\d?$/.test(part)) inWords += part.length
  return inWords * 2 > value.length
}

export const HAS_LETTER = /[A-Za-z]/
export const HAS_DIGIT = /\d/
const HAS_SIGN = /[!#%*+?@^&~$=]/

interface ValueContext {
  /** Is true for values in quotes and of environment variables, which aren't code. */
  readonly isLiteral: boolean
}

const MIN_PASSWORD = 6
const MAX_PASSWORD = 256

/** Judges the value of `password = …`. */
export function isPassword(value: string, { isLiteral }: ValueContext): boolean {
  if (value.length < MIN_PASSWORD || value.length > MAX_PASSWORD || isReference(value)) return false
  if (SAMPLE_PASSWORDS.has(value.replace(/[^A-Za-z]/g, '').toLowerCase())) return false
  if (!HAS_LETTER.test(value) || /\s/.test(value)) return false
  if (!HAS_DIGIT.test(value) && !(isLiteral && HAS_SIGN.test(value))) return false
  if (/x{4}|example|your[-_]|[-_]here|\*{3}/i.test(value)) return false
  return !(/[-_./:]/.test(value) && isMadeOfWords(value)) && measureEntropy(value) >= 2
}

const MIN_SECRET = 16
const MAX_SECRET = 512
const SECRET = /^[\w\-+/=.~%:!@#$^&*()|,]+$/
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Judges the value of `token = …`. */
export function isSecretValue(value: string): boolean {
  if (value.length < MIN_SECRET || value.length > MAX_SECRET) return false
  if (!HAS_LETTER.test(value) || !HAS_DIGIT.test(value)) return false
  if (!SECRET.test(value) || isReference(value)) return false
  return isRandom(value) && (UUID.test(value) || !isMadeOfWords(value))
}

const KEY = /^\w[\w\-+/.~]{7,200}(?::[\w\-+/.~]{4,200})?={0,2}$/

/** Judges the value of a name such as `Fastly-Key`: what is called a key is often an identifier. */
export const isKeyValue = (value: string): boolean =>
  value.length >= 20 && KEY.test(value) && isSecretValue(value) && !UUID.test(value)

/** Judges the password of an address such as `postgres://user:password@host`. */
export function isAddressPassword(password: string, user: string): boolean {
  if (password.length < 3 || password === user || REFERENCE.test(password)) return false
  return (
    !SAMPLE_PASSWORDS.has(password.replace(/[^A-Za-z]/g, '').toLowerCase()) &&
    !/^(?:x+|\.+|[*•%…]+|pw|p|oauth2?|x-oauth-basic|\d{1,5})$|\*{3}|your|\{|</i.test(password)
  )
}
