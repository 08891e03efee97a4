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
  /** The text to look for. Rows without it are left out. */
  readonly query: string
}

type DecimalMark = '.' | ','

/** Signs of currencies and the like are left out. */
const strip = (cell: string) => cell.replaceAll(/[$€£¥%‰'’\s]/g, '').replace('−', '-')

/** Returns null if the number may be read either way, such as `1,234`, or has no mark. */
function findDecimalMark(cell: string): DecimalMark | null {
  const plain = strip(cell)
  const last = plain.at(plain.search(/[.,][^.,]*$/))
  if (last !== '.' && last !== ',') return null
  const other = last === '.' ? ',' : '.'
  if (plain.includes(other)) return last
  if (plain.indexOf(last) !== plain.lastIndexOf(last)) return other
  return /^[-+]?[1-9]\d{0,2}[.,]\d{3}$/.test(plain) ? null : last
}

/** Returns the mark of most numbers; null if none shows it. */
function findColumnMark(cells: Iterable<string>): DecimalMark | null {
  let balance = 0
  for (const cell of cells) {
    const mark = isNumber(cell) ? findDecimalMark(cell) : null
    if (mark) balance += mark === '.' ? 1 : -1
  }
  return balance === 0 ? null : balance > 0 ? '.' : ','
}

export function readNumber(cell: string, decimalMark: DecimalMark = '.'): number | null {
  if (!isNumber(cell)) return null
  const mark = findDecimalMark(cell) ?? decimalMark
  const plain = strip(cell).replaceAll(mark === '.' ? ',' : '.', '')
  return Number(plain.replace(',', '.'))
}

/**
 * Matches `28.11.2026`, `11/28/26` and `28-11-2026 10:00`, but not `3.12.12`, which is a version. Dates that start with
 * their year need no reader.
 */
const DATE = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|(?<=\/|^\d\d.\d\d.)\d\d)(?:,? .*)?$/

/** Days come first where one is beyond 12, or with dots. Returns null if the column has something else. */
function createDateReader(cells: readonly string[]): ((cell: string) => number | null) | null {
  const dates = cells.map((cell) => DATE.exec(cell))
  if (dates.length === 0 || dates.includes(null)) return null
  const isIn = (group: number, most: number) =>
    dates.every((date) => Number(date?.[group]) >= 1 && Number(date?.[group]) <= most)
  const isDayFirst = !isIn(1, 12) || (isIn(3, 12) && dates[0]?.[2] === '.')
  const [day, month] = isDayFirst ? [1, 3] : [3, 1]
  if (!isIn(day, 31) || !isIn(month, 12)) return null
  return (cell) => {
    const date = DATE.exec(cell)
    const year = date?.[4]
    if (!year) return null
    // As in POSIX, 69 is 1969.
    const century = year.length === 4 ? 0 : Number(year) > 68 ? 1_900 : 2_000
    return ((century + Number(year)) * 100 + Number(date[month])) * 100 + Number(date[day])
  }
}

export type ParsedTable = ReturnType<typeof parseTable>

export type TableFacts = ParsedTable['facts']

export type TableRow = ReturnType<ParsedTable['getRows']>[number]

/** A table whose rows are asked for as they scroll into view. */
export function parseTable(text: string, language: string) {
  const { delimiter, offset, headerRows, header: names } = readTableStart(text, language)
  const options = { delimiter, newline: '\n', skipEmptyLines: true, preview: MAX_ROWS + 1 } as const
  const { data } = Papa.parse<string[]>(text.slice(offset).replaceAll(/\r\n?/g, '\n'), options)
  if (data.length > MAX_ROWS) throw new RangeError('This table has too many rows.')
  const header = headerRows === 1 ? (data[0] ?? []) : names
  const named = header.length || (data[0]?.length ?? 0)
  const rows = data.slice(headerRows).filter((row) => !(row.length < named && row[0]?.startsWith('#')))
  const columns = rows.reduce((most, { length }) => Math.max(most, length), named)
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
    /** The width of each column, in characters. */
    widths: Array.from({ length: shown }, (_, column) => getWidth(column)),
    hiddenColumns: columns - shown,
  }
  const marks = facts.numeric.map((isNumeric, column) =>
    isNumeric ? findColumnMark(rows.map((row) => row[column] ?? '')) : null,
  )
  // A column that may be read either way is written like the others.
  const usualMark = marks.find((mark) => mark !== null) ?? '.'
  const all = rows.map((_, index) => index)
  let order: readonly number[] = all

  /** Empty cells come last in both directions. In a column of numbers, words come after them. */
  const sort = (unsorted: readonly number[], column: number, descending: boolean): number[] => {
    const { compare } = new Intl.Collator(undefined, { numeric: true })
    const sign = descending ? -1 : 1
    const cells = unsorted.map((row) => ({ row, cell: rows[row]?.[column]?.trim() ?? '' }))
    const read = facts.numeric[column]
      ? (cell: string) => readNumber(cell, marks[column] ?? usualMark)
      : createDateReader(cells.flatMap(({ cell }) => cell || []))
    const keyed = cells.map(({ row, cell }) => {
      const number = read?.(cell) ?? null
      return { row, cell, number, rank: cell === '' ? 2 : read && number === null ? 1 : 0 }
    })
    const compareCells = (a: (typeof keyed)[number], b: (typeof keyed)[number]): number => {
      if (a.number === null || b.number === null) return compare(a.cell, b.cell)
      if (a.number !== b.number) return a.number - b.number
      // Numbers of more than 15 digits may only differ in what a number here can't hold, and dates in their time.
      return compare(a.cell, b.cell) * (a.number < 0 ? -1 : 1)
    }
    keyed.sort((a, b) => a.rank - b.rank || sign * compareCells(a, b) || a.row - b.row)
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
    /** Returns rows with their numbers, which count from 1, as in the text. */
    getRows: (from: number, to: number) =>
      order.slice(from, to).map((row) => ({ number: row + 1, cells: (rows[row] ?? []).slice(0, shown) })),
  }
}
