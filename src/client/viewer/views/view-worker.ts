import { planChunks } from '../../../shared/lines.ts'
import type { ParsedJson } from '../../data/parse-json.ts'
import type { Arrangement, ParsedTable } from '../../data/parse-table.ts'
import { hasTerminalControls, parseAnsi } from '../../highlight/ansi.ts'
import { type ParsedLog, parseLog } from '../../logs/parse-log.ts'
import { filterLines, type LogFilter } from '../../logs/shown-lines.ts'
import { serve } from '../../shared/workers.ts'

// Parses the text of a view, and keeps what it parsed: the page asks for what it shows.

interface SourceText {
  readonly text: string
  readonly language: string
}

interface Rows {
  readonly from: number
  readonly to: number
}

let log: { readonly text: string; readonly parsed: ParsedLog } | null = null
let table: ParsedTable | null = null
let json: ParsedJson | null = null
let filters = 0

function requireParsed<Parsed>(parsed: Parsed | null): Parsed {
  if (!parsed) throw new TypeError('Nothing is parsed yet')
  return parsed
}

const TASKS = {
  parseLog: (source: string) => {
    // The text as a terminal shows it, and its colours, of which there may be none; null if it shows all as it is.
    const terminal = hasTerminalControls(source) ? parseAnsi(source, { keepsLines: true }) : null
    const text = terminal?.plainText ?? source
    const parsed = parseLog(text, Date.now())
    log = { text, parsed }
    return { ...parsed, terminal, chunks: planChunks(text) }
  },
  /** Returns null if a later filter is wanted in the meantime. */
  filterLog: (filter: LogFilter) => {
    const number = ++filters
    const { text, parsed } = requireParsed(log)
    return filterLines(text, parsed, filter, () => filters !== number)
  },
  parseTable: async ({ text, language }: SourceText) => {
    const { parseTable } = await import('../../data/parse-table.ts')
    table = parseTable(text, language)
    return table.facts
  },
  /** Returns the number of rows. */
  arrangeTable: (arrangement: Arrangement): number => requireParsed(table).arrange(arrangement),
  readTable: ({ from, to }: Rows) => requireParsed(table).getRows(from, to),
  /** Throws an Error if the text isn't JSON. */
  parseJson: async ({ text, language }: SourceText) => {
    const { parseJson } = await import('../../data/parse-json.ts')
    json = parseJson(text, language)
    return json.facts
  },
  /** A line that opens a value, or all of them. Returns the number of rows. */
  foldJson: ({ line, isFolded }: { readonly line: number | null; readonly isFolded: boolean }): number =>
    requireParsed(json).fold(line, isFolded),
  readJson: ({ from, to }: Rows) => requireParsed(json).getRows(from, to),
  getJsonPath: (line: number): string => requireParsed(json).getPath(line),
  formatJson: (_: null): string => requireParsed(json).format(),
}

export type ViewTasks = typeof TASKS

export type DisplayedLog = ReturnType<ViewTasks['parseLog']>

serve(TASKS)
