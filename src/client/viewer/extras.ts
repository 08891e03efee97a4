import { formatAge } from '../../shared/format.ts'
import { createElement } from '../shared/elements.ts'
import { type DisplayedText, getLineLayout } from '../text/displayed-text.ts'

// What the page of a document can do without until somebody uses it, so it's loaded then, or after a while.

const REFRESH_MS = 30_000

/** English, like the page, in the reader's variety, such as en-US. */
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

/** Also puts exact times into the reader's time zone. */
function refreshRelativeTimes(): void {
  refresh()
  localize()
  setInterval(refresh, REFRESH_MS)
  // A page restored from the back/forward cache may be hours old.
  addEventListener('pageshow', refresh)
}

/** Reading may have deleted the document: then there is nothing to watch. */
export async function startUpdates({ document: id, version }: DOMStringMap): Promise<void> {
  refreshRelativeTimes()
  if (id === undefined || version === undefined) return
  const { watchDocument } = await import('../together/newer-versions.ts')
  watchDocument(id, version)
}

/** Longer texts are printed without line numbers. */
const MAX_LINES = 50_000

/** Browsers take much longer to break one long list into pages than many short ones. */
const LINES_PER_LIST = 100

function createPrintLines(text: DisplayedText): HTMLElement {
  const lines = text.slice(0, text.length).replace(/\n$/, '').split('\n')
  const lists: HTMLElement[] = []
  for (let from = 0; from < lines.length; from += LINES_PER_LIST) {
    const items = lines
      .slice(from, from + LINES_PER_LIST)
      .map((line, index) => createElement('li', { value: text.numberOf(from + index + 1) }, line))
    lists.push(createElement('ol', {}, ...items))
  }
  return createElement('div', { className: 'print-lines' }, ...lists)
}

/** Long lines wrap on paper, so a column would be out of step: each line is an item of a numbered list instead. */
function numberLinesForPrint(section: HTMLElement, getText: () => DisplayedText): void {
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

/** Triple click selects a line. With `\r\n` between lines, browsers select too much or too little. */
function selectLineOnTripleClick(getText: () => DisplayedText): void {
  document.addEventListener('click', ({ detail, clientY, target }) => {
    const text = getText()
    if (detail !== 3 || !(target instanceof Node && text.element.contains(target))) return
    const line = getLineLayout(text).lineAt(clientY)
    const [from, to] = [text.lineStart(line), text.lineStart(line + 1)]
    if (text.slice(Math.max(from, to - 2), to) === '\r\n') text.select(from, to - 2)
  })
}

/** Ctrl+A with the focus in the text selects the text alone, without the rest of the page. */
function selectAllInText(section: HTMLElement, getText: () => DisplayedText): void {
  section.addEventListener('keydown', (event) => {
    if (
      event.key.toLowerCase() !== 'a' ||
      !(event.ctrlKey || event.metaKey) ||
      event.shiftKey ||
      event.altKey
    )
      return
    event.preventDefault()
    getSelection()?.selectAllChildren(getText().element)
  })
}

export function startSelectAndPrint(section: HTMLElement, getText: () => DisplayedText): void {
  numberLinesForPrint(section, getText)
  selectLineOnTripleClick(getText)
  selectAllInText(section, getText)
}
