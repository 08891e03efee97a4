import type { LanguageSupport } from '@codemirror/language'
import type { CodeEditor } from './code-editor.ts'
import { getLineBreak, hasUniformLineBreaks, toLf } from './line-breaks.ts'
import { TextHistory } from './text-history.ts'

interface PlainEditor extends CodeEditor {
  readonly history: TextHistory
}

function wrapTextarea(textarea: HTMLTextAreaElement): PlainEditor {
  const { defaultValue } = textarea
  const history = new TextHistory(defaultValue, Date.now())
  const listeners: (() => void)[] = []
  // A textarea has LF for every line break; this is the text that it was given.
  let given = { value: defaultValue, text: defaultValue }
  const onInput = () => {
    history.record(textarea.value, Date.now())
    for (const listener of listeners) listener()
  }
  textarea.addEventListener('input', onInput)
  // The user may have typed before this script ran.
  history.record(textarea.value, Date.now())
  return {
    history,
    text: () => {
      const { value } = textarea
      if (value === given.value) return given.text
      return getLineBreak(given.text) === '\r\n' && value !== '' ? value.replaceAll('\n', '\r\n') : value
    },
    start: (characters) => textarea.value.slice(0, characters),
    isEmpty: () => textarea.textLength === 0,
    replace: (text) => {
      textarea.value = text
      given = { value: toLf(text), text }
      textarea.setSelectionRange(0, 0)
      onInput()
      return hasUniformLineBreaks(text)
    },
    focus: () => textarea.focus(),
    setLanguage: () => {},
    setExtension: () => {},
    setReadOnly: (readOnly) => {
      textarea.readOnly = readOnly
    },
    setErrorId: (id) => {
      textarea.setAttribute('aria-invalid', String(id !== null))
      if (id === null) textarea.removeAttribute('aria-describedby')
      else textarea.setAttribute('aria-describedby', id)
    },
    onChange: (listener) => listeners.push(listener),
  }
}

interface Options {
  readonly label: HTMLLabelElement
  readonly describedBy: string
  readonly styleNonce: string
}

/** Replacing an element now would lose what is being composed or selected in it. */
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

/** The textarea until the code editor, which takes over all it has, is loaded, or for good if it can't be. */
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
