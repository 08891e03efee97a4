import {
  type ChosenDisplay,
  formatDisplayCookie,
  getDisplayClasses,
  parseDisplayCookie,
} from '../../shared/display.ts'
import { formatAge } from '../../shared/format.ts'
import { CONTEXT_UNITS, listHiddenCharacters } from '../../shared/hidden-characters.ts'
import { DAY_SECONDS } from '../../shared/instant.ts'
import { splitChunk } from '../../shared/lines.ts'
import { findLinks, LINK_REL } from '../../shared/links.ts'
import { createElement } from '../shared/elements.ts'
import { watchDocument } from '../shared/newer-versions.ts'
import { createPart } from '../text/chunks.ts'
import { type DisplayedText, findLastAtMost, getLineLayout } from '../text/displayed-text.ts'
import { startDocumentKeys } from './document-keys.ts'
import { type SelectAllOptions, startSelectAll } from './select-all.ts'

// What the page of a document can do without until somebody uses it, so it's loaded then, or after a while.

const REFRESH_MS = 30_000

/** Returns the reader's variety of English, such as en-US: the page is in English. */
const getLocale = (): string =>
  navigator.languages.find((language) => /^en(-[A-Z]{2})?$/.test(language)) ?? 'en-GB'

function refresh(): void {
  for (const element of document.querySelectorAll<HTMLElement>('[data-age]')) {
    const age = formatAge(Number(element.dataset.age), Date.now())
    if (element.textContent !== age) element.textContent = age
  }
}

function localize(): void {
  const format = new Intl.DateTimeFormat(getLocale(), { dateStyle: 'long', timeStyle: 'long' })
  for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-tip]')) {
    time.dataset.tip = format.format(new Date(time.dateTime))
    const exact = time.querySelector('.exact')
    if (exact) exact.textContent = time.dataset.tip
  }
}

/** Updates relative times, exact times in the reader's time zone, and the document. */
export function startUpdates({ document: id, version }: DOMStringMap): void {
  refresh()
  localize()
  setInterval(refresh, REFRESH_MS)
  // A page restored from the back/forward cache may be hours old.
  addEventListener('pageshow', refresh)
  // Only the page of somebody who may edit has a version, unless reading has deleted the document.
  if (id !== undefined && version !== undefined) watchDocument(id, version)
}

/** A text with more lines is printed without line numbers. */
const MAX_LINES = 50_000

/** Browsers take much longer to break one long list into pages than many short ones. */
const LINES_PER_LIST = 100

function createPrintLines(text: DisplayedText): HTMLElement {
  const lines = text.slice(0, text.length).replace(/\n$/, '').split('\n')
  const lists: HTMLElement[] = []
  for (let from = 0; from < lines.length; from += LINES_PER_LIST) {
    const items = lines.slice(from, from + LINES_PER_LIST).map((line, index) =>
      // As a whole, a line of megabytes would take minutes.
      createElement(
        'li',
        { value: text.getNumber(from + index + 1) },
        ...[...splitChunk(line)].map(createPart),
      ),
    )
    lists.push(createElement('ol', {}, ...items))
  }
  return createElement('div', { className: 'print-lines' }, ...lists)
}

/** Long lines wrap on paper, so a column would be out of step: each line is an item of a numbered list instead. */
export function numberLinesForPrint(section: HTMLElement, getText: () => DisplayedText): void {
  if (!section.querySelector('.numbers')) return
  const begin = () => {
    const text = getText()
    if (section.querySelector('.print-lines') || text.lines > MAX_LINES) return
    section.append(createPrintLines(text))
  }
  const end = () => section.querySelector('.print-lines')?.remove()
  addEventListener('beforeprint', begin)
  addEventListener('afterprint', end)
  const paper = matchMedia('print')
  paper.addEventListener('change', () => (paper.matches ? begin() : end()))
  if (paper.matches) begin()
}

/**
 * Triple click selects a line. With `\r\n` between lines, browsers select too much or too little. Returns what handles a
 * click.
 */
export function selectLineOnTripleClick(getText: () => DisplayedText): (event: MouseEvent) => void {
  const onClick = ({ detail, clientY, target }: MouseEvent) => {
    const text = getText()
    if (detail !== 3 || !(target instanceof Node && text.element.contains(target))) return
    const line = getLineLayout(text).lineAt(clientY)
    const [from, to] = [text.lineStart(line), text.lineStart(line + 1)]
    if (text.slice(Math.max(from, to - 2), to) !== '\r\n') return
    const { startContainer, startOffset, endContainer, endOffset } = text.staticRange(from, to - 2)
    getSelection()?.setBaseAndExtent(startContainer, startOffset, endContainer, endOffset)
  }
  document.addEventListener('click', onClick)
  return onClick
}

