import { hasAnsiStyles, parseAnsi } from '../highlight/ansi.ts'
import { yieldToPage } from '../shared/yield.ts'
import { createSearch, filterLines } from './filter-lines.ts'
import type { FilterResult, LogAnswer, LogTask } from './log-client.ts'
import { type ParsedLog, parseLog } from './parse-log.ts'

let parsed: { readonly text: string; readonly log: ParsedLog } | null = null
let latest = 0

/** Then a later filter gets a turn. */
const MAX_WORK_MS = 50

const answer = (message: LogAnswer) => postMessage(message)

function parse(text: string): void {
  const terminal = hasAnsiStyles(text) ? parseAnsi(text) : null
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
