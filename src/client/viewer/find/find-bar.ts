import type { DisplayedText } from '../../text/displayed-text.ts'

/** The most matches that are kept. */
export const MAX_MATCHES = 10_000
/** UTF-16 units that are searched between two checks of the time. */
const WINDOW = 256 * 1024
/** How long the search runs before the page gets a turn, in milliseconds. */
const MAX_WORK_MS = 30

/** A match. Offsets are UTF-16 units from the start of the text. */
export interface Match {
  readonly from: number
  readonly to: number
}

interface FindOptions {
  /** Called from time to time to let the page respond. */
  readonly yieldToPage: () => Promise<void>
  /** Returns true once the result is no longer needed. */
  readonly isCancelled: () => boolean
}

/**
 * Finds all matches of a query in a text, ignoring case.
 *
 * @returns the first `MAX_MATCHES` matches, or null if the search was cancelled.
 */
export async function findMatches(
  text: string,
  query: string,
  { yieldToPage, isCancelled }: FindOptions,
): Promise<Match[] | null> {
  const pattern = new RegExp(query.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'giu')
  const matches: Match[] = []
  let started = performance.now()
  for (let from = 0; from < text.length && matches.length < MAX_MATCHES; ) {
    let next = Math.min(text.length, from + WINDOW)
    // A match that starts in this window may end in the next one.
    for (const found of text.slice(from, next + query.length - 1).matchAll(pattern)) {
      const match = { from: from + found.index, to: from + found.index + found[0].length }
      if (match.from >= next || matches.length === MAX_MATCHES) break
      matches.push(match)
      next = Math.max(next, match.to)
    }
    from = next
    if (performance.now() - started < MAX_WORK_MS) continue
    await yieldToPage()
    if (isCancelled()) return null
    started = performance.now()
  }
  return matches
}

/** Visible matches that are highlighted. More would make scrolling slow. */
const MAX_HIGHLIGHTED = 2_000

/** The names of the highlights in code.css. */
const MATCH = 'find-match'
const CURRENT_MATCH = 'find-current'

/** What the find bar needs to know and do in the page. */
export interface FindTarget {
  /** Returns the text that is displayed now. */
  readonly text: () => DisplayedText
  /** Displays hidden text that contains the query. */
  readonly revealMatches: (query: string) => Promise<void>
  /** Returns the first and the last offset that is visible. */
  readonly visibleRange: () => Match
  readonly scrollTo: (match: Match) => void
  readonly announce: (message: string) => void
  /** Passed in rather than imported: a module shared with the viewer would be another file to load. */
  readonly yieldToPage: () => Promise<void>
}

export interface FindBar {
  /** Searches again, after another text has been displayed. */
  readonly searchAgain: () => void
  /** Removes the highlights, after the field has been emptied. */
  readonly clear: () => void
  /** Highlights the matches that are visible now. */
  readonly highlightVisible: () => void
}

/** Highlights ranges, above the colours of code, if the browser supports it. */
function setHighlight(name: string, ranges: readonly StaticRange[], priority: number): void {
  if (typeof CSS !== 'object' || !('highlights' in CSS)) return
  if (ranges.length === 0) return void CSS.highlights.delete(name)
  const highlight = new Highlight(...ranges)
  highlight.priority = priority
  CSS.highlights.set(name, highlight)
}

/** Starts the find bar: Enter goes to the next match, Shift+Enter to the previous one. */
export function startFindBar(form: HTMLFormElement, target: FindTarget): FindBar {
  const { text, revealMatches, visibleRange, scrollTo, announce, yieldToPage } = target
  const field = form.querySelector('input')
  const [previous, next] = form.querySelectorAll('button')
  let matches: readonly Match[] = []
  let current = 0
  let query = ''
  let searches = 0
  let cache: { readonly displayed: DisplayedText; readonly text: string } | null = null

  const highlightVisible = () => {
    const visible = matches.length > 0 ? visibleRange() : { from: 0, to: 0 }
    const visibleMatches = matches.filter(({ from, to }) => to > visible.from && from < visible.to)
    const toRange = ({ from, to }: Match) => text().staticRange(from, to)
    setHighlight(MATCH, visibleMatches.slice(0, MAX_HIGHLIGHTED).map(toRange), 1)
    setHighlight(CURRENT_MATCH, matches.slice(current, current + 1).map(toRange), 2)
  }
  const goTo = (index: number) => {
    current = (index + matches.length) % matches.length
    const match = matches[current]
    if (match) scrollTo(match)
    highlightVisible()
    const total =
      matches.length === MAX_MATCHES ? `the first ${MAX_MATCHES.toLocaleString('en')}` : matches.length
    announce(`${current + 1} of ${total}`)
  }
  /** Searches for what is in the field. Hidden text is displayed only for a new query: the reader may hide it again. */
  const search = async (reveals = true) => {
    const number = ++searches
    const isCancelled = () => searches !== number
    query = field?.value ?? ''
    if (query !== '' && reveals) await revealMatches(query)
    if (isCancelled()) return
    const displayed = text()
    if (cache?.displayed !== displayed) cache = { displayed, text: displayed.slice(0, displayed.length) }
    const found = query === '' ? [] : await findMatches(cache.text, query, { yieldToPage, isCancelled })
    if (!found || isCancelled()) return
    matches = found
    for (const button of [previous, next]) if (button) button.disabled = found.length === 0
    const firstVisible = found.findIndex(({ from }) => from >= visibleRange().from)
    if (found.length > 0) return goTo(Math.max(0, firstVisible))
    highlightVisible()
    announce(query === '' ? '' : 'No matches')
  }
  const step = (by: number) => {
    if (field?.value !== query) void search()
    else if (matches.length > 0) goTo(current + by)
  }

  field?.addEventListener('input', () => void search())
  field?.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.isComposing) return
    event.preventDefault()
    step(event.shiftKey ? -1 : 1)
  })
  previous?.addEventListener('click', () => step(-1))
  next?.addEventListener('click', () => step(1))
  if (field?.value) void search()
  return {
    searchAgain: () => void (query !== '' && search(false)),
    clear: () => void search(),
    highlightVisible,
  }
}
