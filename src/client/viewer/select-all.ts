import { formatCount } from '../../shared/format.ts'
import type { DisplayedText } from '../text/displayed-text.ts'
import { getOriginalText } from './toolbar.ts'
import type { MountedView } from './views/views.ts'

/** UTF-16 units that the browser selects. It would lay out all that it selects. */
const MAX_SELECTED = 128 * 1024

export interface SelectAllOptions {
  readonly source: DisplayedText
  /** Returns null while the source is shown. */
  readonly getView: () => MountedView | null
  readonly say: (message: string) => void
}

const isSelectAll = ({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent) =>
  key.toLowerCase() === 'a' && (ctrlKey || metaKey) && !shiftKey && !altKey

/** Says how much of the document was copied. */
function describeCopied(lines: number, all: number, isLoading: boolean): string {
  if (isLoading) return `Copied ${formatCount(lines, 'line')}. The rest is still loading.`
  if (lines < all) return `Copied the ${formatCount(lines, 'line')} shown, of ${all.toLocaleString('en')}.`
  return `Copied the whole text: ${formatCount(all, 'line')}.`
}

/**
 * Ctrl+A selects the text alone, without the rest of the page. A long text, and a view that has only some rows in the page,
 * only look selected, and are copied from here. Returns what handles a key.
 */
export function startSelectAll({ source, getView, say }: SelectAllOptions): (event: KeyboardEvent) => void {
  let marked: Element | null = null
  const mark = (element: Element | null) => {
    marked?.classList.remove('all-selected')
    element?.classList.add('all-selected')
    marked = element
  }
  const getShown = () => {
    const view = getView()
    const text = view?.text ?? source
    return {
      element: view?.rows ?? text.element,
      isSelectable: !view?.rows && source.length <= MAX_SELECTED,
      /** Rendered Markdown and rows are copied as they are written. */
      copied: view?.hasSourceLines ? text : source,
    }
  }
  const onKeydown = (event: KeyboardEvent) => {
    const { target } = event
    if (!(target instanceof Element) || target.closest('input, select, textarea, dialog, [popover]')) return
    if (!isSelectAll(event)) {
      if (!event.ctrlKey && !event.metaKey) mark(null)
      return
    }
    event.preventDefault()
    const { element, isSelectable } = getShown()
    mark(null)
    if (isSelectable) getSelection()?.selectAllChildren(element)
    else {
      getSelection()?.removeAllRanges()
      mark(element.closest('pre') ?? element)
    }
  }
  document.addEventListener('keydown', onKeydown)
  document.addEventListener('pointerdown', () => mark(null))
  document.addEventListener('copy', (event) => {
    const { element, isSelectable, copied } = getShown()
    // The browser's menu selects the whole page.
    if (!marked && !getSelection()?.containsNode(element)) return
    if (!isSelectable) {
      const text = copied === source ? getOriginalText(source.element) : copied.slice(0, copied.length)
      event.clipboardData?.setData('text/plain', text)
      event.preventDefault()
    }
    if (!isSelectable || copied.lines < source.lines)
      say(describeCopied(copied.lines, source.lines, source.grows))
  })
  return onKeydown
}
