import type { Instant } from '../../shared/instant.ts'
import { TOKEN_SIZE, type Tokens } from '../highlight/tokens.ts'
import { findGroups, findStackTraces, packFolds } from './folds.ts'
import { DEBUG, ERROR, findLevel, isException, LEVELS, NO_LEVEL, WARNING } from './levels.ts'
import { findTimestamp } from './timestamps.ts'

/** As in logs.css. */
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

/** Lines count from 0. */
export interface ParsedLog {
  /** The start offset of each line, followed by the end offset of the text. */
  readonly lineStarts: Uint32Array<ArrayBuffer>
  /** The `LevelCode` of each line. A line that continues an entry has the level of the entry. */
  readonly levels: Uint8Array<ArrayBuffer>
  /** 1 for a line that continues the entry of the line before. */
  readonly continues: Uint8Array<ArrayBuffer>
  /** The `Instant` of each line; NaN for a line without a timestamp. */
  readonly times: Float64Array<ArrayBuffer>
  /** Minutes ahead of UTC in which the first timestamp is stated. */
  readonly offset: number
  /** Stack traces and groups, packed. */
  readonly folds: Uint32Array<ArrayBuffer>
  /** How many of them are groups. */
  readonly groups: number
  readonly tokens: Tokens
  readonly counts: readonly number[]
}

function findLineStarts(text: string): Uint32Array<ArrayBuffer> {
  let count = 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1
  if (text.endsWith('\n')) count -= 1
  const starts = new Uint32Array(count + 1)
  for (let line = 1, at = text.indexOf('\n'); line < count; line++, at = text.indexOf('\n', at + 1)) {
    starts[line] = at + 1
  }
  starts[count] = text.length
  return starts
}

class TokenList {
  #tokens: Tokens = new Uint32Array(4_096 * TOKEN_SIZE)
  #length = 0

  add(from: number, to: number, index: number): void {
    if (from >= to) return
    if (this.#length + TOKEN_SIZE > this.#tokens.length) {
      const larger = new Uint32Array(this.#tokens.length * 2)
      larger.set(this.#tokens)
      this.#tokens = larger
    }
    this.#tokens[this.#length] = from
    this.#tokens[this.#length + 1] = to
    this.#tokens[this.#length + 2] = index
    this.#length += TOKEN_SIZE
  }

  finish(): Tokens {
    return this.#tokens.slice(0, this.#length)
  }
}

export function parseLog(text: string, now: Instant): ParsedLog {
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
  const tokens = new TokenList()
  const traces = [...findStackTraces(getLine)]
  const { groups, markers } = findGroups(text, lineStarts)
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
      tokens.add(start, start + line.length, style('log-trace'))
      continue
    }
    const timestamp = findTimestamp(line, now)
    if (timestamp) {
      times[index] = timestamp.time
      offset ??= timestamp.offset
    }
    const markerEnd = markers.get(index)
    if (markerEnd !== undefined) {
      tokens.add(start, start + markerEnd, style('log-time'))
      tokens.add(start + markerEnd, start + line.length, style('log-group'))
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
    if (!timestamp && (belongsToTrace || (isIndented && (!stated || previous !== NO_LEVEL)))) {
      continues[index] = 1
      levels[index] = previous
      const around = TEXT_STYLES[previous]
      if (around !== undefined) tokens.add(start, start + line.length, around)
      continue
    }
    const level = stated?.level ?? (isHeader ? ERROR : NO_LEVEL)
    levels[index] = level
    if (level !== NO_LEVEL) counts[level - 1] = (counts[level - 1] ?? 0) + 1
    addTokens(tokens, { start, end: start + line.length, level, stated, timestamp })
  }
  return {
    lineStarts,
    levels,
    continues,
    times,
    offset: offset ?? 0,
    folds: packFolds([...traces, ...groups]),
    groups: groups.length,
    tokens: tokens.finish(),
    counts,
  }
}

interface Span {
  readonly from: number
  readonly to: number
}

interface ParsedLine {
  readonly start: number
  readonly end: number
  readonly level: number
  readonly stated: Span | null
  readonly timestamp: Span | null
}

function addTokens(tokens: TokenList, { start, end, level, stated, timestamp }: ParsedLine): void {
  const around = TEXT_STYLES[level]
  const spans = [
    ...(timestamp ? [{ ...timestamp, style: style('log-time') }] : []),
    ...(stated ? [{ ...stated, style: level - 1 }] : []),
  ].sort((one, other) => one.from - other.from)
  let at = start
  for (const span of spans) {
    const from = Math.max(at, start + span.from)
    if (around !== undefined) tokens.add(at, from, around)
    tokens.add(from, start + span.to, span.style)
    at = Math.max(at, start + span.to)
  }
  if (around !== undefined) tokens.add(at, end, around)
}
