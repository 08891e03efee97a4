import { formatCount } from '../../shared/format.ts'
import { getColumnName } from '../../shared/table.ts'
import { announce, copyAndSay, createButton, createElement, loadStyles } from '../shared/elements.ts'
import { createWorkerClient, type WorkerClient } from '../shared/workers.ts'
import { yieldToPage } from '../text/chunks.ts'
import { loadExtraStyles } from '../viewer/toolbar.ts'
import type { ViewTasks } from '../viewer/views/view-worker.ts'
import type { OpenView } from '../viewer/views/views.ts'
import type { JsonRow } from './parse-json.ts'
import type { Arrangement, TableFacts, TableRow } from './parse-table.ts'

// JSON as a tree, and tables. The worker keeps the data, and the page asks for the rows near the window.

/** CSS pixels. Browsers limit the height of elements, so more rows than this share it. */
const MAX_HEIGHT = 8_000_000
/** Rows beyond the window that are in the page. */
const OVERSCAN = 40
/** Cells that are laid out at once. */
const MAX_CELLS_AT_ONCE = 500

interface RowsOptions<Row> {
  readonly scroller: HTMLElement
  /** The rows are its only children. */
  readonly body: HTMLElement
  readonly cellsPerRow: number
  readonly load: (from: number, to: number) => Promise<readonly Row[]>
  readonly createRow: (row: Row, index: number) => HTMLElement
}

/** All rows have the same height. Returns a function that shows so many rows, and resolves when they are in the page. */
function createVirtualRows<Row>(options: RowsOptions<Row>): (count: number) => Promise<void> {
  const { scroller, body, cellsPerRow, load, createRow } = options
  const rowsAtOnce = Math.ceil(MAX_CELLS_AT_ONCE / cellsPerRow)
  const overscan = Math.min(OVERSCAN, 8 * rowsAtOnce)
  let [count, rowHeight, updates] = [0, 0, 0]
  let shown = { from: 0, to: 0 }

  const measureRow = async () => {
    const [row] = await load(0, 1)
    if (row === undefined || rowHeight > 0) return
    body.replaceChildren(createRow(row, 0))
    rowHeight = body.firstElementChild?.getBoundingClientRect().height ?? 0
  }
  /** Returns the row of the control that has the focus, and the control's place in it. */
  const findFocus = () => {
    const children = [...body.children]
    const child = children.findIndex((element) => element.matches(':focus-within'))
    const controls = [...(children[child]?.querySelectorAll('button') ?? [])]
    const place = controls.findIndex((control) => control.matches(':focus'))
    return place === -1 ? null : { row: shown.from + child - 1, place }
  }
  const createSpace = (pixels: number) => {
    const spacer = createElement(body.localName === 'tbody' ? 'tr' : 'div', { className: 'spacer' })
    spacer.style.height = `${Math.max(0, pixels)}px`
    return spacer
  }
  const update = async (isNew = false) => {
    if (rowHeight === 0 && count > 0) await measureRow()
    // It isn't displayed yet.
    if (rowHeight === 0 && count > 0) return
    const { scrollTop, clientHeight } = scroller
    const visible = Math.ceil(clientHeight / (rowHeight || 1)) + 1
    const full = count * rowHeight
    const height = Math.min(full, MAX_HEIGHT)
    const share = scrollTop / Math.max(1, height - clientHeight)
    const maxFirst = Math.max(0, count - visible + 1)
    const first =
      full === height
        ? Math.min(maxFirst, Math.floor(scrollTop / (rowHeight || 1)))
        : Math.round(Math.min(1, share) * maxFirst)
    const isShown = first >= shown.from && Math.min(count, first + visible) <= shown.to
    if (!isNew && isShown && full === height) return
    const from = Math.max(0, first - overscan)
    const to = Math.min(count, first + visible + overscan)
    const number = ++updates
    const rows = await load(from, to)
    if (number !== updates) return
    const focus = findFocus()
    shown = { from, to }
    const top = full === height ? from * rowHeight : scrollTop - (first - from) * rowHeight
    const elements: HTMLElement[] = []
    do {
      const start = elements.length
      const added = rows.slice(start, start + rowsAtOnce)
      elements.push(...added.map((row, index) => createRow(row, from + start + index)))
      const below = createSpace(height - top - elements.length * rowHeight)
      if (start === 0) {
        body.replaceChildren(createSpace(top), ...elements, below)
        if (focus) {
          const controls = elements[focus.row - from]?.querySelectorAll('button')
          const control = controls?.[focus.place] ?? scroller
          control.focus({ preventScroll: true })
        }
      } else body.lastElementChild?.replaceWith(...elements.slice(start), below)
      if (elements.length < rows.length) await yieldToPage()
    } while (number === updates && elements.length < rows.length)
  }
  scroller.addEventListener('scroll', () => void update(), { passive: true })
  new ResizeObserver(() => void update()).observe(scroller)
  return async (next) => {
    count = next
    await update(true)
  }
}

