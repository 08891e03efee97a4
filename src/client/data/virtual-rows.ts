import { createElement } from '../shared/elements.ts'

/** CSS pixels. Browsers limit the height of elements, so more rows than this share it. */
const MAX_HEIGHT = 8_000_000
/** Rows beyond the window that are in the page. */
const OVERSCAN = 40

interface VirtualRowsOptions<Row> {
  readonly scroller: HTMLElement
  /** The rows are its only children. */
  readonly body: HTMLElement
  readonly load: (from: number, to: number) => Promise<readonly Row[]>
  readonly createRow: (row: Row, index: number) => HTMLElement
}

/** Only the rows in the window are in the page, and a few around them. All have the same height. */
export class VirtualRows<Row> {
  readonly #options: VirtualRowsOptions<Row>
  #count = 0
  #rowHeight = 0
  #shown = { from: 0, to: 0 }
  #updates = 0

  constructor(options: VirtualRowsOptions<Row>) {
    this.#options = options
    options.scroller.addEventListener('scroll', () => void this.#update(), { passive: true })
    new ResizeObserver(() => void this.#update()).observe(options.scroller)
  }

  /** Resolves when the visible rows are in the page. */
  async show(count: number): Promise<void> {
    this.#count = count
    this.#shown = { from: 0, to: 0 }
    await this.#update(true)
  }

  async #measureRow(): Promise<void> {
    const { body, load, createRow } = this.#options
    const [row] = await load(0, 1)
    if (row === undefined) return
    body.replaceChildren(createRow(row, 0))
    this.#rowHeight = body.firstElementChild?.getBoundingClientRect().height ?? 0
  }

  async #update(isNew = false): Promise<void> {
    const { scroller, body, load, createRow } = this.#options
    if (isNew && this.#rowHeight === 0) await this.#measureRow()
    if (this.#rowHeight === 0 && this.#count > 0) return
    const { scrollTop, clientHeight } = scroller
    const visible = Math.ceil(clientHeight / (this.#rowHeight || 1)) + 1
    const full = this.#count * this.#rowHeight
    const height = Math.min(full, MAX_HEIGHT)
    const share = scrollTop / Math.max(1, height - clientHeight)
    const first =
      full === height
        ? Math.floor(scrollTop / (this.#rowHeight || 1))
        : Math.round(Math.min(1, share) * Math.max(0, this.#count - visible + 1))
    const isShown = first >= this.#shown.from && Math.min(this.#count, first + visible) <= this.#shown.to
    if (!isNew && isShown && full === height) return
    const from = Math.max(0, first - OVERSCAN)
    const to = Math.min(this.#count, first + visible + OVERSCAN)
    const number = ++this.#updates
    const rows = await load(from, to)
    if (number !== this.#updates) return
    this.#shown = { from, to }
    const top = full === height ? from * this.#rowHeight : scrollTop - (first - from) * this.#rowHeight
    const space = (pixels: number) => {
      const spacer = createElement(body.localName === 'tbody' ? 'tr' : 'div', { className: 'spacer' })
      spacer.style.height = `${Math.max(0, pixels)}px`
      return spacer
    }
    const bottom = height - top - rows.length * this.#rowHeight
    const elements = rows.map((row, index) => createRow(row, from + index))
    body.replaceChildren(space(top), ...elements, space(bottom))
  }
}
