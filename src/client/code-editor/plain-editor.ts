import type { CodeEditor } from './code-editor.ts'
import { getLineBreak, hasUniformLineBreaks, toLf } from './line-breaks.ts'
import { TextHistory } from './text-history.ts'

/** A textarea with the interface of the code editor that will take its place. */
export interface PlainEditor extends CodeEditor {
  readonly history: TextHistory
}

/** Wraps a textarea. It highlights nothing. */
export function wrapTextarea(textarea: HTMLTextAreaElement): PlainEditor {
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
