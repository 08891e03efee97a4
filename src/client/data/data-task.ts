import type { JsonFacts, JsonRow, ParsedJson } from './parse-json.ts'
import type { Arrangement, ParsedTable, TableFacts, TableRow } from './parse-table.ts'

interface Text {
  readonly text: string
  readonly language: string
}

interface Range {
  readonly from: number
  readonly to: number
}

/** What a page asks the worker, and what it answers. The worker keeps the table or the tree. */
export interface DataCalls {
  readonly 'parse-table': { readonly input: Text; readonly output: TableFacts }
  /** Answers with the number of rows. */
  readonly 'arrange-table': { readonly input: Arrangement; readonly output: number }
  readonly 'read-table': { readonly input: Range; readonly output: readonly TableRow[] }
  readonly 'parse-json': { readonly input: Text; readonly output: JsonFacts }
  /** A line that opens a value, or all of them. Answers with the number of rows. */
  readonly 'fold-json': {
    readonly input: { readonly line: number | null; readonly isFolded: boolean }
    readonly output: number
  }
  readonly 'read-json': { readonly input: Range; readonly output: readonly JsonRow[] }
  readonly 'get-json-path': { readonly input: { readonly line: number }; readonly output: string }
  readonly 'format-json': { readonly input: object; readonly output: string }
}

export type DataCall = {
  [Name in keyof DataCalls]: { readonly name: Name; readonly input: DataCalls[Name]['input'] }
}[keyof DataCalls]

let table: ParsedTable | null = null
let json: ParsedJson | null = null

function requireParsed<Parsed>(parsed: Parsed | null): Parsed {
  if (!parsed) throw new TypeError('Nothing is parsed yet')
  return parsed
}

/** Runs in the worker, which keeps what it parsed. @throws Error if the text can't be parsed. */
export async function runDataCall({ name, input }: DataCall): Promise<unknown> {
  switch (name) {
    case 'parse-table': {
      const { ParsedTable } = await import('./parse-table.ts')
      table = new ParsedTable(input.text, input.language)
      return table.facts
    }
    case 'arrange-table':
      return requireParsed(table).arrange(input)
    case 'read-table':
      return requireParsed(table).getRows(input.from, input.to)
    case 'parse-json': {
      const { ParsedJson } = await import('./parse-json.ts')
      json = new ParsedJson(input.text, input.language)
      return json.facts
    }
    case 'fold-json':
      return requireParsed(json).fold(input.line, input.isFolded)
    case 'read-json':
      return requireParsed(json).getRows(input.from, input.to)
    case 'get-json-path':
      return requireParsed(json).getPath(input.line)
    case 'format-json':
      return requireParsed(json).format()
  }
  return name satisfies never
}
