import type { LanguageSupport } from '@codemirror/language'
import type { CodeEditor } from './code-editor.ts'
import { wrapTextarea } from './plain-editor.ts'

interface Options {
  readonly label: HTMLLabelElement
  /** The id of the element that describes the text box. */
  readonly describedBy: string
  readonly styleNonce: string
}

/** Waits until nothing is being composed or selected in an element: replacing it then would lose that. */
async function waitUntilIdle(element: HTMLElement, isBusy: () => boolean): Promise<void> {
  while (isBusy()) {
    await new Promise((resolve) => {
      element.addEventListener('compositionend', resolve, { once: true })
      addEventListener('pointerup', resolve, { once: true })
      addEventListener('pointercancel', resolve, { once: true })
    })
    // Browsers send further events for the same action.
    await new Promise((resolve) => setTimeout(resolve))
  }
}

/**
 * Returns an editor that is the textarea at first, and the code editor once that is loaded. The code editor takes over
 * the text, the selection, the focus and what can be undone. If it can't be loaded, the textarea stays.
 */
export function createUpgradingEditor(textarea: HTMLTextAreaElement, options: Options): CodeEditor {
  const plain = wrapTextarea(textarea)
  const listeners: (() => void)[] = []
  const notify = () => {
    for (const listener of listeners) listener()
  }
  let current: CodeEditor = plain
  let language: LanguageSupport | null = null
  let readOnly = false
  let errorId: string | null = null
  plain.onChange(notify)

  let composing = false
  let pressed = false
  textarea.addEventListener('compositionstart', () => {
    composing = true
  })
  textarea.addEventListener('compositionend', () => {
    composing = false
  })
  textarea.addEventListener('pointerdown', () => {
    pressed = true
  })
  for (const type of ['pointerup', 'pointercancel']) {
    addEventListener(type, () => {
      pressed = false
    })
  }

  const upgrade = async () => {
    const { replaceTextarea } = await import('./code-editor.ts')
    await waitUntilIdle(textarea, () => composing || pressed)
    // The form may have been replaced by another page's content in the meantime.
    if (!textarea.isConnected) return
    const { label, describedBy, styleNonce } = options
    label.id = 'content-label'
    label.removeAttribute('for')
    current = replaceTextarea(textarea, {
      text: plain.text(),
      labelledBy: label.id,
      describedBy,
      styleNonce,
      snapshots: plain.history.snapshots,
    })
    current.setLanguage(language)
    current.setReadOnly(readOnly)
    current.setErrorId(errorId)
    current.onChange(notify)
  }
  // If the code editor can't be loaded, the textarea stays.
  upgrade().catch(() => {})

  return {
    text: () => current.text(),
    start: (characters) => current.start(characters),
    isEmpty: () => current.isEmpty(),
    replace: (text) => current.replace(text),
    focus: () => current.focus(),
    setLanguage: (support) => {
      language = support
      current.setLanguage(support)
    },
    setExtension: (extension) => current.setExtension(extension),
    setReadOnly: (value) => {
      readOnly = value
      current.setReadOnly(value)
    },
    setErrorId: (id) => {
      errorId = id
      current.setErrorId(id)
    },
    onChange: (listener) => listeners.push(listener),
  }
}
