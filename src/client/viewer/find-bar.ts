import { supportsHighlights } from '../shared/elements.ts'
import { createTurns } from '../text/chunks.ts'
import type { DisplayedText } from '../text/displayed-text.ts'
import { createMarker } from './highlighting/highlighting.ts'
import { type LineLinks, SCROLL_MARGIN } from './lines.ts'

export const MAX_MATCHES = 10_000
const WINDOW = 256 * 1024

/** A match, in UTF-16 units from the start of the text. */
interface Match {
  readonly from: number
  readonly to: number
}

const escapePattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** A letter with marks may be one character, several, or anything between. */
function toForms(letter: string): string {
  const characters = [...letter.normalize('NFD')]
  const forms = characters.map((_, index) => {
    const composed = characters
      .slice(0, index + 1)
      .join('')
      .normalize('NFC')
    return composed + characters.slice(index + 1).join('')
  })
  const patterns = [...new Set(forms)].map(escapePattern)
  return patterns.length === 1 ? patterns.join('') : `(?:${patterns.join('|')})`
}

/** Matches what is canonically equivalent, too (Unicode UAX #15), and ignores case. */
function createPattern(query: string): RegExp {
  const letters = query.normalize('NFC').match(/[^\p{M}]\p{M}*|\p{M}+/gu) ?? []
  return new RegExp(`${escapePattern(query)}|${letters.map(toForms).join('')}`, 'giu')
}

/** Ignores case. Returns null if the search was cancelled. */
export async function findMatches(
  text: string,
  query: string,
  isCancelled: () => boolean,
): Promise<Match[] | null> {
  const pattern = createPattern(query)
  const maxLength = Math.max(query.length, query.normalize('NFD').length)
  const matches: Match[] = []
  const takeTurn = createTurns()
  for (let from = 0; from < text.length && matches.length < MAX_MATCHES; ) {
    let next = Math.min(text.length, from + WINDOW)
    // A match that starts in this window may end in the next one.
    for (const found of text.slice(from, next + maxLength - 1).matchAll(pattern)) {
      const match = { from: from + found.index, to: from + found.index + found[0].length }
      if (match.from >= next || matches.length === MAX_MATCHES) break
      matches.push(match)
      next = Math.max(next, match.to)
    }
    from = next
    if ((await takeTurn()) && isCancelled()) return null
  }
  return matches
}

/** More highlighted matches would make scrolling slow. */
const MAX_HIGHLIGHTED = 2_000

/** The names of the highlights, which code.css has, too. */
const MATCH = 'find-match'
const CURRENT_MATCH = 'find-current'

export interface FindTarget extends Pick<LineLinks, 'layOut' | 'scrollTo'> {
  readonly text: () => DisplayedText
  readonly revealMatches: (query: string) => Promise<void>
  /** Switches to the source if the view has no text. */
  readonly showText: () => void
  readonly announce: (message: string) => void
}

export type FindBar = ReturnType<typeof startFindBar>

/** Highlights ranges above the colours of code, if the browser supports it. */
function setHighlight(name: string, ranges: readonly StaticRange[], priority: number): void {
  if (!supportsHighlights()) return
  if (ranges.length === 0) return void CSS.highlights.delete(name)
  const highlight = new Highlight(...ranges)
  highlight.priority = priority
  CSS.highlights.set(name, highlight)
}

/** The share of the window that the toolbar may cover while it sticks to the top. */
const TOOLBAR_MARGIN = 0.12

function scrollToMatch({ text, showText, layOut, scrollTo }: FindTarget, { from, to }: Match): void {
  showText()
  const shown = text()
  const place = shown.staticRange(from, to).startContainer.parentElement
  for (let part = place?.closest('details'); part; part = part.parentElement?.closest('details'))
    part.open = true
  // The source of a diagram is hidden below it.
  place?.closest('.md-drawn')?.classList.add('md-with-source')
  layOut(shown, shown.lineAt(from))
  const getRect = () => shown.rect(from, to) ?? shown.element.getBoundingClientRect()
  const { top, bottom } = getRect()
  if (top < innerHeight * TOOLBAR_MARGIN || bottom > innerHeight) {
    void scrollTo(() => getRect().top, innerHeight * SCROLL_MARGIN)
  }
  const scroller = place?.closest('.md-scroller, .rendered pre, section.text')
  if (!scroller) return
  const { left, right } = getRect()
  const edges = scroller.getBoundingClientRect()
  const start = edges.left + (scroller.querySelector<HTMLElement>('.numbers')?.offsetWidth ?? 0)
  if (left < start || right > edges.right) scroller.scrollLeft += left - (start + edges.right) / 2
}

/** Enter goes to the next match, Shift+Enter to the previous one. */
export function startFindBar(form: HTMLFormElement, target: FindTarget) {
  const { text, revealMatches, announce } = target
  const field = form.querySelector('input')
  const [previous, next] = form.querySelectorAll('button')
  let matches: readonly Match[] = []
  let current = 0
  let query = ''
  let searches = 0
  const markFound = createMarker('found')
  let cache: { readonly displayed: DisplayedText; readonly text: string } | null = null

  const highlightVisible = () => {
    const visible = matches.length > 0 ? text().visibleRange() : { from: 0, to: 0 }
    const visibleMatches = matches.filter(({ from, to }) => to > visible.from && from < visible.to)
    const toRanges = (some: readonly Match[]) => some.map(({ from, to }) => text().staticRange(from, to))
    const ranges = toRanges(visibleMatches.slice(0, MAX_HIGHLIGHTED))
    const currentRanges = toRanges(matches.slice(current, current + 1))
    markFound([...ranges, ...currentRanges])
    setHighlight(MATCH, ranges, 1)
    setHighlight(CURRENT_MATCH, currentRanges, 2)
  }
  const goTo = (index: number) => {
    current = (index + matches.length) % matches.length
    const match = matches[current]
    if (match) scrollToMatch(target, match)
    highlightVisible()
    const total =
      matches.length === MAX_MATCHES ? `the first ${MAX_MATCHES.toLocaleString('en')}` : matches.length
    announce(`${current + 1} of ${total}`)
  }
  /** Hidden text is displayed only for a new query: the reader may hide it again. */
  const search = async (reveals = true) => {
    const number = ++searches
    const isCancelled = () => searches !== number
    query = field?.value ?? ''
    if (query !== '' && reveals) await revealMatches(query)
    if (isCancelled()) return
    const displayed = text()
    if (cache?.displayed !== displayed) cache = { displayed, text: displayed.slice(0, displayed.length) }
    const found = query === '' ? [] : await findMatches(cache.text, query, isCancelled)
    if (!found || isCancelled()) return
    matches = found
    for (const button of [previous, next]) if (button) button.disabled = found.length === 0
    if (found.length > 0) {
      const visible = text().visibleRange()
      const firstVisible = found.findIndex(({ from }) => from >= visible.from)
      return goTo(Math.max(0, firstVisible))
    }
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
    /** Ends the search after the field has been emptied. */
    clear: () => void search(),
    highlightVisible,
  }
}
