import { findLastAtMost } from '../text/displayed-text.ts'

/** Lines that can be folded: a stack trace, or a group of a CI log. Lines count from 0. */
export interface Fold {
  /** The line that stays visible when the others are folded. */
  readonly header: number
  /** The lines that are folded, `end` not included. */
  readonly start: number
  readonly end: number
}

interface Kind {
  /** What the line before the first frame must look like; without it, any line will do. */
  readonly header?: RegExp
  readonly frame: RegExp
  /** Lines that may stand between frames, but don't end a trace. */
  readonly between?: RegExp
}

/** Fewer folded lines would save no space. */
const MIN_FOLDED = 2
/** UTF-16 units of a line that are looked at. */
const HEAD = 400
/** What containers put before each line: a name and a bar, or a time and a stream. */
const PREFIX =
  /^(?:[\w.-]{1,60} {0,20}\| ?)?(?:\d{4}-\d\d-\d\dT[\d:.]{8,18}(?:Z|[+-]\d\d:\d\d) (?:std(?:out|err) [FP] )?)?/

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

export function* findStackTraces(
  getLine: (index: number) => string | null,
  from = 0,
  to = Number.POSITIVE_INFINITY,
): Generator<Fold> {
  for (let index = from; index < to; index++) {
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

/** The line of a group's start or end, and where its marker ends in the line. */
export type GroupMarkers = ReadonlyMap<number, number>

/** Groups may be nested. One that never ends isn't one. */
export function findGroups(
  text: string,
  lineStarts: Uint32Array,
): { readonly groups: readonly Fold[]; readonly markers: GroupMarkers } {
  const groups: Fold[] = []
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
export const FOLD_SIZE = 3

/** In the order of their headers; what is within another comes after it. */
export const packFolds = (folds: readonly Fold[]): Uint32Array<ArrayBuffer> =>
  new Uint32Array(
    folds
      .toSorted((one, other) => one.header - other.header || other.end - one.end)
      .flatMap(({ header, start, end }) => [header, start, end]),
  )
