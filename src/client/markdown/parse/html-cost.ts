const split = (names: string): ReadonlySet<string> => new Set(names.split(' '))

/** Elements that the HTML parser opens again in the next block if they are closed too late or never. */
const FORMATTING = split('a b big code em font i nobr s small strike strong tt u')
const VOID = split('area base br col embed hr img input link meta param source track wbr')
/** Elements that may contain blocks of Markdown, and whose end tags aren't optional. */
const CONTAINERS = split('details div table ul ol dl blockquote center figure section a sub sup pre')
/** Blocks that end even if a paragraph in them is open. */
const BLOCKS = split('blockquote center details div figcaption figure h1 h2 h3 h4 h5 h6 pre section summary')
/** Elements that end where another of the same name starts. */
const ITEMS = split('p li dt dd td th tr thead tbody tfoot')
/** What ends with an element, although its end tag is missing. */
const ENDS_WITH: Readonly<Record<string, ReadonlySet<string>>> = {
  li: split('p'),
  dt: split('p dd'),
  dd: split('p dt'),
  td: split('p'),
  th: split('p'),
  tr: split('p td th'),
  thead: split('p td th tr'),
  tbody: split('p td th tr'),
  tfoot: split('p td th tr'),
  table: split('p td th tr thead tbody tfoot caption colgroup'),
  ul: split('p li'),
  ol: split('p li'),
  dl: split('p dt dd'),
}
const PARAGRAPH = split('p')
const NOTHING: ReadonlySet<string> = new Set()

const TAG_NAME = /<(\/?)([a-z][^\t\n\f\r />]*)/iy
/** As the HTML standard reads attributes, §13.2.5.32 and later. A value in quotes may contain `>`. */
const ATTRIBUTE =
  /[\t\n\f\r /]*[^\t\n\f\r />][^\t\n\f\r />=]*(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^\t\n\f\r >"'][^\t\n\f\r >]*)?)?/y

/** Emoji: without a font that has them, a browser looks for one for each, which takes as long as a few elements. */
const SURROGATES = /[\uD800-\uDBFF]/g
const EMOJI_COST = 2
/** Elements that take a browser longer than others: it adds nodes to `<details>`, and measures each cell of a table. */
const EXTRA_COSTS: Readonly<Record<string, number>> = { details: 20, tr: 1, td: 1, th: 1 }

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
  /** Elements, texts and attributes. */
  nodes = 0
  depth = 0
  readonly #open: string[] = []
  /** Whether a tag or a comment doesn't end, so that it would swallow what follows. */
  isCut = false
  /** Formatting elements whose parent was closed first. The parser opens each of them again in each later block. */
  readonly #reopened: string[] = []

  get isInContainer(): boolean {
    return this.#open.some((name) => CONTAINERS.has(name))
  }

  /** What is open would change what follows. */
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
    this.nodes += 1 + this.#reopened.length + EMOJI_COST * (text.match(SURROGATES)?.length ?? 0)
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
    if (!slash && Object.hasOwn(EXTRA_COSTS, name)) this.nodes += EXTRA_COSTS[name] ?? 0
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
    const ending = ENDS_WITH[name] ?? (BLOCKS.has(name) ? PARAGRAPH : NOTHING)
    const above = this.#open.slice(at + 1)
    if (!above.every((inner) => FORMATTING.has(inner) || ending.has(inner))) return
    this.#reopened.push(...above.filter((inner) => FORMATTING.has(inner)))
    this.#open.length = at
  }
}
