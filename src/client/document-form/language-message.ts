import { AUTO, findLanguage, PLAIN_TEXT, resolveLanguage } from '../../shared/languages.ts'
import type { CodeEditor } from '../code-editor/code-editor.ts'
import { requireElement } from '../shared/elements.ts'
import { bindLanguageField, DETECTION_CHARACTERS, type LanguageField } from './language-field.ts'

const getLabel = (name: string): string => findLanguage(name)?.label ?? name

/** Binds the toolbar's field for the language, says next to it what was detected, and suggests it for plain text. */
export function bindLanguageToolbar(codeEditor: CodeEditor, field: HTMLInputElement): LanguageField {
  const message = requireElement('#detected-language')
  const switchButton = requireElement<HTMLButtonElement>('#use-detected-language')
  let suggested = PLAIN_TEXT
  const isPlain = () => (field.value.trim().toLowerCase() || PLAIN_TEXT) === PLAIN_TEXT

  const suggest = async () => {
    const wanted = isPlain() && !codeEditor.isEmpty() && field.type !== 'hidden'
    suggested = wanted
      ? await resolveLanguage(AUTO, codeEditor.start(DETECTION_CHARACTERS)).catch(() => PLAIN_TEXT)
      : PLAIN_TEXT
    switchButton.hidden = suggested === PLAIN_TEXT || !isPlain()
    switchButton.textContent = `Switch to ${getLabel(suggested)}`
  }
  const language = bindLanguageField(codeEditor, field, {
    onShow: ({ name, detected, problem }) => {
      void suggest()
      message.textContent = [detected && `Detected: ${getLabel(name)}.`, problem].filter(Boolean).join(' ')
    },
  })
  switchButton.addEventListener('click', () => {
    language.choose(suggested)
    codeEditor.focus()
  })
  // A datalist only offers what matches the value, so select the value, ready to be replaced.
  field.addEventListener('focus', () => field.select())
  return language
}
