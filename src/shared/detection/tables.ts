import type { Sample } from './sample.ts'

/** The separators of tables, and the name of their format. */
const SEPARATORS: readonly (readonly [separator: string, language: string])[] = [
  ['\t', 'tsv'],
  [',', 'csv'],
  [';', 'csv'],
]

const MAX_ROWS = 40
const MAX_AVERAGE_CELL_CHARACTERS = 60

/** Splits a row at separators outside double quotes. */
function splitRow(row: string, separator: string): string[] {
  const cells: string[] = []
  let start = 0
  let quoted = false
  for (let at = 0; at < row.length; at++) {
    if (row[at] === '"') quoted = !quoted
    else if (row[at] === separator && !quoted) {
      cells.push(row.slice(start, at))
      start = at + 1
    }
  }
  return [...cells, row.slice(start)]
}

const isNumberOrDate = (cell: string): boolean =>
  /^"?[-+$€£]?\d[\d.,' /:TZ+-]*%?"?$/.test(cell.trim()) || /^(true|false|yes|no)?$/i.test(cell.trim())

const isQuoted = (cell: string): boolean => /^".*"$/.test(cell)

/** Characters of code and prose that the first row of a table doesn't have. */
const isHeading = (cell: string): boolean => /^"?[\p{L}\d_#(][^{}=<>;"!?]{0,40}"?$/u.test(cell)

function isTable(rows: readonly (readonly string[])[]): boolean {
  const [header, ...body] = rows
  const columns = header?.length ?? 0
  if (!header || columns < 2 || body.length < (columns > 2 ? 1 : 2)) return false
  if (body.some((row) => row.length !== columns)) return false
  const cells = body.flat()
  if (cells.join('').length > MAX_AVERAGE_CELL_CHARACTERS * cells.length) return false
  // In prose and code, a space follows the comma.
  const padded = rows.flatMap((row) => row.slice(1)).filter((cell) => /^ \S/.test(cell)).length
  const values = cells.filter((cell) => isNumberOrDate(cell) || isQuoted(cell)).length
  if (padded > 0.2 * (cells.length + columns) && values < 0.5 * cells.length) return false
  if (rows.filter((row) => row[0]?.trim() === '').length > 0.2 * rows.length) return false
  if (rows.filter((row) => row.at(-1)?.trim() === '').length > 0.5 * rows.length) return false
  if (cells.some((cell) => /[{}]|=>|\($|^\(/.test(cell) && !isQuoted(cell))) return false
  const headed = header.every(isHeading) && new Set(header).size === columns
  return headed ? values > 0 || columns > 2 || body.length >= 4 : values >= 0.5 * cells.length
}

/** Returns `csv` or `tsv` for rows with the same number of cells; null for any other text. */
export function detectTable({ start, whole }: Sample): string | null {
  const lines = start.split('\n').filter((line) => line.trim() !== '')
  const rows = (whole ? lines : lines.slice(0, -1)).slice(0, MAX_ROWS)
  for (const [separator, language] of SEPARATORS) {
    if (!rows[0]?.includes(separator)) continue
    if (isTable(rows.map((row) => splitRow(row, separator)))) return language
  }
  return null
}
