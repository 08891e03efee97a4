import { announce, createButton, createElement } from '../shared/elements.ts'
import { createVirtualRows, openDataView } from './data-view.ts'
import type { Arrangement, TableFacts, TableRow } from './parse-table.ts'

/** Cells of a table that is laid out as a whole, with cells of any height. */
const MAX_WHOLE_CELLS = 10_000
/** UTF-16 units of a cell that is laid out. */
const MAX_CELL_UNITS = 10_000

const DEBOUNCE_MS = 120

const count = (number: number, one: string) =>
  `${number.toLocaleString('en')} ${one}${number === 1 ? '' : 's'}`

function formatStatus({ rowCount: all, header, hiddenColumns }: TableFacts, rowCount: number): string {
  const rows =
    rowCount === all ? count(all, 'row') : `${rowCount.toLocaleString('en')} of ${count(all, 'row')}`
  const columns = count(header.length + hiddenColumns, 'column')
  const hidden = hiddenColumns > 0 ? `, the first ${header.length} shown` : ''
  return `${rows} · ${columns}${hidden}`
}

/** The widths of a table that isn't laid out as a whole. */
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
    const button = createButton(name || `Column ${column + 1}`, () => sortBy(column))
    button.dir = 'auto'
    return createElement('th', { scope: 'col', className: getClass(facts, column) }, button)
  })
  const corner = createElement('td', { className: 'row-number' })
  return createElement('thead', {}, createElement('tr', {}, corner, ...cells))
}

function createRow(facts: TableFacts, { number, cells }: TableRow, index: number): HTMLTableRowElement {
  const row = createElement('tr', {}, createElement('td', { className: 'row-number' }, String(number)))
  row.ariaRowIndex = String(index + 2)
  for (let column = 0; column < facts.header.length; column++) {
    const text = cells[column] ?? ''
    const shown = text.length > MAX_CELL_UNITS ? `${text.slice(0, MAX_CELL_UNITS)}…` : text
    row.append(createElement('td', { dir: 'auto', className: getClass(facts, column) }, shown))
  }
  return row
}

/** As src/site/documents/first-rows.lazy.tsx writes it. */
export const openTable = openDataView(async (source, ask) => {
  const facts = await ask('parseTable', source)
  const isWhole = facts.rowCount * facts.header.length <= MAX_WHOLE_CELLS
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
  const scroller = createElement(
    'section',
    { className: 'table-scroller', ariaLabel: 'Table', tabIndex: 0 },
    table,
  )
  const load = (from: number, to: number) => ask('readTable', { from, to })
  const createBodyRow = (row: TableRow, index: number) => createRow(facts, row, index)
  const showRows = isWhole
    ? async (rowCount: number) => body.replaceChildren(...(await load(0, rowCount)).map(createBodyRow))
    : createVirtualRows({ scroller, body, load, createRow: createBodyRow })

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
      if (cell && getSelection()?.isCollapsed) cell.classList.toggle('open')
    })
  }
  table.append(createHeader(facts, sortBy), body)
  let timer: ReturnType<typeof setTimeout> | undefined
  filter.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(() => void arrange({ query: filter.value }), DEBOUNCE_MS)
  })
  const bar = createElement('div', { className: 'table-bar row apart' }, filter, status)
  const element = createElement('div', { className: 'table-view' }, bar, scroller)
  return { element, show: () => arrange({}) }
})
