import { createEndFinder, extend, findProviderKey, type Secret } from './assignments.ts'
import { isPassword, isRandom } from './values.ts'

/** Programs by the option that takes their password, from a space on or at once. */
const SPACED: Readonly<Record<string, RegExp>> = {
  p: /(?:^|[\s/])(?:sshpass|twine|mongo\w*|login)\s/,
  P: /(?:^|[\s/])(?:zip|unzip|sqlcmd|bcp)\s/,
  a: /(?:^|[\s/])redis-cli\s/,
  w: /(?:^|[\s/])ldap\w+\s/,
}
const ATTACHED: Readonly<Record<string, RegExp>> = {
  ...SPACED,
  p: /(?:^|[\s/])(?:sshpass|mysql\w*|mariadb[\w-]*|7z[arz]?|rar|unrar|login)\s/,
}

const MAX_COMMAND = 160
const OPTION = /-[pPaw]( {1,4}|=)?(?:"([^"\n]{6,256})"|'([^'\n]{6,256})'|([^\s"'`;|&<>]{6,256}))/y
const RANDOM_LETTERS = /[a-z][A-Z]{2}/
const findUnquotedEnd = createEndFinder(/[\s"'`;|&<>]/)

/** Finds the password of a command, such as `sshpass -p VALUE` and `mysql -pVALUE`: `at` is the dash. */
export function findOption(text: string, at: number, least: number): Secret | null {
  OPTION.lastIndex = at
  const [, space, inDouble, inSingle, unquoted] = OPTION.exec(text) ?? []
  const value = inDouble ?? inSingle ?? unquoted
  if (value === undefined) return null
  const program = (space === undefined ? ATTACHED : SPACED)[text[at + 1] ?? '']
  const [command = ''] = text
    .slice(Math.max(least, at - MAX_COMMAND), at)
    .split(/[\n|;&]/)
    .slice(-1)
  if (!program?.test(command)) return null
  if (!isPassword(value, { isLiteral: true }) && !(RANDOM_LETTERS.test(value) && isRandom(value))) return null
  const end = OPTION.lastIndex
  const [start, to] =
    unquoted === undefined
      ? [end - 1 - value.length, end - 1]
      : [end - value.length, extend(text, end, findUnquotedEnd)]
  return findProviderKey(text, start) ?? { from: start, to, type: 'password', detail: null }
}

const PASS_LINE = /:(?:\d{3,5}|\*):[^\s:]{1,64}:[^\s:]{1,64}:(\S{6,256})/y
const MAX_HOST = 128

/** Finds the password in a line of a .pgpass, `host:port:database:user:password`: `at` is the first colon. */
export function findPassLine(text: string, at: number, least: number): Secret | null {
  let start = at
  while (start > least && at - start < MAX_HOST && /[\w.*-]/.test(text[start - 1] ?? '')) start--
  if (start > 0 && text[start - 1] !== '\n') return null
  PASS_LINE.lastIndex = at
  const [, password] = PASS_LINE.exec(text) ?? []
  if (password === undefined || !/[A-Za-z.*]/.test(text.slice(start, at))) return null
  const to = PASS_LINE.lastIndex
  const isLine = to === text.length || text[to] === '\n' || text[to] === '\r'
  return isLine && isPassword(password, { isLiteral: true })
    ? { from: to - password.length, to, type: 'password', detail: null }
    : null
}
