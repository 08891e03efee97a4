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
/** UTF-16 units of the shortest line that states a level: `INFO`, `W: x`. */
const MIN_LENGTH = 4
/** UTF-16 units of a line of JSON or of an access log in which the level is looked for. */
const MAX_EXAMINED = 4_096

/** Words that are levels in most logs. */
const WORDS: ReadonlyMap<string, LevelCode> = new Map([
  ...words(ERROR, 'fatal ftl fata critical crit emergency emerg severe error err erro eror'),
  ...words(WARNING, 'warning warn wrn'),
  ...words(INFO, 'info information inf notice'),
  ...words(DEBUG, 'debug dbg debu dbug trace trc trce verbose vrb'),
])

/** Levels of some logs, but ordinary words too: they need more evidence. */
const WEAK_WORDS: ReadonlyMap<string, LevelCode> = new Map([
  ...words(ERROR, 'alert panic exc fail failed failure'),
  ...words(WARNING, 'deprecated'),
  ...words(INFO, 'note normal log config success default'),
  ...words(DEBUG, 'fine finer finest silly'),
])

function words(level: LevelCode, list: string): [string, LevelCode][] {
  return list.split(' ').map((word) => [word, level])
}

/** A level word that no letter or digit touches, so that `error_log`, `error.html` and `terror` aren't candidates. */
const CANDIDATE = new RegExp(
  `(?<![\\w$#@'"\`\\\\])(?:${[...WORDS.keys(), ...WEAK_WORDS.keys()].sort((one, other) => other.length - one.length).join('|')})(?!(?!\\d:)[\\w$'"\`(=;.-])(?! =[^=])`,
  'gi',
)

/** English words that no log has before a level: with one of them, the level word is part of a sentence. */
const SENTENCE =
  /(?:^|\s)(?:an?|the|this|that|th[eo]se|is|are|was|were|be|been|has|have|had|of|to|for|with|from|in|on|at|by|and|or|no|not|if|when|after|before|see|got|gets?|your?|you|we|it|as|any|all|some|one|two|first|last|please|more|than|will|can|could|returned|show|shows|handle|grep|echo|const|let|var|case|return|throw|new)(?=[\s,])/i
/** The text after a level word that makes it a part of a sentence. */
const SENTENCE_GOES_ON =
  /^ (?:in|is|was|are|were|on|of|and|or|when|if|lines?|messages?|button|page|flag|levels?|codes?|logs?|output|rates?|counts?|mode|handl\w+|about|has|that)(?=[\s,.:;!?]*(?:\s|$))/

/** Ends a part of the head of a line, such as a time, a thread or a host. */
const PARTS = /[\])|>}│•]|\d\d:\d\d:\d\d(?:[.,]\d+)? |: | - |\t| {2}/g

