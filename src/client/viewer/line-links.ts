import { layoutOf } from './layout.ts'
import type { ShownText } from './text-view.ts'

interface Lines {
  readonly first: number
  readonly last: number
}

/** How far from the upper edge of the window a line is that was asked for. */
const PART_ABOVE = 0.25
const LEAST_ABOVE = 0.12
/** Text that wraps changes its height while it comes into sight; after that many frames it stands. */
const MOST_FRAMES = 20
/** A browser lays out what has come into sight in the frame after. */
const STEADY_FRAMES = 3

/** The lines that words like `L10`, `10`, `L10-L20` or `10-20` name. */
function parseLines(words: string): Lines | null {
  const [, from, to] = /^\s*L?(\d{1,9})(?:\s*[-–]\s*L?(\d{1,9}))?\s*$/i.exec(words) ?? []
  if (from === undefined) return null
  const [one, other] = [Number(from), Number(to ?? from)]
  return { first: Math.max(1, Math.min(one, other)), last: Math.max(1, one, other) }
}

const hashOf = ({ first, last }: Lines) => (first === last ? `#L${first}` : `#L${first}-L${last}`)

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))

function makeMark(): HTMLElement {
  const mark = document.createElement('div')
  mark.className = 'marked'
  mark.hidden = true
  return mark
}

export interface LineLinks {
  /** Shows another text in the same place, with the same lines. */
  readonly show: (text: ShownText) => void
  /** Puts the mark where the lines are now. */
  readonly place: () => void
  /** Leaves the line where it is that is read, while something changes where the lines are. */
  readonly hold: (change: () => void) => void
  /** Goes to lines, as a link to them does; null where there are none of that name. */
  readonly go: (words: string) => Lines | null
  /** Brings what stands between two offsets into sight, unless it is. */
  readonly reach: (from: number, to: number) => void
}

/**
 * Lets the address name lines: `#L10`, `#L10-L20`. They are scrolled to and marked, by one element in the
 * column of numbers and one in that of the text, and a click on a number names its line.
 *
 * @param reveal called before lines are gone to, to bring the text into sight.
 */
export function linkLines(section: HTMLElement, shown: ShownText, reveal: () => void): LineLinks {
  const numbers = section.querySelector<HTMLElement>('.numbers')
  const marks = [makeMark(), makeMark()]
  let text = shown
  let marked: Lines | null = null
  let brought = 0

  const place = () => {
    const layout = marked && layoutOf(text)
    for (const mark of marks) {
      const top = mark.parentElement?.getBoundingClientRect().top ?? 0
      mark.hidden = !(marked && layout)
      if (!marked || !layout) continue
      const start = layout.top(marked.first)
      mark.style.top = `${start - top}px`
      mark.style.height = `${layout.top(marked.last + 1) - start}px`
    }
  }
  const show = (next: ShownText) => {
    text = next
    numbers?.append(...marks.slice(0, 1))
    text.element.parentElement?.append(...marks.slice(1))
    place()
  }
  const mark = (lines: Lines | null) => {
    marked = lines && lines.first <= text.lines ? { ...lines, last: Math.min(lines.last, text.lines) } : null
    text.layOut(marked ? [marked.first, marked.last] : [])
    place()
    return marked
  }
  /** Brings something to a height in the window, and the mark to where it belongs. */
  const bring = async (topOf: () => number, height: number) => {
    const turn = ++brought
    for (let frame = 0, steady = 0; frame < MOST_FRAMES && steady < STEADY_FRAMES; frame++) {
      scrollBy({ top: topOf() - height, behavior: 'instant' })
      const before = topOf()
      await nextFrame()
      if (turn !== brought) return
      steady = Math.abs(topOf() - before) < 1 ? steady + 1 : 0
    }
    place()
  }
  const bringLine = (line: number, height: number) => void bring(() => layoutOf(text).top(line), height)
  const hold = (change: () => void) => {
    const layout = layoutOf(text)
    const top = marked ? layout.top(marked.first) : -1
    const line = marked && top >= 0 && top < innerHeight ? marked.first : layout.lineAt(0)
    const height = layout.top(line)
    const scrolled = layout.top(1) < 0
    change()
    text.layOut([line, ...(marked ? [marked.first, marked.last] : [])])
    place()
    if (scrolled) bringLine(line, height)
  }
  const goToHash = () => {
    const lines = parseLines(location.hash.slice(1))
    if (lines) reveal()
    const found = mark(lines)
    if (found) bringLine(found.first, innerHeight * PART_ABOVE)
  }

  if (numbers) numbers.style.cursor = 'pointer'
  numbers?.addEventListener('mousedown', (event) => {
    // Shift would select the text up to here.
    if (event.shiftKey) event.preventDefault()
  })
  numbers?.addEventListener('click', (event) => {
    const line = layoutOf(text).lineAt(event.clientY)
    const lines = event.shiftKey && marked ? parseLines(`${marked.first}-${line}`) : parseLines(`${line}`)
    if (!lines) return
    mark(lines)
    // Each click would be one more step back otherwise.
    history.replaceState(null, '', hashOf(lines))
  })
  addEventListener('hashchange', goToHash)
  // A link to where the address is already changes nothing of it.
  document.addEventListener('click', ({ target }) => {
    const link = target instanceof Element && target.closest('a[href^="#L"]')
    if (link && link.getAttribute('href') === location.hash) goToHash()
  })
  show(text)
  goToHash()

  const go = (words: string) => {
    const lines = parseLines(words)
    if (!lines || lines.first > text.lines) return null
    history.replaceState(null, '', hashOf(lines))
    goToHash()
    return marked
  }
  const reach = (from: number, to: number) => {
    reveal()
    const rect = () => text.rect(from, to) ?? text.element.getBoundingClientRect()
    text.layOut([text.lineAt(from), ...(marked ? [marked.first, marked.last] : [])])
    const { top, bottom } = rect()
    // The tools stay at the upper edge meanwhile.
    if (top < innerHeight * LEAST_ABOVE || bottom > innerHeight)
      void bring(() => rect().top, innerHeight * PART_ABOVE)
    const { left, right } = rect()
    const edges = section.getBoundingClientRect()
    const start = edges.left + (numbers?.offsetWidth ?? 0)
    if (left < start || right > edges.right) section.scrollLeft += left - (start + edges.right) / 2
  }
  return { show, place, hold, go, reach }
}
