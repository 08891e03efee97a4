import { grammars, hljs } from './grammars.js'
import type { Colour } from './palette.ts'

export interface Span {
  readonly text: string
  readonly colour: Colour
}

/** The grammars of languages that have another name there, or only a similar grammar. */
const GRAMMAR_NAMES: Readonly<Record<string, string>> = {
  asm: 'x86asm',
  batch: 'dos',
  commonlisp: 'lisp',
  dotenv: 'properties',
  fish: 'bash',
  hcl: 'ini',
  html: 'xml',
  jsonl: 'json',
  jsx: 'javascript',
  pascal: 'delphi',
  sass: 'scss',
  svelte: 'xml',
  toml: 'ini',
  tsx: 'typescript',
  vue: 'xml',
  zig: 'rust',
}

/** The grammars whose code may stand inside of another. */
const INNER_GRAMMARS: Readonly<Record<string, readonly string[]>> = {
  http: ['json', 'xml'],
  javascript: ['xml', 'css', 'graphql'],
  markdown: ['xml'],
  php: ['xml', 'javascript', 'css'],
  typescript: ['xml', 'css', 'graphql'],
  xml: ['javascript', 'css'],
}

/** The colours that come closest to those of the page, by the names of highlight.js. The others are those around them. */
const COLOURS: Readonly<Record<string, Colour>> = {
  addition: 'code-string',
  attr: 'code-name',
  attribute: 'code-name',
  built_in: 'code-type',
  bullet: 'code-meta',
  comment: 'code-comment',
  deletion: 'code-tag',
  doctag: 'code-comment',
  keyword: 'code-keyword',
  link: 'code-name',
  literal: 'code-keyword',
  meta: 'code-meta',
  name: 'code-tag',
  number: 'code-number',
  params: 'ink',
  property: 'code-name',
  quote: 'code-comment',
  regexp: 'code-string',
  section: 'code-definition',
  'selector-attr': 'code-name',
  'selector-class': 'code-name',
  'selector-id': 'code-name',
  'selector-pseudo': 'code-meta',
  'selector-tag': 'code-tag',
  string: 'code-string',
  subst: 'ink',
  symbol: 'code-name',
  'template-variable': 'code-definition',
  title: 'code-definition',
  'title class_': 'code-type',
  type: 'code-type',
  variable: 'code-definition',
  'variable language_': 'code-keyword',
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
}

function useGrammar(name: string): boolean {
  const grammar = grammars[name]
  if (!grammar || hljs.getLanguage(name)) return grammar !== undefined
  hljs.registerLanguage(name, grammar)
  for (const inner of INNER_GRAMMARS[name] ?? []) useGrammar(inner)
  return true
}

/**
 * UTF-16 units that are coloured: more than a picture of ordinary lines has. A grammar may take time in proportion to the
 * square of what it reads.
 */
export const MAX_COLOURED_UNITS = 2_048
/** Spans that have a colour: more than 40 lines of ordinary code have. Each takes about 0.2 ms to draw. */
const MAX_COLOURED_SPANS = 300

/** The library answers in HTML, with a `span` around each token. Tokens may be nested. */
function* highlight(text: string, grammar: string): Generator<Span> {
  const { value } = hljs.highlight(text, { language: grammar, ignoreIllegals: true })
  const around: Colour[] = []
  let colour: Colour = 'ink'
  for (const [part, name] of value.matchAll(/<span class="(?:hljs-)?([^"]*)">|<\/span>|[^<]+/g)) {
    if (name !== undefined) {
      around.push(colour)
      const [first = ''] = name.split(' ')
      // Code in another language begins without a colour.
      colour = COLOURS[name] ?? COLOURS[first] ?? (name.startsWith('language-') ? 'ink' : colour)
    } else if (part === '</span>') colour = around.pop() ?? 'ink'
    else
      yield {
        text: part.replaceAll(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => ENTITIES[entity] ?? entity),
        colour,
      }
  }
}

/** Returns the spans of each line. */
export function highlightLines(lines: readonly string[], language: string): Span[][] {
  const text = lines.join('\n')
  const grammar = GRAMMAR_NAMES[language] ?? language
  const end = useGrammar(grammar) ? MAX_COLOURED_UNITS : 0
  const rows: Span[][] = [[]]
  const add = (text: string, colour: Colour) => {
    for (const [index, part] of text.split('\n').entries()) {
      if (index > 0) rows.push([])
      const row = rows.at(-1) ?? []
      const last = row.at(-1)
      if (last?.colour === colour) row[row.length - 1] = { text: last.text + part, colour }
      else if (part !== '') row.push({ text: part, colour })
    }
  }
  let left = MAX_COLOURED_SPANS
  if (end > 0)
    for (const { text: part, colour } of highlight(text.slice(0, end), grammar))
      add(part, colour === 'ink' || left-- > 0 ? colour : 'ink')
  add(text.slice(end), 'ink')
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
