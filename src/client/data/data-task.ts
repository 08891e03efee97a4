import type { DataCall } from './data-client.ts'
import type { ParsedJson } from './parse-json.ts'
import type { ParsedTable } from './parse-table.ts'

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
