import { LanguageDescription } from '@codemirror/language'
import { languages } from '@codemirror/language-data'
import type { Parser, Tree } from '@lezer/common'
import { highlightTree, tagHighlighter, tags } from '@lezer/highlight'
import { findLanguage } from '../../shared/languages.ts'
import { readColours } from './ansi.ts'
import { CODE_NAMES, type HighlightAnswer, type HighlightTask, TOKEN_SIZE } from './tokens.ts'

/** UTF-16 units that are coloured first, so that the beginning is soon. */
const FIRST = 32 * 1024
/** A text that takes longer is coloured as far as it got. */
const MOST_PARSE_MS = 4_000

const tag = (name: (typeof CODE_NAMES)[number]) => String(CODE_NAMES.indexOf(name))

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

const RELATIVES: Readonly<Record<string, string>> = { svelte: 'HTML', elixir: 'Ruby' }

/** The one of the editor's languages that a language of the site is shown by. */
function describe(language: string): LanguageDescription | null {
  const known = findLanguage(language)
  if (!known) return null
  // Those without a parser of their own here read as what they are written in, or after.
  const names = [RELATIVES[known.name] ?? known.label, known.name]
  for (const name of names) {
    const found = LanguageDescription.matchLanguageName(languages, name, false)
    if (found) return found
  }
  return null
}

/** The tree of a text, or of as much of it as there was time for. */
function parse(parser: Parser, text: string): { tree: Tree; end: number } {
  const parsing = parser.startParse(text)
  const deadline = performance.now() + MOST_PARSE_MS
  for (;;) {
    const tree = parsing.advance()
    if (tree) return { tree, end: parsing.stoppedAt ?? text.length }
    if (parsing.stoppedAt === null && performance.now() > deadline) parsing.stopAt(parsing.parsedPos)
  }
}

function highlight(parser: Parser, text: string, last: boolean): HighlightAnswer {
  const { tree, end } = parse(parser, text)
  let tokens = new Uint32Array(1024 * TOKEN_SIZE)
  let length = 0
  highlightTree(tree, highlighter, (from, to, classes) => {
    if (length + TOKEN_SIZE > tokens.length) {
      const larger = new Uint32Array(tokens.length * 2)
      larger.set(tokens)
      tokens = larger
    }
    // Where a token has several tags, the last one says most.
    tokens.set([from, to, Number(classes.split(' ').at(-1))], length)
    length += TOKEN_SIZE
  })
  return { tokens: tokens.slice(0, length), end, last }
}

const answer = (message: HighlightAnswer) => postMessage(message)

async function run(task: HighlightTask): Promise<void> {
  switch (task.do) {
    case 'colours': {
      const { text, tokens } = readColours(task.text)
      return answer({ text, tokens, end: text.length, last: true })
    }
    case 'highlight': {
      const parser = (await describe(task.language)?.load())?.language.parser
      if (!parser) return answer({ unknown: true })
      if (task.text.length > FIRST) answer(highlight(parser, task.text.slice(0, FIRST), false))
      return answer(highlight(parser, task.text, true))
    }
    case 'markdown': {
      const { markdownHtml } = await import('./markdown-html.ts')
      for (const html of markdownHtml(task.text)) answer({ html, last: false })
      return answer({ html: '', last: true })
    }
    default:
      throw new TypeError(`unknown: ${JSON.stringify(task satisfies never)}`)
  }
}

addEventListener('message', async ({ data }: MessageEvent<HighlightTask>) => {
  try {
    await run(data)
  } catch (error) {
    // What is nested deeper than the stack cannot be walked through: that is the text's doing, nobody's fault.
    if (!(error instanceof RangeError)) console.error(error)
    answer({ tokens: new Uint32Array(), end: 0, last: true })
  }
})
