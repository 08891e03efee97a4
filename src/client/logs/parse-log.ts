import type { Instant } from '../../shared/instant.ts'
import { findLastAtMost } from '../text/displayed-text.ts'
import { DEBUG, ERROR, findLevel, isException, LEVELS, NO_LEVEL, WARNING } from './levels.ts'
import { findDateOrder, findTimestamp } from './timestamps.ts'

/** Lines that can be folded: a stack trace, or a group of a CI log. Lines count from 0. */
interface Fold {
  /** The line that stays visible when the others are folded. */
  readonly header: number
  /** The lines that are folded, `end` not included. */
  readonly start: number
  readonly end: number
}

interface Kind {
  /** The form of the line before the first frame; without it, any line will do. */
  readonly header?: RegExp
  readonly frame: RegExp
  /** Lines that may stand between frames, but don't end a trace. */
  readonly between?: RegExp
}

/** How many lines are folded at least. Fewer would save no space. */
const MIN_FOLDED = 2
/** UTF-16 units of a line that are looked at. */
const HEAD = 400
/** The text that containers put before each line: a name and a bar, or a time and a stream. */
const PREFIX =
  /^(?:(?:\d+\|)?[\w.-]{1,60} {0,20}\| ?)?(?:\d{4}-\d\d-\d\dT[\d:.]{8,18}(?:Z|[+-]\d\d:\d\d) (?:std(?:out|err) [FP] )?)?/

