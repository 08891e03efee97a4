import { LanguageDescription, LanguageSupport, StreamLanguage } from '@codemirror/language'
import { languages } from '@codemirror/language-data'
import type { Parser, Tree } from '@lezer/common'
import { highlightTree, tagHighlighter, tags } from '@lezer/highlight'
import type { LeafBlockParser } from '@lezer/markdown'
import { findLanguage } from '../../shared/languages.ts'
import { CODE_STYLES, TOKEN_SIZE, type Tokens } from './tokens.ts'

/** CodeMirror's marks spaces at the ends of lines as errors, and so each blank line that didn't change. */
const DIFF = StreamLanguage.define<null>({
  token: (stream) => {
    const sign = stream.peek()
    stream.skipToEnd()
    return sign === '+' ? 'inserted' : sign === '-' ? 'deleted' : sign === '@' ? 'meta' : null
  },
})

/** About as many UTF-16 units of a paragraph are parsed at once. */
const MAX_PARAGRAPH_UNITS = 5_000

/**
 * CodeMirror's parses a whole paragraph at once, which takes time in proportion to the square of its length: seconds for
 * 200 KB of links. Here, a long one is several.
 */
async function loadMarkdown(): Promise<LanguageSupport> {
  const { markdown } = await import('@codemirror/lang-markdown')
  const longParagraph = {
    name: 'LongParagraph',
    before: 'LinkReference',
    leaf: (): LeafBlockParser => ({
      nextLine: (context, _, leaf) => {
        const { content, start } = leaf
        if (content.length < MAX_PARAGRAPH_UNITS) return false
        const children = context.parser.parseInline(content, start)
        context.addLeafElement(leaf, context.elt('Paragraph', start, start + content.length, children))
        return true
      },
      finish: () => false,
    }),
  }
  return markdown({ extensions: { parseBlock: [longParagraph] } })
}

/** Grammars that `@codemirror/language-data` doesn't list, or that replace one in it. */
const MORE_GRAMMARS: readonly LanguageDescription[] = [
  LanguageDescription.of({
    name: 'GraphQL',
    load: async () => new LanguageSupport((await import('cm6-graphql')).graphqlLanguage),
  }),
  LanguageDescription.of({ name: 'Diff', load: async () => new LanguageSupport(DIFF) }),
  LanguageDescription.of({ name: 'Markdown', load: loadMarkdown }),
  LanguageDescription.of({ name: 'HCL', load: async () => (await import('codemirror-lang-hcl')).hcl() }),
]

/** The grammars, by CodeMirror's names, of languages that have another name there or only a similar grammar. */
const GRAMMAR_NAMES: Readonly<Record<string, string>> = {
  asm: 'Gas',
  bash: 'Shell',
  dotenv: 'Properties files',
  elixir: 'Ruby',
  fish: 'Shell',
  hcl: 'HCL',
  ini: 'Properties files',
  jsonl: 'JSON',
  makefile: 'Shell',
  matlab: 'Octave',
  objectivec: 'Objective-C',
  svelte: 'HTML',
  vbnet: 'VB.NET',
  verilog: 'SystemVerilog',
  wasm: 'WebAssembly',
  zig: 'Rust',
}

const grammars = [...MORE_GRAMMARS, ...languages]

/** Null for plain text, logs and CSV, too. */
export function findGrammar(language: string): LanguageDescription | null {
  const known = findLanguage(language)
  if (!known) return null
  const names = [GRAMMAR_NAMES[known.name], known.label, known.name]
  for (const name of names) {
    const grammar = name && LanguageDescription.matchLanguageName(grammars, name, false)
    if (grammar) return grammar
  }
  return null
}

/** Parsing stops after this time. The rest of the text isn't highlighted. */
const MAX_PARSE_MS = 4_000

const tag = (name: (typeof CODE_STYLES)[number]) => String(CODE_STYLES.indexOf(name))

const highlighter = tagHighlighter([
  { tag: [tags.comment, tags.quote], class: tag('tok-comment') },
  {
    tag: [tags.keyword, tags.modifier, tags.operatorKeyword, tags.self, tags.null, tags.bool, tags.atom],
    class: tag('tok-keyword'),
  },
  {
    tag: [
      tags.string,
      tags.character,
      tags.regexp,
      tags.escape,
      tags.special(tags.string),
      tags.attributeValue,
      tags.monospace,
    ],
    class: tag('tok-string'),
  },
  { tag: [tags.number, tags.unit, tags.color, tags.literal], class: tag('tok-number') },
  {
    tag: [tags.typeName, tags.className, tags.namespace, tags.standard(tags.variableName)],
    class: tag('tok-type'),
  },
  { tag: [tags.propertyName, tags.attributeName, tags.labelName], class: tag('tok-name') },
  {
    tag: [
      tags.definition(tags.variableName),
      tags.function(tags.variableName),
      tags.function(tags.propertyName),
      tags.macroName,
    ],
    class: tag('tok-definition'),
  },
  { tag: [tags.tagName], class: tag('tok-tag') },
  {
    tag: [tags.meta, tags.processingInstruction, tags.annotation, tags.documentMeta],
    class: tag('tok-meta'),
  },
  { tag: [tags.heading], class: tag('tok-heading') },
  { tag: [tags.emphasis, tags.strong], class: tag('tok-emphasis') },
  { tag: [tags.link, tags.url], class: tag('tok-link') },
  { tag: [tags.inserted], class: tag('tok-inserted') },
  { tag: [tags.deleted], class: tag('tok-deleted') },
  { tag: [tags.invalid], class: tag('tok-invalid') },
])

export async function loadParser(language: string): Promise<Parser | null> {
  const support = await findGrammar(language)?.load()
  return support?.language.parser ?? null
}

function parse(parser: Parser, text: string): { tree: Tree; end: number } {
  const parsing = parser.startParse(text)
  const deadline = performance.now() + MAX_PARSE_MS
  for (;;) {
    const tree = parsing.advance()
    if (tree) return { tree, end: parsing.stoppedAt ?? text.length }
    if (parsing.stoppedAt === null && performance.now() > deadline) parsing.stopAt(parsing.parsedPos)
  }
}

/** `end` is the offset up to which the text was parsed. */
export function getCodeTokens(parser: Parser, text: string): { tokens: Tokens; end: number } {
  const { tree, end } = parse(parser, text)
  let tokens = new Uint32Array(1024 * TOKEN_SIZE)
  let length = 0
  highlightTree(tree, highlighter, (from, to, classes) => {
    if (length + TOKEN_SIZE > tokens.length) {
      const larger = new Uint32Array(tokens.length * 2)
      larger.set(tokens)
      tokens = larger
    }
    // If a token has several tags, the last one is the most specific.
    tokens.set([from, to, Number(classes.split(' ').at(-1))], length)
    length += TOKEN_SIZE
  })
  return { tokens: tokens.slice(0, length), end }
}