/** Creates a view. Its `show` fills the element, which is in the page. */
type CreateDataView = (
  source: { readonly text: string; readonly language: string },
  ask: WorkerClient<ViewTasks>['ask'],
  announce: (message: string) => void,
) => Promise<{ element: HTMLElement; show: () => Promise<void> }>

const openDataView =
  (create: CreateDataView): OpenView =>
  async ({ section, text, language, announce }) => {
    const { viewWorker = '', viewStyles = '' } = section.dataset
    const { ask } = createWorkerClient<ViewTasks>(viewWorker)
    const source = { text: text.element.textContent ?? '', language }
    const [{ element, show }] = await Promise.all([
      create(source, ask, announce),
      loadStyles(viewStyles),
      loadExtraStyles(),
      // Selects all rows. Before it's there, the browser would select those that are in the page.
      import('../viewer/extras.ts').catch(() => {}),
    ])
    // Rows are measured in the page, which still shows what it had before.
    element.classList.add('preparing')
    section.before(element)
    await show()
    // Somebody may have chosen another view meanwhile.
    setTimeout(() => element.matches('.preparing') && element.remove())
    return () => {
      document.querySelector('.first-rows')?.remove()
      element.classList.remove('preparing')
      // If it moved, the browser would lay it out again.
      if (!element.isConnected) section.before(element)
      section.hidden = true
      return {
        hasSourceLines: false,
        rows: element,
        unmount: () => {
          element.remove()
          section.hidden = false
        },
      }
    }
  }

/** Levels that are indented. Deeper ones would leave the window. */
const MAX_INDENT = 40

/** UTF-16 units of a path in a message. */
const MAX_MESSAGE_UNITS = 200

const CLOSING: Readonly<Record<string, string>> = { '{': '}', '[': ']' }

