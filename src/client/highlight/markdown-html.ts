import MarkdownIt from 'markdown-it'

const markdown = new MarkdownIt({ html: false, linkify: false })

/** The library doesn't parse content that is nested more deeply (`maxNesting`). */
const MAX_NESTING = 100

type Tokens = ReturnType<typeof markdown.parse>

/** UTF-16 units of HTML in one part. */
const PART = 32 * 1024

/** Limits for the HTML of one block, such as a table, and for the text of one paragraph, in UTF-16 units. More freezes the page. */
const MAX_BLOCK_HTML = 1_500_000
const MAX_PARAGRAPH = 256 * 1024

// Images aren't loaded, not even from this site: requesting an address could delete a document. The description
// and the address are shown instead.
markdown.renderer.rules.image = (tokens, index) => {
  const token = tokens[index]
  const [description, address] = [token?.content ?? '', String(token?.attrGet('src') ?? '')].map(
    markdown.utils.escapeHtml,
  )
  return `<span class="image-placeholder">${description ? `${description} ` : ''}(image: ${address})</span>`
}

/** Aligns columns with classes, because the page's content security policy forbids inline styles. */
function replaceAlignmentStyles(tokens: Tokens): void {
  for (const token of tokens) {
    const alignment = /^text-align:(left|center|right)$/.exec(String(token.attrGet('style') ?? ''))?.[1]
    if (!alignment) continue
    token.attrs = null
    token.attrSet('class', `align-${alignment}`)
  }
}

/** Yields the tokens of each top-level block. */
function* getBlocks(tokens: Tokens): Generator<Tokens> {
  let start = 0
  let depth = 0
  for (const [index, { nesting }] of tokens.entries()) {
    depth += nesting
    if (depth > 0) continue
    yield tokens.slice(start, index + 1)
    start = index + 1
  }
}

/** Returns the HTML of a block, or a notice if it is too long or too deeply nested. */
function renderBlock(block: Tokens): string {
  if (block.every(({ content, level }) => content.length <= MAX_PARAGRAPH && level < MAX_NESTING - 1)) {
    const html = markdown.renderer.render(block, markdown.options, {})
    if (html.length <= MAX_BLOCK_HTML) return html
  }
  const [from, to] = block[0]?.map ?? [0, 0]
  const lines = to - from > 1 ? `Lines ${from + 1}–${to} are` : `Line ${to} is`
  return `<p><em>(${lines} too long or too deeply nested to render. Turn off “Rendered” to read the source.)</em></p>`
}

/** Renders Markdown as HTML, which the caller must sanitize. Yields whole blocks, in parts of about the same length. */
export function* renderMarkdownParts(text: string): Generator<string> {
  const tokens = markdown.parse(text, {})
  replaceAlignmentStyles(tokens)
  let html = ''
  for (const block of getBlocks(tokens)) {
    html += renderBlock(block)
    if (html.length < PART) continue
    yield html
    html = ''
  }
  yield html
}
