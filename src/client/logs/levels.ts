/** The groups of log levels, most severe first. Fatal counts as error, notice as info and trace as debug. */
export const LEVELS = ['error', 'warning', 'info', 'debug'] as const

/** A position in `LEVELS` plus one; 0 for a line that states no level. */
export type LevelCode = 0 | 1 | 2 | 3 | 4

export const [NO_LEVEL, ERROR, WARNING, INFO, DEBUG] = [0, 1, 2, 3, 4] as const

interface StatedLevel {
  readonly level: LevelCode
  readonly from: number
  readonly to: number
}

/** UTF-16 units of a line in which level words are looked for: later ones belong to the message. */
const HEAD = 160
/** UTF-16 units of a line of JSON or of an access log in which the level is looked for. */
const MAX_EXAMINED = 4_096

const WORDS: ReadonlyMap<string, LevelCode> = new Map([
  ...words(
    ERROR,
    'fatal ftl critical crit crt emergency emerg alert panic severe error err eror fail failed failure',
  ),
  ...words(WARNING, 'warning warn wrn'),
  ...words(INFO, 'info information inf notice note log normal config'),
  ...words(DEBUG, 'debug dbg dbug trace trc trce verbose vrb fine finer finest silly'),
])

function words(level: LevelCode, list: string): [string, LevelCode][] {
  return list.split(' ').map((word) => [word, level])
}

const UPPER_CASE =
  'FATAL|FTL|CRITICAL|CRIT|EMERGENCY|EMERG|ALERT|PANIC|SEVERE|ERROR|ERR!?|EROR|FAILED|FAIL|WARNING|WARN|WRN|INFO|INF|NOTICE|LOG|CONFIG|DEBUG|DBG|TRACE|TRC|VERBOSE|VRB|FINE|FINER|FINEST'
const ANY_CASE =
  'fatal|critical|crit|emerg|alert|panic|severe|error|err|warning|warn|info|information|notice|note|debug|trace|verbose'

