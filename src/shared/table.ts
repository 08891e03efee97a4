const DELIMITERS = [',', ';', '\t', '|'] as const

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

interface TableStart {
  readonly delimiter: string
  /** The first is the header. */
  readonly rows: readonly (readonly string[])[]
}

/** The last row of a text that is longer may be cut, so it is left out. */
export function readTableStart(text: string, language: string): TableStart {
  const start = text.slice(0, MAX_START_UNITS).replace(/^\uFEFF/, '')
  const candidates = (language === 'tsv' ? ['\t'] : DELIMITERS).map((delimiter) => {
    const all = readRows(start, delimiter, MAX_START_ROWS + 1)
    const rows = text.length > MAX_START_UNITS && all.length <= MAX_START_ROWS ? all.slice(0, -1) : all
    const columns = rows[0]?.length ?? 0
    const alike = columns > 1 ? rows.filter(({ length }) => length === columns).length : 0
    return { delimiter, rows, score: alike * 1_000 + columns }
  })
  return candidates.reduce((best, next) => (next.score > best.score ? next : best))
}

/** Such as `1,234.5`, `3,14`, `-2e9`, `12 %` or `$5`. */
const NUMBER =
  /^[-+\u2212]?[$\u20AC\u00A3\u00A5]?(?:\d{1,3}(?:[,'\u00A0\u202F]\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?|\.\d+)(?:e[-+]?\d+)?(?:\s?[%\u20AC])?$/i

/** Null if a cell isn't a number. */
export function readNumber(cell: string): number | null {
  const text = cell.trim()
  if (!NUMBER.test(text)) return null
  const plain = text.replaceAll(/[$\u20AC\u00A3\u00A5%'\u00A0\u202F\s]/g, '').replace('\u2212', '-')
  const grouped = /^[-+]?\d{1,3}(?:,\d{3})+(?:\.|$)/.test(plain)
  return Number(grouped ? plain.replaceAll(',', '') : plain.replace(',', '.'))
}

/** Of cells that aren't empty. Some rows may have words such as "unknown". */
const NUMERIC_SHARE = 0.9

/** Whether each column has numbers. `rows` are without the header. */
export function findNumericColumns(rows: readonly (readonly string[])[], columns: number): boolean[] {
  return Array.from({ length: columns }, (_, column) => {
    let [filled, numbers] = [0, 0]
    for (const row of rows) {
      const cell = row[column] ?? ''
      if (cell.trim() === '') continue
      filled += 1
      if (readNumber(cell) !== null) numbers += 1
    }
    return filled > 0 && numbers >= filled * NUMERIC_SHARE
  })
}
