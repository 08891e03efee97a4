/** UTF-16 units from which the delimiter is found, and rows of them. */
const MAX_START_UNITS = 8 * 1024
const MAX_START_ROWS = 50

/** Reads rows as RFC 4180 describes them. For the start of a text; the browser reads all of it with a library. */
function readRows(text: string, delimiter: string, maxRows: number): string[][] {
  const plain = `[^\\${delimiter}\\r\\n]*`
  const cell = new RegExp(`(?:"((?:[^"]|"")*)")?(${plain})(\\${delimiter}|\\r?\\n|\\r|$)`, 'y')
  const rows: string[][] = []
  let row: string[] = []
  let end = ''
  while (rows.length < maxRows && (cell.lastIndex < text.length || end === delimiter)) {
    const [, quoted, rest = '', next = ''] = cell.exec(text) ?? []
    row.push(quoted === undefined ? rest : quoted.replaceAll('""', '"') + rest)
    end = next
    if (end === delimiter) continue
    if (row.length > 1 || row[0] !== '') rows.push(row)
    row = []
    if (end === '') break
  }
  return rows
}

/**
 * The first row is the header. The last row of a text that is longer may be cut, so it is left out. `isComplete` if there
 * are no more rows.
 */
export function readTableStart(text: string, language: string) {
  const start = text.slice(0, MAX_START_UNITS).replace(/^\uFEFF/, '')
  const isCut = text.length > MAX_START_UNITS
  let best = { delimiter: ',', rows: [] as string[][], score: -1 }
  for (const delimiter of language === 'tsv' ? '\t' : ',;\t|') {
    const rows = readRows(start, delimiter, MAX_START_ROWS + 1)
    if (isCut && rows.length <= MAX_START_ROWS) rows.pop()
    const columns = rows[0]?.length ?? 0
    const score = columns > 1 ? rows.filter(({ length }) => length === columns).length * 1_000 + columns : 0
    if (score > best.score) best = { delimiter, rows, score }
  }
  return { ...best, isComplete: !isCut && best.rows.length <= MAX_START_ROWS }
}

/** Such as `1,234.5`, `3,14`, `-2e9`, `12 %` or `$5`. */
const NUMBER = /^(?=.*\d)[-+−]?[$€£¥]?(?:\d+|\d{1,3}(?:[,'\s]\d{3})+)?(?:[.,]\d+)?(?:e[-+]?\d+)?\s?[%€]?$/i

const MAX_NUMBER_UNITS = 40

export const isNumber = (cell: string): boolean => cell.length <= MAX_NUMBER_UNITS && NUMBER.test(cell.trim())

/** Of cells that aren't empty. Some rows may have words such as "unknown". */
const NUMERIC_SHARE = 0.9

/** Whether each column has numbers. `rows` are without the header. */
export const findNumericColumns = (rows: readonly (readonly string[])[], columns: number): boolean[] =>
  Array.from({ length: columns }, (_, column) => {
    const cells = rows.flatMap((row) => row[column]?.trim() || [])
    return cells.length > 0 && cells.filter(isNumber).length >= cells.length * NUMERIC_SHARE
  })
