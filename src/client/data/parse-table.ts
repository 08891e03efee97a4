import Papa from 'papaparse'
import { findNumericColumns, isNumber, readTableStart } from '../../shared/table.ts'

/** More rows would take the worker's memory. */
const MAX_ROWS = 1_000_000
/** More columns would freeze the page. */
const MAX_COLUMNS = 500
/** Characters of a column's width, in a table that isn't laid out as a whole. */
const MAX_WIDTH = 48
const MIN_WIDTH = 4

/** UTF-16 units of a name. More would be no name, and freeze the page. */
const MAX_NAME_UNITS = 1_000

const cut = (name: string) => (name.length > MAX_NAME_UNITS ? `${name.slice(0, MAX_NAME_UNITS)}…` : name)

export interface Arrangement {
  readonly column: number | null
  readonly descending: boolean
  /** Rows without it are left out. */
  readonly query: string
}

export function readNumber(cell: string): number | null {
  if (!isNumber(cell)) return null
  const plain = cell.replaceAll(/[$€£¥%'\s]/g, '').replace('−', '-')
  const isGrouped = /^[-+]?\d{1,3}(?:,\d{3})+(?:\.|$)/.test(plain)
  return Number(isGrouped ? plain.replaceAll(',', '') : plain.replace(',', '.'))
}

export type ParsedTable = ReturnType<typeof parseTable>

export type TableFacts = ParsedTable['facts']

export type TableRow = ReturnType<ParsedTable['getRows']>[number]

/** A table whose rows are asked for as they scroll into view. */
export function parseTable(text: string, language: string) {
  const { delimiter } = readTableStart(text, language)
  const options = { delimiter, skipEmptyLines: true, preview: MAX_ROWS + 1 }
  const { data } = Papa.parse<string[]>(text.replace(/^\uFEFF/, ''), options)
  if (data.length > MAX_ROWS) throw new RangeError('This table has too many rows.')
  const [header = [], ...rows] = data
  const columns = rows.reduce((most, { length }) => Math.max(most, length), header.length)
  const shown = Math.min(columns, MAX_COLUMNS)
  const getWidth = (column: number): number => {
    // The header has a mark of its order.
    let width = Math.max(MIN_WIDTH, (header[column]?.length ?? 0) + 3)
    for (const row of rows) width = Math.max(width, row[column]?.length ?? 0)
    return Math.min(width, MAX_WIDTH)
  }
  const facts = {
    header: Array.from({ length: shown }, (_, column) => cut(header[column] ?? '')),
    rowCount: rows.length,
    /** UTF-16 units of all cells. */
    units: text.length,
    numeric: findNumericColumns(rows, shown),
    /** Of each column, in characters. */
    widths: Array.from({ length: shown }, (_, column) => getWidth(column)),
    hiddenColumns: columns - shown,
  }
  const all = rows.map((_, index) => index)
  let order: readonly number[] = all

  /** Empty cells come last in both directions. In a column of numbers, words come after them. */
  const sort = (unsorted: readonly number[], column: number, descending: boolean): number[] => {
    const { compare } = new Intl.Collator(undefined, { numeric: true })
    const sign = descending ? -1 : 1
    const isNumeric = facts.numeric[column] ?? false
    const keyed = unsorted.map((row) => {
      const cell = rows[row]?.[column]?.trim() ?? ''
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
  return {
    facts,
    /** Returns the number of rows that match. */
    arrange: ({ column, descending, query }: Arrangement): number => {
      const wanted = query.trim().toLocaleLowerCase()
      const isWanted = (cell: string) => cell.toLocaleLowerCase().includes(wanted)
      const matching = wanted === '' ? all : all.filter((row) => rows[row]?.some(isWanted))
      order = column === null ? matching : sort(matching, column, descending)
      return order.length
    },
    /** Their numbers count from 1, as in the text. */
    getRows: (from: number, to: number) =>
      order.slice(from, to).map((row) => ({ number: row + 1, cells: (rows[row] ?? []).slice(0, shown) })),
  }
}
