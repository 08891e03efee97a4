import { COPY_FAILED, copyToClipboard, createButton, createElement, loadStyles } from '../shared/elements.ts'
import type { MountedView, MountView, ViewContext } from '../viewer/views/views.ts'
import { type AskData, startDataClient } from './data-client.ts'
import type { JsonFacts, JsonRow } from './parse-json.ts'
import { VirtualRows } from './virtual-rows.ts'

/** Levels that are indented. Deeper ones would leave the window. */
const MAX_INDENT = 40

/** UTF-16 units of a path in a message. */
const MAX_MESSAGE_UNITS = 200

const CLOSING: Readonly<Record<string, string>> = { '{': '}', '[': ']' }

function getValueClass(value: string): string {
  if (value.startsWith('"')) return 'tok-string'
  if (/^[-\d]/.test(value)) return 'tok-number'
  return /^[tfn]/.test(value) ? 'tok-keyword' : ''
}

class JsonView {
  readonly element = createElement('div', { className: 'json-view' })
  readonly #ask: AskData
  readonly #announce: (message: string) => void
  readonly #body = createElement('div', {})
  readonly #rows: VirtualRows<JsonRow>

  constructor(ask: AskData, facts: JsonFacts, announce: (message: string) => void) {
    this.#ask = ask
    this.#announce = announce
    const folds = facts.hasFolds
      ? [
          createButton('Expand all', () => void this.#fold(null, false), 'quiet small'),
          createButton('Collapse all', () => void this.#fold(null, true), 'quiet small'),
        ]
      : []
    const copy = createButton('Copy formatted', () => void this.#copyFormatted(), 'quiet small')
    const scroller = createElement(
      'section',
      { className: 'json-scroller', ariaLabel: 'Tree', tabIndex: 0 },
      this.#body,
    )
    const bar = createElement(
      'div',
      { className: 'table-bar strip row apart' },
      createElement('div', { className: 'row' }, ...folds),
      copy,
    )
    this.element.append(bar, scroller)
    this.#rows = new VirtualRows<JsonRow>({
      scroller,
      body: this.#body,
      load: (from, to) => ask('read-json', { from, to }),
      createRow: (row) => this.#createRow(row),
    })
  }

  show(rowCount: number): Promise<void> {
    return this.#rows.show(rowCount)
  }

  async #fold(line: number | null, isFolded: boolean): Promise<void> {
    await this.show(await this.#ask('fold-json', { line, isFolded }))
    if (line !== null) this.#body.querySelector<HTMLElement>(`[data-line="${line}"]`)?.focus()
  }

  async #copy(answer: Promise<string>, getMessage: (text: string) => string): Promise<void> {
    try {
      const text = await answer
      this.#announce((await copyToClipboard(text)) ? getMessage(text) : COPY_FAILED)
    } catch (error) {
      console.error(error)
      this.#announce('Couldn’t copy. This JSON is too large.')
    }
  }

  #copyFormatted(): Promise<void> {
    return this.#copy(this.#ask('format-json', {}), () => 'Copied.')
  }

  #copyPath(line: number): Promise<void> {
    const getMessage = (path: string) =>
      `Copied ${path.length > MAX_MESSAGE_UNITS ? `${path.slice(0, MAX_MESSAGE_UNITS)}…` : path}`
    return this.#copy(this.#ask('get-json-path', { line }), getMessage)
  }

  #createFoldButton({ line, fold }: JsonRow): HTMLElement {
    if (!fold) return createElement('span', { className: 'json-fold' })
    const { isFolded, items } = fold
    const button = createElement('button', {
      type: 'button',
      className: 'json-button json-fold',
      ariaLabel: items === 1 ? '1 value' : `${items.toLocaleString('en')} values`,
      ariaExpanded: String(!isFolded),
    })
    button.dataset.line = String(line)
    button.addEventListener('click', () => void this.#fold(line, !isFolded))
    return button
  }

  #createName({ line, key, index }: JsonRow): (Node | string)[] {
    if (key === null && index === null) return []
    const name = createElement('button', { type: 'button', title: 'Copy path' }, key ?? String(index))
    name.className = key === null ? 'json-button json-index' : 'json-button tok-name'
    name.addEventListener('click', () => void this.#copyPath(line))
    return [name, ': ']
  }

  #createRow(row: JsonRow): HTMLElement {
    const { depth, value, isCut, hasComma, fold } = row
    const shown = fold?.isFolded ? `${value}…${CLOSING[value] ?? ''}` : value
    const element = createElement(
      'div',
      { className: 'json-row' },
      this.#createFoldButton(row),
      ...this.#createName(row),
      createElement('span', { className: getValueClass(value) }, isCut ? `${shown}…` : shown),
      hasComma ? ',' : '',
    )
    if (fold?.isFolded) {
      const items = fold.items === 1 ? '1 value' : `${fold.items.toLocaleString('en')} values`
      element.append(createElement('span', { className: 'json-count', ariaHidden: 'true' }, items))
    }
    element.style.paddingInlineStart = `${Math.min(depth, MAX_INDENT) * 1.25}rem`
    return element
  }
}

interface OpenedJson {
  readonly view: JsonView
  readonly rowCount: number
}

async function openJson(context: ViewContext): Promise<OpenedJson> {
  const { section, code, language, workerAddress } = context
  const ask = startDataClient(workerAddress)
  const [facts] = await Promise.all([
    ask('parse-json', { text: code.textContent ?? '', language }),
    loadStyles(section.dataset.viewStyles ?? ''),
  ])
  return { view: new JsonView(ask, facts, context.announce), rowCount: facts.rowCount }
}

let opened: Promise<OpenedJson> | null = null

export const mountJson: MountView = async (context): Promise<MountedView> => {
  const isFirst = opened === null
  opened ??= openJson(context)
  const { view, rowCount } = await opened.catch((error: Error) => {
    opened = null
    throw new Error(`This isn’t valid JSON. ${error.message}`)
  })
  const { section } = context
  section.before(view.element)
  section.hidden = true
  if (isFirst) await view.show(rowCount)
  return {
    hasSourceLines: false,
    unmount: () => {
      view.element.remove()
      section.hidden = false
    },
  }
}
