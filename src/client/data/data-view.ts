import { createElement, loadStyles } from '../shared/elements.ts'
import { createWorkerClient, type WorkerClient } from '../shared/workers.ts'
import type { ViewTasks } from '../viewer/views/view-worker.ts'
import type { OpenView } from '../viewer/views/views.ts'

// What tables and trees have in common: the worker keeps the data, and the page asks for the rows near the window.

export type AskWorker = WorkerClient<ViewTasks>['ask']

/** CSS pixels. Browsers limit the height of elements, so more rows than this share it. */
const MAX_HEIGHT = 8_000_000
/** Rows beyond the window that are in the page. */
const OVERSCAN = 40

interface RowsOptions<Row> {
  readonly scroller: HTMLElement
  /** The rows are its only children. */
  readonly body: HTMLElement
  readonly load: (from: number, to: number) => Promise<readonly Row[]>
  readonly createRow: (row: Row, index: number) => HTMLElement
}

/** All rows have the same height. Returns a function that shows so many rows, and resolves when they are in the page. */
export function createVirtualRows<Row>(options: RowsOptions<Row>): (count: number) => Promise<void> {
  const { scroller, body, load, createRow } = options
  let [count, rowHeight, updates] = [0, 0, 0]
  let shown = { from: 0, to: 0 }

  const measureRow = async () => {
    const [row] = await load(0, 1)
    if (row === undefined) return
    body.replaceChildren(createRow(row, 0))
    rowHeight = body.firstElementChild?.getBoundingClientRect().height ?? 0
  }
  const createSpace = (pixels: number) => {
    const spacer = createElement(body.localName === 'tbody' ? 'tr' : 'div', { className: 'spacer' })
    spacer.style.height = `${Math.max(0, pixels)}px`
    return spacer
  }
  const update = async (isNew = false) => {
    if (isNew && rowHeight === 0) await measureRow()
    if (rowHeight === 0 && count > 0) return
    const { scrollTop, clientHeight } = scroller
    const visible = Math.ceil(clientHeight / (rowHeight || 1)) + 1
    const full = count * rowHeight
    const height = Math.min(full, MAX_HEIGHT)
    const share = scrollTop / Math.max(1, height - clientHeight)
    const first =
      full === height
        ? Math.floor(scrollTop / (rowHeight || 1))
        : Math.round(Math.min(1, share) * Math.max(0, count - visible + 1))
    const isShown = first >= shown.from && Math.min(count, first + visible) <= shown.to
    if (!isNew && isShown && full === height) return
    const from = Math.max(0, first - OVERSCAN)
    const to = Math.min(count, first + visible + OVERSCAN)
    const number = ++updates
    const rows = await load(from, to)
    if (number !== updates) return
    shown = { from, to }
    const top = full === height ? from * rowHeight : scrollTop - (first - from) * rowHeight
    const bottom = height - top - rows.length * rowHeight
    const elements = rows.map((row, index) => createRow(row, from + index))
    body.replaceChildren(createSpace(top), ...elements, createSpace(bottom))
  }
  scroller.addEventListener('scroll', () => void update(), { passive: true })
  new ResizeObserver(() => void update()).observe(scroller)
  return async (next) => {
    count = next
    shown = { from: 0, to: 0 }
    await update(true)
  }
}

interface DataView {
  readonly element: HTMLElement
  /** Fills the element, which is in the page. */
  readonly show: () => Promise<void>
}

type CreateDataView = (
  source: { readonly text: string; readonly language: string },
  ask: AskWorker,
  announce: (message: string) => void,
) => Promise<DataView>

export const openDataView =
  (create: CreateDataView): OpenView =>
  async ({ section, code, language, announce }) => {
    const { viewWorker = '', viewStyles = '' } = section.dataset
    const { ask } = createWorkerClient<ViewTasks>(viewWorker)
    const source = { text: code.textContent ?? '', language }
    const [{ element, show }] = await Promise.all([create(source, ask, announce), loadStyles(viewStyles)])
    // Rows are measured in the page, which still shows what it had before.
    element.classList.add('preparing')
    section.before(element)
    await show()
    element.classList.remove('preparing')
    element.remove()
    return () => {
      document.querySelector('.first-rows')?.remove()
      section.before(element)
      section.hidden = true
      return {
        hasSourceLines: false,
        unmount: () => {
          element.remove()
          section.hidden = false
        },
      }
    }
  }
