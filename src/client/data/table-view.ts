import { announce, createElement, loadStyles } from '../shared/elements.ts'
import type { MountedView, MountView, ViewContext } from '../viewer/views/views.ts'
import { type AskData, startDataClient } from './data-client.ts'
import type { Arrangement, TableFacts, TableRow } from './parse-table.ts'
import { VirtualRows } from './virtual-rows.ts'

/** Cells of a table that is laid out as a whole, with cells of any height. */
const MAX_WHOLE_CELLS = 10_000
/** UTF-16 units of a cell that is laid out. */
const MAX_CELL_UNITS = 10_000

const DEBOUNCE_MS = 120

const count = (number: number, one: string) =>
  `${number.toLocaleString('en')} ${one}${number === 1 ? '' : 's'}`

/** As src/site/documents/first-rows.lazy.tsx writes it. */
class TableView {
  readonly element = createElement('div', { className: 'table-view' })
  readonly #ask: AskData
  readonly #facts: TableFacts
  readonly #status = createElement('span', { className: 'quiet-text', role: 'status' })
  readonly #filter = createElement('input', {
    type: 'search',
    placeholder: 'Filter rows',
    ariaLabel: 'Filter rows',
    autocomplete: 'off',
    spellcheck: false,
  })
  readonly #table = createElement('table', {})
  readonly #body = createElement('tbody', {})
  readonly #rows: VirtualRows<TableRow> | null
  #arrangement: Arrangement = { column: null, descending: false, query: '' }

  constructor(ask: AskData, facts: TableFacts) {
    this.#ask = ask
    this.#facts = facts
    const bar = createElement('div', { className: 'table-bar strip row apart' }, this.#filter, this.#status)
    const scroller = createElement('section', {
      className: 'table-scroller',
      ariaLabel: 'Table',
      tabIndex: 0,
    })
    const isWhole = facts.rowCount * facts.header.length <= MAX_WHOLE_CELLS
    if (!isWhole) {
      this.#table.classList.add('fixed')
      this.#table.append(this.#createColumns())
    }
    this.#table.ariaRowCount = String(facts.rowCount + 1)
    this.#table.append(this.#createHeader(), this.#body)
    scroller.append(this.#table)
    this.element.append(bar, scroller)
    this.#rows = isWhole
      ? null
      : new VirtualRows<TableRow>({
          scroller,
          body: this.#body,
          load: (from, to) => ask('read-table', { from, to }),
          createRow: (row, index) => this.#createRow(row, index),
        })
    this.#table.addEventListener('click', ({ target }) => {
      const cell = target instanceof Element ? target.closest('td') : null
      if (cell && !isWhole && getSelection()?.isCollapsed) cell.classList.toggle('open')
    })
    let timer: ReturnType<typeof setTimeout> | undefined
    this.#filter.addEventListener('input', () => {
      clearTimeout(timer)
      timer = setTimeout(() => void this.arrange({ query: this.#filter.value }), DEBOUNCE_MS)
    })
  }

  async arrange(change: Partial<Arrangement>): Promise<void> {
    this.#arrangement = { ...this.#arrangement, ...change }
    const arrangement = this.#arrangement
    const rowCount = await this.#ask('arrange-table', arrangement)
    const rows = this.#rows ? [] : await this.#ask('read-table', { from: 0, to: rowCount })
    if (arrangement !== this.#arrangement) return
    if (this.#rows) await this.#rows.show(rowCount)
    else this.#body.replaceChildren(...rows.map((row, index) => this.#createRow(row, index)))
    this.#showStatus(rowCount)
    this.#showOrder()
  }

  #showStatus(rowCount: number): void {
    const { rowCount: all, header, hiddenColumns } = this.#facts
    const rows =
      rowCount === all ? count(all, 'row') : `${rowCount.toLocaleString('en')} of ${count(all, 'row')}`
    const columns = count(header.length + hiddenColumns, 'column')
    const hidden = hiddenColumns > 0 ? `, the first ${header.length} shown` : ''
    announce(this.#status, `${rows} · ${columns}${hidden}`)
  }

  #showOrder(): void {
    const { column, descending } = this.#arrangement
    for (const [index, cell] of [...this.#table.querySelectorAll('thead th[scope]')].entries()) {
      cell.ariaSort = index === column ? (descending ? 'descending' : 'ascending') : null
    }
  }

  #createColumns(): HTMLElement {
    const digits = createElement('col', {})
    digits.style.width = `${String(this.#facts.rowCount).length + 3}ch`
    const columns = this.#facts.widths.map((characters) => {
      const column = createElement('col', {})
      column.style.width = `calc(${characters}ch + 2rem)`
      return column
    })
    return createElement('colgroup', {}, digits, ...columns)
  }

  /** Sorts up, then down, then not at all. */
  #sortBy(column: number): void {
    const { column: sorted, descending } = this.#arrangement
    if (column !== sorted) void this.arrange({ column, descending: false })
    else if (!descending) void this.arrange({ descending: true })
    else void this.arrange({ column: null, descending: false })
  }

  #createHeader(): HTMLElement {
    const cells = this.#facts.header.map((name, column) => {
      const button = createElement('button', { type: 'button', dir: 'auto' }, name || `Column ${column + 1}`)
      button.addEventListener('click', () => this.#sortBy(column))
      return createElement('th', { scope: 'col', className: this.#getClass(column) }, button)
    })
    const corner = createElement('td', { className: 'row-number' })
    return createElement('thead', {}, createElement('tr', {}, corner, ...cells))
  }

  #getClass(column: number): string {
    return this.#facts.numeric[column] ? 'number' : ''
  }

  #createRow({ number, cells }: TableRow, index: number): HTMLTableRowElement {
    const row = createElement('tr', {}, createElement('td', { className: 'row-number' }, String(number)))
    row.ariaRowIndex = String(index + 2)
    for (let column = 0; column < this.#facts.header.length; column++) {
      const text = cells[column] ?? ''
      const cell = createElement('td', { dir: 'auto', className: this.#getClass(column) })
      cell.textContent = text.length > MAX_CELL_UNITS ? `${text.slice(0, MAX_CELL_UNITS)}…` : text
      row.append(cell)
    }
    return row
  }
}

async function createTableView({ section, code, language, workerAddress }: ViewContext): Promise<TableView> {
  const ask = startDataClient(workerAddress)
  const [facts] = await Promise.all([
    ask('parse-table', { text: code.textContent ?? '', language }),
    loadStyles(section.dataset.viewStyles ?? ''),
  ])
  const view = new TableView(ask, facts)
  // A row is measured in the page, which still shows what it had before.
  view.element.classList.add('preparing')
  section.before(view.element)
  await view.arrange({})
  view.element.classList.remove('preparing')
  return view
}

let view: Promise<TableView> | null = null

export const mountTable: MountView = async (context): Promise<MountedView> => {
  view ??= createTableView(context)
  const { element } = await view.catch((error) => {
    view = null
    console.error(error)
    throw new Error('The table couldn’t be displayed.')
  })
  const { section } = context
  document.querySelector('.first-rows')?.remove()
  if (!element.isConnected) section.before(element)
  section.hidden = true
  return {
    hasSourceLines: false,
    unmount: () => {
      element.remove()
      section.hidden = false
    },
  }
}
