import { hasTerminalControls, parseAnsi } from '../highlight/ansi.ts'
import type { Tokens } from '../highlight/tokens.ts'
import { yieldToPage } from '../shared/elements.ts'
import { type ParsedLog, parseLog } from './parse-log.ts'
import { createSearch, filterLines, type LineRuns, type LogFilter } from './shown-lines.ts'

export type LogTask =
  | { readonly do: 'parse'; readonly text: string }
  | { readonly do: 'filter'; readonly number: number; readonly filter: LogFilter }

export interface DisplayedLog extends ParsedLog {
  /** The text as a terminal shows it, and its colours, of which there may be none; null if it shows all as it is. */
  readonly terminal: { readonly plainText: string; readonly tokens: Tokens } | null
}

export type FilterResult = { readonly runs: LineRuns } | { readonly problem: string }

export type LogAnswer =
  | { readonly log: DisplayedLog }
  /** `number` identifies the task: only the answer to the latest one counts. */
  | { readonly number: number; readonly result: FilterResult }

let parsed: { readonly text: string; readonly log: ParsedLog } | null = null
let latest = 0

/** Then a later filter gets a turn. */
const MAX_WORK_MS = 50

const answer = (message: LogAnswer) => postMessage(message)

function parse(text: string): void {
  const terminal = hasTerminalControls(text) ? parseAnsi(text) : null
  const log = parseLog(terminal?.plainText ?? text, Date.now())
  parsed = { text: terminal?.plainText ?? text, log }
  answer({ log: { ...log, terminal } })
}

async function filter(task: Extract<LogTask, { do: 'filter' }>): Promise<FilterResult | null> {
  if (!parsed) return null
  const search = await createSearch(task.filter.query, task.filter.isPattern)
  if ('problem' in search) return search
  let started = performance.now()
  const proceed = async () => {
    if (performance.now() - started < MAX_WORK_MS) return true
    await yieldToPage()
    started = performance.now()
    return latest === task.number
  }
  const runs = await filterLines(parsed.text, parsed.log, task.filter, { matches: search.matches, proceed })
  return runs && { runs }
}

addEventListener('message', async ({ data: task }: MessageEvent<LogTask>) => {
  if (task.do === 'parse') return parse(task.text)
  latest = task.number
  const result = await filter(task)
  if (result && latest === task.number) answer({ number: task.number, result })
})
