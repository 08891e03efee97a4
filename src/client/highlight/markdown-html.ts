import MarkdownIt from 'markdown-it'

const markdown = new MarkdownIt({ html: false, linkify: false })

/** What is nested deeper is not read at all (`maxNesting` of the library). */
const MOST_NESTED = 100

type Tokens = ReturnType<typeof markdown.parse>

/** UTF-16 units of HTML that are shown at a time. */
const SLICE = 32 * 1024

/** UTF-16 units of HTML of one block, such as a table, and of the text of one paragraph: more stops the page. */
const MOST_BLOCK = 1_500_000
const MOST_PARAGRAPH = 256 * 1024

// No image loads, not even one of this site: the address of one may be what deletes a document. Its words
// and its address stand there instead.
markdown.renderer.rules.image = (tokens, index) => {
  const token = tokens[index]
  const [words, address] = [token?.content ?? '', String(token?.attrGet('src') ?? '')].map(
    markdown.utils.escapeHtml,
  )
  return `<span class="image">${words ? `${words} ` : ''}(image: ${address})</span>`
}

/** Columns are aligned by a class: the policy of the page forbids styles of elements. */
function alignByClass(tokens: Tokens): void {
  for (const token of tokens) {
    const alignment = /^text-align:(left|center|right)$/.exec(String(token.attrGet('style') ?? ''))?.[1]
    if (!alignment) continue
    token.attrs = null
    token.attrSet('class', `align-${alignment}`)
  }
}

/** The blocks of a text one by one: a token opens what another one closes. */
function* blocks(tokens: Tokens): Generator<Tokens> {
  let start = 0
  let depth = 0
  for (const [index, { nesting }] of tokens.entries()) {
    depth += nesting
    if (depth > 0) continue
    yield tokens.slice(start, index + 1)
    start = index + 1
  }
}

/** A block as HTML; of one that is too large or too deep, what stands in its place. */
function blockHtml(block: Tokens): string {
  if (block.every(({ content, level }) => content.length <= MOST_PARAGRAPH && level < MOST_NESTED - 1)) {
    const html = markdown.renderer.render(block, markdown.options, {})
    if (html.length <= MOST_BLOCK) return html
  }
  const [from, to] = block[0]?.map ?? [0, 0]
  const lines = to - from > 1 ? `Lines ${from + 1} to ${to} are` : `Line ${to} is`
  return `<p><em>(${lines} too long, or too deep, to be shown rendered. The text as it is written has all.)</em></p>`
}

/** What a text in Markdown is as HTML, part by part. It is yet to be cleaned. */
export function* markdownHtml(text: string): Generator<string> {
  const tokens = markdown.parse(text, {})
  alignByClass(tokens)
  let html = ''
  for (const block of blocks(tokens)) {
    html += blockHtml(block)
    if (html.length < SLICE) continue
    yield html
    html = ''
  }
  yield html
}
