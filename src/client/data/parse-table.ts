import Papa from 'papaparse'
import { findNumericColumns, readNumber, readTableStart } from '../../shared/table.ts'

/** More columns would freeze the page. */
const MAX_COLUMNS = 500
/** Characters of a column's width, in a table that isn't laid out as a whole. */
const MAX_WIDTH = 48
const MIN_WIDTH = 4

export interface Arrangement {
  readonly column: number | null
  readonly descending: boolean
  /** Rows without it are left out. */
  readonly query: string
}

export interface TableFacts {
  readonly header: readonly string[]
  readonly rowCount: number
  readonly numeric: readonly boolean[]
  /** Of each column, in characters. */
  readonly widths: readonly number[]
  /** Columns that aren't shown. */
  readonly hiddenColumns: number
}

export interface TableRow {
  /** Counted from 1, as in the text. */
  readonly number: number
  readonly cells: readonly string[]
}

/** A table whose rows are asked for as they scroll into view. */
export class ParsedTable {
  readonly facts: TableFacts
  readonly #rows: readonly (readonly string[])[]
  /** The rows that are shown, in their order. */
  #order: readonly number[]

  constructor(text: string, language: string) {
    const { delimiter } = readTableStart(text, language)
    const { data } = Papa.parse<string[]>(text.replace(/^\uFEFF/, ''), { delimiter, skipEmptyLines: true })
    const [header = [], ...rows] = data
    this.#rows = rows
    this.#order = rows.map((_, index) => index)
    const columns = rows.reduce((most, { length }) => Math.max(most, length), header.length)
    const shown = Math.min(columns, MAX_COLUMNS)
    this.facts = {
      header: Array.from({ length: shown }, (_, column) => header[column] ?? ''),
      rowCount: rows.length,
      numeric: findNumericColumns(rows, shown),
      widths: Array.from({ length: shown }, (_, column) => this.#getWidth(header, column)),
      hiddenColumns: columns - shown,
    }
  }

  #getWidth(header: readonly string[], column: number): number {
    // The header has a mark of its order.
    let width = Math.max(MIN_WIDTH, (header[column]?.length ?? 0) + 3)
    for (const row of this.#rows) width = Math.max(width, row[column]?.length ?? 0)
    return Math.min(width, MAX_WIDTH)
  }

  /** Returns the number of rows that match. */
  arrange({ column, descending, query }: Arrangement): number {
    const rows = this.#rows
    const wanted = query.trim().toLocaleLowerCase()
    const order = rows.map((_, index) => index)
    const matching =
      wanted === ''
        ? order
        : order.filter((row) => rows[row]?.some((cell) => cell.toLocaleLowerCase().includes(wanted)))
    this.#order = column === null ? matching : this.#sort(matching, column, descending)
    return this.#order.length
  }

  /** Empty cells come last in both directions. In a column of numbers, words come after them. */
  #sort(order: readonly number[], column: number, descending: boolean): number[] {
    const { compare } = new Intl.Collator(undefined, { numeric: true })
    const sign = descending ? -1 : 1
    const isNumeric = this.facts.numeric[column] ?? false
    const keyed = order.map((row) => {
      const cell = this.#rows[row]?.[column]?.trim() ?? ''
      const number = isNumeric ? readNumber(cell) : null
      return { row, cell, number, rank: cell === '' ? 2 : isNumeric && number === null ? 1 : 0 }
    })
    keyed.sort(
      (a, b) =>
        a.rank - b.rank ||
        sign * (a.number !== null && b.number !== null ? a.number - b.number : compare(a.cell, b.cell)) ||
        a.row - b.row,
    )
    return keyed.map(({ row }) => row)
  }

  getRows(from: number, to: number): TableRow[] {
    return this.#order
      .slice(from, to)
      .map((row) => ({ number: row + 1, cells: (this.#rows[row] ?? []).slice(0, this.facts.header.length) }))
  }
}
