import type { Token } from 'markdown-it'
import { createParser, type ParseEnv } from './create-parser.ts'
import { loadEmoji } from './emoji.ts'
import { prepareHighlighting } from './fences.ts'
import { getOpenElements } from './open-elements.ts'

const markdown = createParser()

/** The library doesn't parse content that is nested more deeply (`maxNesting`). */
const MAX_NESTING = 100

/** UTF-16 units of HTML in one part, unless the caller wants smaller ones. */
const PART = 32 * 1024

/** UTF-16 units of HTML in one block, such as a table, and in all blocks. More freezes the page. */
const MAX_BLOCK_HTML = 1_500_000
const MAX_HTML = 5_000_000

/** Some consecutive blocks of a text as HTML, which isn't sanitized. */
export interface MarkdownPart {
  readonly html: string
  /** The line that the first block starts on, counted from 0. */
  readonly line: number
}

/** Yields the tokens of each top-level block. */
function* getBlocks(tokens: readonly Token[]): Generator<readonly Token[]> {
  let start = 0
  let depth = 0
  for (const [index, { nesting }] of tokens.entries()) {
    depth += nesting
    if (depth > 0) continue
    yield tokens.slice(start, index + 1)
    start = index + 1
  }
}

/** Says what isn't rendered. */
function createNotice(block: readonly Token[]): string {
  const [from, to] = block[0]?.map ?? [0, 0]
  const what =
    to === 0 ? 'The footnotes are' : to - from > 1 ? `Lines ${from + 1}–${to} are` : `Line ${to} is`
  return `<p><em>(${what} too long or too deeply nested to render. Switch to “Source” to read the text.)</em></p>\n`
}

/** Returns the HTML of a block, or a notice if it is too long or too deeply nested. */
function renderBlock(block: readonly Token[], env: ParseEnv): string {
  if (block.every(({ type, level }) => type !== 'too_long' && level < MAX_NESTING - 1)) {
    const html = markdown.renderer.render([...block], markdown.options, env)
    if (html.length <= MAX_BLOCK_HTML) return html
  }
  return createNotice(block)
}

/** Renders Markdown as HTML, which the caller must sanitize. Yields whole blocks, in parts of about the same length. */
export async function* renderMarkdownParts(text: string, partLength = PART): AsyncGenerator<MarkdownPart> {
  const env: ParseEnv = { emoji: await loadEmoji(text) }
  const tokens = markdown.parse(text, env)
  const highlight = prepareHighlighting(tokens)
  let html = ''
  let line = 0
  let total = 0
  let open: readonly string[] = []
  for (const block of getBlocks(tokens)) {
    const start = block[0]?.map?.[0]
    if (html === '') line = start ?? line
    for (const fence of block) if (fence.type === 'fence') await highlight(fence)
    const blockHtml = renderBlock(block, env)
    total += blockHtml.length
    if (total > MAX_HTML) {
      html += `<p><em>(The text from line ${(start ?? line) + 1} on is too long to render. Switch to “Source” to read it.)</em></p>\n`
      break
    }
    html += blockHtml
    if (block[0]?.type === 'html_block') open = getOpenElements(open, block[0].content)
    if (html.length < partLength || (open.length > 0 && html.length < MAX_BLOCK_HTML)) continue
    yield { html, line }
    html = ''
  }
  yield { html, line }
}