/** `info: Microsoft.Hosting.Lifetime[0]`, and what only means a level at the start of a line. */
const START =
  /^(?:(?:trce|dbug|fail|crit)(?=:)|npm (?:ERR!|error|WARN|warn|notice)(?= )|--- FAIL(?=: )|(?:FAIL|FAILED)[ \t](?=\s?[\w./-]+[./:])|not ok (?=\d)|(?:\*\* [A-Z]+|BUILD) FAILED\b|Build FAILED\b|Finished: FAILURE|g?make(?:\[\d+\])?: \*\*\* |(?:> Task \S+|.{1,120} \.\.\.) FAILED$|.?ERR_[A-Z]\w+ |(?:error|warning|warn|info|verbose)(?= {1,2}- | (?:[A-Z"]|[\w-]+[./@])))/
/** The name of one of Python's warnings, such as `DeprecationWarning: `. */
const WARNING_CLASS = /(?:^|: )(?:[A-Z][a-z]{1,30}){0,6}Warning: /

/** Times that aren't instants: `12:00PM`, `[12:00:00.1 PM]`, and seconds since the start. */
const LOOSE_TIME = /^\s*\[?\s{0,8}(?:\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)? ?[AP]M|\d{1,7}\.\d{3,9})(?=[\]\s])/

const EXCEPTION =
  /^(?:(?:\S{1,80}:\d+ )?Uncaught |Unhandled exception|Exception in thread |panic: |thread '.{0,80}' (?:\(\d+\) )?panicked at|(?:[A-Za-z_$][\w$]*(?:\.|::?)){0,12}(?:[A-Z]\w{0,80})?(?:Error|Exception)(?=: |$)|Traceback \(most recent call last\))/

const JSON_LEVEL =
  /"(?:level|severity|lvl|log\.?_?level|level_?name|severity_?text|@l)"\s{0,4}:\s{0,4}(?:"([A-Za-z]{1,13})|"?(\d{1,3})\b)/i
/** Datadog’s and Falco’s, journald’s, and MongoDB’s. */
const JSON_OTHER =
  /"(?:status|priority)"\s{0,4}:\s{0,4}"([A-Za-z]{1,13})"|"PRIORITY"\s{0,4}:\s{0,4}"([0-7])"|^\{"t":.{1,60}"s":"([DIWEF])/
/** Docker keeps each line of a container in JSON. */
const DOCKER = '{"log":"'
const LOGFMT_LEVEL =
  /(?:^|[\s,[])(?:(?:level|lvl|severity|log_?level)="?([A-Za-z]{1,13}|\d{1,2})\b|at=(error|warn|warning|info|debug)\s)/i
/** A setting, not a line of a log. */
const SETTING = /^\s*(?:export )?[\w.-]+=\S*$/
/**
 * klog, glog and CockroachDB, `E/Tag: ` and ` E Tag: ` of Android, `E, [` of Ruby's logger, `E [` of CUPS, `E (123) ` of
 * ESP-IDF, `E: ` of apt and PulseAudio, and `e: file:` of Kotlin.
 */
const LETTER =
  /^(?:([IWEF])\d{4,8} \d\d:\d\d:\d\d\.\d|\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} +\d+ +\d+ ([VDIWEFA]) |([VDIWEF])\/[\w.$-]{1,60} ?(?:\( {0,6}\d{1,7}\))?: |([DIWEFA]),? \[\S|([DIWEV]) \(\d+\) |([DIWEN]): (?=\S)|\[ ?([DIWENC]) (?:\d{4}-|\d{6} |\d\d:)|([ewi]): (?=file:|\/))/
/** A level of one letter that follows a time: ` E tensorflow/…`, ` I NETWORK `, ` E! `, ` [E] `. */
const LETTER_AFTER_TIME =
  /^(?:\]\[([DIWEFV])\]|\]?:?\s+(?:\[([DIWEF])\]\s|([DIWEF])(?:[:!]\s|\s{2}|\s(?=[\w.]*[/.[:(]|[A-Z_]{3,}\b))))/
const MARKED_LETTER = /^\[([DIWEF])\]\[|(?:\[([DIWEF])\]|\((?:(EE)|(WW)|(II))\)|\]: ([DIWE]):) /
/** The priority of RFC 5424 and of systemd: the remainder of a division by 8 is the severity. */
const PRIORITY = /^<(\d{1,3})>/
/** Access logs have these, and those of Gin, Rails, morgan and Squid. */
const STATUS =
  /\] "[^"]{0,4000}" ([1-5]\d\d) (?:\d|-)|^\[GIN\] .{21} \| ([1-5]\d\d) \||^Completed ([1-5]\d\d) [A-Z].{0,60} in \d| -?\d+(?:\/-?\d+){4} ([1-5]\d\d) \d+ - - |^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) \S+ ([1-5]\d\d) [\d.]+ ?ms\b|^\d{10}\.\d{3} +\d+ \S+ [A-Z_]+\/([1-5]\d\d) /

/** The first letters of levels, and the signs of Redis. */
const SIGNS: ReadonlyMap<string, LevelCode> = new Map([
  ...words(ERROR, 'F A E C'),
  ...words(WARNING, 'W #'),
  ...words(INFO, 'I N *'),
  ...words(DEBUG, 'D V - .'),
])

const getLevelOfSeverity = (severity: number): LevelCode =>
  severity < 4 ? ERROR : severity === 4 ? WARNING : severity < 7 ? INFO : DEBUG

/** Reads numbers in JSON: from 10 on, they are those of pino and bunyan, else syslog severities. */
function getLevelOfNumber(number: number): LevelCode {
  if (number < 8) return getLevelOfSeverity(number)
  if (number < 30) return DEBUG
  return number < 40 ? INFO : number < 50 ? WARNING : ERROR
}

const getLevelOfStatus = (code: string): LevelCode => (code < '4' ? INFO : code < '5' ? WARNING : ERROR)

const getLevelOfSign = (sign: string): LevelCode => SIGNS.get(sign.charAt(0).toUpperCase()) ?? NO_LEVEL

const getLevelOfWord = (word: string): LevelCode =>
  WORDS.get(word.toLowerCase()) ?? WEAK_WORDS.get(word.toLowerCase()) ?? NO_LEVEL

function getLevelOfValue(value: string): LevelCode {
  if (/^\d/.test(value)) return getLevelOfNumber(Number(value))
  return value.length === 1 ? getLevelOfSign(value) : getLevelOfWord(value)
}

export const isException = (line: string): boolean => EXCEPTION.test(line)

function readGroup(match: RegExpExecArray | null, toLevel: (text: string) => LevelCode): StatedLevel | null {
  const text = match?.slice(1).find((group) => group !== undefined)
  if (!match || text === undefined) return null
  const from = match.index + match[0].lastIndexOf(text)
  const level = toLevel(text)
  return level === NO_LEVEL ? null : { level, from, to: from + text.length }
}

interface Candidate {
  readonly word: string
  readonly isWeak: boolean
  /** The part of the line before the word; `after` is the rest of the line. */
  readonly before: string
  readonly after: string
  readonly timeEnd: number
}

/** Returns the words between the level and the part of the head before it. */
function getGap({ before, timeEnd }: Candidate): { words: readonly string[]; isFirst: boolean } {
  let start = timeEnd <= before.length ? timeEnd : 0
  for (const part of before.matchAll(PARTS)) start = Math.max(start, part.index + part[0].length)
  const gap = before.slice(start).trim()
  return {
    words: gap === '' ? [] : gap.split(/\s+/).filter((word) => /\p{L}/u.test(word) && !/^[AP]M$/.test(word)),
    isFirst: start === 0,
  }
}

/** Names of hosts, threads and programs may stand before a level, but no sentence. */
function isInHead(candidate: Candidate): boolean {
  const { before, after, timeEnd } = candidate
  const hasTime = timeEnd > 0 && timeEnd <= before.length
  const { words: gap, isFirst } = getGap(candidate)
  if (gap.length === 0) return hasTime || before.trim() === '' || !SENTENCE_GOES_ON.test(after)
  if (SENTENCE.test(` ${gap.join(' ')} `)) return false
  return hasTime ? gap.length <= 4 : gap.length <= 1 && (!isFirst || gap[0] === 'main')
}

/** A whole value. A word before it and a colon names a setting or a property of an object, not a level. */
const VALUE_ONLY = /^(?:null|undefined|true|false|nil|none|-?\d+|[{[|>]),?$/i

/**
 * Tells whether a word is a label, as in `error: …`, `main.c:3:5: warning: …`, `TLS Error: …`, `error[E0308]: …` and
 * `error CS1002: …`.
 */
function isLabel(candidate: Candidate): boolean {
  const { word, isWeak, before, after, timeEnd } = candidate
  if (!/(?:^|[\s|\]:>│•%])$/.test(before)) return false
  const [label = ''] =
    /^(?:\[\w{1,10}\]|(?: [A-Z]{2,8}\d{2,6})|(?: \(\w{1,10}\))|-[A-Z]\w{2,30}| )?:(?=[\s:]|$)/.exec(after) ??
    []
  if (label === '') return false
  if (/^deprecated$/i.test(word)) return before.endsWith('PHP ')
  if (/^(?:config|normal|log|default|success)$/i.test(word) && word !== word.toUpperCase()) return false
  if (isWeak && timeEnd === 0 && !/^(?:fail|failure|note|alert|panic|[A-Z]+)$/.test(word)) return false
  const level = getLevelOfWord(word)
  const message = after.slice(label.length).trim()
  if (message === '' && level > WARNING) return false
  if (VALUE_ONLY.test(message)) return false
  const { words: gap } = getGap(candidate)
  if (gap.length === 0) return true
  if (label === ' :') return false
  if (level > WARNING) return gap.length === 1 && (gap[0] === 'PHP' || /[\d./[]/.test(gap[0] ?? ''))
  return gap.length <= 2 && !isWeak && !SENTENCE.test(` ${gap.join(' ')} `)
}

/** `[error]`, `[core:error]`, `[ WARN ]`, `[Server thread/WARN]`, `[ERROR:main.cc(1)]`, `<warn>`, `(error)`. */
function isBracketed(candidate: Candidate): boolean {
  const { word, isWeak, before, after, timeEnd } = candidate
  const isUpperCase = word === word.toUpperCase()
  if (/\[[^[\]]{0,80}\/$/.test(before)) return isUpperCase && /^[\]/]/.test(after)
  if (/\[ ?$/.test(before)) {
    if (isWeak) return (/^ ?\]/.test(after) || (isUpperCase && /^ \d/.test(after))) && isInHead(candidate)
    return (/^ *[\]:|,]/.test(after) || (/^[A-Z]/.test(word) && /^ \S/.test(after))) && isInHead(candidate)
  }
  if (/[[(][\w.-]{1,20}:$/.test(before)) return after.startsWith(']') || after.startsWith(')')
  if (before.endsWith('<')) return !isWeak && /^>[\s:]/.test(after) && !after.includes('</')
  if (/^\s*\($/.test(before.slice(timeEnd))) return !isWeak && /^\) [^{]/.test(after)
  return false
}

/** ` ERROR `, `[12:00:00 ERR]`, `|WARN|`, `channel.ERROR: `, `:ERROR:`, `*ERROR*`, `Gtk-WARNING **`, `INFO[0000]`. */
function isUpperCaseLevel(candidate: Candidate): boolean {
  const { word, isWeak, before, after } = candidate
  if (word !== word.toUpperCase()) return false
  if (/\w\.$/.test(before)) return /^: /.test(after)
  if (/\w:$/.test(before)) return /^(?:\d?:|[\]\s])/.test(after)
  if (/[a-z]-$/.test(before)) return /^(?: \*\*|: )/.test(after)
  if (before.endsWith('*')) return after.startsWith('*')
  if (!/(?:^|[\s[|<│•{%>]|(?:^|\s)\()$/.test(before) || !/^(?:$|[\s\])}|>:,/![+•]|-[A-Z])/.test(after))
    return false
  if (!isWeak) return isInHead(candidate)
  const isMarked =
    /^(?::|\]|\||\s{2}|\s+[[|])/.test(after) || (candidate.timeEnd > 0 && /[\]|:] $/.test(before))
  return isMarked && getGap(candidate).words.length === 0 && isInHead(candidate)
}

/** `12:00:00 warn  retrying`, `12:00:00.123 Error main.cpp:1`. */
function followsTime({ word, isWeak, before, after, timeEnd }: Candidate): boolean {
  if (timeEnd === 0 || isWeak || timeEnd > before.length) return false
  if (!/^[\]\s|,:-]{1,6}\[?$/.test(before.slice(timeEnd))) return false
  if (/^(?:[:\]|[,]|\/\w+:|\s{2}|\t| [-|[•(])/.test(after)) return true
  return (
    /^ \S/.test(after) &&
    !SENTENCE_GOES_ON.test(after) &&
    (word === word.toLowerCase() || /^ [^a-z]|^ \w+\.\w/.test(after))
  )
}

/** A column of a table: `1:10  error  …`, `0x1f   Error   0x0`, `Warning\t…`; and `kern  :err   : `. */
function isColumn(candidate: Candidate): boolean {
  const { word, isWeak, before, after } = candidate
  if (before.endsWith(':')) return /^\s*:/.test(after)
  if (/^ [•|·│] /.test(after))
    return !isWeak && !/^\s*\|/.test(before) && getGap(candidate).words.length === 0
  if (word === word.toUpperCase() || !/^(?:\s{2}|\t)\s*[^=\s]/.test(after)) return false
  return /(?:^|\s{2}|\t)$/.test(before) || (before.endsWith('> ') && isInHead(candidate))
}

/** Tells whether the word starts a message, as in `Error creating …`. */
function startsMessage(candidate: Candidate): boolean {
  const { word, after } = candidate
  if (!/^error$/i.test(word)) return false
  if (
    !/^ (?!handling|reporting|logging|tracking|monitoring)(?:[a-z]+ing|while|during|occurred) \S/.test(after)
  )
    return false
  return getGap(candidate).words.length === 0
}

const RULES = [startsMessage, followsTime, isUpperCaseLevel, isBracketed, isLabel, isColumn]

function findWord(head: string, timeEnd: number): StatedLevel | null {
  const actions = /^::(error|warning|notice|debug)(?: [^:]|::)/.exec(head)
  if (actions) return readGroup(actions, getLevelOfWord)
  const start = START.exec(head)
  if (start) {
    const word = /[A-Za-z]{1,30}(?=!?\s?$)/.exec(start[0])?.[0] ?? ''
    return { level: getLevelOfWord(word) || ERROR, from: 0, to: start[0].length }
  }
  for (const match of head.matchAll(CANDIDATE)) {
    const [word] = match
    const candidate = {
      word,
      isWeak: !WORDS.has(word.toLowerCase()),
      before: head.slice(0, match.index),
      after: head.slice(match.index + word.length),
      timeEnd,
    }
    if (RULES.some((rule) => rule(candidate)))
      return { level: getLevelOfWord(word), from: match.index, to: match.index + word.length }
  }
  return null
}

function findInJson(line: string, timeEnd: number): StatedLevel | null {
  if (line.startsWith(DOCKER)) {
    const inner = findLevel(line.slice(DOCKER.length), Math.max(0, timeEnd - DOCKER.length))
    return inner && { ...inner, from: inner.from + DOCKER.length, to: inner.to + DOCKER.length }
  }
  return (
    readGroup(JSON_LEVEL.exec(line), getLevelOfValue) ?? readGroup(JSON_OTHER.exec(line), getLevelOfValue)
  )
}

/** Finds a level in pairs of names and values. Another level may stand before them. */
function findInPairs(line: string): StatedLevel | null {
  const found: (StatedLevel | null)[] = []
  if (line.includes('"')) {
    const brace = line.indexOf('{')
    if (brace !== -1 && brace <= HEAD) found.push(readGroup(JSON_LEVEL.exec(line), getLevelOfValue))
  }
  if (line.includes('=') && !SETTING.test(line))
    found.push(readGroup(LOGFMT_LEVEL.exec(line), getLevelOfValue))
  return found.reduce((first, next) => (next && (!first || next.from < first.from) ? next : first), null)
}

function findLetter(head: string, timeEnd: number): StatedLevel | null {
  const atStart = readGroup(LETTER.exec(head), getLevelOfSign)
  if (atStart) return { ...atStart, ...(/^[A-Z],? \[/.test(head) && { from: 0, to: 1 }) }
  if (timeEnd > 0) {
    const found = readGroup(LETTER_AFTER_TIME.exec(head.slice(timeEnd)), getLevelOfSign)
    if (found) return { ...found, from: found.from + timeEnd, to: found.to + timeEnd }
  }
  return readGroup(MARKED_LETTER.exec(head), getLevelOfSign)
}

/** Formats that need nothing but their own pattern. */
const OWN_PATTERNS: readonly [RegExp, (text: string) => LevelCode][] = [
  // Unreal Engine.
  [
    /\]Log\w*: (Fatal|Error|Warning|Display|Log|VeryVerbose|Verbose): /,
    (word) => (word === 'Display' ? INFO : word === 'VeryVerbose' ? DEBUG : getLevelOfWord(word)),
  ],
  // ESLint.
  [/^\s+\d+:\d+\s+(error|warning)\s/, getLevelOfWord],
  // Erlang.
  [/^=([A-Z]{4,11}) REPORT====/, getLevelOfWord],
  // Azure Pipelines and TeamCity.
  [/^##(?:vso|teamcity)\[[^\]]{0,400}\b(?:type|status)='?(error|warning)\b/i, getLevelOfWord],
  // WebSphere: `ServletWrappe E   `, after a time and a thread.
  [
    /^\[[^\]]{10,40}\] [\da-f]{8} \S+ +([FEWIADO]) {2,3}\S/,
    (letter) => (letter === 'A' || letter === 'O' ? INFO : getLevelOfSign(letter)),
  ],
  // Db2.
  [/\sLEVEL: (Severe|Error|Warning|Info)\b/, getLevelOfWord],
  // `Zigbee2MQTT:info  2026-…`, `prisma:error Invalid …`.
  [/^[A-Za-z]\w+:(error|warn|warning|info|debug)\s+[A-Z\d]/, getLevelOfWord],
  // MySQL.
  [/^\S+ \d+ \[(System)\] \[MY-/, () => INFO],
  // qBittorrent: normal, warning, critical and information.
  [/^\(([NWCI])\) \d{4}-/, getLevelOfSign],
  // `%LINK-3-UPDOWN: ` of Cisco.
  [/%[A-Z][A-Z\d_]{1,30}-([0-7])-[A-Z\d_]+: /, (digit) => getLevelOfSeverity(Number(digit))],
  // `daemon.err` of OpenWrt and other forms of syslog.
  [
    /\s(?:kern|user|mail|daemon|auth|authpriv|syslog|lpr|news|uucp|cron|ftp|local[0-7])\.(emerg|alert|crit|err|error|warn|warning|notice|info|debug)\s/,
    getLevelOfWord,
  ],
  // `system,error,critical` of MikroTik.
  [/\d\d:\d\d:\d\d [a-z]+,(?:[a-z]+,){0,3}(error|critical|warning|info|debug)[, ]/, getLevelOfWord],
  // Programs that state the level in a sentence.
  [
    /^(?:CMake (Error|Warning)[ :]|(?:\w+: )?(Error) (?:in .{1,120} : |from server|response from daemon)|Write-(Error|Warning|Verbose|Debug|Information): |An (error) occurred \(|(Warning) messages?:|dpkg(?:-\w+)?: (error|warning) )/,
    getLevelOfWord,
  ],
  // npm's own: `12 silly fetch manifest`.
  [
    /^\d{1,6} (silly|verbose|info|http|timing|notice|warn|error) \S/,
    (word) => (word === 'http' ? INFO : word === 'timing' ? DEBUG : getLevelOfWord(word)),
  ],
  // Chromium and Electron.
  [/^\[(?:\d+:){0,2}\d{4}\/\d{6}(?:\.\d+)?:(FATAL|ERROR|WARNING|INFO|VERBOSE)\d*:/, getLevelOfWord],
  // Redis.
  [/^(?:\S+ +\| )?\d+:[XCSM] .{20,26} ([.*#-]) /, getLevelOfSign],
]

/** @param instantEnd where the line's timestamp ends, 0 if it has none. */
export function findLevel(line: string, instantEnd: number): StatedLevel | null {
  if (line.length < MIN_LENGTH) return null
  const examined = line.length > MAX_EXAMINED ? line.slice(0, MAX_EXAMINED) : line
  if (examined.startsWith('{"')) return findInJson(examined, instantEnd)
  const timeEnd = instantEnd || (LOOSE_TIME.exec(examined)?.[0].length ?? 0)
  const status = readGroup(STATUS.exec(examined), getLevelOfStatus)
  if (status) return status
  const head = examined.slice(0, HEAD)
  const letter = findLetter(head, timeEnd)
  if (letter) return letter
  for (const [pattern, toLevel] of OWN_PATTERNS) {
    const found = readGroup(pattern.exec(head), toLevel)
    if (found) return found
  }
  const pair = findInPairs(examined)
  const word = findWord(head, timeEnd)
  if (pair && (!word || pair.from < word.from)) return pair
  if (word) return word
  const priority = readGroup(PRIORITY.exec(head), (number) => getLevelOfSeverity(Number(number) % 8))
  if (priority) return priority
  const warning = WARNING_CLASS.exec(head)
  if (warning) return { level: WARNING, from: warning.index, to: warning.index + warning[0].length - 2 }
  const exception = EXCEPTION.exec(head)
  return exception && { level: ERROR, from: 0, to: exception[0].length }
}