/** A part of a text node, and the element that it will be in. */
interface Part {
  readonly from: number
  readonly to: number
  readonly create: () => HTMLElement
}

function findLinkParts({ parentElement, previousSibling, data }: Text): Part[] {
  // A segment may end within an address, and what disguises one may be in another segment of the line.
  if (parentElement?.closest('a, .segment')) return []
  const endsLongLine = previousSibling instanceof Element && previousSibling.matches('.stretch')
  const searchedFrom = endsLongLine ? data.indexOf('\n') : 0
  if (searchedFrom === -1) return []
  return findLinks(data)
    .filter(({ from }) => from >= searchedFrom)
    .map(({ from, to, href }) => ({ from, to, create: () => createElement('a', { href, rel: LINK_REL }) }))
}

/** @param before the end of the text before the node: some characters are legitimate beside others. */
const findHiddenParts = ({ data }: Text, before: string, after: string): Part[] =>
  listHiddenCharacters(before + data + after)
    .filter(({ from }) => from >= before.length && from < before.length + data.length)
    .map(({ from, to, code, reorders }) => ({
      from: from - before.length,
      to: to - before.length,
      create: () => {
        // In a `bdi`, it reorders nothing: the text is displayed as a program reads it.
        const element = createElement(reorders ? 'bdi' : 'span', {})
        element.dataset.code = code
        return element
      },
    }))

/** Returns the text nodes that are in its place. */
function wrapParts(node: Text, parts: readonly Part[]): Text[] {
  const nodes: Text[] = []
  let rest = node
  let at = 0
  for (const { from, to, create } of parts) {
    const part = from > at ? rest.splitText(from - at) : rest
    if (part !== rest) nodes.push(rest)
    rest = part.splitText(to - from)
    const element = create()
    part.replaceWith(element)
    element.append(part)
    nodes.push(part)
    at = to
  }
  if (rest.data === '' && parts.length > 0) rest.remove()
  else nodes.push(rest)
  return nodes
}

const searched = new WeakSet<Text>()

/** The nodes together have the same data. */
function replaceSegment({ segments, starts, breaks }: DisplayedText, index: number, nodes: readonly Text[]) {
  let start = starts[index] ?? 0
  let before = breaks[index] ?? 0
  const [nodeStarts, breaksBefore]: [number[], number[]] = [[], []]
  for (const { data } of nodes) {
    nodeStarts.push(start)
    breaksBefore.push(before)
    start += data.length
    before += data.split('\n').length - 1
  }
  segments.splice(index, 1, ...nodes)
  starts.splice(index, 1, ...nodeStarts)
  breaks.splice(index, 1, ...breaksBefore)
}

/**
 * How much is changed in one frame, and how many UTF-16 units are searched: a line may have more hidden characters than
 * text.
 */
const MAX_PARTS = 50
const MAX_UNITS = 256 * 1024

/** The changes that later frames make in nodes that have been searched. */
const pending = new WeakMap<Text, readonly Part[]>()

/** Returns true if there is more to do. */
function markParts(
  text: DisplayedText,
  [from, to]: readonly [from: number, to: number],
  findParts: (node: Text, before: string, after: string) => readonly Part[],
  isNear: (node: Text) => boolean,
): boolean {
  let [parts, units] = [0, 0]
  let last = findLastAtMost(text.starts, to - 1)
  for (let index = findLastAtMost(text.starts, from); index <= last; index++) {
    if (parts >= MAX_PARTS || units > MAX_UNITS) return true
    const node = text.segments[index]
    if (!node || searched.has(node) || !isNear(node)) continue
    const start = text.starts[index] ?? 0
    const end = start + node.length
    const found =
      pending.get(node) ??
      findParts(
        node,
        text.slice(Math.max(0, start - CONTEXT_UNITS), start),
        text.slice(end, end + CONTEXT_UNITS),
      )
    const wrapped = found.slice(0, MAX_PARTS - parts)
    const later = found.slice(wrapped.length)
    parts += wrapped.length
    units += node.length
    const nodes = wrapParts(node, wrapped)
    for (const each of nodes) searched.add(each)
    const rest = nodes.at(-1)
    if (rest && later.length > 0) {
      const shift = wrapped.at(-1)?.to ?? 0
      pending.set(
        rest,
        later.map((part) => ({ ...part, from: part.from - shift, to: part.to - shift })),
      )
      searched.delete(rest)
    }
    if (nodes.length === 1) continue
    replaceSegment(text, index, nodes)
    text.revision += 1
    index += nodes.length - 1
    last += nodes.length - 1
  }
  return parts >= MAX_PARTS
}

