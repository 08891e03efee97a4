import fc from 'fast-check'
import Papa from 'papaparse'
import { describe, expect, it } from 'vitest'
import { type ParsedTable, parseTable, readNumber } from '../../../src/client/data/parse-table.ts'
import { detectLanguage } from '../../../src/shared/detection/detect-language.lazy.ts'
import { findNumericColumns, readTableStart } from '../../../src/shared/table.ts'

describe('the start of a table', () => {
  it.each([
    [
      'csv',
      'a,b\n1,2\n',
      ',',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'csv',
      'a;b\r\n1,5;2\r\n',
      ';',
      [
        ['a', 'b'],
        ['1,5', '2'],
      ],
    ],
    [
      'csv',
      'a\tb\n1\t2',
      '\t',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'tsv',
      'a,x\tb\n1\t',
      '\t',
      [
        ['a,x', 'b'],
        ['1', ''],
      ],
    ],
    [
      'csv',
      '\uFEFF"a ""x""","b\nc"\n\n1,2\n',
      ',',
      [
        ['a "x"', 'b\nc'],
        ['1', '2'],
      ],
    ],
    ['csv', 'only\none\n', ',', [['only'], ['one']]],
    ['csv', '', ',', []],
  ])('of %s %j has the delimiter %j', (language, text, delimiter, rows) => {
    const { header, rows: body, ...start } = readTableStart(text, language)
    expect({ delimiter: start.delimiter, rows: header.length > 0 ? [header, ...body] : body }).toEqual({
      delimiter,
      rows,
    })
  })

  it('is what the library reads, for any cells', () => {
    const cell = fc.stringMatching(/^[a-z,"' \n]{0,8}$/)
    fc.assert(
      fc.property(
        fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { minLength: 2, maxLength: 20 }),
        (rows) => {
          const text = Papa.unparse(rows, { quotes: true })
          const { delimiter, header, rows: read } = readTableStart(text, 'csv')
          expect(delimiter).toBe(',')
          expect([...(header.length > 0 ? [header] : []), ...read]).toEqual(
            Papa.parse(text, { delimiter }).data,
          )
        },
      ),
    )
  })

  it('has no row that may be cut, and takes a bounded time', () => {
    const { rows } = readTableStart(`a,b\n${'x'.repeat(3_000)},"y"\n`.repeat(1_000), 'csv')
    expect(rows.every((row) => row.length === 2)).toBe(true)
    for (const unit of ['"', '",', ',', 'a', '"a', '\n']) readTableStart(unit.repeat(5_000_000), 'csv')
  })
})

describe('the header of a table', () => {
  it.each([
    ['the first row', 'id,name\n1,a\n2,b\n', ['id', 'name'], 2],
    ['the first row of words', 'name,city\nAda,London\nBob,Rome\n', ['name', 'city'], 2],
    ['a row of years', 'country,2019,2020,2021\nA,1,2,3\n', ['country', '2019', '2020', '2021'], 1],
    ['a row of numbers that count columns', ',0,1,2\nx,4,5,6\n', ['', '0', '1', '2'], 1],
    ['none above values', '1,2.5,a\n2,3.5,b\n3,4.5,c\n', [], 3],
    ['none above dates and addresses', '2026-11-01,a@b.org,x\n2026-11-02,c@d.org,y\n', [], 2],
    ['none above one row of values', '2026-11-01,5,7\n', [], 1],
    ['the row after the delimiter', 'sep=;\r\nname;amount\r\na;1,5\r\n', ['name', 'amount'], 1],
    [
      'the row after comments',
      '# Exported on Monday, 3 rows\n# by X\nname,amount\na,1\n',
      ['name', 'amount'],
      1,
    ],
    [
      'the row after the delimiter and comments',
      '\uFEFFsep=|\n# x\nname|amount\na|1\n',
      ['name', 'amount'],
      1,
    ],
    [
      'a comment',
      '##fileformat=VCFv4.2\n#CHROM\tPOS\tREF\n1\t100\tA\n1\t200\tC\n',
      ['CHROM', 'POS', 'REF'],
      2,
    ],
    ['a comment above values', '# time, load\n1,0.5\n2,0.7\n', ['time', 'load'], 2],
  ])('is %s', (_, text, header, rowCount) => {
    const start = readTableStart(text, 'csv')
    expect({ header: start.header, rows: start.rows.length }).toEqual({ header, rows: rowCount })
    const { facts } = parseTable(text, 'csv')
    expect(facts.rowCount).toBe(rowCount)
    expect(facts.header).toEqual(header.length > 0 ? header : facts.header.map(() => ''))
  })

  it('isn’t needed for a table to be known as one', () => {
    for (const text of [
      'sep=;\nname;amount\na;1,5\nb;2,5\n',
      '# by X\n# on Monday\nid,name,amount\n1,a,2\n2,b,3\n',
    ])
      expect(detectLanguage(text).language).toBe('csv')
  })
})

describe('numbers in a table', () => {
  it.each([
    ['12', 12],
    [' -1,234.5 ', -1234.5],
    ['3,14', 3.14],
    ['1\u00A0000', 1000],
    ["1'000.5", 1000.5],
    ['2e-3', 0.002],
    ['12 %', 12],
    ['$5', 5],
    ['.5', 0.5],
    ['\u22123', -3],
    ['1.234,50', 1234.5],
    ['1.234.567', 1234567],
    ['1.234,50 €', 1234.5],
    ['12,34,567.8', 1234567.8],
    ['1234,567', 1234.567],
    ['0.123', 0.123],
    ['0,123', 0.123],
    ['1,234', 1234],
    ['1.234', 1.234],
  ])('%j is %d', (cell, number) => {
    expect(readNumber(cell)).toBe(number)
  })

  it.each([
    '',
    '1.2.3',
    '2026-11-25',
    '12:30',
    '1,2,3',
    'x1',
    '555-1234',
    '1e',
    '-',
    '192.168.100.200',
    '1,234,5',
  ])('%j is none', (cell) => {
    expect(readNumber(cell)).toBeNull()
  })

  it('are in columns of which most cells are numbers', () => {
    const rows = [
      ...Array.from({ length: 18 }, (_, row) => [`${row}`, `a${row}`, '']),
      ['unknown', '1', ''],
      ['', '2'],
    ]
    expect(findNumericColumns(rows, 3)).toEqual([true, false, false])
  })
})

const CSV = 'name,amount\nb,10\nä,9\n,n/a\na,\n"c\nd",1\n'

const getNames = (table: ParsedTable) => table.getRows(0, 100).map(({ cells: [name] }) => name)

describe('a table', () => {
  it('has a header, numbers and widths', () => {
    const table = parseTable('name,amount,\nshort,10,x\n', 'csv')
    expect(table.facts).toEqual({
      header: ['name', 'amount', ''],
      rowCount: 1,
      units: 24,
      numeric: [false, true, false],
      widths: [7, 9, 4],
      hiddenColumns: 0,
    })
    expect(table.getRows(0, 1)).toEqual([{ number: 1, cells: ['short', '10', 'x'] }])
  })

  it('cuts names that are as long as a text', () => {
    const { header } = parseTable(`a,"${'word '.repeat(1_000_000)}"\n1,2\n`, 'csv').facts
    expect(header.map(({ length }) => length)).toEqual([1, 1_001])
  })

  it('sorts words and numbers in both directions, with empty cells last, and back', () => {
    const table = parseTable(`${CSV}x,2\n${'y,3\n'.repeat(20)}`, 'csv')
    const first = (column: number | null, descending = false) => {
      table.arrange({ column, descending, query: '' })
      return table.getRows(0, 4).map(({ cells }) => cells[column ?? 0])
    }
    expect(first(0)).toEqual(['a', 'ä', 'b', 'c\nd'])
    expect(first(1)).toEqual(['1', '2', '3', '3'])
    expect(first(1, true)).toEqual(['10', '9', '3', '3'])
    expect(table.getRows(20, 26).map(({ cells }) => cells[1])).toEqual(['3', '3', '2', '1', 'n/a', ''])
    expect(first(null)).toEqual(['b', 'ä', '', 'a'])
  })

  it.each([
    [
      'with decimal commas',
      ['9,5', '1.234', '1.234,50', '0,75', '999'],
      ['0,75', '9,5', '999', '1.234', '1.234,50'],
    ],
    ['with decimal points', ['9.5', '1,234', '1,234.50', '1.234'], ['1.234', '9.5', '1,234', '1,234.50']],
    [
      'of 18 digits',
      [
        '100000000000000003',
        '100000000000000001',
        '99',
        '100000000000000002',
        '-100000000000000002',
        '-100000000000000001',
      ],
      [
        '-100000000000000002',
        '-100000000000000001',
        '99',
        '100000000000000001',
        '100000000000000002',
        '100000000000000003',
      ],
    ],
    ['after a sign of a currency', ['€ 1.200,50', '€ 35,10', '€ 0,99'], ['€ 0,99', '€ 35,10', '€ 1.200,50']],
    [
      'of dates with the day first',
      ['01.12.2026', '28.11.2026', '03.02.2025'],
      ['03.02.2025', '28.11.2026', '01.12.2026'],
    ],
    ['of dates with the month first', ['11/28/26', '12/01/98', '2/3/26'], ['12/01/98', '2/3/26', '11/28/26']],
    [
      'of dates with a time',
      ['28/11/2026 10:30', '28/11/2026 9:15', '1/12/2025 23:00'],
      ['1/12/2025 23:00', '28/11/2026 9:15', '28/11/2026 10:30'],
    ],
    ['of versions', ['3.12.12', '3.11.14', '3.9.25'], ['3.9.25', '3.11.14', '3.12.12']],
    ['of banks', ['20-45-12', '11-02-99', '60-83-71'], ['11-02-99', '20-45-12', '60-83-71']],
  ])('sorts numbers %s', (_, cells, sorted) => {
    const table = parseTable(`x;n\n${cells.map((cell) => `a;${cell}\n`).join('')}`, 'csv')
    table.arrange({ column: 1, descending: false, query: '' })
    expect(table.getRows(0, 9).map(({ cells: [, cell] }) => cell)).toEqual(sorted)
    table.arrange({ column: 1, descending: true, query: '' })
    expect(table.getRows(0, 9).map(({ cells: [, cell] }) => cell)).toEqual(sorted.toReversed())
  })

  it('reads numbers of a column that may be read either way like those of the others', () => {
    const table = parseTable('a;b\n1.234;0,5\n2;1,5\n', 'csv')
    table.arrange({ column: 0, descending: false, query: '' })
    expect(table.getRows(0, 9).map(({ cells: [cell] }) => cell)).toEqual(['2', '1.234'])
  })

  it('leaves out comments between its rows', () => {
    const table = parseTable('name,colour,x\na,red,1\n# more, later\nb,#fff,2\n#0f0,green,3\n', 'csv')
    expect(getNames(table)).toEqual(['a', 'b', '#0f0'])
  })

  it('has all rows of a text with mixed line breaks', () => {
    const table = parseTable('name,x\r\na,1\nb,2\n"c\r\nd",3\r\n"e",4\n', 'csv')
    expect(getNames(table)).toEqual(['a', 'b', 'c\nd', 'e'])
  })

  it('keeps rows that contain a query, with their numbers', () => {
    const table = parseTable(CSV, 'csv')
    expect(table.arrange({ column: null, descending: false, query: ' 1' })).toBe(2)
    expect(table.getRows(0, 9).map(({ number }) => number)).toEqual([1, 5])
    expect(table.arrange({ column: 0, descending: false, query: 'Ä' })).toBe(1)
    expect(getNames(table)).toEqual(['ä'])
  })

  it('shows rows of any length, and the first of very many columns', () => {
    const table = parseTable(`a,b\n1\n1,2,3\n${'x,'.repeat(2_000)}`, 'csv')
    expect(table.facts.header).toHaveLength(500)
    expect(table.facts.hiddenColumns).toBe(1_501)
    expect(table.getRows(0, 2).map(({ cells }) => cells)).toEqual([['1'], ['1', '2', '3']])
  })
})
