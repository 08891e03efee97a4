import { AUTO, findLanguage, PLAIN_TEXT, resolveLanguage } from '../../shared/languages.ts'
import { type CodeEditor, replaceTextarea } from '../code-editor/code-editor.ts'
import { startPreviewButton } from '../markdown/preview-button.ts'
import { cloneTemplate, requireElement } from '../shared/elements.ts'
import { bindLanguageField, DETECTION_CHARACTERS, type LanguageField } from './language-field.ts'
import { openFilesIntoEditor } from './open-files.ts'

const getLabel = (name: string): string => findLanguage(name)?.label ?? name

function bindLanguageToolbar(codeEditor: CodeEditor, field: HTMLInputElement): LanguageField {
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

interface DocumentForm {
  readonly codeEditor: CodeEditor
  readonly language: LanguageField
}

interface Options {
  readonly status: HTMLElement
  readonly text?: string | undefined
}

export function setUpDocumentForm(form: HTMLFormElement, options: Options): DocumentForm {
  const { status, text } = options
  const textarea = requireElement<HTMLTextAreaElement>('#content', form)
  const label = requireElement<HTMLLabelElement>('label[for="content"]', form)
  label.id = 'content-label'
  label.removeAttribute('for')
  const shortcuts = cloneTemplate('keyboard-shortcuts-template')
  const codeEditor = replaceTextarea(textarea, {
    text: text ?? textarea.value,
    labelledBy: label.id,
    describedBy: shortcuts.id,
    styleNonce: form.dataset.styleNonce ?? '',
  })
  requireElement('.cm-editor', form).after(shortcuts)
  label.addEventListener('click', () => codeEditor.focus())

  const toolbar = cloneTemplate('toolbar-template')
  label.before(toolbar)
  const languageInput = requireElement<HTMLInputElement>('#language', form)
  if (!toolbar.contains(languageInput)) toolbar.prepend(languageInput.closest('.field') ?? languageInput)
  const language = bindLanguageToolbar(codeEditor, languageInput)
  const previewButton = requireElement<HTMLButtonElement>('[data-part="preview"]', toolbar)
  startPreviewButton({ form, codeEditor, getLanguage: language.current, button: previewButton, status })
  openFilesIntoEditor({ form, codeEditor, language, status })
  return { codeEditor, language }
}