/** Shows the codes of the first hidden characters. */
export const markHiddenCharacters = (text: DisplayedText): void =>
  void markParts(text, [0, text.length], findHiddenParts, () => true)

/** Only some segments of a long line may be near the window. */
function createNearTest(): (node: Text) => boolean {
  const known = new Map<Element, boolean>()
  const isNear = ({ left, right, top, bottom }: DOMRect) =>
    bottom > -innerHeight && top < 2 * innerHeight && right > -innerWidth && left < 2 * innerWidth
  const isBoxNear = (box: Element | null | undefined): boolean => {
    if (!box) return true
    const near = known.get(box) ?? isNear(box.getBoundingClientRect())
    known.set(box, near)
    return near
  }
  const startsNear = (node: Text): boolean => {
    const range = document.createRange()
    range.setStart(node, 0)
    range.setEnd(node, 1)
    const { left, top } = range.getBoundingClientRect()
    return top < 2 * innerHeight && left < 2 * innerWidth
  }
  // To measure a segment, the browser lays out its stretch.
  return (node) =>
    isBoxNear(node.parentElement?.closest('.stretch')) &&
    isBoxNear(node.parentElement?.closest('.segment')) &&
    (!pending.has(node) || startsNear(node))
}

/**
 * Makes links of the addresses in what is about to be visible, so that long texts cost nothing more. Returns true if it
 * takes another frame.
 */
export function markVisible(text: DisplayedText, hasHidden: boolean): boolean {
  // Splitting nodes would move the ends of a selection.
  if (getSelection()?.isCollapsed === false) return false
  const layout = getLineLayout(text)
  const from = text.lineStart(layout.lineAt(-innerHeight))
  const to = text.lineStart(layout.lineAt(2 * innerHeight) + 1)
  const findParts = (node: Text, before: string, after: string) => {
    const links = findLinkParts(node)
    if (!hasHidden) return links
    return [...links, ...findHiddenParts(node, before, after)].toSorted((one, other) => one.from - other.from)
  }
  const mark = hasHidden ? text.element.parentElement?.querySelector('.linked-lines') : null
  const markTop = mark?.getBoundingClientRect().top ?? -1
  if (markTop < 0 || markTop > innerHeight) return markParts(text, [from, to], findParts, createNearTest())
  // What shows hidden characters takes room above the linked line, which stays where it is in the window.
  const line = layout.lineAt(markTop + 1)
  const top = layout.top(line)
  const hasMore = markParts(text, [from, to], findParts, createNearTest())
  scrollBy({ top: getLineLayout(text).top(line) - top, behavior: 'instant' })
  return hasMore
}

/** CSS pixels. Every line is higher, but a chunk that isn't laid out yet may be lower than its lines. */
const MIN_LINE_HEIGHT = 10

/** Places an element in a layer at the height of each line that is visible or nearly so. */
function placeLines(
  text: DisplayedText,
  layer: HTMLElement,
  create: (line: number) => HTMLElement | null,
): void {
  const layout = getLineLayout(text)
  const { top } = layer.getBoundingClientRect()
  const placed: HTMLElement[] = []
  const first = layout.lineAt(-innerHeight)
  const last = Math.min(layout.lineAt(2 * innerHeight), first + (3 * innerHeight) / MIN_LINE_HEIGHT)
  for (let line = first, start = layout.top(first), end = 0; line <= last; line++, start = end) {
    end = layout.top(line + 1)
    const element = create(line)
    if (!element) continue
    element.style.top = `${start - top}px`
    element.style.height = `${end - start}px`
    placed.push(element)
  }
  layer.replaceChildren(...placed)
}

/** Colours the backgrounds of lines. Screen readers don't get them: what the lines say is enough. */
export function createLineTints(text: DisplayedText, getClass: (line: number) => string | null | undefined) {
  const layer = createElement('div', { className: 'line-tints', ariaHidden: 'true' })
  text.element.parentElement?.prepend(layer)
  return {
    paint: () =>
      placeLines(text, layer, (line) => {
        const className = getClass(line)
        return className ? createElement('div', { className }) : null
      }),
    clear: () => layer.remove(),
  }
}

/**
 * Places numbers beside the lines that are visible or nearly so, if the column of all numbers would be out of step with
 * the lines: because they wrap, lack some, or have other numbers.
 */
