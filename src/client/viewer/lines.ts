import { createElement } from '../shared/elements.ts'
import { type DisplayedText, getLineLayout } from '../text/displayed-text.ts'

export type LinkedLines = NonNullable<ReturnType<typeof parseLinkedLines>>

/** Takes `L10`, `10`, `L10-L20` or `10-20`. */
export function parseLinkedLines(text: string) {
  const [, from, to] = /^\s*L?(\d{1,9})(?:\s*[-–]\s*L?(\d{1,9}))?\s*$/i.exec(text) ?? []
  if (from === undefined) return null
  const [one, other] = [Number(from), Number(to ?? from)]
  return { first: Math.max(1, Math.min(one, other)), last: Math.max(1, one, other) }
}

export const formatLinkedLines = ({ first, last }: LinkedLines): string =>
  first === last ? `#L${first}` : `#L${first}-L${last}`

/** A line is scrolled to this share of the window's height. */
export const SCROLL_MARGIN = 0.25
/** Wrapped text changes its height while it scrolls into view. After this many frames it is settled. */
const MAX_FRAMES = 20
/** Browsers lay out text that scrolled into view in the following frame, so one steady frame isn't enough. */
const STEADY_FRAMES = 3

let scrolls = 0

/** Scrolls until something stays at a height in the window. */
export async function scrollUntilSteady(getTop: () => number, height: number): Promise<void> {
  const number = ++scrolls
  for (let frame = 0, steady = 0; frame < MAX_FRAMES && steady < STEADY_FRAMES; frame++) {
    scrollBy({ top: getTop() - height, behavior: 'instant' })
    const before = getTop()
    await new Promise((resolve) => requestAnimationFrame(resolve))
    if (number !== scrolls) return
    steady = Math.abs(getTop() - before) < 1 ? steady + 1 : 0
  }
}

export const createMark = () => createElement('div', { className: 'linked-lines', hidden: true })

export type LineLinks = ReturnType<typeof startLineLinks>

/** `reveal` makes the linked lines visible before they are scrolled to. */
export function startLineLinks(
  section: HTMLElement,
  initialText: DisplayedText,
  reveal: (lines: LinkedLines) => void,
) {
  const numbers = section.querySelector<HTMLElement>('.numbers')
  const marks = [createMark(), createMark()]
  let text = initialText
  let linked: LinkedLines | null = null

  const findLinkedLines = () => linked && text.findLines(linked)
  const updateMarks = () => {
    const lines = findLinkedLines()
    const layout = lines && getLineLayout(text)
    for (const mark of marks) {
      mark.hidden = !layout
      if (!layout) continue
      const top = mark.parentElement?.getBoundingClientRect().top ?? 0
      const start = layout.top(lines.first)
      mark.style.top = `${start - top}px`
      mark.style.height = `${layout.top(lines.last + 1) - start}px`
    }
  }
  /** Shows another text in the same place, with the same lines or some of them. */
  const setText = (next: DisplayedText) => {
    text = next
    numbers?.append(...marks.slice(0, 1))
    text.element.parentElement?.append(...marks.slice(1))
    updateMarks()
  }
  const linkedEnds = () => {
    const lines = findLinkedLines()
    return lines ? [lines.first, lines.last] : []
  }
  const setLinked = (range: LinkedLines | null) => {
    const last = text.lastNumber
    linked = range && range.first <= last ? { ...range, last: Math.min(range.last, last) } : null
    text.forceLayout(linkedEnds())
    updateMarks()
    return linked
  }
  const scrollTo = async (getTop: () => number, height: number) => {
    await scrollUntilSteady(getTop, height)
    updateMarks()
  }
  const scrollToLine = (line: number, height: number) =>
    void scrollTo(() => getLineLayout(text).top(line), height)
  /** Makes a change that moves lines, and keeps the line with this number, or else the one that is being read, where it is. */
  const keepPosition = (change: () => void, keptNumber?: number) => {
    const layout = getLineLayout(text)
    const asked = keptNumber && text.findLines({ first: keptNumber, last: keptNumber })?.first
    const lines = findLinkedLines()
    const top = lines ? layout.top(lines.first) : -1
    const line = asked || (lines && top >= 0 && top < innerHeight ? lines.first : layout.lineAt(0))
    const number = text.getNumber(line)
    const height = layout.top(line)
    const scrolled = layout.top(1) < 0
    change()
    const next = text.findLines({ first: number, last: text.lastNumber })?.first ?? text.lines
    layOut(text, next)
    updateMarks()
    if (scrolled || asked) scrollToLine(next, height)
  }
  const followFragment = () => {
    const range = parseLinkedLines(location.hash.slice(1))
    if (range) reveal(range)
    setLinked(range)
    const lines = findLinkedLines()
    if (lines) scrollToLine(lines.first, innerHeight * SCROLL_MARGIN)
  }

  if (numbers) numbers.style.cursor = 'pointer'
  numbers?.addEventListener('mousedown', (event) => {
    // Otherwise, Shift+click would select text.
    if (event.shiftKey) event.preventDefault()
  })
  numbers?.addEventListener('click', (event) => {
    const line = text.getNumber(getLineLayout(text).lineAt(event.clientY))
    const range = parseLinkedLines(event.shiftKey && linked ? `${linked.first}-${line}` : `${line}`)
    if (!range) return
    setLinked(range)
    // Not `location.hash = …`: every click would add an entry to the history.
    history.replaceState(null, '', formatLinkedLines(range))
  })
  addEventListener('hashchange', followFragment)
  // A link to the current fragment doesn't trigger `hashchange`.
  document.addEventListener('click', ({ target }) => {
    const link = target instanceof Element && target.closest('a[href^="#L"]')
    if (link && link.getAttribute('href') === location.hash) followFragment()
  })
  setText(text)
  followFragment()

  /** Is called once the text has become longer: the address may link to lines that weren't there. */
  const followAddress = () => {
    if (!linked && parseLinkedLines(location.hash.slice(1))) followFragment()
  }
  const goTo = (input: string) => {
    const range = parseLinkedLines(input)
    if (!range || range.first > text.lastNumber) return null
    history.replaceState(null, '', formatLinkedLines(range))
    followFragment()
    return linked
  }
  /** Keeps the linked lines laid out, too. */
  const layOut = (shown: DisplayedText, line: number) => shown.forceLayout([line, ...linkedEnds()])
  return { setText, followAddress, followFragment, updateMarks, keepPosition, goTo, layOut, scrollTo }
}
