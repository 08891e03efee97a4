import type { Token } from 'markdown-it'
import { createParser, escapeText, loadEmoji, type ParseEnv, prepareHighlighting } from './create-parser.ts'
import { readFrontMatter } from './front-matter.ts'

const split = (names: string): ReadonlySet<string> => new Set(names.split(' '))

/** Elements that the HTML parser opens again in the next block if they are closed too late or never. */
const FORMATTING = split('a b big code em font i nobr s small strike strong tt u')
const VOID = split('area base br col embed hr img input link meta param source track wbr')
/** Elements that may contain blocks of Markdown, and whose end tags aren't optional. */
const CONTAINERS = split('details div table ul ol dl blockquote center figure section a sub sup pre')
/** Elements that end where another of the same name starts. */
const ITEMS = split('p li dt dd td th tr thead tbody tfoot')
/** Elements that end with another element, although their end tags are missing. */
const ENDS_WITH = new Map(
  Object.entries({
    'blockquote center details div figcaption figure h1 h2 h3 h4 h5 h6 pre section summary li td th': 'p',
    dt: 'p dd',
    dd: 'p dt',
    tr: 'p td th',
    'thead tbody tfoot': 'p td th tr',
    table: 'p td th tr thead tbody tfoot caption colgroup',
    'ul ol': 'p li',
    dl: 'p dt dd',
  }).flatMap(([names, ending]) => names.split(' ').map((name) => [name, split(ending)] as const)),
)

const TAG_NAME = /<(\/?)([a-z][^\t\n\f\r />]*)/iy
/** Reads attributes like the HTML standard, §13.2.5.32 and later. A value in quotes may contain `>`. */
const ATTRIBUTE =
  /[\t\n\f\r /]*[^\t\n\f\r />][^\t\n\f\r />=]*(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^\t\n\f\r >"'][^\t\n\f\r >]*)?)?/y

/** Emoji and others: without a font that has them, a browser looks for one for each, which takes as long as a few elements. */
const RARE = /[\uD800-\uDBFF\uE000-\uF8FF]/g
/** The direction changes at a control, and at a letter or digit after text from right to left. */
const TURNS =
  /[\u202A-\u202E\u2066-\u2069]|[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC][^\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFCA-Za-z0-9]*[A-Za-z0-9]/g
/** Nodes that take a browser as long as one of these. */
const SLOW_TEXT_COST = 2

/** Returns the cost of a text in nodes. */
const getTextCost = (text: string): number =>
  1 + SLOW_TEXT_COST * ((text.match(RARE)?.length ?? 0) + (text.match(TURNS)?.length ?? 0))
/** Elements that take a browser longer than others: it adds nodes to `<details>`, and measures each cell of a table. */
const EXTRA_COSTS = new Map(Object.entries({ details: 20, tr: 1, td: 1, th: 1 }))

/** Open elements of which the end is looked for. More would take too long. */
const MAX_OPEN = 400

function findCommentEnd(html: string, start: number): number {
  if (!/[!?/]/.test(html[start + 1] ?? '')) return start + 1
  const isComment = html.startsWith('<!--', start)
  const ends = isComment
    ? ([
        ['-->', start + 2],
        ['--!>', start + 4],
      ] as const)
    : ([['>', start]] as const)
  const found = ends.flatMap(([end, from]) => {
    const at = html.indexOf(end, from)
    return at === -1 ? [] : [at + end.length]
  })
  return found.length > 0 ? Math.min(...found) : html.length + 1
}

/** Rather counts too much of hostile HTML than too little: an element is open unless it surely is closed. */
export class HtmlCost {
  /** The number of elements, texts and attributes. */
  nodes = 0
  depth = 0
  readonly #open: string[] = []
  /** Is true if a tag or a comment doesn't end, so that it would swallow what follows. */
  isCut = false
  /** Formatting elements whose parent was closed first. The parser opens each of them again in each later block. */
  readonly #reopened: string[] = []

  get isInContainer(): boolean {
    return this.#open.some((name) => CONTAINERS.has(name))
  }

  /** Returns the end tags of the elements that are open, which would change what follows. */
  getEndTags(): string {
    return [...this.#open.toReversed(), ...this.#reopened].map((name) => `</${name}>`).join('')
  }

  add(html: string): void {
    for (let at = 0; at < html.length; ) {
      const start = html.indexOf('<', at)
      if (start !== at) this.#addText(start === -1 ? html.slice(at) : html.slice(at, start))
      if (start === -1) return
      at = this.#addTag(html, start)
      if (at > html.length) this.isCut = true
    }
  }

  #addText(text: string): void {
    this.nodes += getTextCost(text) + this.#reopened.length
  }

  /** Returns the offset after it. */
  #addTag(html: string, start: number): number {
    TAG_NAME.lastIndex = start
    const [all = '', slash, tagName = ''] = TAG_NAME.exec(html) ?? []
    this.nodes += 1 + this.#reopened.length
    if (all === '') return findCommentEnd(html, start)
    let end = start + all.length
    for (ATTRIBUTE.lastIndex = end; ATTRIBUTE.test(html); end = ATTRIBUTE.lastIndex) this.nodes += 1
    const name = tagName.toLowerCase()
    if (slash) this.#close(name)
    else if (!VOID.has(name)) this.#push(name)
    if (!slash) this.nodes += EXTRA_COSTS.get(name) ?? 0
    const close = html.indexOf('>', end)
    return close === -1 ? html.length + 1 : close + 1
  }

  #push(name: string): void {
    if (this.#open.length > MAX_OPEN) return
    if (name === 'a') this.#close(name)
    if (ITEMS.has(name)) this.#endThrough(name)
    this.#open.push(name)
    this.depth = Math.max(this.depth, this.#open.length + this.#reopened.length)
  }

  #close(name: string): void {
    if (!FORMATTING.has(name)) {
      this.#endThrough(name)
      return
    }
    if (this.#open.length === 0 && this.#reopened.includes(name))
      this.#reopened.splice(this.#reopened.lastIndexOf(name), 1)
    const at = this.#open.lastIndexOf(name)
    const above = this.#open.slice(at + 1)
    if (at === -1 || !above.every((inner) => FORMATTING.has(inner))) return
    // The parser closes those above it and opens them again.
    this.nodes += above.length
    this.#open.splice(at, 1)
  }

  /** Closes the innermost element of this name, if everything in it ends with it. */
  #endThrough(name: string): void {
    const at = this.#open.lastIndexOf(name)
    if (at === -1) return
    const ending = ENDS_WITH.get(name)
    const above = this.#open.slice(at + 1)
    if (!above.every((inner) => FORMATTING.has(inner) || ending?.has(inner))) return
    this.#reopened.push(...above.filter((inner) => FORMATTING.has(inner)))
    this.#open.length = at
  }
}

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