/** `ERROR` as a word of its own: ` ERROR `, `[12:00:00 ERR]`, `ERROR:root:`, `|WARN|`. */
const UPPER_CASE_WORD = new RegExp(`(?<=^|[\\s[(|<*:=-])(?:${UPPER_CASE})(?=$|[\\s\\])|>:,*-])`)
/** `[error]`, `[core:error]`, `<warn>`, `##[error]`. */
const BRACKETED_WORD = new RegExp(`(?<=[[(<](?:[\\w.-]{1,20}:)?)(?:${ANY_CASE})(?=[\\])>])`, 'i')
/** `error: …`, `main.c:3:5: warning: …`, `error[E0308]: …`, `::error::`. */
const LABEL = new RegExp(`(?<=^|[\\s|:\\]])(?:${ANY_CASE})(?=(?:\\[\\w{1,10}\\])?:(?:[\\s:]|$))`, 'i')
/** `info: Microsoft.Hosting.Lifetime[0]`, and what only means a level at the start of a line. */
const START_WORD = /^(?:trce|dbug|fail|crit|npm (?:ERR!|error|WARN|warn|notice)|--- FAIL)(?=[: ])/
/** A word that follows the time: `12:00:00 warn  retrying`. */
const WORD_AFTER_TIME = /^[\]\s|,:-]{1,6}\[?([A-Za-z]{3,11})\b(?![.=(/'’-])/
const EXCEPTION =
  /^(?:Uncaught |Unhandled exception|Exception in thread |panic: |thread '.{0,80}' (?:\(\d+\) )?panicked at|(?:[A-Za-z_$][\w$]*(?:\.|::?)){0,12}(?:[A-Z]\w{0,80})?(?:Error|Exception)(?=: |$)|Traceback \(most recent call last\))/

const JSON_LEVEL =
  /"(?:level|severity|lvl|log\.?level|level_?name|severity_?text|@l)"\s{0,4}:\s{0,4}(?:"([A-Za-z]{1,13})|(\d{1,3})\b)/i
const LOGFMT_LEVEL = /(?:^|[\s,])(?:level|lvl|severity|log_?level)="?([A-Za-z]{1,13}|\d{1,2})\b/i
/** klog and glog, `E/Tag: ` and ` E Tag: ` of Android, `E, [` of Ruby's logger. */
const LETTER =
  /^(?:([IWEF])\d{4} \d\d:\d\d:\d\d\.\d|\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} +\d+ +\d+ ([VDIWEFA]) |([VDIWEF])\/[\w.$-]{1,60}(?:\( {0,6}\d{1,7}\))?: |([DIWEFA]), \[)/
/** The priority of RFC 5424 and of systemd: the remainder of a division by 8 is the severity. */
const PRIORITY = /^<(\d{1,3})>/
const STATUS = /\] "[^"]{0,4000}" ([1-5]\d\d) (?:\d|-)/

const LETTERS: Readonly<Record<string, LevelCode>> = {
  F: ERROR,
  A: ERROR,
  E: ERROR,
  W: WARNING,
  I: INFO,
  D: DEBUG,
  V: DEBUG,
}

const getLevelOfSeverity = (severity: number): LevelCode =>
  severity < 4 ? ERROR : severity === 4 ? WARNING : severity < 7 ? INFO : DEBUG

/** In JSON: of pino and bunyan from 10 on, else a syslog severity. */
const getLevelOfNumber = (number: number): LevelCode =>
  number < 8
    ? getLevelOfSeverity(number)
    : number >= 50
      ? ERROR
      : number >= 40
        ? WARNING
        : number >= 30
          ? INFO
          : DEBUG

function getLevelOfWord(word: string): LevelCode {
  if (/^\d/.test(word)) return getLevelOfNumber(Number(word))
  // The last letters of `npm ERR!`.
  const letters = /(?<![a-z])[a-z]+(?=!?$)/i.exec(word)?.[0] ?? ''
  const byLetter = letters.length === 1 ? LETTERS[letters.toUpperCase()] : undefined
  return WORDS.get(letters.toLowerCase()) ?? byLetter ?? NO_LEVEL
}

export const isException = (line: string): boolean => EXCEPTION.test(line)

function readGroup(match: RegExpExecArray | null, toLevel: (text: string) => LevelCode): StatedLevel | null {
  const text = match?.slice(1).find((group) => group !== undefined)
  if (!match || text === undefined) return null
  const from = match.index + match[0].lastIndexOf(text)
  const level = toLevel(text)
  return level === NO_LEVEL ? null : { level, from, to: from + text.length }
}

function findWord(head: string): StatedLevel | null {
  let first: RegExpExecArray | null = START_WORD.exec(head)
  for (const pattern of [UPPER_CASE_WORD, BRACKETED_WORD, LABEL]) {
    const match = pattern.exec(head)
    if (match && (!first || match.index < first.index)) first = match
  }
  if (!first) return null
  return { level: getLevelOfWord(first[0]), from: first.index, to: first.index + first[0].length }
}

/** @param timeEnd where the line's timestamp ends, 0 if it has none. */
export function findLevel(line: string, timeEnd: number): StatedLevel | null {
  const examined = line.length > MAX_EXAMINED ? line.slice(0, MAX_EXAMINED) : line
  if (examined.includes('"')) {
    const brace = examined.indexOf('{')
    const json = brace === -1 || brace > HEAD ? null : readGroup(JSON_LEVEL.exec(examined), getLevelOfWord)
    const found =
      json ?? readGroup(STATUS.exec(examined), (code) => (code < '4' ? INFO : code < '5' ? WARNING : ERROR))
    if (found) return found
  }
  if (examined.includes('=')) {
    const found = readGroup(LOGFMT_LEVEL.exec(examined), getLevelOfWord)
    if (found) return found
  }
  const letter = readGroup(LETTER.exec(examined), (name) => LETTERS[name] ?? NO_LEVEL)
  if (letter) return { ...letter, ...(letter.from === 0 && { from: 0, to: 1 }) }
  const head = examined.slice(0, HEAD)
  const afterTime = timeEnd > 0 ? WORD_AFTER_TIME.exec(head.slice(timeEnd)) : null
  if (afterTime?.[1]) {
    const level = WORDS.get(afterTime[1].toLowerCase())
    const to = timeEnd + afterTime[0].length
    if (level) return { level, from: to - afterTime[1].length, to }
  }
  const priority = readGroup(PRIORITY.exec(head), (number) => getLevelOfSeverity(Number(number) % 8))
  const word = findWord(head) ?? priority
  if (word) return word
  const exception = EXCEPTION.exec(head)
  return exception && { level: ERROR, from: 0, to: exception[0].length }
}

interface Levels {
  readonly levels: Uint8Array
  readonly continues: Uint8Array
}

interface FoundEntry {
  readonly index: number
  /** Among the entries of the level, from 1. */
  readonly position: number
  readonly count: number
}

/** Finds the next entry of a level after a line, or the one before it. After the last comes the first. */
export function findEntry(
  { levels, continues }: Levels,
  level: LevelCode,
  from: number,
  isBackwards: boolean,
): FoundEntry | null {
  let [count, before, upTo] = [0, 0, 0]
  for (let index = 0; index < levels.length; index++) {
    if (levels[index] !== level || continues[index] === 1) continue
    count += 1
    if (index < from) before += 1
    if (index <= from) upTo += 1
  }
  if (count === 0) return null
  const position = isBackwards ? before || count : (upTo % count) + 1
  let left = position
  const index = levels.findIndex((each, at) => each === level && continues[at] === 0 && --left === 0)
  return { index, position, count }
}
