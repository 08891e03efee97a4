import { COPY_FAILED, copyToClipboard, createButton, createElement } from '../shared/elements.ts'
import { createVirtualRows, openDataView } from './data-view.ts'
import type { JsonRow } from './parse-json.ts'

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

const formatItems = (items: number) => (items === 1 ? '1 value' : `${items.toLocaleString('en')} values`)

interface RowActions {
  readonly fold: (line: number, isFolded: boolean) => void
  readonly copyPath: (line: number) => void
}

function createFoldButton({ line, fold }: JsonRow, actions: RowActions): HTMLElement {
  if (!fold) return createElement('span', { className: 'json-fold' })
  const { isFolded, items } = fold
  const button = createButton('', () => actions.fold(line, !isFolded), 'json-button json-fold')
  button.ariaLabel = formatItems(items)
  button.ariaExpanded = String(!isFolded)
  button.dataset.line = String(line)
  return button
}

function createName({ line, key, index }: JsonRow, actions: RowActions): (Node | string)[] {
  if (key === null && index === null) return []
  const className = key === null ? 'json-button json-index' : 'json-button tok-name'
  const name = createButton(key ?? String(index), () => actions.copyPath(line), className)
  name.title = 'Copy path'
  return [name, ': ']
}

function createRow(row: JsonRow, actions: RowActions): HTMLElement {
  const { depth, value, isCut, hasComma, fold } = row
  const shown = fold?.isFolded ? `${value}…${CLOSING[value] ?? ''}` : value
  const element = createElement(
    'div',
    { className: 'json-row' },
    createFoldButton(row, actions),
    ...createName(row, actions),
    createElement('span', { className: getValueClass(value) }, isCut ? `${shown}…` : shown),
    hasComma ? ',' : '',
  )
  if (fold?.isFolded)
    element.append(
      createElement('span', { className: 'json-count', ariaHidden: 'true' }, formatItems(fold.items)),
    )
  element.style.paddingInlineStart = `${Math.min(depth, MAX_INDENT) * 1.25}rem`
  return element
}

export const openJson = openDataView(async (source, ask, announce) => {
  const facts = await ask('parseJson', source)
  const body = createElement('div', {})
  const scroller = createElement(
    'section',
    { className: 'json-scroller', ariaLabel: 'Tree', tabIndex: 0 },
    body,
  )
  const fold = async (line: number | null, isFolded: boolean) => {
    await showRows(await ask('foldJson', { line, isFolded }))
    if (line !== null) body.querySelector<HTMLElement>(`[data-line="${line}"]`)?.focus()
  }
  const copy = async (answer: Promise<string>, getMessage: (text: string) => string) => {
    try {
      const text = await answer
      announce((await copyToClipboard(text)) ? getMessage(text) : COPY_FAILED)
    } catch (error) {
      console.error(error)
      announce('Couldn’t copy. This JSON is too large.')
    }
  }
  const copyPath = (line: number) =>
    copy(
      ask('getJsonPath', line),
      (path) => `Copied ${path.length > MAX_MESSAGE_UNITS ? `${path.slice(0, MAX_MESSAGE_UNITS)}…` : path}`,
    )
  const actions: RowActions = { fold, copyPath }
  const showRows = createVirtualRows<JsonRow>({
    scroller,
    body,
    load: (from, to) => ask('readJson', { from, to }),
    createRow: (row) => createRow(row, actions),
  })
  const folds = facts.hasFolds
    ? [
        createButton('Expand all', () => fold(null, false), 'quiet'),
        createButton('Collapse all', () => fold(null, true), 'quiet'),
      ]
    : []
  const bar = createElement(
    'div',
    { className: 'table-bar row apart' },
    createElement('div', { className: 'row' }, ...folds),
    createButton('Copy formatted', () => copy(ask('formatJson', null), () => 'Copied.'), 'quiet'),
  )
  const element = createElement('div', { className: 'json-view' }, bar, scroller)
  return { element, show: () => showRows(facts.rowCount) }
})
