/** UTF-16 units from which the delimiter is found, and rows of them. */
const MAX_START_UNITS = 8 * 1024
const MAX_START_ROWS = 50

/** Reads rows (RFC 4180) at the start of a text. For whole texts, the browser uses a library. */
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

/** Matches `1,234.5`, `1.234,50`, `12,34,567`, `3,14`, `-2e9`, `12 %` and `$5`, for example. */
const NUMBER =
  /^(?!\d{1,3}(?:\.\d{1,3}){3}$)(?=.*\d)[-+−]?(?:[$€£¥]\s?)?(?:\d+|\d{1,3}(?:([.,'’\s])\d{3})(?:\1\d{3})*|\d{1,2}(?:,\d\d)+,\d{3})?(?:(?!\1\d)[.,]\d+)?(?:e[-+]?\d+)?\s?[%‰$€£¥]?$/i

const MAX_NUMBER_UNITS = 40

export const isNumber = (cell: string): boolean => cell.length <= MAX_NUMBER_UNITS && NUMBER.test(cell.trim())

/** The share of the cells with text that have to be numbers. Some rows may have words such as "unknown". */
const VALUE_SHARE = 0.9

const isMostly = (cells: readonly string[], is: (cell: string) => boolean): boolean =>
  cells.length > 0 && cells.filter(is).length >= cells.length * VALUE_SHARE

/** The line from which spreadsheets read the delimiter. */
const SEPARATOR = /^"?sep=(.)"?\r?\n/i
const COMMENTS = /(?:#.*\r?\n)+/y
/** UTF-16 units of comments before a table. */
const MAX_COMMENT_UNITS = 64 * 1024

/** Finds where the rows begin, after what isn't a row: a mark of the encoding, the delimiter, comments. */
export function findTableRows(text: string) {
  const lead = text.slice(0, MAX_COMMENT_UNITS)
  const bom = lead.startsWith('\uFEFF') ? 1 : 0
  const separator = SEPARATOR.exec(lead.slice(bom))
  COMMENTS.lastIndex = bom + (separator?.[0].length ?? 0)
  const start = COMMENTS.lastIndex
  const comments = COMMENTS.exec(lead)?.[0] ?? ''
  return { delimiter: separator?.[1] ?? null, comments, offset: start + comments.length }
}

/** `# id, name` names the columns, and `#CHROM`. */
const readLastComment = (comments: string, delimiter: string): string[] => {
  const last = comments.trimEnd().split('\n').at(-1) ?? ''
  return readRows(last.replace(/^#+[^\S\t]*/, ''), delimiter, 1)[0]?.map((name) => name.trim()) ?? []
}

/** Kinds of values that no column is named by. */
const VALUES: readonly ((cell: string) => boolean)[] = [
  isNumber,
  (cell) =>
    /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d.*)?$|^\d{1,2}[./-]\d{1,2}[./-](?:\d\d){1,2}(?:,? \d\d?:\d\d.*)?$|^\d{1,2}:\d\d(?::\d\d.*)?$/.test(
      cell,
    ),
  (cell) => /^[\w.+-]+@[\w-]+\.[\w.-]+$/.test(cell),
  (cell) => /^[a-z]+:\/\/\S+$/i.test(cell),
  (cell) => /^(?:true|false)$/i.test(cell),
  (cell) => /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(cell),
  (cell) => /^\d{1,3}(?:\.\d{1,3}){3}$/.test(cell),
]

/** Years are names of columns, and so are numbers that count them. */
function isSeries(row: readonly string[]): boolean {
  const numbers = row.slice(1).map((cell) => (/^\s*\d{1,4}\s*$/.test(cell) ? Number(cell) : Number.NaN))
  const [first = 0] = numbers
  return (
    numbers.length > 1 &&
    numbers.every((number, index) => index === 0 || number === (numbers[index - 1] ?? 0) + 1) &&
    ((first >= 1_900 && first <= 2_100) || row[0]?.trim() === '')
  )
}

/**
 * Tells whether the first row has names, which are other kinds of values than the rows below have, or values like
 * theirs.
 */
function judgeFirstRow([first = [], ...rows]: readonly (readonly string[])[]):
  | 'names'
  | 'values'
  | 'unknown' {
  if (isSeries(first)) return 'names'
  let hasValue = false
  for (const [column, text] of first.entries()) {
    const cell = text.trim()
    const below = rows.flatMap((row) => row[column]?.trim() || [])
    const isOfKind = VALUES.find((is) => (below.length > 0 ? isMostly(below, is) : is(cell)))
    if (isOfKind && cell !== '' && !isOfKind(cell)) return 'names'
    hasValue ||= isOfKind?.(cell) ?? false
  }
  return hasValue ? 'values' : 'unknown'
}

/**
 * The last row of a text that is longer may be cut, so it is left out. The header is empty if no row or comment names the
 * columns. `isComplete` if there are no more rows.
 */
export function readTableStart(text: string, language: string) {
  const { delimiter: stated, comments, offset } = findTableRows(text)
  const start = text.slice(offset, offset + MAX_START_UNITS)
  const isCut = text.length > offset + MAX_START_UNITS
  let best = { delimiter: stated ?? ',', rows: [] as string[][], score: -1 }
  for (const delimiter of stated ?? (language === 'tsv' ? '\t' : ',;\t|')) {
    const rows = readRows(start, delimiter, MAX_START_ROWS + 1)
    if (isCut && rows.length <= MAX_START_ROWS) rows.pop()
    const columns = rows[0]?.length ?? 0
    const score = columns > 1 ? rows.filter(({ length }) => length === columns).length * 1_000 + columns : 0
    if (score > best.score) best = { delimiter, rows, score }
  }
  const { delimiter, rows } = best
  const [first = []] = rows
  const judgement = judgeFirstRow(rows)
  const names = readLastComment(comments, delimiter)
  const isNamed =
    names.length > 1 &&
    names.length === first.length &&
    (judgement === 'values' || (judgement === 'unknown' && /(?:^|\n)#[^\s#][^\n]*\n$/.test(comments)))
  const headerRows = isNamed || judgement === 'values' ? 0 : 1
  return {
    delimiter,
    /** Says where the first row begins, and whether it's the header. */
    offset,
    headerRows,
    header: isNamed ? names : headerRows === 1 ? first : [],
    rows: rows.slice(headerRows),
    isComplete: !isCut && rows.length <= MAX_START_ROWS,
  }
}

/** Names a column without a name by its number. */
export const getColumnName = (name: string | undefined, column: number): string =>
  name || `Column ${column + 1}`

/** Tells for each column whether it has numbers. `rows` are without the header. */
export const findNumericColumns = (rows: readonly (readonly string[])[], columns: number): boolean[] =>
  Array.from({ length: columns }, (_, column) =>
    isMostly(
      rows.flatMap((row) => row[column]?.trim() || []),
      isNumber,
    ),
  )