export function placeLineNumbers(
  text: DisplayedText,
  format = (line: number) => String(text.getNumber(line)),
): void {
  const numbers = text.element.closest('.text')?.querySelector<HTMLElement>('.numbers')
  if (!numbers) return
  let column = numbers.querySelector<HTMLElement>('.placed-numbers')
  if (!column) {
    column = createElement('div', { className: 'placed-numbers' })
    numbers.append(column)
    // Not `:has()`, for which the browser would look at every chunk again whenever one is added.
    numbers.classList.add('placed')
  }
  placeLines(text, column, (line) => createElement('span', {}, format(line)))
}

export function numberWrappedLines(text: DisplayedText): void {
  if (text.element.closest('.wrapped')) placeLineNumbers(text)
  else removePlacedNumbers()
}

export function removePlacedNumbers(within: ParentNode = document): void {
  const column = within.querySelector('.placed-numbers')
  column?.parentElement?.classList.remove('placed')
  column?.remove()
}

const YEAR_SECONDS = 365 * DAY_SECONDS

/** Stores it in a cookie, so that the server can render pages this way. */
function storeDisplay(display: ChosenDisplay): void {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  const value = formatDisplayCookie(display)
  const maxAge = value === '' ? 0 : YEAR_SECONDS
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is asynchronous, and only exists on HTTPS.
  document.cookie = `display=${value}; Max-Age=${maxAge}; Path=/; SameSite=Lax${secure}`
}

function applyDisplay(section: HTMLElement, { wrapped, fontSize }: ChosenDisplay): void {
  const display = { wrapped: wrapped ?? section.classList.contains('wrapped'), fontSize }
  for (const name of [...section.classList]) {
    if (name === 'wrapped' || name.startsWith('size-')) section.classList.remove(name)
  }
  section.classList.add(...getDisplayClasses(display))
}

/** How far from the window a browser lays out what is off-screen, in heights of the window, and some more. */
const NEAR_WINDOWS = 6
/** How many chunks are laid out in a frame. They may have 64 KiB each. */
const CHUNKS_PER_FRAME = 5

/**
 * Call it before a change of the display. Keeps the browser from laying out at once all that was near the window before
 * it, which may be far from it then, and all that is near the window after it: what is in the window comes first.
 * `forceLayout` still works.
 */
function layOutGradually(text: DisplayedText): void {
  if (!text.element.checkVisibility()) return
  const distance = NEAR_WINDOWS * innerHeight
  const before = text.chunksNear(distance)
  for (const chunk of before) chunk.style.contentVisibility = 'hidden'
  const reveal = (chunks: readonly HTMLElement[]) => {
    for (const chunk of chunks)
      if (chunk.style.contentVisibility === 'hidden') chunk.style.contentVisibility = ''
  }
  requestAnimationFrame(() => {
    // This also lays out the page. Without that, those from before would stay as they were.
    const near = new Set([...text.chunksNear(0), ...text.chunksNear(distance)])
    const later = [...near].slice(CHUNKS_PER_FRAME)
    for (const chunk of later) near.delete(chunk)
    reveal([...before, ...near])
    for (const chunk of later) chunk.style.contentVisibility ||= 'hidden'
    const revealSome = () => {
      reveal(later.splice(0, CHUNKS_PER_FRAME))
      if (later.length > 0) requestAnimationFrame(revealSome)
    }
    requestAnimationFrame(revealSome)
  })
}

/** How the reader wants texts: wrapped or not, and how large. */
export function createDisplay(
  section: HTMLElement,
  {
    getText,
    keepPosition,
    onChange,
  }: {
    readonly getText: () => DisplayedText
    readonly keepPosition: (change: () => void) => void
    readonly onChange: () => void
  },
) {
  const setDisplay = (display: ChosenDisplay) => {
    storeDisplay(display)
    keepPosition(() => {
      layOutGradually(getText())
      applyDisplay(section, display)
    })
    const button = document.querySelector('[data-tool="wrap"]')
    if (button) button.ariaPressed = String(section.classList.contains('wrapped'))
    onChange()
  }
  const getDisplay = () => parseDisplayCookie(document.cookie)
  const toggleWrap = () => setDisplay({ ...getDisplay(), wrapped: !section.classList.contains('wrapped') })
  return { getDisplay, setDisplay, toggleWrap }
}

interface SelectAndPrintOptions extends SelectAllOptions {
  readonly section: HTMLElement
  readonly getText: () => DisplayedText
}

/** Returns what handles a key and a click. */
export function startSelectAndPrint({ section, getText, ...options }: SelectAndPrintOptions) {
  numberLinesForPrint(section, getText)
  const handlers = [startSelectAll(options), startDocumentKeys()]
  return {
    onClick: selectLineOnTripleClick(getText),
    onKeydown: (event: KeyboardEvent) => {
      for (const handle of handlers) handle(event)
    },
  }
}