const KINDS: readonly Kind[] = [
  {
    // Java, Kotlin, Scala, Node and .NET.
    frame: /^\s+at \S/,
    between:
      /^\s*(?:\.\.\. \d+ (?:more|common frames omitted)|Caused by: |Suppressed: |-{3} End of |-+> |\[CIRCULAR REFERENCE|\[errors\]|\[cause\])/,
  },
  {
    // Python. The exception, after the frames, stays visible.
    header:
      /^[\s|+]{0,20}(?:(?:Exception Group )?Traceback \(most recent call last\)|Stack \(most recent call last\))/,
    frame: /^[\s|]{0,20} {2}File "[^"]+", line \d+/,
    between: /^[\s|]{0,20} {4}\S|^\s+\[Previous line repeated/,
  },
  {
    // Go: each frame takes two lines.
    header: /^goroutine \d+ .{0,8}\[[^\]]+\]:$/,
    frame: /^(?:\S(?=.*\().*\)$|created by \S|panic\(|\t\S.*:\d)/,
    between: /^\.\.\.(?:additional|\d+) frames elided\.\.\./,
  },
  {
    // Rust.
    header: /^stack backtrace:/,
    frame: /^\s+\d+: +\S/,
    between: /^\s+at \S/,
  },
  {
    // Ruby, whose header is the first frame, with the message.
    frame: /^\s+(?:\d+: )?from \S.{0,300}:\d+:in /,
    between: /^\s*\.\.\. \d+ levels\.\.\./,
  },
  {
    // Ruby on Rails, which logs only the frames, and Elixir.
    frame: /^\s*(?:\S{1,300}\.(?:rb|erb|rake|ru):\d+:in |\([\w.-]+ [\d.]+(?:[A-Za-z_]\w*)?\) \S+:\d+: )/,
    between: /^\s{4,}(?:nofile|\S{1,200}\.exs?):\d+: /,
  },
  {
    // PHP and debuggers.
    frame: /^#\d+ +(?:\S.*[(:]|\{main\})/,
    between: /^\s+(?:at|from) \S+:\d+/,
  },
]

const getHead = (line: string) => (line.length > HEAD ? line.slice(0, HEAD) : line)

function findTraceAt(first: number, getLine: (index: number) => string | null): Fold | null {
  const strip = (index: number) => {
    const line = getLine(index)
    return line === null ? null : getHead(line).replace(PREFIX, '').trimEnd()
  }
  const line = strip(first)
  if (line === null || first === 0) return null
  const previous = strip(first - 1) ?? ''
  const kind = KINDS.find(({ frame, header }) => frame.test(line) && (!header || header.test(previous)))
  if (!kind) return null
  let end = first + 1
  for (let index = end; ; index++) {
    const next = strip(index)
    if (next === null || next === '') break
    if (!kind.frame.test(next) && !kind.between?.test(next)) break
    end = index + 1
  }
  // A trace whose header is missing keeps its first frame.
  const start = previous === '' ? first + 1 : first
  return end - start < MIN_FOLDED ? null : { header: start - 1, start, end }
}

/** The lines on which a trace may have its first frame, so that all other lines are passed over quickly. */
const MAY_BE_FRAME = /^\s|^#\d|\.rb:\d|\| |\)$|^\d{4}-\d\d-\d\dT\S+ .{0,9}\s+at |^created by |^panic\(/

export function* findStackTraces(getLine: (index: number) => string | null): Generator<Fold> {
  for (let index = 0; ; index++) {
    const line = getLine(index)
    if (line === null) return
    if (!MAY_BE_FRAME.test(getHead(line))) continue
    const trace = findTraceAt(index, getLine)
    if (!trace) continue
    yield trace
    index = trace.end - 1
  }
}

/** `::group::Name` and `::endgroup::` of GitHub Actions, which its logs, like those of Azure, write with `##[…]`. */
const GROUP = /(?:::(end)?group(?: [^:\n]*)?::|##\[(end)?group\])/g

/** Groups may be nested. One that never ends isn't one. */
export function findGroups(text: string, lineStarts: Uint32Array) {
  const groups: Fold[] = []
  /** The line of a group's start or end, and where its marker ends in the line. */
  const markers = new Map<number, number>()
  const open: number[] = []
  for (const match of text.matchAll(GROUP)) {
    const line = findLastAtMost(lineStarts, match.index)
    const start = lineStarts[line] ?? 0
    if (match.index - start > HEAD || text.slice(start, match.index).replace(PREFIX, '') !== '') continue
    markers.set(line, match.index + match[0].length - start)
    if (match[1] === undefined && match[2] === undefined) open.push(line)
    else {
      const header = open.pop()
      if (header !== undefined && line > header) groups.push({ header, start: header + 1, end: line + 1 })
    }
  }
  return { groups, markers }
}

/** Numbers per fold in a packed list: header, start and end. */
const FOLD_SIZE = 3

export const countFolds = (folds: Uint32Array): number => folds.length / FOLD_SIZE

export function readFold(folds: Uint32Array, index: number): Fold {
  const [header = 0, start = 0, end = 0] = folds.subarray(index * FOLD_SIZE, (index + 1) * FOLD_SIZE)
  return { header, start, end }
}

/** Packs folds in the order of their headers. A fold within another comes after it. */
export const packFolds = (folds: readonly Fold[]): Uint32Array<ArrayBuffer> =>
  new Uint32Array(
    folds
      .toSorted((one, other) => one.header - other.header || other.end - one.end)
      .flatMap(({ header, start, end }) => [header, start, end]),
  )

/** The names of the styles that logs.css has for log lines. */
export const LOG_LINE_STYLES = [
  'log-error',
  'log-warning',
  'log-info',
  'log-debug',
  'log-error-text',
  'log-warning-text',
  'log-debug-text',
  'log-time',
  'log-trace',
  'log-group',
] as const

const style = (name: (typeof LOG_LINE_STYLES)[number]) => LOG_LINE_STYLES.indexOf(name)

/** The style of the text around a level word. Lines of level info keep the colour of the page. */
const TEXT_STYLES: Readonly<Record<number, number>> = {
  [ERROR]: style('log-error-text'),
  [WARNING]: style('log-warning-text'),
  [DEBUG]: style('log-debug-text'),
}

function findLineStarts(text: string): Uint32Array<ArrayBuffer> {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  if (text.endsWith('\n')) starts.pop()
  starts.push(text.length)
  return new Uint32Array(starts)
}

/** The lines that decide whether 11/12 is in November or in December. */
const ORDER_LINES = 2_000

type AddToken = (from: number, to: number, style: number) => void

export type ParsedLog = ReturnType<typeof parseLog>

/** Parses a log. Its lines count from 0. */
export function parseLog(text: string, now: Instant) {
  const lineStarts = findLineStarts(text)
  const lines = lineStarts.length - 1
  const getLine = (index: number) => {
    if (index >= lines) return null
    const end = lineStarts[index + 1] ?? 0
    return text.slice(lineStarts[index], text[end - 1] === '\n' ? end - 1 : end)
  }
  const levels = new Uint8Array(lines)
  const continues = new Uint8Array(lines)
  const times = new Float64Array(lines).fill(Number.NaN)
  const counts: number[] = LEVELS.map(() => 0)
  const tokens: number[] = []
  const addToken: AddToken = (from, to, index) => {
    if (from < to) tokens.push(from, to, index)
  }
  const traces = [...findStackTraces(getLine)]
  const { groups, markers } = findGroups(text, lineStarts)
  const firstLines = Array.from({ length: Math.min(lines, ORDER_LINES) }, (_, index) => getLine(index) ?? '')
  const dateOrder = findDateOrder(firstLines, now)
  let offset: number | null = null
  let next = 0

  for (let index = 0; index < lines; index++) {
    const line = getLine(index) ?? ''
    const start = lineStarts[index] ?? 0
    while ((traces[next]?.end ?? lines) <= index) next += 1
    const trace = traces[next]
    const inTrace = trace !== undefined && index >= trace.start
    const previous = index > 0 ? (levels[index - 1] ?? NO_LEVEL) : NO_LEVEL
    const afterText = index > 0 && start - (lineStarts[index - 1] ?? 0) > 1
    if (inTrace && index > 0) {
      continues[index] = 1
      levels[index] = previous
      addToken(start, start + line.length, style('log-trace'))
      continue
    }
    const timestamp = findTimestamp(line, now, dateOrder)
    if (timestamp) {
      times[index] = timestamp.time
      offset ??= timestamp.offset
    }
    const markerEnd = markers.get(index)
    if (markerEnd !== undefined) {
      addToken(start, start + markerEnd, style('log-time'))
      addToken(start + markerEnd, start + line.length, style('log-group'))
      continue
    }
    const stated = findLevel(line, timestamp?.to ?? 0)
    const isHeader = trace?.header === index
    const statesOwnLevel = stated !== null && !isException(line)
    // The name of an exception, before or after the frames, belongs to the entry above.
    const belongsToTrace =
      !statesOwnLevel &&
      previous !== NO_LEVEL &&
      previous <= WARNING &&
      ((isHeader && afterText) || (isException(line) && traces[next - 1]?.end === index))
    const isIndented = afterText && /^[\t ]+\S/.test(line)
    const startsWithLevel = stated !== null && /^[^\p{L}=]*$/u.test(line.slice(0, stated.from))
    if (
      !timestamp &&
      (belongsToTrace || (isIndented && !startsWithLevel && (!stated || previous !== NO_LEVEL)))
    ) {
      continues[index] = 1
      levels[index] = previous
      const around = TEXT_STYLES[previous]
      if (around !== undefined) addToken(start, start + line.length, around)
      continue
    }
    const level = stated?.level ?? (isHeader ? ERROR : NO_LEVEL)
    levels[index] = level
    if (level !== NO_LEVEL) counts[level - 1] = (counts[level - 1] ?? 0) + 1
    addTokens(addToken, { start, end: start + line.length, level, stated, timestamp })
  }
  return {
    /** The start offset of each line, followed by the end offset of the text. */
    lineStarts,
    /** The `LevelCode` of each line. A line that continues an entry has the level of the entry. */
    levels,
    /** 1 for a line that continues the entry of the line before. */
    continues,
    /** The `Instant` of each line; NaN for a line without a timestamp. */
    times,
    /** Minutes ahead of UTC in which the first timestamp is stated. */
    offset: offset ?? 0,
    dateOrder,
    /** The stack traces and groups, in a packed list. */
    folds: packFolds([...traces, ...groups]),
    /** How many of them are groups. */
    groups: groups.length,
    tokens: new Uint32Array(tokens),
    counts,
  }
}

interface ParsedLine {
  readonly start: number
  readonly end: number
  readonly level: number
  readonly stated: ReturnType<typeof findLevel>
  readonly timestamp: ReturnType<typeof findTimestamp>
}

function addTokens(addToken: AddToken, { start, end, level, stated, timestamp }: ParsedLine): void {
  const around = TEXT_STYLES[level]
  const spans = [
    ...(timestamp ? [{ ...timestamp, style: style('log-time') }] : []),
    ...(stated ? [{ ...stated, style: level - 1 }] : []),
  ].sort((one, other) => one.from - other.from)
  let at = start
  for (const span of spans) {
    const from = Math.max(at, start + span.from)
    if (around !== undefined) addToken(at, from, around)
    addToken(from, start + span.to, span.style)
    at = Math.max(at, start + span.to)
  }
  if (around !== undefined) addToken(at, end, around)
}
