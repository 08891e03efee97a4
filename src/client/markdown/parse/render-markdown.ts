import type { Token } from 'markdown-it'
import { createParser, loadEmoji, type ParseEnv } from './create-parser.ts'
import { escapeText, prepareHighlighting } from './fences.ts'
import { getTextCost, HtmlCost } from './html-cost.ts'

const markdown = createParser()

/** The library doesn't parse content that is nested more deeply (`maxNesting`). HTML may not be deeper either. */
const MAX_NESTING = 100

/** UTF-16 units and nodes of HTML in one part, unless the caller wants smaller ones or it is a single block. */
const PART = 32 * 1024
const PART_NODES = 400

/** The most in one block, and in all blocks. More freezes the page, because a browser lays out each block at once. */
const MAX_BLOCK = { html: 128 * 1024, nodes: 3_500 }
const MAX_TEXT = { html: 5_000_000, nodes: 250_000 }

/** Tokens in a list, a table or the footnotes. A longer one is split into several. */
const MAX_TOKENS = 300

/** UTF-16 units in one element of the source that replaces what isn't rendered; fewer if the text is slow to lay out. */
const SOURCE_PIECE = { max: 4_096, min: 256 }

/** Not sanitized. It closes all elements it opens. */
export interface MarkdownPart {
  readonly html: string
  /** The line that the first block starts on, counted from 0. */
  readonly line: number
  /** Elements, texts and attributes. */
  readonly nodes: number
}

/** A block, or a piece of the source that replaces one. */
interface Piece extends MarkdownPart {
  readonly isSource?: boolean
}

/** The token before the items of a block that can be split, by the type of its first token. */
const SPLITTABLE: Readonly<Record<string, string>> = {
  table_open: 'tbody_open',
  bullet_list_open: 'bullet_list_open',
  ordered_list_open: 'ordered_list_open',
  footnote_block_open: 'footnote_block_open',
}

function continueToken(token: Token, line: number | undefined, itemsBefore: number): Token {
  const copy: Token = Object.assign(Object.create(Object.getPrototypeOf(token)), token)
  copy.map = token.map && line !== undefined ? [line, token.map[1]] : token.map
  copy.attrs = token.attrs && [...token.attrs]
  if (token.type === 'ordered_list_open')
    copy.attrSet('start', String(Number(token.attrGet('start') ?? 1) + itemsBefore))
  return copy
}

/** Only the first part of a table has its header. */
function* splitBlock(block: readonly Token[]): Generator<readonly Token[]> {
  const bodyStart = block.findIndex(({ type }) => type === SPLITTABLE[block[0]?.type ?? '']) + 1
  if (bodyStart === 0) return yield block
  const opening = [...new Set([...block.slice(0, 1), ...block.slice(bodyStart - 1, bodyStart)])]
  const closing = block.slice(-opening.length)
  let piece = block.slice(0, bodyStart)
  let [tokens, items, depth] = [0, 0, 0]
  for (const token of block.slice(bodyStart, -opening.length)) {
    if (depth === 0 && tokens >= MAX_TOKENS) {
      yield [...piece, ...closing]
      piece = opening.map((open) => continueToken(open, token.map?.[0], items))
      tokens = 0
    }
    piece.push(token)
    depth += token.nesting
    tokens += 1 + (token.children?.length ?? 0)
    if (depth === 0) items += 1
  }
  yield [...piece, ...closing]
}

function* getBlocks(tokens: readonly Token[]): Generator<readonly Token[]> {
  let start = 0
  let depth = 0
  for (const [index, { nesting }] of tokens.entries()) {
    depth += nesting
    if (depth > 0) continue
    yield* splitBlock(tokens.slice(start, index + 1))
    start = index + 1
  }
}

function getCost(html: string): HtmlCost {
  const cost = new HtmlCost()
  cost.add(html)
  return cost
}

