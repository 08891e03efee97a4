import fc from 'fast-check'
import Papa from 'papaparse'
import { describe, expect, it } from 'vitest'
import { type ParsedTable, parseTable, readNumber } from '../../../src/client/data/parse-table.ts'
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
    expect(readTableStart(text, language)).toMatchObject({ delimiter, rows })
  })

  it('is what the library reads, for any cells', () => {
    const cell = fc.stringMatching(/^[a-z,"' \n]{0,8}$/)
    fc.assert(
      fc.property(
        fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { minLength: 2, maxLength: 20 }),
        (rows) => {
          const text = Papa.unparse(rows, { quotes: true })
          const { delimiter, rows: read } = readTableStart(text, 'csv')
          expect(delimiter).toBe(',')
          expect(read).toEqual(Papa.parse(text, { delimiter }).data)
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
  ])('%j is %d', (cell, number) => {
    expect(readNumber(cell)).toBe(number)
  })

  it.each(['', '1.2.3', '2026-11-25', '12:30', '1,2,3', 'x1', '555-1234', '1e', '-'])(
    '%j is none',
    (cell) => {
      expect(readNumber(cell)).toBeNull()
    },
  )

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