/** A part of the rendered document. Its HTML isn't sanitized yet. It closes all elements that it opens. */
export interface MarkdownPart {
  readonly html: string
  /** The line that the first block starts on, counted from 0. */
  readonly line: number
  /** The number of elements, texts and attributes. */
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

const isTooLongBlock = (html: string, { nodes } = getCost(html)) =>
  isTooMuch({ html: html.length, nodes }, MAX_BLOCK)

/** Returns null if it is too long or too deeply nested. */
function renderBlock(block: readonly Token[], env: ParseEnv): string | null {
  if (!block.every(({ type, level }) => type !== 'too_long' && level < MAX_NESTING - 1)) return null
  const html = markdown.renderer.render([...block], markdown.options, env)
  const cost = getCost(html)
  // A tag or comment that doesn't end would swallow what follows.
  if (cost.isCut) return html.length > MAX_BLOCK.html ? null : `<p>${escapeText(html)}</p>\n`
  return cost.depth <= MAX_NESTING && !isTooLongBlock(html, cost) ? html : null
}

/** All blocks between `<details>` and `</details>` are one piece, because each part is sanitized on its own. */
async function* renderPieces(text: string, lines: readonly string[]): AsyncGenerator<Piece> {
  const env: ParseEnv = { emoji: await loadEmoji(text) }
  const { table, markdown: rest } = await readFrontMatter(lines.join('\n'), (html) => !isTooLongBlock(html))
  if (table !== null) yield { html: table, line: 0, nodes: getCost(table).nodes }
  const tokens = markdown.parse(rest, env)
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
    } else if (html !== '' && (!cost.isInContainer || isTooLongBlock(html, cost))) yield takePiece()
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
