import type { Parser, Tree } from '@lezer/common'
import { highlightTree, tagHighlighter, tags } from '@lezer/highlight'
import { CODE_STYLES, type ParsedTokens } from './tokens.ts'

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

function parse(parser: Parser, text: string, maxMs: number): { tree: Tree; end: number } {
  const parsing = parser.startParse(text)
  const deadline = performance.now() + maxMs
  for (;;) {
    const tree = parsing.advance()
    if (tree) return { tree, end: parsing.stoppedAt ?? text.length }
    if (parsing.stoppedAt === null && performance.now() > deadline) parsing.stopAt(parsing.parsedPos)
  }
}

export function getCodeTokens(parser: Parser, text: string, maxMs = MAX_PARSE_MS): ParsedTokens {
  const tokens: number[] = []
  try {
    const { tree, end } = parse(parser, text, maxMs)
    // If a token has several tags, the last one is the most specific.
    highlightTree(tree, highlighter, (from, to, classes) => {
      tokens.push(from, to, Number(classes.split(' ').at(-1)))
    })
    return { tokens: new Uint32Array(tokens), end }
  } catch (error) {
    // A text that is nested too deeply overflows the stack. That isn't a fault of this code.
    if (!(error instanceof RangeError)) throw error
    return { tokens: new Uint32Array(), end: 0 }
  }
}
