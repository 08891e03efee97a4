import { readJson } from '../json.ts'
import { findTableRows, isNumber } from '../table.ts'

/** Only the start of a text is examined, so the time that detection takes doesn't depend on the text's length. */
const MAX_CHARACTERS = 8_192
const MAX_LINES = 160
/** Some patterns take time quadratic in the length of a line. */
const MAX_LINE_CHARACTERS = 160

export type Sample = ReturnType<typeof takeSample>

const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, 'g')

export function takeSample(text: string, maxCharacters = MAX_CHARACTERS) {
  const start = text
    .slice(0, Math.min(maxCharacters, MAX_CHARACTERS))
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(COLOURS, '')
    // Letters of manual pages that are struck twice
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters on purpose.
    .replace(/[^\n]\x08/g, '')
  const allLines = start.split('\n', MAX_LINES).map((line) => line.slice(0, MAX_LINE_CHARACTERS).trimEnd())
  return {
    start: start.trim(),
    isWhole: text.length <= Math.min(maxCharacters, MAX_CHARACTERS),
    lines: allLines.filter((line) => line !== ''),
    text: allLines.join('\n').replace(/^\n+/, ''),
  }
}

/** Names without quotes and strings in single quotes are those of JavaScript and Python, unless there are comments, too. */
function isSomeJson(text: string): boolean {
  try {
    const { differences, values } = readJson(text)
    const isLikeCode = differences.some((difference) => /quotes/.test(difference))
    return values === 1 && (!isLikeCode || differences.includes('comments'))
  } catch {
    return false
  }
}

/** Strings, comments, numbers and names of JSON with comments. The rest must be punctuation. */
const TOKENS =
  /(?<!\\)"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|-?\b(?:true|false|null|NaN|Infinity)\b/gi

