import { findLanguageOfFile } from '../../shared/file-languages.ts'
import { findLanguage, PLAIN_TEXT } from '../../shared/languages.ts'
import { resolveLanguage } from '../../shared/resolve-language.ts'
import type { CodeEditor } from '../code-editor/code-editor.ts'
import { loadLanguageSupport } from '../code-editor/language-support.ts'
import { requireElement } from '../shared/elements.ts'

/** How long to wait after the last key before detecting the language, in milliseconds. */
const DEBOUNCE_MS = 300

/** Detection only looks at the first characters, and at whether there are more. */
const DETECTION_CHARACTERS = 8_192

export interface LanguageField {
  /** Returns the name of the language to save, detected from the text if the field says `auto`. */
  readonly current: () => Promise<string>
  /** Sets the field to the language of a file name; `auto` if it's unknown. */
  readonly chooseForFile: (fileName: string) => void
}

const getLabel = (name: string): string => findLanguage(name)?.label ?? name

/**
 * Highlights the text in the field's language, and shows what was detected.
 *
 * @param options.saved whether the language is saved with the document.
 */
export function bindLanguageField(
  codeEditor: CodeEditor,
  field: HTMLInputElement,
  { saved }: { readonly saved: boolean },
): LanguageField {
  const message = requireElement('#detected-language')
  const switchButton = requireElement<HTMLButtonElement>('#use-detected-language')
  let shown = PLAIN_TEXT
  let suggested = PLAIN_TEXT
  let timer: ReturnType<typeof setTimeout> | undefined
  let latest = 0

  const getValue = () => field.value.trim().toLowerCase() || PLAIN_TEXT
  const current = async () => {
    const name = await resolveLanguage(getValue(), codeEditor.start(DETECTION_CHARACTERS))
    return findLanguage(name)?.name ?? name
  }
  const choose = (name: string) => {
    field.value = name
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
  /** Offers to switch from plain text, which may be the account's default, to a language that is detected. */
  const suggest = async () => {
    const plain = getValue() === PLAIN_TEXT && !codeEditor.isEmpty() && field.type !== 'hidden'
    suggested = plain
      ? await resolveLanguage('auto', codeEditor.start(DETECTION_CHARACTERS)).catch(() => PLAIN_TEXT)
      : PLAIN_TEXT
    switchButton.hidden = suggested === PLAIN_TEXT || getValue() !== PLAIN_TEXT
    switchButton.textContent = `Switch to ${getLabel(suggested)}`
  }
  switchButton.addEventListener('click', () => {
    choose(suggested)
    codeEditor.focus()
  })
  const describe = (name: string, problem = '') => {
    const detected = getValue() === 'auto' && !codeEditor.isEmpty() ? `Detected: ${getLabel(name)}.` : ''
    const unsaved = !saved && name !== PLAIN_TEXT ? 'The document will be saved as plain text.' : ''
    message.textContent = [detected, unsaved, problem].filter(Boolean).join(' ')
  }
  const show = async () => {
    const number = ++latest
    const name = await current().catch(() => PLAIN_TEXT)
    if (number !== latest) return
    void suggest()
    if (name === shown) return describe(name)
    try {
      const support = await loadLanguageSupport(name)
      // The language may have changed while this one was loading.
      if (number !== latest) return
      codeEditor.setLanguage(support)
      shown = name
      describe(name)
    } catch {
      describe(name, 'Syntax highlighting couldn’t be loaded.')
    }
  }
  codeEditor.onChange(() => {
    if (getValue() !== 'auto' && getValue() !== PLAIN_TEXT) return
    clearTimeout(timer)
    timer = setTimeout(show, DEBOUNCE_MS)
  })
  // Restoring a draft fires `change` only.
  for (const event of ['input', 'change']) field.addEventListener(event, show)
  // A datalist only offers what matches the value, so select the value, ready to be replaced.
  field.addEventListener('focus', () => field.select())
  void show()
  return {
    current,
    chooseForFile: (fileName) => choose(findLanguageOfFile(fileName) ?? 'auto'),
  }
}