function* renderSource(lines: readonly string[], from: number, to: number): Generator<Piece> {
  const what = to === 0 ? 'A footnote is' : to - from > 1 ? `Lines ${from + 1}–${to} are` : `Line ${to} is`
  const source = to === 0 ? '' : ' This is the source:'
  const html = `<p><em>(${what} too long or too deeply nested to render.${source})</em></p>\n`
  yield { html, line: from, nodes: 3 }
  const text = lines.slice(from, to).join('\n')
  for (let start = 0; start < text.length; ) {
    let length = SOURCE_PIECE.max
    while (length > SOURCE_PIECE.min && getTextCost(text.slice(start, start + length)) > PART_NODES)
      length /= 2
    const lineBreak = text.slice(start, start + length).lastIndexOf('\n')
    let end = start + (lineBreak > 0 ? lineBreak + 1 : length)
    if (/[\uD800-\uDBFF]/.test(text[end - 1] ?? '')) end += 1
    // The parser ignores the first line break.
    const html = `<pre class="md-source">\n${escapeText(text.slice(start, end))}</pre>\n`
    yield { html, line: from, nodes: getCost(html).nodes, isSource: true }
    start = end
  }
}

const isTooMuch = ({ html, nodes }: { html: number; nodes: number }, most: typeof MAX_BLOCK): boolean =>
  html > most.html || nodes > most.nodes

/** Null if it is too long or too deeply nested. */
function renderBlock(block: readonly Token[], env: ParseEnv): string | null {
  if (!block.every(({ type, level }) => type !== 'too_long' && level < MAX_NESTING - 1)) return null
  const html = markdown.renderer.render([...block], markdown.options, env)
  const cost = getCost(html)
  // A tag or comment that doesn't end would swallow what follows.
  if (cost.isCut) return html.length > MAX_BLOCK.html ? null : `<p>${escapeText(html)}</p>\n`
  const isRendered =
    cost.depth <= MAX_NESTING && !isTooMuch({ html: html.length, nodes: cost.nodes }, MAX_BLOCK)
  return isRendered ? html : null
}

/** All blocks between `<details>` and `</details>` are one piece, because each part is sanitized on its own. */
async function* renderPieces(text: string, lines: readonly string[]): AsyncGenerator<Piece> {
  const env: ParseEnv = { emoji: await loadEmoji(text) }
  const tokens = markdown.parse(text, env)
  const highlight = prepareHighlighting(tokens)
  let cost = new HtmlCost()
  let html = ''
  let start = 0
  let end = 0
  const takePiece = (): MarkdownPart => {
    const piece = { html: html + cost.getEndTags(), nodes: cost.nodes, line: start }
    cost = new HtmlCost()
    html = ''
    start = end
    return piece
  }
  for (const block of getBlocks(tokens)) {
    for (const fence of block) if (fence.type === 'fence') await highlight(fence)
    const [from = end, to = 0] = block[0]?.map ?? []
    const blockHtml = renderBlock(block, env)
    if (!cost.isInContainer) start = from
    if (blockHtml === null && cost.depth <= MAX_NESTING) {
      if (html !== '') yield takePiece()
      yield* renderSource(lines, from, to)
    } else {
      cost.add(blockHtml ?? '')
      html += blockHtml ?? ''
    }
    end = Math.max(end, to)
    if (cost.depth > MAX_NESTING) {
      html = ''
      if (cost.isInContainer) continue
      yield* renderSource(lines, start, end)
      takePiece()
    } else if (
      html !== '' &&
      (!cost.isInContainer || isTooMuch({ html: html.length, nodes: cost.nodes }, MAX_BLOCK))
    )
      yield takePiece()
  }
  if (cost.depth > MAX_NESTING) yield* renderSource(lines, start, lines.length)
  else if (html !== '') yield takePiece()
}

/** The caller must sanitize it. Yields whole blocks, in parts of about the same length. */
export async function* renderMarkdownParts(text: string, partLength = PART): AsyncGenerator<MarkdownPart> {
  const lines = text.split(/\r\n?|\n/)
  const total = { html: 0, nodes: 0 }
  let part = { html: '', nodes: 0, line: 0 }
  async function* getPieces(): AsyncGenerator<Piece> {
    for await (const piece of renderPieces(text, lines)) {
      if (!piece.isSource) {
        total.html += piece.html.length
        total.nodes += piece.nodes
      }
      if (isTooMuch(total, MAX_TEXT)) return yield* renderSource(lines, piece.line, lines.length)
      yield piece
    }
  }
  for await (const { html, nodes, line } of getPieces()) {
    const isFull = part.html.length >= partLength || part.html.length + html.length > partLength + PART
    if (part.html !== '' && (isFull || part.nodes + nodes > PART_NODES)) {
      yield part
      part = { html: '', nodes: 0, line }
    }
    part = { html: part.html + html, nodes: part.nodes + nodes, line: part.line }
  }
  yield part
}
