import { describe, expect, it } from 'vitest'
import { ParsedTable } from '../../../src/client/data/parse-table.ts'

const CSV = 'name,amount\nb,10\nä,9\n,n/a\na,\n"c\nd",1\n'

const getNames = (table: ParsedTable) => table.getRows(0, 100).map(({ cells: [name] }) => name)

describe('a table', () => {
  it('has a header, numbers and widths', () => {
    const table = new ParsedTable('name,amount,\nshort,10,x\n', 'csv')
    expect(table.facts).toEqual({
      header: ['name', 'amount', ''],
      rowCount: 1,
      numeric: [false, true, false],
      widths: [7, 9, 4],
      hiddenColumns: 0,
    })
    expect(table.getRows(0, 1)).toEqual([{ number: 1, cells: ['short', '10', 'x'] }])
  })

  it('sorts words and numbers in both directions, with empty cells last, and back', () => {
    const table = new ParsedTable(`${CSV}x,2\n${'y,3\n'.repeat(20)}`, 'csv')
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
    const table = new ParsedTable(CSV, 'csv')
    expect(table.arrange({ column: null, descending: false, query: ' 1' })).toBe(2)
    expect(table.getRows(0, 9).map(({ number }) => number)).toEqual([1, 5])
    expect(table.arrange({ column: 0, descending: false, query: 'Ä' })).toBe(1)
    expect(getNames(table)).toEqual(['ä'])
  })

  it('shows rows of any length, and the first of very many columns', () => {
    const table = new ParsedTable(`a,b\n1\n1,2,3\n${'x,'.repeat(2_000)}`, 'csv')
    expect(table.facts.header).toHaveLength(500)
    expect(table.facts.hiddenColumns).toBe(1_501)
    expect(table.getRows(0, 2).map(({ cells }) => cells)).toEqual([['1'], ['1', '2', '3']])
  })
})
