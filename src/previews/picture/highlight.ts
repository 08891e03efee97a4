import * as grammars from '@speed-highlight/core/languages'
import { type ShjLanguageData, type ShjToken, tokenizeWith } from '@speed-highlight/core/tokenize'
import type { Colour } from './palette.ts'

export interface Span {
  readonly text: string
  readonly colour: Colour
}

const COLOURS: Readonly<Record<ShjToken, Colour>> = {
  deleted: 'code-tag',
  err: 'danger',
  var: 'code-definition',
  section: 'code-name',
  kwd: 'code-keyword',
  class: 'code-type',
  cmnt: 'code-comment',
  insert: 'code-string',
  type: 'code-type',
  func: 'code-name',
  bool: 'code-number',
  num: 'code-number',
  oper: 'ink',
  str: 'code-string',
  esc: 'code-meta',
}

const GRAMMARS: Readonly<Record<string, ShjLanguageData>> = { ...grammars }

/** Our languages by the grammar that comes closest. The others aren't coloured. */
const LANGUAGES_BY_GRAMMAR: Readonly<Record<string, string>> = {
  asm: 'asm wasm',
  bash: 'bash batch fish powershell tcl',
  c: 'c cpp objectivec d',
  css: 'css less sass scss',
  csv: 'csv tsv',
  diff: 'diff',
  docker: 'dockerfile',
  go: 'go',
  html: 'html svelte vue',
  http: 'http',
  ini: 'ini dotenv',
  java: 'java csharp dart groovy kotlin php protobuf scala swift',
  js: 'javascript jsx coffeescript',
  json: 'json jsonl',
  log: 'log',
  lua: 'lua elm haskell',
  make: 'makefile cmake',
  pl: 'perl',
  py: 'python crystal elixir julia nix r ruby graphql nginx',
  rs: 'rust zig',
  sql: 'sql',
  toml: 'toml hcl',
  ts: 'typescript tsx',
  xml: 'xml',
  yaml: 'yaml',
}

const grammarByLanguage = new Map(
  Object.entries(LANGUAGES_BY_GRAMMAR).flatMap(([grammar, names]) =>
    names.split(' ').map((name) => [name, grammar] as const),
  ),
)

export function highlightLines(lines: readonly string[], language: string): Span[][] {
  const rows: Span[][] = [[]]
  const add = (text: string, token?: ShjToken) => {
    const colour = token === undefined ? 'ink' : COLOURS[token]
    for (const [index, part] of text.split('\n').entries()) {
      if (index > 0) rows.push([])
      if (part !== '') rows.at(-1)?.push({ text: part, colour })
    }
  }
  const grammar = GRAMMARS[grammarByLanguage.get(language) ?? '']
  const text = lines.join('\n')
  if (grammar) tokenizeWith(text, grammar, add, { languages: GRAMMARS })
  else add(text)
  return rows
}

export function sliceSpans(spans: readonly Span[], start: number, end: number): Span[] {
  const sliced: Span[] = []
  let at = 0
  for (const { text, colour } of spans) {
    const shown = text.slice(Math.max(0, start - at), Math.max(0, end - at))
    if (shown !== '') sliced.push({ text: shown, colour })
    at += text.length
  }
  return sliced
}
