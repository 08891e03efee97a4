import type { Sample } from './sample.ts'

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
  // 03-01 10:00:00.123
  /^\d\d[-/]\d\d \d\d:\d\d:\d\d[.,]\d+\s/,
  // 01/Mar/2024:10:00:00, 03/01/2024 10:00:00
  /^\[?\d\d[/.-](?:\d\d|[A-Z][a-z]{2})[/.-]\d{2,4}[: ,]+\d\d:\d\d:\d\d/,
  // I, [2024-03-01T10:00:00 #123]  INFO
  /^[A-Z], \[\d{4}-\d\d-\d\dT/,
  // I0301 10:00:00.123456
  /^[IWEF]\d{4} \d\d:\d\d:\d\d/,
  // [    1.234567]
  /^\[ *\d+\.\d{3,6}\] /,
  // access logs
  /^\S+ \S+ \S+ \[\d\d\/[A-Z][a-z]{2}\/\d{4}:/,
  new RegExp(`^\\[? ?${LEVEL} ?\\]?(?::|\\s|\\()`),
  new RegExp(`^\\[[\\w.: /-]{1,40}\\] ?\\[? ?${LEVEL}\\b`),
  /^\[(?:trace|debug|info|notice|warn|warning|error|fatal)\]/i,
  /^npm (?:ERR!|WARN|warn|error|notice) /,
  // logfmt
  /^(?:time|ts|timestamp|t|level|lvl|at)="?[\w:.+-]+"? .*\b\w+=/,
]

const CONTAINER = /^[\w.-]{1,40} +\| ?/

/** Lines of stack traces in several languages. */
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

/** Returns true if most lines start like log lines, or if the text is a stack trace. */
export function isLog({ lines }: Sample): boolean {
  const bare = lines.map((line) => line.replace(CONTAINER, ''))
  const entries = bare.filter((line) => matches(LINE_STARTS, line)).length
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
