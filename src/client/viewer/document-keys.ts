import { isShortcut } from '../shared/shortcuts.ts'

/** The keys on the page of a document, and what each presses or follows. In a log, `n` goes to the next error. */
export const DOCUMENT_KEYS = [
  ['c', 'Copy', '.tools [data-tool="copy"], .tools [data-tool="copy-last"]'],
  ['e', 'Edit', '.document-header a[href$="/edit"], .tools a[href$="/edit"]'],
  ['r', 'Raw text', '.tools a[href^="/r/"]:not([download])'],
  ['n', 'New document', 'body:not(:has(.log-bar)) .masthead nav a[href="/"]'],
] as const

/** Returns what handles a key that was pressed before. */
export function startDocumentKeys(): (event: KeyboardEvent) => void {
  const onKeydown = (event: KeyboardEvent) => {
    const selector = DOCUMENT_KEYS.find(([key]) => key === event.key.toLowerCase())?.[2]
    const element = selector === undefined ? null : document.querySelector<HTMLElement>(selector)
    if (!element || !isShortcut(event)) return
    event.preventDefault()
    element.click()
  }
  addEventListener('keydown', onKeydown)
  return onKeydown
}