export function isJson({ start, isWhole }: Sample): boolean {
  if (!/^(?:\/\/[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/|\s)*[[{]/.test(start)) return false
  if (isWhole && isSomeJson(start)) return true
  // A sample may end in the middle of a string, but a comment of a regular length ends.
  const rest = start
    .replace(TOKENS, ' ')
    .replace(/"[^"\n]*$/, '')
    .replace(/\b[a-z]{1,4}$/, '')
  return /^[\s{}[\],:-]*$/.test(rest) && /[{,[]\s*[[{"\d-]/.test(start)
}

const FRAGMENT_LINE = /^\s*("(?:[^"\\]|\\.)*"\s*(:.*|,?)|[\]}[{]+,?|-?\d[\d.]*,?)$/
const KEY_LINE = /^\s*"(?:[^"\\]|\\.)*"\s*:\s*("|-?\d|[[{]|true\b|false\b|null\b)/

export function isJsonFragment({ lines }: Sample): boolean {
  const keys = lines.filter((line) => KEY_LINE.test(line)).length
  return keys >= 2 && lines.every((line) => FRAGMENT_LINE.test(line))
}

export function isJsonLines({ start, isWhole }: Sample): boolean {
  const lines = start.split('\n').filter((line) => line !== '')
  const complete = isWhole ? lines : lines.slice(0, -1)
  return complete.length >= 2 && complete.every((line) => /^\s*[[{]/.test(line) && isSomeJson(line))
}

const LEVEL = '(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|ERR|FATAL|CRITICAL|SEVERE|VERBOSE)'

/** How a line of a log starts, after the name of a container, if there is one. */
const LINE_STARTS: readonly RegExp[] = [
  // 2024-03-01 10:00:00, [2024/03/01T10:00:00Z
  /^[[("]?\d{4}[-/.]\d\d[-/.]\d\d[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?(?:Z| ?[+-]\d\d:?\d\d)?(?:["\])]*(?:\s|:|$))/,
  // 10:00:00.123, [10:00:00]
  /^[[(]?\d\d:\d\d:\d\d(?:[.,]\d+)?[\])]?(?:\s|:|$)/,
  // Mar  1 10:00:01, Fri Mar 01 10:00:01
  /^\[?(?:[A-Z][a-z]{2},? )?[A-Z][a-z]{2} [ \d]\d (?:\d{4} )?\d\d:\d\d:\d\d/,
  /^<\d{1,3}>/,
  // 03-01 10:00:00, [03-01 10:00:00.123]
  /^\[?\d\d[-/]\d\d \d\d:\d\d:\d\d(?:[.,]\d+)?[\s\]]/,
  // 01/Mar/2024:10:00:00, 3/1/2024, 10:00:00 AM, 24/03/01 10:00:00
  /^[[(<]?\d{1,2}[/.-](?:\d{1,2}|[A-Z][a-z]{2})[/.-]\d{2,4}[: ,]+\d{1,2}:\d\d:\d\d(?:[.,]\d+)?(?:\s?[AP]M)?(?:[\])>]|\s|:|$)/i,
  // 3/1/2024 10:00 AM
  /^[[(<]?\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}[ ,]+\d{1,2}:\d\d(?:\s?[AP]M)?[\])>]?(?:\s|$)/i,
  // 10:00:00 AM, [9:05 PM]
  /^[[(]?\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?\s?[AP]M[\])]?(?:\s|:|$)/i,
  // Mar 1, 2024 10:00:00 AM, <Mar 1, 2024, 10:00:00,123 AM UTC>, Fri, 01 Mar 2024 10:00:00
  /^(?:#{4})?[[<]?[A-Z][a-z]{2} \d{1,2}, \d{4},? \d{1,2}:\d\d/,
  /^[[<]?[A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d/,
  // A process, a host or a program before the time: [Nest] 123  - 03/01/2024, 10:00:00 AM
  /^(?:[[<(]?[\w.:/@-]{1,30}[\])>]? +(?:- +)?){1,3}[[<(]?(?:\d{4}-\d\d-\d\d[T ]|\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4},? )\d{1,2}:\d\d:\d\d/,
  // Squid: 1709287200.123    456 10.0.0.1 TCP_MISS/200
  /^\d{10}\.\d{3} +\d+ \S+ [A-Z_]+\/\d{3} /,
  // Chromium and Electron: [123:0301/100000.123456:ERROR:gpu.cc(1)]
  /^\[(?:\d+:){0,2}\d{4}\/\d{6}(?:\.\d+)?:[A-Z]+\d*:/,
  // ESPHome and ESP-IDF: [10:00:00][D][sensor:093]:, I (123) wifi:
  /^\[\d\d:\d\d:\d\d(?:[.,]\d+)?\]\[/,
  /^[VDIWE] \(\d+\) [\w.-]+: /,
  // PM2: 0|api  | ready
  /^(?:\d+\|[\w.-]{1,40}|PM2) +\| /,
  // npm's own: 12 silly fetch manifest
  /^\d{1,6} (?:silly|verbose|info|http|timing|notice|warn|error) \S/,
  // The console of .NET, whose messages are in the next line
  /^(?:trce|dbug|info|warn|fail|crit): [\w.+`]+\[\d+\]$/,
  // The debug package:   express:router dispatching GET / +2ms
  /^\s{0,2}[\w-]+(?::[\w*.-]+)+ .* \+\d+(?:ms|s|m|h)$/,
  // I, [2024-03-01T10:00:00 #123]  INFO
  /^[A-Z], \[\d{4}-\d\d-\d\dT/,
  // I0301 10:00:00.123456
  /^[IWEF]\d{4} \d\d:\d\d:\d\d/,
  // [    1.234567]
  /^\[ *\d+\.\d{3,6}\] /,
  // access logs
  /^\S+ \S+ \S+ \[\d\d\/[A-Z][a-z]{2}\/\d{4}:/,
  new RegExp(`^\\[? ?${LEVEL} ?\\]?(?::|\\s|\\()`),
  // NLog: 2024-03-01 10:00:00.1234|INFO|App|Started, INFO|2024-03-01 10:00:00|Started
  new RegExp(`^[\\d/., T-]{0,12}\\d\\d:\\d\\d:\\d\\d[\\d.,Z]{0,8} ?\\| ?${LEVEL} ?\\|`),
  new RegExp(`^${LEVEL} ?\\| ?\\d{4}-\\d\\d-\\d\\d[T ]`),
  new RegExp(`^\\[[\\w.: /-]{1,40}\\] ?\\[? ?${LEVEL}\\b`),
  /^\[(?:trace|debug|info|notice|warn|warning|error|fatal)\]/i,
  /^npm (?:ERR!|WARN|warn|error|notice) /,
  // logfmt
  /^(?:time|ts|timestamp|t|level|lvl|at)="?[\w:.+-]+"? .*\b\w+=/,
]

/** A line such as `#Fields: date time cs-method`, before the entries of IIS. */
const W3C_HEADER = /^#(?:Software|Version|Date|Start-Date|Fields|Remark): /

/** 3/1/24, 10:00 AM - Alice: Hi, [01.03.24, 10:00:00] Alice: Hi. A time with a whole year and seconds is a log's. */
const CHAT = new RegExp(
  `^\u200E?\\[?(?:\\d{1,2}[./-]){2}(?:\\d{4}, \\d{1,2}:\\d\\d|\\d\\d, \\d{1,2}:\\d\\d(?::\\d\\d)?)(?:\\s[AP]M)?(?: -|\\]) (?!${LEVEL}:)[^:[]{1,60}: `,
  'i',
)

const CONTAINER = /^(?!PM2 )[\w.-]{1,40} +\| ?/

const TRACE_LINES: readonly RegExp[] = [
  /^\s+at (?:async )?[\w.$<>[\]/@ ~-]+ ?\(.*\)(?: in .*:line \d+)?$/,
  /^\s+at (?:async )?(?:file:\/\/)?\/?[\w./<>:@-]+:\d+:\d+$/,
  /^\s+(?:at|\.{3}) \d+ (?:more|common frames)|^\s+\.{3} \d+ more/,
  /^(?:Caused by|Suppressed): [\w.$]+/,
  /^Exception in thread "|^Unhandled exception|^Uncaught /,
  /^(?:[\w$]+\.)*[A-Z]\w*(?:Error|Exception|Warning|Interrupt)(?:: |$)/,
  /^\s*Traceback \(most recent call last\):/,
  /^\s+File "[^"\n]*", line \d+/,
  /^goroutine \d+ \[|^panic: |^fatal error: |^\t\S+\.go:\d+/,
  /^\s+from \S+:\d+:in |^\S+\.rb:\d+:in /,
  /^#\d+ +\S.*(?:\(\d+\): |\bat |\bin ).*|^#\d+ \{main\}$|^Stack trace:$|^PHP (?:Fatal error|Warning|Notice|Parse error|Deprecated): /,
  /^thread '.*' panicked at |^stack backtrace:|^\s+\d+: (?:0x[\da-f]+ - )?[\w:<>]+$/,
]

const matches = (patterns: readonly RegExp[], line: string): boolean =>
  patterns.some((pattern) => pattern.test(line))

/** Lines that only certain stack traces contain, so that one is enough. */
const isTraceFrame = (line: string): boolean =>
  matches(TRACE_LINES.slice(0, 2), line) || /^\s+File "/.test(line)

/** Most lines start like log lines, or the text is a stack trace. */
export function isLog({ lines }: Sample): boolean {
  const bare = lines.filter((line) => !W3C_HEADER.test(line)).map((line) => line.replace(CONTAINER, ''))
  const entries = bare.filter((line) => matches(LINE_STARTS, line) && !CHAT.test(line)).length
  const traces = bare.filter((line) => matches(TRACE_LINES, line)).length
  const unindented = bare.filter((line) => !/^\s/.test(line)).length
  if (entries >= 2 && entries >= 0.6 * unindented) return true
  if (
    entries >= 1 &&
    entries + traces >= 0.5 * lines.length &&
    new RegExp(`\\b${LEVEL}\\b`, 'i').test(bare[0] ?? '')
  )
    return true
  if (traces >= 2 && traces >= 0.4 * lines.length) return true
  return entries + traces >= 3 && bare.some(isTraceFrame) && entries + traces >= 0.4 * lines.length
}

/** A word with the punctuation of a sentence around it. */
const WORD = /^["'(«„“‘¿¡*_–—]*[\p{L}\p{M}\d][\p{L}\p{M}\d'’‘./%-]*[.,;:!?)"'»“”’…*_]*$|^[-–—&€£°]+$/u
const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
const SYMBOL = /^[=<>+|&^~:{}()#[\]\\]+$/
const CODE_END = /[{}[\]=<>\\|&]$|\($/

export function isProseLine(listItem: string): boolean {
  const line = listItem.replace(/^\s*(?:[-*+•]|\d+[.)]) +/, '')
  if (EAST_ASIAN.test(line)) return !/[{}=<>\\]/.test(line)
  if (/^\s{4,}|^\t/.test(line) || CODE_END.test(line)) return false
  const tokens = line.trim().split(/\s+/)
  if (tokens.some((token) => SYMBOL.test(token))) return false
  // Commands and imports are words too, but few, in lower case and without punctuation.
  if (tokens.length < 6 && !/^["'(«¿¡]?\p{Lu}|[.,;:!?]$/u.test(line)) return false
  const words = tokens.filter((token) => WORD.test(token)).length
  const lowerCase = tokens.filter((token) => /^\p{Ll}+[.,;:!?)]?$/u.test(token)).length
  return tokens.length >= 4 ? words >= 0.85 * tokens.length && lowerCase >= 0.4 * tokens.length : false
}

export function getProseRatio(lines: readonly string[]): number {
  const candidates = lines.filter((line) => !/^\s*(#|\/\/|--|;|%|>|$)/.test(line))
  if (candidates.length === 0) return 0
  return candidates.filter(isProseLine).length / candidates.length
}

const SEPARATORS: readonly (readonly [separator: string, language: string])[] = [
  ['\t', 'tsv'],
  [',', 'csv'],
  [';', 'csv'],
  ['|', 'csv'],
]

const MAX_ROWS = 40
const MAX_AVERAGE_CELL_CHARACTERS = 60

function splitRow(row: string, separator: string): string[] {
  const cells: string[] = []
  let start = 0
  let quoted = false
  for (let at = 0; at < row.length; at++) {
    if (row[at] === '"') quoted = !quoted
    else if (row[at] === separator && !quoted) {
      cells.push(row.slice(start, at))
      start = at + 1
    }
  }
  return [...cells, row.slice(start)]
}

/** A measure follows no space: `Tea, 5 min` is in a list of words. */
const isNumberOrDate = (cell: string): boolean =>
  isNumber(cell) ||
  /^"?[-+$€£]?\d[\d.,' /:TZ+-]*%?"?$|^(true|false|yes|no)?$/i.test(cell.trim()) ||
  /^-?\d[\d.,]* ?([kMGT]i?B?|B|[mµn]?s|min|h|m|km|kg)$/i.test(cell)

const isQuoted = (cell: string): boolean => /^".*"$/s.test(cell)

/** Characters of code and prose that the first row of a table doesn't have. */
const isHeading = (cell: string): boolean => /^"?[\p{L}\d_#(][^{}=<>;"!?]{0,40}"?$/u.test(cell)

/** Joins the lines of cells in quotes. Leaves out a last row that goes on after the sample. */
function joinQuoted(lines: readonly string[], isWhole: boolean): string[] {
  const rows: string[] = []
  let isOpen = false
  for (const line of lines) {
    if (isOpen) rows.push(`${rows.pop()}\n${line}`)
    else rows.push(line)
    if (line.split('"').length % 2 === 0) isOpen = !isOpen
  }
  return isOpen && !isWhole ? rows.slice(0, -1) : rows
}

function isTable(rows: readonly (readonly string[])[], separator: string): boolean {
  const [header, ...body] = rows
  const columns = header?.length ?? 0
  if (!header || columns < 2 || body.length < (columns > 2 ? 1 : 2)) return false
  if (body.some((row) => row.length !== columns)) return false
  // A line below the header is Markdown's, or what a program draws.
  if (body[0]?.every((cell) => /^\s*:?-+:?\s*$/.test(cell))) return false
  const cells = body.flat()
  if (cells.join('').length > MAX_AVERAGE_CELL_CHARACTERS * cells.length) return false
  // In prose and code, a space follows the comma.
  const padded = rows.flatMap((row) => row.slice(1)).filter((cell) => /^ \S/.test(cell)).length
  // Pipes of a shell, flags and choices have bars, but no numbers.
  if (separator === '|' && !cells.some((cell) => /\d/.test(cell) && isNumberOrDate(cell))) return false
  const values = cells.filter((cell) => isNumberOrDate(cell) || isQuoted(cell)).length
  if (padded > 0.2 * (cells.length + columns) && values < 0.5 * cells.length) return false
  if (rows.filter((row) => row[0]?.trim() === '').length > 0.2 * rows.length) return false
  if (rows.filter((row) => row.at(-1)?.trim() === '').length > 0.5 * rows.length) return false
  if (cells.some((cell) => /[{}]|=>|\($|^\((?!\d[\d.,]*\)$)/.test(cell) && !isQuoted(cell))) return false
  const headed = header.every(isHeading) && new Set(header).size === columns
  return headed ? values > 0 || columns > 2 || body.length >= 4 : values >= 0.5 * cells.length
}

/** Returns `csv` or `tsv` for rows with the same number of cells; null for any other text. */
export function detectTable({ start, isWhole }: Sample): string | null {
  const { delimiter, offset } = findTableRows(`${start}\n`)
  const lines = start
    .slice(offset)
    .split('\n')
    .filter((line) => line.trim() !== '')
  const rows = isWhole ? lines : lines.slice(0, -1)
  const joined = joinQuoted(rows, isWhole)
  const stated = delimiter ? [[delimiter, delimiter === '\t' ? 'tsv' : 'csv'] as const] : SEPARATORS
  for (const [separator, language] of stated) {
    const isRows = (candidates: readonly string[]) =>
      isTable(
        candidates.slice(0, MAX_ROWS).map((row) => splitRow(row, separator)),
        separator,
      )
    if (!rows[0]?.includes(separator) || rows.some((row) => CHAT.test(row))) continue
    if (isRows(rows) || (joined.length < rows.length && isRows(joined))) return language
  }
  return null
}

const COMMENT = /^\s*[#;]/

const ratio = (lines: readonly string[], pattern: RegExp): number =>
  lines.length === 0 ? 0 : lines.filter((line) => pattern.test(line)).length / lines.length

const SECTION = /^\s*\[\[?["\w][^\]]*\]\]?\s*([#;].*)?$|^\[\*.*\]$/
const SETTING = /^\s*[\w.*@/"'-][\w.*@/ "':-]{0,80}?\s*=/
const TOML_SETTING = /^\s*["\w.-]+ *= *("|'|\[|\{|[+-]?\d|true\b|false\b)/
const TOML_CONTINUATION = /^\s*(["'[\]{}].*|[+-]?\d[\d., ]*)$/

function detectSettings(lines: readonly string[]): string | null {
  const sections = lines.filter((line) => SECTION.test(line)).length
  const rest = lines.filter((line) => !SECTION.test(line))
  const settings = rest.filter((line) => SETTING.test(line))
  if (settings.length === 0) return null
  if (ratio(settings, TOML_SETTING) === 1) {
    const known = rest.filter((line) => TOML_SETTING.test(line) || TOML_CONTINUATION.test(line)).length
    const typed = settings.some((line) => /= *("|\[|\{|true\b|false\b)/.test(line))
    if (known === rest.length && typed && (sections > 0 || settings.length >= 3)) return 'toml'
  }
  if (/^\s*\[/.test(lines[0] ?? '') && !SECTION.test(lines[0] ?? '')) return null
  if (sections > 0 && settings.length >= 0.7 * rest.length) return 'ini'
  return null
}

function detectVariables(lines: readonly string[]): string | null {
  if (lines.length < 2) return null
  if (ratio(lines, /^(export )?[A-Z_][A-Z0-9_]*=("[^"]*"|'[^']*'|[^\s"'$`()]\S*|)( +#.*)?$/) === 1)
    return 'dotenv'
  if (ratio(lines, /^[a-z][\w-]*(\.[\w[\]-]+)+ ?[=:] ?\S?/) >= 0.9) return 'ini'
  const settings = ratio(lines, /^[\w.-]+ ?= ?[^;{(]*$/)
  if (settings === 1 && lines.some((line) => /^([\w-]+\.[\w.-]+|[a-z]+[A-Z]\w*)=/.test(line))) return 'ini'
  return null
}

const YAML_KEY = /^\s*(- +)*(["']?[\w./$<>{}()-][\w./$<>{}() -]{0,59}(?:::\w+)*["']?|\?) *:( |$)/
const YAML_ITEM = /^\s*- +\S|^\s*-$/

/** A document ends where the next one starts. */
const YAML_MARK = /^(?:---(?= |$)|\.\.\.$|%YAML)/
/** A value in one line, or what a template puts there. */
const YAML_FLOW = /^\s*(?:\{.*\}|\[.*\])$/

const getIndent = (line: string): number => line.length - line.trimStart().length

/** Leaves out texts over several lines, such as scripts. `visit` gets each other line. */
function forEachYamlLine(lines: readonly string[], visit: (line: string, indent: number) => void): void {
  let blockIndent = -1
  for (const line of lines) {
    const indent = getIndent(line)
    if (blockIndent >= 0 && (indent > blockIndent || line === '')) continue
    visit(line, indent)
    blockIndent = /(?:: |- )[|>][+-]?\d?[+-]?(?: +#.*)?$/.test(line) ? indent : -1
  }
}

/** Leaves out texts over several lines, which may be in any language. */
export function withoutBlockScalars(text: string): string {
  const kept: string[] = []
  forEachYamlLine(text.split('\n'), (line) => kept.push(line))
  return kept.join('\n')
}

function isYaml(sample: Sample): boolean {
  const lines = sample.lines.filter((line) => !COMMENT.test(line))
  // YAML forbids tabs in indentation.
  if (lines.some((line) => line.startsWith('\t'))) return false
  let keys = 0
  let others = 0
  let continued = 0
  let spacedKeys = 0
  let pairs = 0
  let keyIndent = -1
  let flowIndent = -1
  let document: string[] = []
  const documents = [document]
  forEachYamlLine(lines, (line, indent) => {
    if (YAML_MARK.test(line)) {
      if (document.length === 0) return
      document = []
      documents.push(document)
      return
    }
    if (flowIndent >= 0 && indent > flowIndent) return
    flowIndent = -1
    const key = YAML_KEY.exec(line)
    if (key) {
      keys++
      keyIndent = indent
      if (/\w \w.*:/.test(key[0])) spacedKeys++
      const value = line.slice(key[0].length).replace(/(^| )#.*/, '')
      if (/^ *[^\s"'{[&*!|>].*\w: \S/.test(value)) pairs++
      if (indent === 0 && !line.startsWith('-')) document.push(key[0])
      if (/: +["'{[]/.test(line)) flowIndent = indent
    } else if (YAML_FLOW.test(line) || YAML_ITEM.test(line)) return
    else if (keyIndent >= 0 && indent > keyIndent) continued++
    else others++
    if (/[;{(]$|[^:]\/\/ |^\s*[{}]/.test(line)) others++
  })
  if (keys < 2 || continued > 0.5 * keys || others > 0.05 * lines.length || spacedKeys > 0.3 * keys)
    return false
  // A value without quotes has no key: `Host: a Kernel: b` is what a tool prints.
  if (pairs > 0.2 * keys) return false
  // A chat has the same speakers again and again, and an email or letter has capitalized headings.
  if (documents.some((names) => new Set(names).size !== names.length)) return false
  if (sample.lines[0]?.startsWith('---')) return true
  if (documents.length > 1 && others === 0) return true
  const topLevel = documents.flat()
  const nested = lines.some((line) => /^\s+(- )?\S/.test(line) || YAML_ITEM.test(line))
  const flat = topLevel.length >= 3 && topLevel.every((key) => /^["']?[a-z_][\w./-]*["']? *:/.test(key))
  const wordy = ratio(lines, /: [\p{L}][\p{L}'’,-]* [\p{L}'’,-]+ [\p{L}'’,-]+ [\p{L}'’,-]+ /u)
  return nested ? topLevel.length > 0 || keys >= 3 : flat && wordy < 0.3
}

const LIST_ITEM = /^\s*[-*+] [^:]*$/

export function detectConfiguration(sample: Sample): string | null {
  const lines = sample.lines.filter((line) => !COMMENT.test(line))
  if (lines.length >= 2 && lines.length === sample.lines.length && ratio(lines, LIST_ITEM) === 1)
    return 'markdown'
  return detectSettings(lines) ?? detectVariables(lines) ?? (isYaml(sample) ? 'yaml' : null)
}
