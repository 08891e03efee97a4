import DOMPurify from 'dompurify'
import MarkdownIt from 'markdown-it'
import { rest } from './rest.ts'

const markdown = new MarkdownIt({ html: false, linkify: false })
type Tokens = ReturnType<typeof markdown.parse>

/** UTF-16 units of HTML that are made, cleaned and shown at a time. */
const SLICE = 32 * 1024

// No image loads, not even one of this site: the address of one may be what deletes a document. Its words
// and its address stand there instead.
markdown.renderer.rules.image = (tokens, index) => {
  const token = tokens[index]
  const [words, address] = [token?.content ?? '', String(token?.attrGet('src') ?? '')].map(
    markdown.utils.escapeHtml,
  )
  return `<span class="image">${words ? `${words} ` : ''}(image: ${address})</span>`
}

const ELEMENTS =
  'a blockquote br code del em h1 h2 h3 h4 h5 h6 hr li ol p pre s span strong table tbody td th thead tr ul'

/** Nothing of the site's own can be named, filled in, framed, styled or loaded. */
const ALLOWED = {
  ALLOWED_TAGS: ELEMENTS.split(' '),
  ALLOWED_ATTR: ['href', 'class', 'start'],
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:)/i,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true as const,
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

/** What a text in Markdown says, without anything that runs or loads. */
function clean(html: string): DocumentFragment {
  const fragment = DOMPurify.sanitize(html, ALLOWED)
  for (const link of fragment.querySelectorAll('a')) link.rel = 'noopener nofollow ugc'
  // The page has one heading of the first level, its own: those of the text come below it.
  for (const heading of fragment.querySelectorAll('h1, h2, h3, h4, h5')) {
    const lower = document.createElement(`h${Number(heading.localName.slice(1)) + 1}`)
    lower.append(...heading.childNodes)
    heading.replaceWith(lower)
  }
  // What scrolls must be reachable by keyboard (WCAG 2.1.1).
  for (const scrolling of fragment.querySelectorAll('pre')) scrolling.tabIndex = 0
  return fragment
}

/** Shows a text in Markdown as it is meant, part by part so that the page answers meanwhile. */
export async function renderMarkdown(text: string, into: HTMLElement): Promise<void> {
  const tokens = markdown.parse(text, {})
  alignByClass(tokens)
  let html = ''
  for (const block of blocks(tokens)) {
    html += markdown.renderer.render(block, markdown.options, {})
    if (html.length < SLICE) continue
    into.append(clean(html))
    html = ''
    await rest()
  }
  into.append(clean(html))
}