function getValueClass(value: string): string {
  if (/^["']/.test(value)) return 'tok-string'
  if (/^[-+.\dNI]/.test(value)) return 'tok-number'
  return /^[tfn]/.test(value) ? 'tok-keyword' : ''
}

interface RowActions {
  readonly fold: (line: number, isFolded: boolean) => void
  readonly copyPath: (line: number) => void
}

function createFoldButton({ line, fold }: JsonRow, actions: RowActions): HTMLElement {
  if (!fold) return createElement('span', { className: 'json-fold' })
  const { isFolded, items } = fold
  const button = createButton('', () => actions.fold(line, !isFolded), 'json-button json-fold')
  button.ariaLabel = formatCount(items, 'value')
  button.ariaExpanded = String(!isFolded)
  return button
}

function createName({ line, key, index }: JsonRow, actions: RowActions): (Node | string)[] {
  if (key === null && index === null) return []
  // With the colon, a single digit is wide enough for a finger.
  const [label, className, after] =
    key === null ? [`${index}: `, 'json-button', ''] : [key, 'json-button tok-name', ': ']
  const name = createButton(label, () => actions.copyPath(line), className)
  name.title = 'Copy path'
  return [name, after]
}

function createJsonRow(row: JsonRow, actions: RowActions): HTMLElement {
  const { depth, value, isCut, hasComma, fold } = row
  const shown = fold?.isFolded ? `${value}…${CLOSING[value] ?? ''}` : value
  const element = createElement(
    'div',
    { className: 'json-row' },
    createFoldButton(row, actions),
    ...createName(row, actions),
    createElement('span', { className: getValueClass(value) }, isCut ? `${shown}…` : shown),
    hasComma ? ',' : '',
  )
  if (fold?.isFolded)
    element.append(
      createElement(
        'span',
        { className: 'json-count quiet-text', ariaHidden: 'true' },
        formatCount(fold.items, 'value'),
      ),
    )
  element.style.paddingInlineStart = `${Math.min(depth, MAX_INDENT) * 1.25}rem`
  return element
}

export const openJson = openDataView(async (source, ask, announce) => {
  const facts = await ask('parseJson', source)
  const body = createElement('div', {})
  const scroller = createElement(
    'section',
    { className: 'json-scroller', ariaLabel: 'Tree', tabIndex: 0 },
    body,
  )
  const fold = async (line: number | null, isFolded: boolean) =>
    showRows(await ask('foldJson', { line, isFolded }))
  const copy = async (answer: Promise<string>, getMessage: (text: string) => string) => {
    try {
      const text = await answer
      await copyAndSay(text, announce, getMessage(text))
    } catch (error) {
      console.error(error)
      announce('Couldn’t copy. This JSON is too large.')
    }
  }
  const copyPath = (line: number) =>
    copy(
      ask('getJsonPath', line),
      (path) => `Copied ${path.length > MAX_MESSAGE_UNITS ? `${path.slice(0, MAX_MESSAGE_UNITS)}…` : path}`,
    )
  const actions: RowActions = { fold, copyPath }
  const showRows = createVirtualRows<JsonRow>({
    scroller,
    body,
    cellsPerRow: 1,
    load: (from, to) => ask('readJson', { from, to }),
    createRow: (row) => createJsonRow(row, actions),
  })
  const folds = facts.hasFolds
    ? [
        createButton('Expand all', () => fold(null, false), 'quiet small'),
        createButton('Collapse all', () => fold(null, true), 'quiet small'),
      ]
    : []
  const bar = createElement(
    'div',
    { className: 'view-bar strip row apart' },
    createElement('div', { className: 'row' }, ...folds),
    createElement('span', { className: 'quiet-text' }, facts.note ?? ''),
    createButton('Copy formatted', () => copy(ask('formatJson', null), () => 'Copied.'), 'quiet small'),
  )
  const element = createElement('div', { className: 'json-view' }, bar, scroller)
  return { element, show: () => showRows(facts.rowCount) }
})

/** Cells, and UTF-16 units, of a table that is laid out as a whole, with cells of any height. */
const MAX_WHOLE_CELLS = 10_000
const MAX_WHOLE_UNITS = 512 * 1024
/** UTF-16 units of a cell that is laid out. */
const MAX_CELL_UNITS = 10_000
/** UTF-16 units of a row whose cells show only their start, until they are opened; and those of a cell at least. */
const MAX_ROW_UNITS = 2_000
const MIN_CELL_UNITS = 100

const cutCell = (text: string, units: number) => (text.length > units ? `${text.slice(0, units)}…` : text)

const DEBOUNCE_MS = 120

function formatStatus({ rowCount: all, header, hiddenColumns }: TableFacts, rowCount: number): string {
  const rows =
    rowCount === all
      ? formatCount(all, 'row')
      : `${rowCount.toLocaleString('en')} of ${formatCount(all, 'row')}`
  const columns = formatCount(header.length + hiddenColumns, 'column')
  const hidden = hiddenColumns > 0 ? `, the first ${header.length} shown` : ''
  return `${rows} · ${columns}${hidden}`
}

function createColumns({ rowCount, widths }: TableFacts): HTMLElement {
  const createColumn = (width: string) => {
    const column = createElement('col', {})
    column.style.width = width
    return column
  }
  const digits = createColumn(`${String(rowCount).length + 3}ch`)
  return createElement(
    'colgroup',
    {},
    digits,
    ...widths.map((characters) => createColumn(`calc(${characters}ch + 2rem)`)),
  )
}

const getClass = ({ numeric }: TableFacts, column: number) => (numeric[column] ? 'number' : '')

function createHeader(facts: TableFacts, sortBy: (column: number) => void): HTMLElement {
  const cells = facts.header.map((name, column) => {
    const button = createButton(getColumnName(name, column), () => sortBy(column))
    button.dir = 'auto'
    return createElement('th', { scope: 'col', className: getClass(facts, column) }, button)
  })
  const corner = createElement('td', { className: 'row-number' })
  return createElement('thead', {}, createElement('tr', {}, corner, ...cells))
}

function createTableRow(
  facts: TableFacts,
  { number, cells }: TableRow,
  { index, units }: { readonly index: number; readonly units: number },
): HTMLTableRowElement {
  const row = createElement('tr', {}, createElement('td', { className: 'row-number' }, String(number)))
  row.ariaRowIndex = String(index + 2)
  for (let column = 0; column < facts.header.length; column++) {
    const text = cutCell(cells[column] ?? '', units)
    row.append(createElement('td', { dir: 'auto', className: getClass(facts, column) }, text))
  }
  return row
}

/** Matches what src/site/documents/first-rows.tsx writes. */
export const openTable = openDataView(async (source, ask) => {
  const facts = await ask('parseTable', source)
  const isWhole = facts.rowCount * facts.header.length <= MAX_WHOLE_CELLS && facts.units <= MAX_WHOLE_UNITS
  const units = isWhole
    ? MAX_CELL_UNITS
    : Math.max(MIN_CELL_UNITS, Math.floor(MAX_ROW_UNITS / facts.header.length))
  let arrangement: Arrangement = { column: null, descending: false, query: '' }

  const status = createElement('span', { className: 'quiet-text', role: 'status' })
  const filter = createElement('input', {
    type: 'search',
    placeholder: 'Filter rows',
    ariaLabel: 'Filter rows',
    autocomplete: 'off',
    spellcheck: false,
  })
  const table = createElement('table', { ariaRowCount: String(facts.rowCount + 1) })
  const body = createElement('tbody', {})
  // Not a section: the browser would look for the colours of code in each cell.
  const scroller = createElement(
    'div',
    { className: 'table-scroller', role: 'region', ariaLabel: 'Table', tabIndex: 0 },
    table,
  )
  const load = (from: number, to: number) => ask('readTable', { from, to })
  const rows = new WeakMap<HTMLElement, TableRow>()
  const createBodyRow = (row: TableRow, index: number) => {
    const element = createTableRow(facts, row, { index, units })
    rows.set(element, row)
    return element
  }
  const showRows = isWhole
    ? async (rowCount: number) => body.replaceChildren(...(await load(0, rowCount)).map(createBodyRow))
    : createVirtualRows({
        scroller,
        body,
        cellsPerRow: facts.header.length + 1,
        load,
        createRow: createBodyRow,
      })

  const showOrder = () => {
    const { column, descending } = arrangement
    for (const [index, cell] of [...table.querySelectorAll('thead th[scope]')].entries()) {
      cell.ariaSort = index === column ? (descending ? 'descending' : 'ascending') : null
    }
  }
  const arrange = async (change: Partial<Arrangement>) => {
    const wanted = { ...arrangement, ...change }
    arrangement = wanted
    const rowCount = await ask('arrangeTable', wanted)
    if (arrangement !== wanted) return
    await showRows(rowCount)
    announce(status, formatStatus(facts, rowCount))
    showOrder()
  }
  /** Sorts up, then down, then not at all. */
  const sortBy = (column: number) => {
    const { column: sorted, descending } = arrangement
    if (column !== sorted) void arrange({ column, descending: false })
    else if (!descending) void arrange({ descending: true })
    else void arrange({ column: null, descending: false })
  }
  if (!isWhole) {
    table.classList.add('fixed')
    table.append(createColumns(facts))
    table.addEventListener('click', ({ target }) => {
      const cell = target instanceof Element ? target.closest('td') : null
      if (!cell || !getSelection()?.isCollapsed) return
      const isOpen = cell.classList.toggle('open')
      const text = rows.get(cell.closest('tr') ?? cell)?.cells[cell.cellIndex - 1]
      if (text !== undefined) cell.textContent = cutCell(text, isOpen ? MAX_CELL_UNITS : units)
    })
  }
  table.append(createHeader(facts, sortBy), body)
  let timer: ReturnType<typeof setTimeout> | undefined
  filter.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(() => void arrange({ query: filter.value }), DEBOUNCE_MS)
  })
  const bar = createElement('div', { className: 'view-bar strip row apart' }, filter, status)
  const element = createElement('div', { className: 'table-view' }, bar, scroller)
  return { element, show: () => arrange({}) }
})
